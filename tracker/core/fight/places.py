"""Named places in the order of a round: the slot of each, and whether the clock has reached it."""

from __future__ import annotations

from tracker.core.fight.slots import Slot
from tracker.core.fight.state import State
from tracker.core.terms.labels import folded
from tracker.core.terms.moments import NamedPlace

LONGEST_NUMBER = 3
"""Most digits of an initiative."""


def slot_at(state: State, place: NamedPlace) -> Slot | None:
    """Return the slot of this round that a named place means, or None.

    A number that no slot has means the first slot after it, or the last slot.
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
    """Return the segment of a slot, or the initiative if its `info` is one."""
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
    """Tell whether the slot that a named place means has begun in this round."""
    slot = slot_at(state, place)
    return slot is not None and slot.id in state.clock.begun
