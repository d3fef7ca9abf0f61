"""Folding: how an event changes the state, one function for each event, without rules.

An event contains the value before it; if the state has another one, the journal is corrupt. There are no inverse
operations: undo is the earlier state.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, TypeAlias

from msgspec.structs import replace

from tracker.core.fight.events import (
    ActionStopped,
    ActionTaken,
    BoundaryCrossed,
    BudgetsChanged,
    Checked,
    CombatantJoined,
    CombatantLeft,
    Decided,
    EffectAdded,
    EffectChanged,
    EffectEnded,
    EffectUsed,
    Entry,
    Event,
    FactSet,
    FightEnded,
    FightOpened,
    Forced,
    Found,
    HouseRulesChanged,
    Moved,
    Noted,
    OrderSet,
    Overruled,
    PoolChanged,
    PoolSet,
    ReminderDismissed,
    Renamed,
    Rolled,
    SideChanged,
    SideJoined,
    Skipped,
    SlotReached,
    StatusChanged,
    TimePassed,
    TurnOpened,
    WaveArrived,
)
from tracker.core.fight.slots import Clock
from tracker.core.fight.state import State
from tracker.core.fight.update import (
    apply_boundary,
    combatant_of,
    due_with,
    expect,
    replace_combatant,
    replace_keeping,
    set_effects,
)
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.moments import OnUse
from tracker.core.terms.values import Value

Change: TypeAlias = Callable[[State, Any], State]

MOST_NOTES = 64
"""Most notes on the fight in a state: every later state has them too. The log has all notes."""


def fold_all(state: State, entries: Iterable[Entry]) -> State:
    """Fold entries in order."""
    for entry in entries:
        state = fold(state, entry.event)
    return state


def fold(state: State, event: Event) -> State:
    """Return the state after an event; raises CorruptJournal if the event does not fit the state."""
    change = CHANGES[type(event)]
    return state if change is None else change(state, event)


# -- the fight ---------------------------------------------------------------------------------------------------------


def _open(state: State, event: FightOpened) -> State:
    return State(
        ruleset=event.ruleset,
        title=event.title,
        house_rules=event.house_rules,
        setup=event.setup,
        sides=event.sides,
        waves=event.waves,
        reminders=event.reminders,
        notes=event.notes,
    )  # fmt: skip - one record


def _house_rules(state: State, event: HouseRulesChanged) -> State:
    expect(state.house_rules, event.was, event)
    return replace_keeping(state, house_rules=event.now)


def _wave(state: State, event: WaveArrived) -> State:
    if event.wave not in state.waves:
        raise CorruptJournal("a wave arrives that is not expected")
    first = state.waves.index(event.wave)
    return replace_keeping(state, waves=state.waves[:first] + state.waves[first + 1 :])


def _note(state: State, event: Noted) -> State:
    if not event.keep:
        return state
    about = state.get(event.about)
    if about is None:
        return replace_keeping(state, journal_notes=(*state.journal_notes, event.text)[-MOST_NOTES:])
    return replace_combatant(state, replace(about, notes=(*about.notes, event.text)))


# -- combatants and sides ----------------------------------------------------------------------------------------------


def _join(state: State, event: CombatantJoined) -> State:
    combatant = event.combatant
    if combatant.id in state:
        raise CorruptJournal(f"{combatant.id} joins twice")
    grown: State = replace(state, combatants=(*state.combatants, combatant), labels=(*state.labels, combatant.label))
    grown.__dict__["places"] = {**state.places, combatant.id: len(state.combatants)}  # else joining is quadratic
    return grown


def _leave(state: State, event: CombatantLeft) -> State:
    gone = event.was
    expect(combatant_of(state, gone.id, event), gone, event)
    return replace(
        state,
        combatants=tuple(combatant for combatant in state.combatants if combatant.id != gone.id),
        gone=(*state.gone, (gone.id, gone.name)),
        due=tuple(ref for ref in state.due if ref[0] != gone.id),
        clock=_without_member(state.clock, gone.id),
    )


def _without_member(clock: Clock, who: str) -> Clock:
    slots = tuple(
        replace(slot, members=tuple(member for member in slot.members if member != who))
        if who in slot.members
        else slot
        for slot in clock.slots
    )
    return replace(
        clock,
        slots=slots,
        acting=None if clock.acting == who else clock.acting,
        turned=tuple(member for member in clock.turned if member != who),
        acted=tuple(member for member in clock.acted if member != who),
    )


def _side_joins(state: State, event: SideJoined) -> State:
    if any(other.id == event.side.id for other in state.sides):
        raise CorruptJournal(f"{event.side.id} joins twice")
    return replace_keeping(state, sides=(*state.sides, event.side))


def _side(state: State, event: SideChanged) -> State:
    combatant = combatant_of(state, event.who, event)
    expect(combatant.side, event.was, event)
    if all(side.id != event.now for side in state.sides):
        raise CorruptJournal(f"{event.who} goes over to {event.now}, which is no side")
    return replace_combatant(state, replace(combatant, side=event.now))


def _set_field(name: str) -> Change:
    """Return the change of one field of a combatant, for events with `who`, `was` and `now`."""

    def change(state: State, event: Any) -> State:
        combatant = combatant_of(state, event.who, event)
        expect(getattr(combatant, name), event.was, event)
        return replace_combatant(state, replace(combatant, **{name: event.now}))

    return change


def _set_clock(of: Callable[[Clock, Any], Clock]) -> Change:
    return lambda state, event: replace_keeping(state, clock=of(state.clock, event))


def _change_pool(state: State, event: PoolChanged) -> State:
    combatant = combatant_of(state, event.who, event)
    pools = list(combatant.pools)
    for place, pool in enumerate(pools):
        if pool.key == event.pool:
            expect(pool.now, event.was, event)
            pools[place] = replace(pool, now=event.now)
            return replace_combatant(state, replace(combatant, pools=tuple(pools)))
    raise CorruptJournal(f"PoolChanged: {event.who} has no {event.pool}")


def _set_pool(state: State, event: PoolSet) -> State:
    combatant, now = combatant_of(state, event.who, event), event.now
    expect(next((pool for pool in combatant.pools if pool.key == now.key), None), event.was, event)
    if event.was is None:
        return replace_combatant(state, replace(combatant, pools=(*combatant.pools, now)))
    pools = tuple(now if pool.key == now.key else pool for pool in combatant.pools)
    return replace_combatant(state, replace(combatant, pools=pools))


def _budgets(state: State, changes: BudgetsChanged) -> State:
    places, combatants = state.places, list(state.combatants)
    for change in changes.changes:
        place = places.get(change.who)
        if place is None:
            raise CorruptJournal(f"{change.who} has no budget here")
        expect(combatants[place].budget, change.was, changes)
        combatants[place] = replace(combatants[place], budget=change.now)
    return replace_keeping(state, combatants=tuple(combatants))


def _set_fact(state: State, event: FactSet) -> State:
    combatant = state.get(event.owner)
    if combatant is not None:
        return replace_combatant(state, replace(combatant, facts=_with_fact(combatant.facts, event)))
    expect(state.known.get((event.owner, event.key)), event.was, event)
    facts = [fact for fact in state.facts if (fact[0], fact[1]) != (event.owner, event.key)]
    if event.now is not None:
        facts.append((event.owner, event.key, event.now))
        facts.sort(key=lambda fact: (fact[0], fact[1]))
    new = replace_keeping(state, facts=tuple(facts))
    new.__dict__.pop("known", None)
    return new


def _with_fact(facts: tuple[tuple[str, Value], ...], event: FactSet) -> tuple[tuple[str, Value], ...]:
    """Return a combatant's facts, sorted by key, with one of them set."""
    key, now = event.key, event.now
    for place, fact in enumerate(facts):
        if fact[0] == key:
            expect(fact[1], event.was, event)
            return (*facts[:place], *(() if now is None else ((key, now),)), *facts[place + 1 :])
    expect(None, event.was, event)
    if now is None:
        return facts
    place = bisect(facts, key, key=itemgetter(0))
    return (*facts[:place], (key, now), *facts[place:])


