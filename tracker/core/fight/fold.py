"""Folding: how an event changes the state. One match, no inverse operations, no rules.

Each event says what was; if that is not so, history is broken and nothing is guessed. Undo is the earlier state.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tracker.core.fight.events import (
    ActionStopped,
    ActionTaken,
    BoundaryCrossed,
    BudgetChange,
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
from tracker.core.fight.state import Clock, Combatant, EffectRef, State
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.moments import ANY, At, Boundary, OnUse, side_anchor, who_anchor
from tracker.core.terms.values import Value

__all__ = ["fold", "fold_all", "rebase"]


def fold_all(state: State, entries: Iterable[Entry]) -> State:
    """Fold entries in order."""
    for entry in entries:
        state = fold(state, entry.event)
    return state


def fold(state: State, event: Event) -> State:
    """Return the state after an event; raises CorruptJournal if the event does not fit."""
    if type(event) in _WORDS:
        return state
    match event:
        case PoolChanged(who=who, pool=key, was=was, now=now):
            return _change_pool(state, event, who, key, was, now)
        case FactSet():
            return _set_fact(state, event)
        case BudgetsChanged():
            return _budgets(state, event)
        case EffectAdded(effect=effect):
            if effect.id <= state.serial:
                raise CorruptJournal(f"effect {effect.id} is added, but {state.serial} have been already")
            added = _bear(state, effect.bearer, (*state.borne(effect.bearer), effect), kin=effect.parent is not None)
            return replace_keeping(added, serial=effect.id, due=_due(state.due, effect))
        case EffectEnded(was=gone):
            return _without_effect(state, gone, event)
        case EffectChanged(was=before, now=after):
            held = state.borne(before.bearer)
            _same(state.effect(before.bearer, before.id), before, event)
            _same((after.bearer, after.id), (before.bearer, before.id), event)
            kin = before.parent != after.parent
            changed_effect = _bear(
                state, before.bearer, tuple(after if effect.id == before.id else effect for effect in held), kin
            )
            return replace_keeping(changed_effect, due=_due(state.due, after))
        case EffectUsed(bearer=bearer, effect=number, key=key):
            return _use(state, bearer, number, key)
        case BoundaryCrossed(boundary=boundary):
            return _cross(state, boundary)
        case StatusChanged(who=who, was=was_status, now=now_status):
            combatant = _holder(state, who, event)
            _same(combatant.status, was_status, event)
            return _with(state, replace(combatant, status=now_status))
        case SlotReached(was=was_slot, now=now_slot):
            _same(state.clock.at, was_slot, event)
            if now_slot is not None and (now_slot in state.clock.begun or state.clock.slot(now_slot) is None):
                raise CorruptJournal(f"{now_slot} is reached, but it is not ahead")
            begun = state.clock.begun if now_slot is None else (*state.clock.begun, now_slot)
            return replace_keeping(state, clock=replace(state.clock, at=now_slot, begun=begun, acting=None))
        case TurnOpened(was=was_actor, now=now_actor):
            _same(state.clock.acting, was_actor, event)
            return replace_keeping(state, clock=replace(state.clock, acting=now_actor))
        case OrderSet(was=was_slots, now=now_slots):
            _same(state.clock.slots, was_slots, event)
            keys = [slot.id for slot in now_slots]
            if len(set(keys)) < len(keys):
                raise CorruptJournal("the new order has a slot twice")
            if lost := [key for key in state.clock.begun if key not in keys]:
                raise CorruptJournal(f"the new order leaves out {lost[0]}, which has begun")
            return replace_keeping(state, clock=replace(state.clock, slots=now_slots))
        case PoolSet(who=who, was=was_pool, now=now_pool):
            combatant = _holder(state, who, event)
            _same(next((pool for pool in combatant.pools if pool.key == now_pool.key), None), was_pool, event)
            kept = tuple(pool for pool in combatant.pools if pool.key != now_pool.key)
            if was_pool is None:
                return _with(state, replace(combatant, pools=(*kept, now_pool)))
            return _with(
                state,
                replace(
                    combatant, pools=tuple(now_pool if pool.key == now_pool.key else pool for pool in combatant.pools)
                ),
            )
        case Moved(who=who, was=was_place, now=now_place):
            combatant = _holder(state, who, event)
            _same(combatant.position, was_place, event)
            return _with(state, replace(combatant, position=now_place))
        case TimePassed(seconds=seconds):
            return replace_keeping(state, clock=replace(state.clock, seconds=state.clock.seconds + seconds))
        case CombatantJoined(combatant=combatant):
            if combatant.id in state:
                raise CorruptJournal(f"{combatant.id} joins twice")
            return replace(state, combatants=(*state.combatants, combatant), labels=(*state.labels, combatant.label))
        case CombatantLeft(was=gone_one):
            _same(_holder(state, gone_one.id, event), gone_one, event)
            return replace(
                state,
                combatants=tuple(combatant for combatant in state.combatants if combatant.id != gone_one.id),
                gone=(*state.gone, (gone_one.id, gone_one.name)),
                due=tuple(ref for ref in state.due if ref[0] != gone_one.id),
                clock=_without_member(state.clock, gone_one.id),
            )
        case SideJoined(side=side):
            if any(other.id == side.id for other in state.sides):
                raise CorruptJournal(f"{side.id} joins twice")
            return replace_keeping(state, sides=(*state.sides, side))
        case SideChanged(who=who, was=was_side, now=now_side):
            combatant = _holder(state, who, event)
            _same(combatant.side, was_side, event)
            if all(side.id != now_side for side in state.sides):
                raise CorruptJournal(f"{who} goes over to {now_side}, which is no side")
            return _with(state, replace(combatant, side=now_side))
        case Renamed(who=who, was=was_name, now=now_name):
            combatant = _holder(state, who, event)
            _same(combatant.name, was_name, event)
            return _with(state, replace(combatant, name=now_name))
        case Noted(text=text, about=about, keep=True):
            noted = state.get(about)
            if noted is None:
                return replace_keeping(state, journal_notes=(*state.journal_notes, text))
            return _with(state, replace(noted, notes=(*noted.notes, text)))
        case HouseRulesChanged(was=was_rules, now=now_rules):
            _same(state.house_rules, was_rules, event)
            return replace_keeping(state, house_rules=now_rules)
        case WaveArrived(wave=wave):
            if wave not in state.waves:
                raise CorruptJournal("a wave arrives that is not expected")
            first = state.waves.index(wave)
            return replace_keeping(state, waves=state.waves[:first] + state.waves[first + 1 :])
        case ReminderDismissed(key=key):
            return replace_keeping(state, dismissed=(*state.dismissed, key))
        case FightEnded():
            return replace_keeping(state, clock=replace(state.clock, over=True))
        case FightOpened():
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
        case _:  # a note that is not kept
            return state


# Words and dice for the log, which change nothing: half of all events, so they are not put to the match.
_WORDS = frozenset((Rolled, Decided, Checked, ActionTaken, ActionStopped, Skipped, Forced, Overruled))


def replace_keeping(state: State, **changes: object) -> State:
    """Replace fields that no memo depends on, and hand the memos on."""
    new: State = replace(state, **changes)
    new.__dict__.update(state.__dict__)
    return new


def _change_pool(state: State, event: PoolChanged, who: str, key: str, was: int, now: int) -> State:
    combatant = _holder(state, who, event)
    pools = list(combatant.pools)
    for place, pool in enumerate(pools):
        if pool.key == key:
            _same(pool.now, was, event)
            pools[place] = replace(pool, now=now)
            return _with(state, replace(combatant, pools=tuple(pools)))
    raise CorruptJournal(f"PoolChanged: {who} has no {key}")


def _holder(state: State, who: str, event: object) -> Combatant:
    place = state.places.get(who)
    if place is None:
        raise CorruptJournal(f"{type(event).__name__}: {who} is not in the fight")
    return state.combatants[place]


def _same(held: object, said: object, event: object) -> None:
    if held != said:
        raise CorruptJournal(f"{type(event).__name__} says it was {said!r}, but it is {held!r}")


def _with(state: State, combatant: Combatant) -> State:
    """Return the state with one combatant replaced; its effects must not have changed."""
    combatants = list(state.combatants)
    combatants[state.places[combatant.id]] = combatant
    return replace_keeping(state, combatants=tuple(combatants))


def _budgets(state: State, changes: BudgetsChanged) -> State:
    places, combatants = state.places, list(state.combatants)
    for change in changes.changes:
        place = places.get(change.who)
        if place is None:
            raise CorruptJournal(f"{change.who} has no budget here")
        _same(combatants[place].budget, change.was, changes)
        combatants[place] = replace(combatants[place], budget=change.now)
    return replace_keeping(state, combatants=tuple(combatants))


def _set_fact(state: State, event: FactSet) -> State:
    combatant = state.get(event.owner)
    if combatant is not None:
        _same(combatant.fact(event.key), event.was, event)
        kept = [fact for fact in combatant.facts if fact[0] != event.key]
        if event.now is not None:
            kept.append((event.key, event.now))
            kept.sort(key=_fact_key)
        return _with(state, replace(combatant, facts=tuple(kept)))
    _same(state.known.get((event.owner, event.key)), event.was, event)
    facts = [fact for fact in state.facts if (fact[0], fact[1]) != (event.owner, event.key)]
    if event.now is not None:
        facts.append((event.owner, event.key, event.now))
        facts.sort(key=lambda fact: (fact[0], fact[1]))
    new = replace_keeping(state, facts=tuple(facts))
    new.__dict__.pop("known", None)
    return new


def _fact_key(fact: tuple[str, Value]) -> str:
    return fact[0]


def _bear(state: State, bearer: str, effects: tuple[Effect, ...], kin: bool) -> State:
    """Return the state with a bearer's effects replaced; forgets who waits for what, and who is whose child if `kin` are among those that differ."""
    combatant = state.get(bearer)
    if combatant is not None:
        new = _with(state, replace(combatant, effects=effects))
    else:
        new = replace_keeping(
            state, effects=tuple(effect for effect in state.effects if effect.bearer != bearer) + effects
        )
    new.__dict__.pop("waiting", None)
    if kin:
        new.__dict__.pop("children", None)
    return new


