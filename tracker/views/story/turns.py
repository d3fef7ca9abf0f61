"""Turns and rounds of the story: edges of the clock, turns, and the order."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from tracker.core.fight import events as ev
from tracker.core.fight.state import Id, Slot
from tracker.core.terms.moments import Boundary
from tracker.core.terms.words import listed, possessive
from tracker.views.story.past import is_skipped, slot_words
from tracker.views.story.teller import Teller, is_act, segment_words
from tracker.views.words.moments import boundary_words
from tracker.views.words.text import clean, key_words

MOST_TITLES = 12
SHORT_INFO = 4


def tell_edge(teller: Teller, boundary: Boundary, entry: ev.Entry) -> None:
    """Remember the edge.

    What happens at it is told as its consequence.
    """
    if boundary.edge == "round_start":
        teller.clear_table()
        teller.round, teller.in_round, teller.action = boundary.round, True, None
        title = f"Round {boundary.round}" if boundary.round else "Before the first round"
        teller.words(title, entry, "title", depth=0, kind="round")
    elif boundary.edge == "round_end":
        teller.in_round = False
    teller.edge = boundary
    if boundary.edge != "turn_start":
        teller.action = None
    if teller.full and boundary.edge != "round_start":
        teller.words(boundary_words(teller.state, boundary), entry, "dim")


def tell_slot(teller: Teller, now: Id | None, entry: ev.Entry, place: int) -> None:
    """Tell whose turn or which moment it is now.

    A skipped one is told by the next line, a single act by its own.
    """
    if now is None:
        return
    teller.action, teller.targets = None, ()
    slot = teller.past.slot(now)
    passed = slot is not None and not slot.stop
    if not teller.full and (passed or is_skipped(teller.past.entries, place, now, slot.title if slot else None)):
        return
    if slot is not None and not teller.full and _has_its_act(teller, slot, place):
        return
    title = _title(teller, slot) if slot is not None else slot_words(teller.state, now)
    if slot is not None and slot.segment is not None:
        title = f"{segment_words(slot)}: {title}"
    if title:
        teller.words(title, entry, "title", depth=0, kind="turn")


def _has_its_act(teller: Teller, slot: Slot, place: int) -> bool:
    """Tell whether a slot is a single act that has a line of its own.

    In this step, or when the clock goes on.
    """
    if not is_act(slot) or teller.past.at(place) is None:
        return False
    return teller.state.clock.at == slot.id or any(
        entry.event.action.by in slot.members
        for entry in takewhile(
            lambda later: not isinstance(later.event, ev.SlotReached), teller.past.entries[place + 1 :]
        )
        if isinstance(entry.event, ev.ActionTaken)
    )


def _title(teller: Teller, slot: Slot) -> str:
    """Return a slot's title, as a turn where it only says whose it is."""
    title = clean(slot.title or key_words(slot.phase))
    if slot.turns == "none":
        return title
    owners = [teller.name(owner) for owner in (*([slot.side] if slot.side else []), *slot.members[:1])]
    title = title or next(iter(owners), "")
    return f"{possessive(title)} turn" if title in owners else title


def tell_turn(teller: Teller, acting: Id | None, entry: ev.Entry, place: int) -> None:
    """Tell whose turn is opened, unless that is done by the action that comes next.

    Where a deed of its actor opens it, the turn stands before the deed, and what comes of the deed behind.
    """
    following = teller.past.entries[place + 1 : place + 2]
    if acting is None or any(isinstance(later.event, ev.ActionTaken) for later in following):
        return
    teller.words(f"{possessive(teller.name(acting))} turn", entry, "title", depth=0, kind="turn")
    deed = teller.lines[-2] if len(teller.lines) > 1 and not teller.full else None
    if deed is not None and deed.deed and deed.whose == acting:
        teller.lines[-2:] = [teller.lines[-1], deed]
        before = reversed(teller.past.entries[:place])
        teller.action = next((each.event.action for each in before if isinstance(each.event, ev.ActionTaken)), None)


def tell_order(teller: Teller, before: tuple[Slot, ...], after: tuple[Slot, ...], entry: ev.Entry, place: int) -> None:
    """Tell a new order: the first, one made by dice, or one that changed.

    The first heading says which of two comes first.
    """
    found = teller.past.at(place)
    begun = () if found is None or teller.full else found.clock.begun
    titles = _titles(slot for slot in after if slot.id not in begun)
    last = before or (() if found is None else found.clock.slots) or teller.past.opening
    known = _titles(slot for slot in last if slot.id not in begun) or _titles(last)
    if teller.full:
        told = bool(titles)
    elif all(slot.segment is not None for slot in after if slot.stop and slot.id not in begun):
        told = False  # each has told its segment, and has a line of its own when it comes
    elif not before:
        own = any(slot.turns != "none" and len(slot.members) == 1 for slot in after)
        told = len(titles) > 2 and titles != known and (teller.asked or (own and teller.round <= 1))
    else:
        told = len(titles) > 1 and titles != known
    if told:
        teller.words(f"order: {listed(titles, MOST_TITLES)}", entry)


def _titles(slots: Iterable[Slot]) -> list[str]:
    """Return what the slots of a round are called, each once."""
    titles = [
        clean(f"{slot.title} {slot.info}" if slot.info and len(slot.info) <= SHORT_INFO else slot.title)
        for slot in slots
        if slot.stage == "round"
    ]
    return list(dict.fromkeys(titles))
