"""Odds of an attack in every game, against drawing every answer."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from tests.ui.games import GH, SJ, SV, SW, WN, begun, phase, played, ready
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import Answer, Choice, ChoiceAnswer, DiceAnswer, Passed, Request, Roll, Window
from tracker.forecast.odds import Odds, Tally, chance, odds, words
from tracker.library.guard import unwrapped
from tracker.session.intents import Do

TIMES = 300
ATTACKS = [
    (WN, action("melee_attack", "hedge-robber-1", target="tavi"), "tavi", {"Shock"}),
    (SW, action("attack", "skeleton-1", target="wolf"), "wolf", {"critical"}),
    (SV, action("attack_melee", "cutpurse-1", target="piet"), "piet", {"Shock"}),
    (SJ, action("attack", "gale-hawk-1", target="telmarre"), "telmarre", {"grievous wound"}),
    (GH, action("attack", "goblin-1", targets=("brannoc",)), "brannoc", {"tick", "wound"}),
]


def drawn(ruleset: Ruleset, state: State, act: Action, who: str) -> tuple[Counter[str], float]:
    """Return how often each outcome of the game came, and the mean loss. Every answer is drawn on its own."""
    rng = random.Random(3)
    came: Counter[str] = Counter()
    lost = 0

    def source(request: Request) -> Answer | None:
        match request:
            case Roll(dice=dice):
                faces = tuple(rng.randint(1, sides) for sides in dice.sides)
                return DiceAnswer(sum(faces), faces)
            case Choice(default=str() as default):
                return ChoiceAnswer(default)
            case Window():
                return Passed()
            case _:
                return None

    pool = ruleset.schema.pools[0]
    for _ in range(TIMES):
        outcome = run(ruleset, state, Step("do", (act,)), (), source)
        assert isinstance(outcome, Done)
        came.update(ruleset.outcomes(state, outcome.state, outcome.entries, who))
        if state[who].has_pool(pool):
            lost += state[who].pool(pool).now - outcome.state[who].pool(pool).now
    return came, lost / TIMES


def tally(found: Odds, who: str) -> Tally:
    return next(one for one in found.tallies if one.who == who)


@pytest.mark.parametrize(("game", "act", "who", "own"), ATTACKS, ids=[row[0] for row in ATTACKS])
def test_odds_of_every_game_agree_with_drawing(game: str, act: Action, who: str, own: set[str], tmp_path: Path) -> None:
    """The chances of the game's outcomes and the mean loss are those of 300 attacks."""
    with ready(tmp_path, game) as session:
        ruleset, state = unwrapped(session.ruleset), session.model.state

        found = odds(ruleset, state, act, seconds=1.0)
        came, mean = drawn(ruleset, state, act, who)

        assert found.error < 0.02
        extras = dict(tally(found, who).extras)
        assert own <= set(extras)
        assert {word: pytest.approx(came[word] / TIMES, abs=0.06) for word in extras} == extras
        assert tally(found, who).mean == pytest.approx(mean, abs=0.3)
        assert not words(state, found).startswith("about")


def test_roll_of_the_defender_is_about_the_defender(tmp_path: Path) -> None:
    """GitHack: the PC rolls, so the line says how the defence goes."""
    with ready(tmp_path, GH) as session:
        state = session.model.state
        found = odds(unwrapped(session.ruleset), state, ATTACKS[4][1], seconds=1.0)

        assert [one.who for one in found.tallies] == ["brannoc"]
        assert words(state, found) == "55% hit, 45% defended · 18% tick, 9% wound"


def test_sampled_figures_say_how_far_they_may_be_off(tmp_path: Path) -> None:
    """Drawn odds are about right, and their error shrinks with more draws."""
    with ready(tmp_path, SW) as session:
        state, act = session.model.state, ATTACKS[1][1]
        little = odds(unwrapped(session.ruleset), state, act, seconds=0.0, sample_seconds=0.01)
        more = odds(unwrapped(session.ruleset), state, act, seconds=0.0, sample_seconds=0.3)

        assert (little.sampled, more.sampled) == (True, True)
        assert 0 < more.error < little.error
        line = words(state, more)
        assert (line.startswith("about "), line.endswith("%)")) == (True, True)


