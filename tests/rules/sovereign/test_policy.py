"""The choices of every combatant: whole fights, on a map and off it."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from rulesets.sovereign import RULESET
from rulesets.sovereign.numbers.stats import block, setup
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import Action
from tracker.core.terms.tactics import Tactics
from tracker.forecast.playing import Limits, opened, play
from tracker.kit.squares.grid import Body, footprint
from tracker.library.shelves.encounters import load_encounter

FOLDER = Path(__file__).parents[3] / "encounters" / "sovereign"


def begun(name: str, seed: int) -> State:
    loaded = load_encounter(FOLDER / f"{name}.yaml", lambda key: RULESET if key == "sovereign" else None)
    assert loaded.encounter is not None
    return opened(RULESET, loaded.encounter, seed)


def states_of(name: str, seed: int) -> list[State]:
    """Return the states of a fight in which a combatant has chosen."""
    states = []

    def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
        states.append(state)
        return RULESET.policy(state, who, tactics)

    play(replace(RULESET, policy=policy), begun(name, seed), seed, limits=Limits(rounds=4))
    return states


def test_nobody_ever_shares_a_square_or_stands_in_a_wall() -> None:
    """Given a brawl on a map, creatures stand apart and on passable squares (SV-006, SV-013)."""
    for state in {id(state): state for state in states_of("gate_brawl", 3)}.values():
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
