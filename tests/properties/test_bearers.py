"""What names another combatant ends with that combatant: swarms, holds, grips, screens, engagements."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest

from tests.properties.games import GAMES, build
from tests.properties.golden_steps import GOLDEN, golden
from tests.support.shares import every
from tracker.core import engine
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.encounter import Encounter
from tracker.testing import random_play
from tracker.testing.table import plain

REMEMBERED = ("dying", "disengaged", "screened", "screened_this_round", "casting")
"""Effects that name who felled them, whom they slipped from or blocked, at whom a spell was begun: it stays true."""
STEPS = 40


def names(value: object) -> set[str]:
    """Return every text within a value."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, msgspec.Struct):
        value = msgspec.structs.astuple(value)
    return set().union(*map(names, value)) if isinstance(value, tuple | list) else set()


def bound(state: State, who: Id) -> set[tuple[str, str]]:
    """Return the effects on others whose data name a combatant, by name and bearer."""
    return {
        (effect.name, effect.bearer)
        for effect in state.all_effects
        if effect.bearer != who and effect.name not in REMEMBERED and who in names(effect.data)
    }


def unfreed(ruleset: Ruleset, state: State) -> list[str]:
    """Return what still names a combatant after it has left the fight, or has fallen."""
    found = []
    for one in state.combatants:
        held = bound(state, one.id)
        for action in (Action("remove").put(targets=(one.id,)), Action("status").put(targets=(one.id,), status="dead")):
            outcome = run(ruleset, state, Step("do", (action,), forced=True), (), plain) if held else None
            left = held & bound(outcome.state, one.id) if isinstance(outcome, Done) else set()
            found += [f"{name} of {bearer} names {one.id} after {action.key}" for name, bearer in sorted(left)]
    return found


def played(ruleset: Ruleset, encounter: Encounter, steps: int, seed: int) -> Iterator[State]:
    """Play a fight with anything that is offered, and yield each state."""
    state, chance = State(), random.Random(seed)
    step = Step("start", encounter=encounter)
    for _ in range(steps):
        outcome = run(ruleset, state, step, (), plain)
        if isinstance(outcome, Done):
            yield (state := outcome.state)
        acting = state.clock.current.members if state.clock.current is not None else ()
        who = chance.choice([*acting, *(one.id for one in state.combatants)] or [None])
        offered = [spec for spec in engine.offers(ruleset, state, who) if spec.refusal is None]
        step = Step("advance")
        if offered and chance.random() < 0.6:
            step = Step("do", (random_play.filled(chance, ruleset, state, encounter, chance.choice(offered)),))


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_marks_end_with_those_they_name_in_the_golden_fights(name: str) -> None:
    """In every position, each of those who are named leaves or falls."""
    ruleset, fight = golden(name)

    assert [line for step in fight for line in unfreed(ruleset, step.before)] == []


@pytest.mark.parametrize("name", every(3, sorted(GAMES)))
def test_marks_end_with_those_they_name(name: str) -> None:
    """The same in fights in which anything is done."""
    ruleset, encounter = build(name)

    assert [line for state in played(ruleset, encounter, STEPS, 7) for line in unfreed(ruleset, state)] == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(GAMES))
def test_marks_end_with_those_they_name_in_many_fights(name: str) -> None:
    """The same in forty fights of each encounter."""
    ruleset, encounter = build(name)

    for seed in range(40):
        states = played(ruleset, encounter, 2 * STEPS, seed)
        assert [line for state in states for line in unfreed(ruleset, state)] == [], seed
