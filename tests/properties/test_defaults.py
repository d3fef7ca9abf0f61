"""A default means what the stat block says, whatever happened before: monsters keep to their routines."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.properties.games import GAMES, build
from tests.properties.test_bearers import played
from tests.support.shares import every
from tracker.core import engine
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action
from tracker.testing.table import plain

DECLARING = sorted(name for name in GAMES if name.startswith("spelljammer/"))
OTHERS = sorted(name for name in GAMES if not name.startswith(("spelljammer/", "fifth_edition/")))
STEPS, ROUNDS = 30, 4
MOVEMENTS = ("free", "none", "half_then_act", "act_then_half", "run_then_act")
Attack = tuple[str, str, tuple[object, ...]]
"""An action of a monster, its field for a weapon, and what that field offers."""


def offered(ruleset: Ruleset, state: State, who: Id) -> Iterator[tuple[Attack, object]]:
    """Yield the weapons, modes and spells that a monster's actions offer, each with its default."""
    for spec in engine.offers(ruleset, state, who):
        if spec.refusal is None:
            for field in engine.spec_of(ruleset, state, Action(spec.key, who)).fields:
                if field.name in ("weapon", "mode", "spell", "special"):
                    open_ones = tuple(option.key for option in field.options if option.refusal is None)
                    yield (spec.key, field.name, open_ones), field.default


@pytest.mark.parametrize("name", every(3, OTHERS))
def test_the_same_choice_of_a_monster_has_the_same_default(name: str) -> None:
    """Given anything that happens, a form that offers the same weapons puts the same one first."""
    ruleset, encounter = build(name)
    first: dict[tuple[Id, Attack], object] = {}

    for state in played(ruleset, encounter, STEPS, 3):
        for one in state.combatants:
            if one.kind == "monster" and one.status == "up":
                for attack, default in offered(ruleset, state, one.id):
                    assert first.setdefault((one.id, attack), default) == default, (one.name, *attack)


def declared(ruleset: Ruleset, state: State, who: Id, movement: str) -> State:
    """Declare an attack with this movement, or what is usual where that is forbidden."""
    for action in (Action("declare", who).put(main="attack", movement=movement), Action("declare", who)):
        outcome = run(ruleset, state, Step("do", (action,)), (), plain)
        if isinstance(outcome, Done):
            return outcome.state
    return state


@pytest.mark.parametrize("name", DECLARING)
def test_a_monster_goes_on_with_its_routine(name: str) -> None:
    """SJ-003: its default uses its weapons by place, however few attacks it had in the rounds before."""
    ruleset, encounter = build(name)
    chance, state, step = random.Random(7), State(), Step("start", encounter=encounter)
    outcome = run(ruleset, state, step, (), plain)
    assert isinstance(outcome, Done)
    state, seen = outcome.state, 0

    while state.clock.round < ROUNDS and not state.clock.over:
        if state.clock.phase == "declare":
            for one in state.combatants:
                if one.status == "up" and (form := declaring(ruleset, state, one.id)) is not None:
                    weapons = [weapon.name for weapon in one.block.weapons]  # type: ignore[attr-defined]  # a stat block
                    routine = [weapons[min(place, len(weapons) - 1)] for place in range(len(form))]
                    seen += one.kind == "monster" and state.clock.round > 1
                    assert one.kind != "monster" or form == routine, one.name
                    state = declared(ruleset, state, one.id, chance.choice(MOVEMENTS))
        outcome = run(ruleset, state, Step("advance"), (), plain)
        assert isinstance(outcome, Done), outcome
        state = outcome.state

    assert seen > 0


def declaring(ruleset: Ruleset, state: State, who: Id) -> list[object] | None:
    """Return the weapons of a combatant's usual attacks, None if it attacks nobody."""
    if not any(spec.key == "declare" and spec.refusal is None for spec in engine.offers(ruleset, state, who)):
        return None
    fields = {field.name: field.default for field in engine.spec_of(ruleset, state, Action("declare", who)).fields}
    blows = fields.get("blows")
    return [dict(blow)["weapon"] for blow in blows] if isinstance(blows, tuple) else None