def test_first_figures_come_at_a_glance(tmp_path: Path) -> None:
    """Where counting takes longer, what is known so far is told once, with its error. What follows is closer."""
    seen: list[Odds] = []
    with ready(tmp_path, SW) as session:
        found = odds(unwrapped(session.ruleset), session.model.state, ATTACKS[1][1], seconds=0.3, glance=seen.append)

    assert [glimpse.error > found.error for glimpse in seen] == [True]


def test_a_question_after_a_blow_takes_nothing_from_its_chance(tmp_path: Path) -> None:
    """Kerrow defends with DEX 11, so 9 of 20 hit; behind some of them Angst lets the GM choose."""
    with begun(tmp_path, GH, "dragon") as session:
        played(session, phase("monsters"))
        state, act = session.model.state, action("attack", "hollow-knight-1", targets=("kerrow",), mode="cold grip")
        found = odds(unwrapped(session.ruleset), state, act, seconds=60)

    assert tally(found, "kerrow").success == pytest.approx(0.45)
    assert 0 < found.open == pytest.approx(found.asks)
    assert chance(found, act.by) == "hits 45%"


def test_the_chance_to_hit_is_exact_without_time(tmp_path: Path) -> None:
    """Harrod Vane has +10 against AC 15; what his blows do takes far longer to count.

    A figure of which something is left to count is about right.
    """
    with begun(tmp_path, WN, "bandit_lord") as session:
        played(session, lambda state: state.clock.current is not None and state.clock.current.side == "red-cairn")
        state, act = session.model.state, action("melee_attack", "cairn-lord", target="sefa", weapon="great sword")
        found = odds(unwrapped(session.ruleset), state, act, seconds=0.01)

    assert found.open > 0.2
    assert chance(found, act.by) == "hits 80%"
    assert [one.success for one in found.tallies] == [pytest.approx(0.8)]
    assert chance(Odds((Tally("sefa", mean=2.0),), error=0.2)) == "takes about 2.0"


def test_an_action_at_a_friend_has_the_chance_of_its_check(tmp_path: Path) -> None:
    """Nele rolls 2d6 and has +3 against 8: 5 or more."""
    with begun(tmp_path, WN, "bandit_lord") as session:
        played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
        session.dispatch(Do((action("damage", None, amount=9, targets=("ferry-guard",)),)))
        aid = action("stabilise", "nele", target="ferry-guard")
        found = odds(unwrapped(session.ruleset), session.model.state, aid, seconds=60)

    assert (found.refused, chance(found, "nele")) == ("", "succeeds 83%")


def test_odds_of_an_effect_are_those_of_its_numbers(tmp_path: Path) -> None:
    """What the game master adds to a number counts in the next odds."""
    with ready(tmp_path, WN) as session:
        act = ATTACKS[0][1]
        before = dict(tally(odds(unwrapped(session.ruleset), session.model.state, act, seconds=1.0), "tavi").results)
        change = (("stat", "attack"), ("amount", 2))
        state = session.dispatch(
            Do((action("add_effect", name="blessed", targets=("hedge-robber-1",), modifiers=(change,)),))
        ).state
        after = dict(tally(odds(unwrapped(session.ruleset), state, act, seconds=1.0), "tavi").results)

    assert after["hit"] == pytest.approx(before["hit"] + 0.1)


@pytest.mark.parametrize(("by", "target", "more"), [("skeleton-1", "wolf", 0), ("zombie-1", "mira", 1)])
def test_a_contest_of_dice_takes_few_runs(by: str, target: str, more: int, tmp_path: Path) -> None:
    """Two dice against two: no more is run than whether they hit, so 25 runs leave less than one end in a thousand.

    `more`: by how much Accuracy is above Evasion; a tie misses (SW-105).
    """
    session = ready(tmp_path, SW)
    act, die = action("attack", by, target=target), range(1, 7)

    found = odds(unwrapped(session.ruleset), session.model.state, act, seconds=60, enough=0.001)
    exact = odds(unwrapped(session.ruleset), session.model.state, act, seconds=60, enough=0.000001)

    assert found.runs <= 25
    assert 0 < found.open <= 0.001
    hits = sum(one + other + more > two + three for one, other, two, three in product(die, repeat=4)) / 6**4
    assert tally(exact, target).success == pytest.approx(hits, abs=0.000002)
