"""Named places in the order of a round: where they are, and whether the clock has come to them."""

from __future__ import annotations

from tracker.core.fight.slots import Slot
from tracker.core.fight.state import State
from tracker.core.terms.labels import folded
from tracker.core.terms.moments import NamedPlace

LONGEST_NUMBER = 3
"""Digits of an initiative that the order says."""


def slot_at(state: State, place: NamedPlace) -> Slot | None:
    """Return the slot of this round at whose edge a named place is, None if it has none.

    A number that no slot has is at the first slot behind it, or at the last one.
    """
    if place.round not in (0, state.clock.round) or not state.clock.in_round:
        return None
    slots = [slot for slot in state.clock.slots if slot.stage == "round"]
    if place.number is None:
        own = [slot for slot in slots if _is_of(state, slot, place.whose)]
        return None if not own else own[-1 if place.edge == "end" else 0]
    numbered = [(number, slot) for slot in slots if (number := _number_of(slot)) is not None]
    if not numbered:
        return None
    falls = numbered[0][0] >= numbered[-1][0]
    behind = (slot for number, slot in numbered if (number <= place.number if falls else number >= place.number))
    return next(behind, numbered[-1][1])


def _number_of(slot: Slot) -> int | None:
    """Return the segment of a slot, or its initiative where that is what the order says of it."""
    if slot.segment is not None:
        return slot.segment
    digits = slot.info.removeprefix("-")
    return int(slot.info) if digits.isdecimal() and len(digits) <= LONGEST_NUMBER else None


def _is_of(state: State, slot: Slot, whose: str) -> bool:
    names = [slot.title, slot.phase]
    names += [] if slot.side is None else [slot.side, state.name(slot.side)]
    if slot.side is None or len(slot.members) == 1:
        names += [name for who in slot.members for name in (who, state.name(who))]
    return any(folded(name) == whose for name in names)


def has_come(state: State, place: NamedPlace) -> bool:
    """Tell whether the clock has come to a place in the order of this round; to its end, once its slot has begun."""
    slot = slot_at(state, place)
    return slot is not None and slot.id in state.clock.begun