# -- effects -----------------------------------------------------------------------------------------------------------


def _add_effect(state: State, event: EffectAdded) -> State:
    effect = event.effect
    if effect.id <= state.serial:
        raise CorruptJournal(f"effect {effect.id} is added, but {state.serial} have been already")
    added = set_effects(state, effect.bearer, (*state.borne(effect.bearer), effect), kin=effect.parent is not None)
    return replace_keeping(added, serial=effect.id, due=due_with(state.due, effect))


def _change_effect(state: State, event: EffectChanged) -> State:
    was, now = event.was, event.now
    effects_before = state.borne(was.bearer)
    expect(state.effect(was.bearer, was.id), was, event)
    expect((now.bearer, now.id), (was.bearer, was.id), event)
    effects = tuple(now if effect.id == was.id else effect for effect in effects_before)
    changed = set_effects(state, was.bearer, effects, kin=was.parent != now.parent)
    return replace_keeping(changed, due=due_with(state.due, now))


def _end_effect(state: State, event: EffectEnded) -> State:
    gone = event.was
    effects_before = state.borne(gone.bearer)
    expect(state.effect(gone.bearer, gone.id), gone, event)
    kept = tuple([effect for effect in effects_before if effect.id != gone.id])
    new = set_effects(state, gone.bearer, kept, kin=gone.parent is not None)
    if state.due:
        ref = (gone.bearer, gone.id)
        return replace_keeping(new, due=tuple([item for item in state.due if item != ref]))
    return new


