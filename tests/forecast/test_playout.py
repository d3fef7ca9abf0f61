"""Fights played to their end by the games' own policies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from rulesets import githack, sovereign, spelljammer, sword_world, worlds_without_number
from tests.support.example_ruleset import RULESET as KNIVES
from tracker.core.engine import accept, offers
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.tactics import TACTICS, Aim, Tactics, best
from tracker.forecast.playout import Limits, Played, opened, play
from tracker.library.content.encounters import load_encounter
from tracker.testing.random_play import answer, filled

ENCOUNTERS = Path(__file__).parents[2] / "encounters"
GAMES = {one.RULESET.key: one.RULESET for one in (githack, sovereign, spelljammer, sword_world, worlds_without_number)}
BUNDLED = sorted(
    (path.parent.name, path.stem)
    for path in ENCOUNTERS.glob("*/*.yaml")
    if path.stem not in ("bestiary", "party") and path.parent.name in GAMES
)
HARMFUL = {
    "attack",
    "attack_melee",
    "attack_ranged",
    "charge",
    "grapple",
    "melee_attack",
    "ranged_attack",
    "shove",
    "snap_attack",
    "swarm_attack",
}
AIMED = ("target", "targets", "enemy")


def encounter(game: str, name: str) -> Encounter:
    loaded = load_encounter(ENCOUNTERS / game / f"{name}.yaml", GAMES.get)
    assert loaded.encounter is not None
    return loaded.encounter


def alley_encounter() -> Encounter:
    path = Path(__file__).parents[1] / "support" / "example_encounter.yaml"
    loaded = load_encounter(path, lambda key: KNIVES if key == "knives" else None)
    assert loaded.encounter is not None
    return loaded.encounter


def alley() -> State:
    return opened(KNIVES, alley_encounter(), 1)


def friends(state: State, action: Action) -> Iterator[Id]:
    """Yield the targets of a harmful action that are on the actor's side."""
    for name, value in action.fields:
        named = value if isinstance(value, tuple) else (value,)
        if action.key in HARMFUL and name in AIMED and action.by is not None:
            yield from (str(one) for one in named if one in state and state[str(one)].side == state[action.by].side)


def watched(ruleset: Ruleset) -> Ruleset:
    """Return a game that checks each choice of its policy."""

    def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
        action = ruleset.policy(state, who, tactics)
        if action is not None:
            accept(ruleset, state, action)
            assert action.by == who
            assert list(friends(state, action)) == []
        return action

    return replace(ruleset, policy=policy)


def fought(game: str, name: str, seed: int, tactics: Tactics) -> Played:
    state = opened(GAMES[game], encounter(game, name), seed)
    return play(watched(GAMES[game]), state, seed, {side.id: tactics for side in state.sides})


def test_a_fight_is_played_to_its_end() -> None:
    """Given a seed, the same fight is played to the same end."""
    one, other = play(KNIVES, alley(), 5), play(KNIVES, alley(), 5)

    assert one == other
    assert (one.undecided, one.refused_choices, len(one.left)) == ("", (), 1)
    assert {play(KNIVES, alley(), seed).left for seed in range(12)} == {("party",), ("thugs",)}


@pytest.mark.parametrize("game", sorted(key for key, game in GAMES.items() if not game.out_of_turn))
def test_who_never_acts_out_of_turn_is_not_asked(game: str) -> None:
    """Given a game without actions out of turn, combatants outside the slot have none to do."""
    for name in (name for key, name in BUNDLED if key == game):
        state = opened(GAMES[game], encounter(game, name), 3)
        some = Limits(steps=40)

        asked = play(replace(GAMES[game], out_of_turn=True), state, 3, limits=some)

        assert play(GAMES[game], state, 3, limits=some) == asked


def test_a_fight_without_an_end_is_undecided() -> None:
    """Given combatants that only wait, the fight is undecided at its limits."""
    idle = replace(KNIVES, policy=lambda state, who, tactics: None)

    played = play(idle, alley(), 1, limits=Limits(rounds=3))

    assert played.undecided.startswith("no end after 4 rounds")
    assert set(played.left) == {"party", "thugs"}


