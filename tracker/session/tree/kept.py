"""Answers kept from the way an amendment leaves, by the moment of their question.

An advance that is done again may pass its slots in another order. A question is the same where the same is asked in the
same slot, whichever step came to it then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from tracker.core.fight.events import Decided, Entry, Rolled, SlotReached
from tracker.core.fight.state import Id
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.requests import Answer, Request, Roll
from tracker.session.model import StepRecord
from tracker.session.tree.branches import left_at
from tracker.session.tree.history import History

__all__ = ["Asked", "Kept", "asked_at", "asked_in", "given_before"]

MOST_WAYS = 16
_TIMES = re.compile(r"^advance:\d+/")


class Asked(NamedTuple):
    """A question: its slot, and its key whichever advance came to it."""

    slot: Id | None
    key: str


class _Given(Struct, frozen=True):
    """An answer of the old way.

    It has its step, whether that was an advance, and the event that tells it.
    """

    step: int
    advanced: bool
    answer: Answer
    event: Rolled | Decided


class Kept:
    """The answers of the old way that no step of the new one has taken.

    What came by advancing is for any advance that asks the same; what a deed was given is its own until that deed has
    been done again, or has been left out.
    """

    def __init__(
        self, history: History, old: Sequence[StepRecord], new: Iterable[tuple[StepRecord, Id | None]]
    ) -> None:
        """Take the old way from the amended step on, and the new steps.

        Each new one has the slot it began in.
        """
        self._given: dict[Asked, list[_Given]] = {}
        for record in old:
            try:
                answers, told = dict(record.answers), _told(record.history(), history.state(record.parent).clock.at)
            except CorruptJournal:
                continue  # nothing of a damaged step can be used
            for asked, event in told:
                if event.key in answers:
                    given = _Given(record.seq, record.step.kind == "advance", answers[event.key], event)
                    self._given.setdefault(asked, []).append(given)
        self._taken = Counter(asked for record, at in new for asked in asked_in(record.entries, at).values())

    def takes(self, record: StepRecord, at: Id | None) -> None:
        """Take in a step of the new way, which began in this slot."""
        self._taken.update(asked_in(record.entries, at).values())

    def find(self, request: Request, at: Id | None, later: Collection[int]) -> Answer | None:
        """Return what was answered to the same question, or None.

        `at`: the slot it is asked in; `later`: steps still to be done again.
        """
        asked = asked_at(request.key, at)
        for given in self._given.get(asked, [])[self._taken[asked] :]:
            free = given.advanced or given.step not in later
            if free and _same(given.event, request) and request.problem(given.answer) is None:
                return given.answer
        return None


def given_before(history: History, old: StepRecord, head: int | None) -> dict[str, Answer]:
    """Return what a step was given in the ways that corrections have left."""
    found: dict[str, Answer] = {}
    ends, looked = [head], {head}
    while ends:
        for record in history.path(ends.pop()):
            if record.back is not None and len(looked) < MOST_WAYS and (end := left_at(record)) not in looked:
                looked.add(end)
                ends.append(end)
            if record.at == old.at and record.seq != old.seq and record.step.actions == old.step.actions:
                found = dict(record.answers) | found
    return found


def asked_at(key: str, at: Id | None) -> Asked:
    """Return the question of this key in a slot."""
    return Asked(at, _TIMES.sub("", key))


def asked_in(entries: Iterable[Entry], at: Id | None) -> Mapping[str, Asked]:
    """Return the questions that a step tells of, by their keys in it.

    `at`: the slot in which it began.
    """
    return {event.key: asked for asked, event in _told(entries, at)}


def _told(entries: Iterable[Entry], at: Id | None) -> list[tuple[Asked, Rolled | Decided]]:
    found: list[tuple[Asked, Rolled | Decided]] = []
    for entry in entries:
        event = entry.event
        if isinstance(event, SlotReached):
            at = event.now
        elif isinstance(event, Rolled | Decided):
            found.append((asked_at(event.key, at), event))
    return found


def _same(event: Rolled | Decided, request: Request) -> bool:
    if isinstance(event, Rolled):
        return isinstance(request, Roll) and (event.dice, event.who) == (request.dice, request.who)
    return not isinstance(request, Roll) and event.who == request.who