def _use_effect(state: State, event: EffectUsed) -> State:
    bearer, number = event.bearer, event.effect
    effect = state.effect(bearer, number)
    if effect is None:
        raise CorruptJournal(f"effect {number} of {bearer} is used, but it does not hold")
    until = tuple(
        replace(end, count=end.count - 1) if isinstance(end, OnUse) and end.key == event.key else end
        for end in effect.until
    )
    used = replace(effect, until=until)
    new = set_effects(
        state, bearer, tuple(used if item.id == number else item for item in state.borne(bearer)), kin=False
    )
    return replace_keeping(new, due=due_with(state.due, used)) if used.due else new


# -- the clock ---------------------------------------------------------------------------------------------------------


def _order(state: State, event: OrderSet) -> State:
    expect(state.clock.slots, event.was, event)
    keys = [slot.id for slot in event.now]
    if len(set(keys)) < len(keys):
        raise CorruptJournal("the new order has a slot twice")
    if lost := [key for key in state.clock.begun if key not in keys]:
        raise CorruptJournal(f"the new order leaves out {lost[0]}, which has begun")
    return replace_keeping(state, clock=replace(state.clock, slots=event.now))


def _reach(state: State, event: SlotReached) -> State:
    clock, now = state.clock, event.now
    expect(clock.at, event.was, event)
    if now is not None and (now in clock.begun or clock.slot(now) is None):
        raise CorruptJournal(f"{now} is reached, but it is not ahead")
    begun = clock.begun if now is None else (*clock.begun, now)
    return replace_keeping(state, clock=replace(clock, at=now, begun=begun, acting=None))


def _open_turn(state: State, event: TurnOpened) -> State:
    expect(state.clock.acting, event.was, event)
    return replace_keeping(state, clock=replace(state.clock, acting=event.now))


CHANGES: dict[type, Change | None] = {  # None: the event changes nothing
    # Words and dice for the log, half of all events.
    **dict.fromkeys((Rolled, Decided, Checked, Found, ActionTaken, ActionStopped, Skipped, Forced, Overruled)),
    BoundaryCrossed: lambda state, event: apply_boundary(state, event.boundary),
    BudgetsChanged: _budgets,
    CombatantJoined: _join,
    CombatantLeft: _leave,
    EffectAdded: _add_effect,
    EffectChanged: _change_effect,
    EffectEnded: _end_effect,
    EffectUsed: _use_effect,
    FactSet: _set_fact,
    FightEnded: _set_clock(lambda clock, _: replace(clock, over=True)),
    FightOpened: _open,
    HouseRulesChanged: _house_rules,
    Moved: _set_field("position"),
    Noted: _note,
    OrderSet: _order,
    PoolChanged: _change_pool,
    PoolSet: _set_pool,
    ReminderDismissed: lambda state, event: replace_keeping(state, dismissed=(*state.dismissed, event.key)),
    Renamed: _set_field("name"),
    SideChanged: _side,
    SideJoined: _side_joins,
    SlotReached: _reach,
    StatusChanged: _set_field("status"),
    TimePassed: _set_clock(lambda clock, event: replace(clock, seconds=clock.seconds + event.seconds)),
    TurnOpened: _open_turn,
    WaveArrived: _wave,
}