def _without_effect(state: State, gone: Effect, event: EffectEnded) -> State:
    held = state.borne(gone.bearer)
    _same(state.effect(gone.bearer, gone.id), gone, event)
    new = _bear(
        state, gone.bearer, tuple([effect for effect in held if effect.id != gone.id]), kin=gone.parent is not None
    )
    if state.due:
        ref = (gone.bearer, gone.id)
        return replace_keeping(new, due=tuple([item for item in state.due if item != ref]))
    return new


def _use(state: State, bearer: str, number: int, key: str) -> State:
    effect = state.effect(bearer, number)
    if effect is None:
        raise CorruptJournal(f"effect {number} of {bearer} is used, but it does not hold")
    until = tuple(
        replace(end, count=end.count - 1) if isinstance(end, OnUse) and end.key == key else end for end in effect.until
    )
    used = replace(effect, until=until)
    new = _bear(state, bearer, tuple(used if item.id == number else item for item in state.borne(bearer)), kin=False)
    return replace_keeping(new, due=_due(state.due, used)) if used.due else new


def _due(due: tuple[EffectRef, ...], effect: Effect) -> tuple[EffectRef, ...]:
    """Return what is due, with or without this effect as its ends say now."""
    ref = (effect.bearer, effect.id)
    if effect.due:
        return due if ref in due else _in_order((*due, ref))
    return tuple(item for item in due if item != ref) if ref in due else due


