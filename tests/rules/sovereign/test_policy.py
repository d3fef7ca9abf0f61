"""The plain choice of every combatant: whole fights, on a map and off it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulesets.sovereign import RULESET
from rulesets.sovereign.numbers.stats import block, free, setup
from tracker.core.fight.state import State
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, Request, Roll, Thrown
from tracker.kit.squares.grid import Body, footprint
from tracker.library.shelves.encounters import load_encounter

FOLDER = Path(__file__).parents[3] / "encounters" / "sovereign"
MOST_ROUNDS = 12


def play(name: str, seed: int) -> tuple[State, list[State]]:
    dice = random.Random(seed)
    loaded = load_encounter(FOLDER / f"{name}.yaml", lambda key: RULESET if key == "sovereign" else None)
    assert loaded.encounter is not None

    def answer(request: Request) -> Answer | None:
        return (
            Thrown(sum(dice.randint(1, sides) for sides in request.dice.sides))
            if isinstance(request, Roll)
            else request.usual
        )

    def take(state: State, step: Step) -> State:
        outcome = run(RULESET, state, step, (), answer)
        assert isinstance(outcome, Done), outcome
        return outcome.state

    state = take(State(), Step("start", encounter=loaded.encounter))
    states = [state]
    while state.clock.round <= MOST_ROUNDS and RULESET.finished(state) is None:
        slot = state.clock.current
        assert slot is not None
        for who in slot.members:
            for _ in range(4):
                wanted = RULESET.policy(state, who) if who in state and free(state, who) else Action("next")
                if wanted.key == "next" or RULESET.finished(state) is not None:
                    break
                state = take(state, Step("do", (wanted,)))
                states.append(state)
        state = take(state, Step("advance"))
        states.append(state)
    return state, states


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", ["first_fight", "night_road", "gate_brawl"])
def test_the_policy_plays_fights(name: str, seed: int) -> None:
    """Given a bundled encounter, every choice of the policy is accepted, and blood flows."""
    state, states = play(name, seed)

    assert len(states) > 10
    assert any(combatant.hp < combatant.pool("hp").max for combatant in state.combatants)


def test_nobody_ever_shares_a_square_or_stands_in_a_wall() -> None:
    """Given a brawl on a map, creatures stand apart and on passable squares (SV-006, SV-013)."""
    _, states = play("gate_brawl", 3)
    for state in states:
        ground = setup(state).terrain
        assert ground is not None
        standing = [
            combatant
            for combatant in state.combatants
            if combatant.status not in ("dead", "gone") and combatant.position is not None
        ]
        squares = [
            square
            for combatant in standing
            if combatant.position is not None
            for square in footprint(
                Body((int(combatant.position[0]), int(combatant.position[1])), block(combatant).space)
            )
        ]

        assert all(ground.passable(square) for square in squares)
        giants = {
            square
            for combatant in standing
            if combatant.name == "Oaf" and combatant.position is not None
            for square in footprint(Body((int(combatant.position[0]), int(combatant.position[1])), 2))
        }
        others = [square for square in squares if square not in giants]
        assert len(others) == len(set(others))
