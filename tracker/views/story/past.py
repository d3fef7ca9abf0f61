"""The states a step went through, as far as they are known.

They say what stood in a form, and what a slot was called.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.fight.events import (
    ActionTaken,
    BudgetsChanged,
    EffectEnded,
    Entry,
    FactSet,
    OrderSet,
    Skipped,
    SlotReached,
)
from tracker.core.fight.fold import fold_all
from tracker.core.fight.state import Id, Slot, State
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.words import possessive
from tracker.views.words.deeds import is_gone
from tracker.views.words.text import clean, key_words


class Past:
    """A step's entries, the state after them and, if known, the one before."""

    def __init__(self, state: State, entries: Sequence[Entry], before: State | None) -> None:
        self.state, self.entries = state, entries
        self._slots: dict[Id, Slot] | None = None
        self._before, self._at, self._done = before, before, 0

    def at(self, place: int) -> State | None:
        """Return the state in which an entry found the fight, places asked for in order.

        None where the state before the step is not known.
        """
        if self._at is not None and place > self._done:
            try:
                self._at = fold_all(self._at, self.entries[self._done : place])
            except CorruptJournal:  # it was another state that these entries followed: better none than a wrong one
                self._at = None
            self._done = place
        return self._at

    def following(self, place: int) -> Sequence[Entry]:
        """Return the entries behind one, up to the next action."""
        later = self.entries[place + 1 :]
        end = next((at for at, entry in enumerate(later) if isinstance(entry.event, ActionTaken)), len(later))
        return later[:end]

    @property
    def opening(self) -> tuple[Slot, ...]:
        """The schedule in which the step began."""
        return () if self._before is None else self._before.clock.slots

    def chosen(self, place: int) -> bool:
        """Tell whether an action only chooses the next one, as a held turn does.

        Nothing else happens between the two.
        """
        first, following = self.entries[place].event, self.following(place)
        after = self.entries[place + 1 + len(following) :]
        if not isinstance(first, ActionTaken) or not after or not isinstance(after[0].event, ActionTaken):
            return False
        then = after[0].event.action
        same = first.action.by is not None and first.action.by == then.by and first.action.get("action") == then.key
        return same and all(isinstance(one.event, BudgetsChanged | EffectEnded | FactSet) for one in following)

    def slot(self, key: Id) -> Slot | None:
        """Return a slot of the schedules before, within and after the step."""
        if self._slots is None:
            orders = [entry.event for entry in self.entries if isinstance(entry.event, OrderSet)]
            schedules = [
                self._before.clock.slots if self._before is not None else (),
                *(slots for order in orders for slots in (order.was, order.now)),
            ]
            self._slots = {slot.id: slot for slots in (*schedules, self.state.clock.slots) for slot in slots}
        return self._slots.get(key)


def is_skipped(entries: Sequence[Entry], place: int, key: Id, title: str | None) -> bool:
    """Tell whether the slot reached at this place is skipped.

    It is known by its title, else by its owner.
    """
    parts = key.split("/")
    for entry in entries[place + 1 :]:
        if isinstance(entry.event, SlotReached):
            return False
        if isinstance(entry.event, Skipped) and (
            entry.event.what == title if title is not None else entry.event.who in parts
        ):
            return True
    return False


def slot_words(state: State, key: Id) -> str:
    """Return what the id of a slot says that no schedule holds any more.

    "" where it is only a number.
    """
    tail = key.rpartition("/")[2]
    words = clean(key_words(tail).replace("-", " "))
    owner = next(
        (
            part
            for part in key.split("/")[1:]
            if part in state or is_gone(state, part) or any(side.id == part for side in state.sides)
        ),
        None,
    )
    if owner is None:
        return words if words.replace(" ", "").isalpha() else ""
    name = clean(state.name(owner))
    return f"{possessive(name)} turn" if owner == tail else f"{name}: {words}"