def _in_order(refs: Iterable[EffectRef]) -> tuple[EffectRef, ...]:
    return tuple(sorted(dict.fromkeys(refs), key=lambda ref: ref[1]))


def _cross(state: State, boundary: Boundary) -> State:
    """Count down whatever waits for this edge, and move the clock's own marks; nothing is ended here."""
    clock = state.clock
    marks: dict[str, object] = {"ticks": clock.ticks + 1, "seconds": clock.seconds + boundary.seconds}
    if boundary.edge == "round_start":
        fresh = boundary.round != clock.round
        marks |= {"round": boundary.round, "in_round": True, "turned": (), "acted": ()}
        if fresh:
            marks |= {"slots": (), "begun": (), "at": None, "acting": None}
    elif boundary.edge == "round_end":
        marks |= {"in_round": False, "acting": None}
    elif boundary.edge == "turn_start":
        marks["turned"] = tuple(dict.fromkeys((*clock.turned, *boundary.actors)))
    elif boundary.edge == "turn_end":
        marks["acted"] = tuple(dict.fromkeys((*clock.acted, *boundary.actors)))
    waiting = state.waiting
    if not waiting:
        return replace_keeping(state, clock=replace(clock, **marks))
    edge = boundary.edge
    anchors = (ANY, *map(who_anchor, boundary.actors), *map(side_anchor, boundary.sides))
    refs: dict[EffectRef, None] = {}
    for anchor in anchors:
        refs.update(dict.fromkeys(waiting.get((edge, anchor), ())))
    if not refs:
        return replace_keeping(state, clock=replace(clock, **marks))
    return _count_down(replace_keeping(state, clock=replace(clock, **marks)), refs, boundary, frozenset(anchors))


def _count_down(state: State, refs: Iterable[EffectRef], boundary: Boundary, anchors: frozenset[str]) -> State:
    bearers: dict[str, set[int]] = {}
    for bearer, number in refs:
        numbers = bearers.get(bearer)
        if numbers is None:
            bearers[bearer] = {number}
        else:
            numbers.add(number)
    places, combatants, others = state.places, list(state.combatants), state.effects
    due: list[EffectRef] = []
    for bearer, numbers in bearers.items():
        place = places.get(bearer)
        if place is None:
            others = _counted(others, numbers, boundary, anchors, due)
        else:
            combatant = combatants[place]
            combatants[place] = replace(combatant, effects=_counted(combatant.effects, numbers, boundary, anchors, due))
    return replace_keeping(
        state, combatants=tuple(combatants), effects=others, due=_in_order((*state.due, *due)) if due else state.due
    )


