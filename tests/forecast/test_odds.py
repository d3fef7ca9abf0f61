"""Odds of an action, against chances worked out by hand and against drawing."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from rulesets.worlds_without_number import RULESET
from tracker.core.fight.state import State
from tracker.core.run import Done, Step, run
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import Answer, DiceAnswer, Request, Roll
from tracker.forecast.odds import Odds, odds, words
from tracker.library.content.encounters import load_encounter

FIGHT = """\
ruleset: worlds_without_number
title: two against two
sides:
  - name: Party
    control: players
    members:
      - {name: Ansa, hp: 12, ac: 15, ab: 1, mods: {str: 1}, skills: {stab: 1}, weapons: [{name: long sword}]}
      - {name: Bero, hp: 8, ac: 13, weapons: [{name: small bow}]}
  - name: Foes
    members:
      - {name: Raider, hd: 1, hp: 5, ac: 13, atk: +1, dmg: 1d6, shock: 1/13}
      - {name: Brute, hd: 4, hp: 20, ac: 14, atk: +5, dmg: 1d10+2, shock: 5/-}
"""


def defaults(request: Request) -> Answer | None:
    """Answer what stands before the first turn: no surprise, the party first."""
    match request:
        case Roll(key=key, dice=dice):
            return DiceAnswer(dice.maximum if "party" in key else dice.minimum)
        case _:
            return request.default_answer


@pytest.fixture
def state(tmp_path: Path) -> State:
    path = tmp_path / "fight.yaml"
    path.write_text(FIGHT)
    loaded = load_encounter(path, lambda key: RULESET)
    assert loaded.problems == ()
    outcome = run(RULESET, State(), Step("start", encounter=loaded.encounter), (), defaults)
    assert isinstance(outcome, Done)
    return outcome.state


def exact(state: State, act: Action) -> Odds:
    return odds(RULESET, state, act, seconds=10.0)


def test_the_figures_of_an_attack_are_those_worked_out_by_hand(state: State) -> None:
    """+3 against AC 13 hits from 10 on. 1d8+1 is raised to the Shock of 3 that a miss does too; the raider has 5."""
    found = exact(state, action("melee_attack", "ansa", target="raider"))

    (tally,) = found.tallies
    assert found.open == 0.0
    assert tally.who == "raider"
    assert dict(tally.results) == {"hit": pytest.approx(0.55), "miss": pytest.approx(0.45)}
    assert tally.drops == pytest.approx(0.55 * 5 / 8)
    assert tally.mean == pytest.approx(0.55 * 35 / 8 + 0.45 * 3)


def test_one_answer_stands_for_its_class(state: State) -> None:
    """The d20 is answered once for each result, the damage once for a blow that fells and one that does not."""
    found = exact(state, action("melee_attack", "ansa", target="raider"))

    assert found.runs <= 8


def test_the_mean_of_a_compared_roll_counts_the_pairs_that_lead_there(state: State) -> None:
    """The higher of two d6 takes its own number: 2 once, 3 twice, up to 6 five times of 36; four runs count all."""

    def contest(ctx: Ctx, action: Action) -> None:
        mine, other = (ctx.roll(key, Dice.of(1, 6), who="ansa") for key in ("mine", "other"))
        if mine > other:
            ctx.change("brute", "hp", ctx.state["brute"].hp - mine)

    found = odds(replace(RULESET, perform=contest), state, action("melee_attack", "ansa", target="brute"), seconds=10)

    (tally,) = found.tallies
    assert (found.open, tally.who) == (0.0, "brute")
    assert tally.mean == pytest.approx(sum(face * (face - 1) for face in range(1, 7)) / 36)
    assert found.runs <= 4


def test_what_time_leaves_open_is_the_error(state: State) -> None:
    """Without time the step is run once: all but that end stays open."""
    found = odds(RULESET, state, action("melee_attack", "ansa", target="raider"), seconds=0.0)

    assert found.runs == 1
    assert found.open == pytest.approx(0.95)
    assert not found.sampled


def test_a_large_open_part_is_sampled_and_said_to_be_about(state: State) -> None:
    found = odds(RULESET, state, action("melee_attack", "ansa", target="raider"), seconds=0.0, sample_seconds=0.1)

    (tally,) = found.tallies
    assert found.sampled
    assert dict(tally.results)["hit"] == pytest.approx(0.55, abs=0.25)
    assert words(state, found).startswith("about ")


def test_an_action_that_is_refused_has_no_odds(state: State) -> None:
    found = exact(state, action("melee_attack", "raider", target="ansa"))

    assert found.tallies == ()
    assert found.refused
    assert words(state, found) == ""


def test_odds_can_be_cancelled(state: State) -> None:
    found = odds(RULESET, state, action("melee_attack", "ansa", target="raider"), seconds=10.0, cancelled=lambda: True)

    assert found.runs == 1


def test_the_line_says_hit_drop_and_mean(state: State) -> None:
    line = words(state, exact(state, action("melee_attack", "ansa", target="raider")))

    assert line == "55% hit, 45% miss · 45% Shock · 34% drops · mean 3.8"