def test_a_choice_that_is_refused_is_reported() -> None:
    """Given a policy with impossible choices, they are reported and the fight goes on."""
    wild = replace(KNIVES, policy=lambda state, who, tactics: Action("attack", who, (("target", who),)))

    played = play(wild, alley(), 1, limits=Limits(rounds=1))

    assert len(played.refused_choices) > 1
    assert played.undecided


@pytest.mark.parametrize(
    ("tactics", "expected"), [("focused", "hurt"), ("spread", "fresh"), ("cautious", "safe"), ("ruthless", "chief")]
)
def test_tactics_choose_among_aims(tactics: Tactics, expected: str) -> None:
    """Each tactics has another favourite among the same attacks."""
    aims = (
        Aim(Action("hurt"), taken=3, left=3, full=9, threat=3, risk=1),
        Aim(Action("fresh"), taken=4, left=9, full=9, threat=3, risk=1),
        Aim(Action("safe"), taken=2, left=4, full=9, threat=3),
        Aim(Action("chief"), taken=4, left=30, full=30, threat=14, risk=1, beset=1),
        Aim(Action("nothing"), taken=0, left=1, full=9, threat=30),
    )

    chosen = best(aims, tactics)

    assert chosen is not None
    assert chosen.key == expected


@pytest.mark.parametrize("tactics", TACTICS)
def test_equal_attacks_are_decided_by_chance_and_risk(tactics: Tactics) -> None:
    """Attacks that take all points are equal; the likelier one is chosen, then the one with less risk."""
    sword = Aim(Action("sword"), taken=6, left=5, full=9, threat=3)
    bow = Aim(Action("bow"), taken=14, left=5, full=9, threat=3)
    bold = Aim(Action("bold"), taken=14, left=5, full=9, threat=3, risk=1)

    chosen = {best(aims, tactics) for aims in ((sword, bow, bold), (bold, bow, sword))}

    assert [one.key for one in chosen if one is not None] == ["bow"]


def test_one_combatant_more_leaves_the_others_their_dice() -> None:
    """Of fights with one seed each combatant has the same dice, with more foes too."""

    def rolled(thugs: int) -> list[int]:
        whole = alley_encounter()
        party, foes = whole.sides
        members = tuple(replace(one, count=Dice((), thugs)) for one in foes.members)
        state = opened(KNIVES, replace(whole, sides=(party, replace(foes, members=members))), 7)
        return [int(str(state.fact(who, "initiative"))) for who in ("nan", "old-tom", "thug-1", "thug-2")]

    assert rolled(2) == rolled(3) == rolled(5)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_policies_play_to_the_end(game: str) -> None:
    """Given a bundled fight, each choice is accepted, and aimed at no friend."""
    name = next(name for key, name in BUNDLED if key == game)

    played = fought(game, name, 3, TACTICS[sorted(GAMES).index(game) % len(TACTICS)])

    assert (played.undecided, played.refused_choices) == ("", ())


@pytest.mark.long
@pytest.mark.parametrize("tactics", TACTICS)
@pytest.mark.parametrize(("game", "name"), BUNDLED)
def test_policies_play_every_bundled_fight(game: str, name: str, tactics: Tactics) -> None:
    """Each bundled fight has an end with each tactics, without refusals or attacks at friends."""
    for seed in range(300):
        played = fought(game, name, seed, tactics)

        assert (played.undecided, played.refused_choices) == ("", ())


@pytest.mark.long
@pytest.mark.parametrize(("game", "name"), BUNDLED)
def test_any_fight_can_be_played_on(game: str, name: str) -> None:
    """Given fights after random actions, policies play them to their end."""
    ruleset, begun = GAMES[game], encounter(game, name)
    chance = Random(f"{game} {name}")
    state = opened(ruleset, begun, 1)
    for number in range(60):
        specs = [spec for spec in offers(ruleset, state, chance.choice([None, *state.places])) if spec.refusal is None]
        specs = [spec for spec in specs if spec.key not in ("end_fight", "remove", "next")]
        step = Step("advance")
        if specs and chance.random() < 0.7:
            step = Step("do", (filled(chance, ruleset, state, begun, chance.choice(specs)),))
        outcome = run(ruleset, state, step, (), partial(answer, chance, ruleset, begun, state))
        state = outcome.state if isinstance(outcome, Done) else state
        if state.clock.over:
            break
        if number % 8 == 3:
            played = play(ruleset, state, number)
            assert (played.undecided, played.refused_choices) == ("", ())