def _counted(
    effects: tuple[Effect, ...], numbers: set[int], boundary: Boundary, anchors: frozenset[str], due: list[EffectRef]
) -> tuple[Effect, ...]:
    """Return the effects with those of these numbers counted down, and add to `due` those whose end has come."""
    result = list(effects)
    for place, effect in enumerate(effects):
        if effect.id in numbers:
            until = tuple(
                [replace(end, count=end.count - 1) if _meets(end, boundary, anchors) else end for end in effect.until]
            )
            if until != effect.until:
                result[place] = replace(effect, until=until)
                if any(end.count <= 0 for end in until):
                    due.append((effect.bearer, effect.id))
    return tuple(result)


def _meets(end: At | OnUse, boundary: Boundary, anchors: frozenset[str]) -> bool:
    return (
        isinstance(end, At)
        and end.count > 0
        and end.edge == boundary.edge
        and end.anchor in anchors
        and (end.phase is None or end.phase == boundary.phase)
        and (end.segment is None or end.segment == boundary.segment)
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


def rebase(state: State, event: Event, numbers: dict[int, int]) -> Event | None:
    """Fit an event that was made on another state to this one; None: it no longer applies.

    Pools change by the same difference within their bounds, everything else takes its last value. `numbers` maps
    effects' numbers there to those here.
    """
    match event:
        case PoolChanged(who=who, pool=key, was=was, now=now):
            combatant = state.get(who)
            if combatant is None:
                return None
            pool = combatant.pool(key)
            moved = pool.now + now - was
            if now >= was:
                moved = max(pool.now, min(moved, pool.max))
            elif pool.floor is not None:
                moved = min(pool.now, max(moved, pool.floor))
            return replace(event, was=pool.now, now=moved)
        case FactSet(owner=owner, key=key):
            return replace(event, was=state.fact(owner, key))
        case BudgetsChanged(changes=changes):
            kept = tuple(_rebased_budget(change, state[change.who].budget) for change in changes if change.who in state)
            return BudgetsChanged(kept) if kept else None
        case StatusChanged(who=who):
            combatant = state.get(who)
            return None if combatant is None else replace(event, was=combatant.status)
        case PoolSet(who=who, now=now_pool):
            combatant = state.get(who)
            if combatant is None:
                return None
            return replace(event, was=next((pool for pool in combatant.pools if pool.key == now_pool.key), None))
        case Moved(who=who):
            combatant = state.get(who)
            return None if combatant is None else replace(event, was=combatant.position)
        case EffectAdded(effect=effect):
            if effect.bearer not in state and any(gone == effect.bearer for gone, _ in state.gone):
                return None
            number = state.serial + 1
            numbers[effect.id] = number
            parent = None if effect.parent is None else numbers.get(effect.parent, effect.parent)
            return EffectAdded(replace(effect, id=number, parent=parent))
        case EffectEnded(was=gone):
            held = state.effect(gone.bearer, numbers.get(gone.id, gone.id))
            return None if held is None else replace(event, was=held)
        case EffectChanged(was=before, now=after):
            held = state.effect(before.bearer, numbers.get(before.id, before.id))
            return None if held is None else replace(event, was=held, now=replace(after, id=held.id))
        case EffectUsed(bearer=bearer, effect=used):
            number = numbers.get(used, used)
            return None if state.effect(bearer, number) is None else replace(event, effect=number)
        case OrderSet():
            return replace(event, was=state.clock.slots)
        case TurnOpened():
            return replace(event, was=state.clock.acting)
        case CombatantLeft(was=gone_one):
            leaving = state.get(gone_one.id)
            return None if leaving is None else replace(event, was=leaving)
        case SideChanged(who=who):
            combatant = state.get(who)
            return None if combatant is None else replace(event, was=combatant.side)
        case Renamed(who=who):
            combatant = state.get(who)
            return None if combatant is None else replace(event, was=combatant.name)
        case HouseRulesChanged():
            return replace(event, was=state.house_rules)
        case _:
            return event


def _rebased_budget(change: BudgetChange, held: tuple[tuple[str, int], ...]) -> BudgetChange:
    """Return the change with the parts of the budget that it leaves alone as they are here."""
    before, now = dict(change.was), dict(held)
    now.update({key: amount for key, amount in change.now if before.get(key) != amount})
    kept = {key for key, _ in change.now}
    return BudgetChange(
        change.who, held, tuple((key, amount) for key, amount in now.items() if key in kept or key not in before)
    )
