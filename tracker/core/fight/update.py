"""Changes of a state: records are replaced, effects counted down, and valid memos kept."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tracker.core.fight.state import Combatant, EffectRef, State
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.moments import ANY, At, Boundary, OnUse, side_anchor, who_anchor


def replace_keeping(state: State, **changes: object) -> State:
    """Return the state with other fields, on which no memo depends, and the same memos."""
    new: State = replace(state, **changes)
    new.__dict__.update(state.__dict__)
    return new


def replace_combatant(state: State, combatant: Combatant) -> State:
    """Return the state with one combatant replaced, whose effects must not have changed."""
    combatants = list(state.combatants)
    combatants[state.places[combatant.id]] = combatant
    return replace_keeping(state, combatants=tuple(combatants))


def set_effects(state: State, bearer: str, effects: tuple[Effect, ...], kin: bool) -> State:
    """Return the state with a bearer's effects replaced, without the memo `waiting`, and with `kin` `children`."""
    combatant = state.get(bearer)
    if combatant is not None:
        new = replace_combatant(state, replace(combatant, effects=effects))
    else:
        new = replace_keeping(
            state, effects=tuple(effect for effect in state.effects if effect.bearer != bearer) + effects
        )
    new.__dict__.pop("waiting", None)
    if kin:
        new.__dict__.pop("children", None)
    return new


def combatant_of(state: State, who: str, event: object) -> Combatant:
    """Return the combatant of an event."""
    place = state.places.get(who)
    if place is None:
        raise CorruptJournal(f"{type(event).__name__}: {who} is not in the fight", who)
    return state.combatants[place]


def expect(actual: object, stated: object, event: object) -> None:
    """Raise CorruptJournal if an event has another earlier value than the state."""
    if actual is not stated and actual != stated:
        raise CorruptJournal(f"{type(event).__name__} says it was {stated!r}, but it is {actual!r}")


def apply_boundary(state: State, boundary: Boundary) -> State:
    """Count down the effects that wait for this edge, and move the clock; no effect ends here."""
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
    waiting, edge = state.waiting, boundary.edge
    crossed = replace_keeping(state, clock=replace(clock, **marks))
    if edge not in {awaited for awaited, _ in waiting}:
        return crossed
    anchors = (ANY, *map(who_anchor, boundary.actors), *map(side_anchor, boundary.sides))
    refs: dict[EffectRef, None] = {}
    for anchor in anchors:
        refs.update(dict.fromkeys(waiting.get((edge, anchor), ())))
    return _count_down(crossed, refs, boundary, frozenset(anchors)) if refs else crossed


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
    """Return the effects, those with these numbers counted down; adds effects that reach their end to `due`."""
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


def due_with(due: tuple[EffectRef, ...], effect: Effect) -> tuple[EffectRef, ...]:
    """Return the due effects, with this effect if it has reached its end, without it otherwise."""
    ref = (effect.bearer, effect.id)
    if effect.due:
        return due if ref in due else _in_order((*due, ref))
    return tuple(item for item in due if item != ref) if ref in due else due


def _in_order(refs: Iterable[EffectRef]) -> tuple[EffectRef, ...]:
    return tuple(sorted(dict.fromkeys(refs), key=lambda ref: ref[1]))
