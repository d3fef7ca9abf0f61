"""Rebasing: an event of one state is adapted to another state.

Pools change by the same difference within their bounds; all other values become those of the event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec.structs import replace

from tracker.core.fight.events import (
    BudgetChange,
    BudgetsChanged,
    CombatantLeft,
    EffectAdded,
    EffectChanged,
    EffectEnded,
    EffectUsed,
    Event,
    FactSet,
    HouseRulesChanged,
    Moved,
    OrderSet,
    PoolChanged,
    PoolSet,
    Renamed,
    SideChanged,
    StatusChanged,
    TurnOpened,
)
from tracker.core.fight.state import State

Numbers: TypeAlias = dict[int, int]
"""The numbers of effects on the other state, with their numbers on this state."""
Fitted: TypeAlias = Callable[[State, Any, Numbers], Event | None]


def rebase(state: State, event: Event, numbers: Numbers) -> Event | None:
    """Return an event adapted to this state, or None if it no longer applies; adds new effects to `numbers`."""
    fitted = _FITTED.get(type(event))
    return event if fitted is None else fitted(state, event, numbers)


def _pool(state: State, event: PoolChanged, numbers: Numbers) -> Event | None:
    combatant = state.get(event.who)
    if combatant is None:
        return None
    pool = combatant.pool(event.pool)
    moved = pool.now + event.now - event.was
    if event.now >= event.was:
        moved = max(pool.now, pool.capped(moved))
    elif pool.floor is not None:
        moved = min(pool.now, max(moved, pool.floor))
    return replace(event, was=pool.now, now=moved)


def _set_pool(state: State, event: PoolSet, numbers: Numbers) -> Event | None:
    combatant = state.get(event.who)
    if combatant is None:
        return None
    return replace(event, was=next((pool for pool in combatant.pools if pool.key == event.now.key), None))


def _fact(state: State, event: FactSet, numbers: Numbers) -> Event | None:
    if event.owner not in state and any(gone == event.owner for gone, _ in state.gone):
        return None
    return replace(event, was=state.fact(event.owner, event.key))


def _budgets(state: State, event: BudgetsChanged, numbers: Numbers) -> Event | None:
    kept = tuple(_budget(change, state[change.who].budget) for change in event.changes if change.who in state)
    return BudgetsChanged(kept) if kept else None


def _budget(change: BudgetChange, held: tuple[tuple[str, int], ...]) -> BudgetChange:
    before, now = dict(change.was), dict(held)
    now.update({key: amount for key, amount in change.now if before.get(key) != amount})
    kept = {key for key, _ in change.now}
    return BudgetChange(
        change.who, held, tuple((key, amount) for key, amount in now.items() if key in kept or key not in before)
    )


def _field(name: str) -> Fitted:
    """Return the function for events with `who`, `was` and `now` about one field of a combatant."""

    def fitted(state: State, event: Any, numbers: Numbers) -> Event | None:
        combatant = state.get(event.who)
        return None if combatant is None else replace(event, was=getattr(combatant, name))

    return fitted


def _left(state: State, event: CombatantLeft, numbers: Numbers) -> Event | None:
    combatant = state.get(event.was.id)
    return None if combatant is None else replace(event, was=combatant)


def _added(state: State, event: EffectAdded, numbers: Numbers) -> Event | None:
    effect = event.effect
    if effect.bearer not in state and any(gone == effect.bearer for gone, _ in state.gone):
        return None
    number = numbers[effect.id] = state.serial + 1
    parent = None if effect.parent is None else numbers.get(effect.parent, effect.parent)
    return EffectAdded(replace(effect, id=number, parent=parent))


def _ended(state: State, event: EffectEnded, numbers: Numbers) -> Event | None:
    current = state.effect(event.was.bearer, numbers.get(event.was.id, event.was.id))
    return None if current is None else replace(event, was=current)


def _changed(state: State, event: EffectChanged, numbers: Numbers) -> Event | None:
    current = state.effect(event.was.bearer, numbers.get(event.was.id, event.was.id))
    return None if current is None else replace(event, was=current, now=replace(event.now, id=current.id))


def _used(state: State, event: EffectUsed, numbers: Numbers) -> Event | None:
    number = numbers.get(event.effect, event.effect)
    return None if state.effect(event.bearer, number) is None else replace(event, effect=number)


_FITTED: dict[type, Fitted] = {
    BudgetsChanged: _budgets,
    CombatantLeft: _left,
    EffectAdded: _added,
    EffectChanged: _changed,
    EffectEnded: _ended,
    EffectUsed: _used,
    FactSet: _fact,
    HouseRulesChanged: lambda state, event, _: replace(event, was=state.house_rules),
    Moved: _field("position"),
    OrderSet: lambda state, event, _: replace(event, was=state.clock.slots),
    PoolChanged: _pool,
    PoolSet: _set_pool,
    Renamed: _field("name"),
    SideChanged: _field("side"),
    StatusChanged: _field("status"),
    TurnOpened: lambda state, event, _: replace(event, was=state.clock.acting),
}
"""The functions for events that contain an earlier value; all other events fit every state."""
