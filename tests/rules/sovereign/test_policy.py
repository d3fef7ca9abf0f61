"""The choices of every combatant: whole fights, on a map and off it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from rulesets.sovereign import RULESET
from rulesets.sovereign.aftermath.morale import groups
from rulesets.sovereign.ai.targets import met
from rulesets.sovereign.stats.attack_outcomes import PRONE, RETREATING
from rulesets.sovereign.stats.field import ENGAGED, crowd, in_melee
from rulesets.sovereign.stats.stats import block, setup
from tests.support.tables import for_each
from tracker.core.fight.cache import caches_disabled
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.effects import Effect
from tracker.core.terms.requests import Window
from tracker.core.terms.tactics import Tactics
from tracker.forecast.playout import Limits, opened, play
from tracker.kit.squares.grid import Body, footprint
from tracker.library.content.encounters import load_encounter

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


@cache
def in_the_thick_of_it() -> State:
    return play(RULESET, begun("gate_brawl", 3), 3, limits=Limits(steps=30)).state


CHANGES = {
    "it moves": lambda one: replace(one, position=(7, 7)),
    "it is on no map": lambda one: replace(one, position=None, facts=((ENGAGED, ("bruiser-1", "maud")),)),
    "it falls": lambda one: replace(one, status="mortal"),
    "it changes sides": lambda one: replace(one, side="raiders" if one.side == "guards" else "guards"),
    "it has another name": lambda one: replace(one, name="Another"),
    "its bow is empty": lambda one: replace(one, effects=(Effect("unloaded:Crossbow", one.id),)),
    "it is held": lambda one: replace(one, effects=(Effect("grappled", one.id),)),
    "it lies down": lambda one: replace(one, effects=(PRONE.on(one.id),)),
    "it retreats": lambda one: replace(one, effects=(RETREATING.on(one.id),)),
}


def told(state: State) -> object:
    """Return melees, barred squares, the forms of attacks, and groups."""
    return dict(groups(state)), [
        (met(state, who), in_melee(state, who), crowd(state, who), RULESET.form(state, Action("attack_ranged", who)))
        for who in state.places
    ]


@for_each("change", CHANGES.values())
def test_what_follows_from_a_change_is_told_anew(change: Callable[[Combatant], Combatant]) -> None:
    """Given a change that decides about melees, ways or targets, none is told as before."""
    state, different = in_the_thick_of_it(), 0
    for one in state.combatants[::3]:
        combatants = tuple(change(one) if other is one else other for other in state.combatants)
        changed = replace(state, combatants=combatants)
        before, after = told(state), told(changed)
        with caches_disabled():
            assert told(changed) == after
        different += before != after
    assert different


def test_a_window_that_does_not_matter_has_moot_offers_only() -> None:
    """Given the windows of whole fights, a forecast passes only those that nobody would be asked about."""
    passed = list[Window]()

    def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
        offers = RULESET.windows(state, window)
        if not RULESET.window_matters(state, window):
            passed.append(replace(window, offers=offers))
        return offers

    game = replace(RULESET, windows=windows, window_matters=lambda state, window: True)
    for name in ("gate_brawl", "first_fight"):
        play(game, begun(name, 3), 3)

    assert {window.name.rstrip("#123") for window in passed if window.offers} == {"declared", "rolled"}
    assert [window for window in passed if window.matters] == []
