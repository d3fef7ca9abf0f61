"""The tree of steps: the path to each, the state after it, its branches, and answers to use again in amendments."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import is_
from typing import Literal, NamedTuple, overload

import msgspec
from msgspec import Struct

from tracker.core.fight.events import Decided, Entry, Rolled, SlotReached
from tracker.core.fight.fold import fold_all
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.errors import CorruptJournal, RulesBug
from tracker.core.terms.requests import Answer, Request, Roll
from tracker.core.terms.values import decode
from tracker.session.model import BranchTip, StepRecord


class StepPath(Sequence[StepRecord]):
    """The first steps of a list that longer and shorter paths share; it only grows at its end."""

    __slots__ = ("_count", "_shared")

    def __init__(self, shared: list[StepRecord] | None = None, count: int = 0) -> None:
        self._shared: list[StepRecord] = [] if shared is None else shared
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> StepRecord: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[StepRecord, ...]: ...
    def __getitem__(self, place: int | slice) -> StepRecord | tuple[StepRecord, ...]:
        if isinstance(place, slice):
            return tuple([self._shared[number] for number in range(self._count)[place]])
        return self._shared[range(self._count)[place]]

    def __iter__(self) -> Iterator[StepRecord]:
        return islice(self._shared, self._count)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StepPath):
            return NotImplemented
        same = self._count == other._count
        return same and (
            self._shared is other._shared or all(own == others for own, others in zip(self, other, strict=True))
        )

    def __hash__(self) -> int:
        return hash((self._count, self._shared[self._count - 1].seq if self._count else None))

    def up_to(self, count: int) -> StepPath:
        """Return the path of the first `count` steps."""
        return StepPath(self._shared, count)

    def followed_by(self, fresh: Sequence[StepRecord]) -> StepPath:
        """Return the path with further steps, in a new list if the shared one has others in their place."""
        known = self._shared[self._count : self._count + len(fresh)]
        if all(map(is_, known, fresh)):
            self._shared.extend(fresh[len(known) :])
            return StepPath(self._shared, self._count + len(fresh))
        return StepPath([*self, *fresh], self._count + len(fresh))


EVERY = 64
"""States that stay in the cache: each whose depth this number divides."""
RECENT = 96
"""States that the cache has besides, those used last."""


class History:
    """Every step of a fight, on all its branches; `next` is the number of the next one."""

    def __init__(self, records: Iterable[StepRecord] = ()) -> None:
        self.records: dict[int, StepRecord] = {}
        self.next = 1
        self._depths: dict[int | None, int] = {None: 0}
        self._kept: dict[int, State] = {}
        self._recent: OrderedDict[int, State] = OrderedDict()
        self._path = StepPath()
        for record in records:
            self._enter(record)

    def _enter(self, record: StepRecord) -> None:
        if record.parent not in self._depths or record.seq in self.records:
            raise CorruptJournal(f"step {record.seq} follows a step that is not there")
        self.records[record.seq] = record
        self._depths[record.seq] = self._depths[record.parent] + 1
        self.next = max(self.next, record.seq + 1)

    def depth(self, seq: int | None) -> int:
        """Return how many steps lead to a step, itself included."""
        return self._depths[seq]

    def add(self, record: StepRecord, state: State) -> None:
        """Add a step that is on disk now, with the state after it."""
        self._enter(record)
        self._keep(record.seq, state)

    def ends(self, head: int | None) -> tuple[int, ...]:
        """Return the last steps of all branches but that of `head`, the newest first."""
        parents = {record.parent for record in self.records.values()}
        present = {record.seq for record in self.path(head)}
        return tuple(sorted((seq for seq in self.records if seq not in parents and seq not in present), reverse=True))

    def path(self, seq: int | None) -> StepPath:
        """Return the steps from the first one to this one; the path shares the steps of the last call."""
        if seq is None:
            return StepPath()
        fresh: list[StepRecord] = []
        known = self._path
        at: int | None = seq
        while at is not None:
            depth = self._depths[at]
            if depth <= len(known) and known[depth - 1].seq == at:
                self._path = known.up_to(depth).followed_by(fresh[::-1])
                return self._path
            fresh.append(self.records[at])
            at = self.records[at].parent
        self._path = StepPath().followed_by(fresh[::-1])
        return self._path

    def state(self, seq: int | None) -> State:
        """Return the state after a step, or raise CorruptJournal if a record up to it is damaged or does not fit."""
        if seq is None:
            return State()
        missing: list[StepRecord] = []
        at: int | None = seq
        state = State()
        while at is not None:
            if at not in self.records:
                raise CorruptJournal(f"step {at} is not there")
            known = self._recent.get(at, self._kept.get(at))
            if known is not None:
                state = known
                break
            missing.append(self.records[at])
            at = self.records[at].parent
        for record in reversed(missing):
            try:
                state = fold_all(state, record.history())
            except (CorruptJournal, RulesBug) as error:
                raise CorruptJournal(f"step {record.seq} does not fit: {error.message}") from error
            self._keep(record.seq, state)
        return state

    def _keep(self, seq: int, state: State) -> None:
        if not self._depths[seq] % EVERY:
            self._kept[seq] = state
        self._recent[seq] = state
        self._recent.move_to_end(seq)
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)


class _Back(Struct, frozen=True):
    """The step of a stored position, without the rest of it."""

    head: int | None = None


def branch_tips(history: History, head: int | None, names: Mapping[int, str]) -> tuple[BranchTip, ...]:
    """Return the ends of all branches but that of `head`, the newest first."""
    amended = {abandoned_tip(record) for record in history.records.values() if record.back is not None}
    present = {record.seq for record in history.path(head)}
    tips = []
    for seq in history.ends(head):
        name, fork = "", seq
        at: int | None = seq
        while at is not None and at not in present:
            name, fork, at = name or names.get(at, ""), at, history.records[at].parent
        steps = history.depth(seq) - history.depth(fork) + 1
        why: Literal["amended", "undone"] = "amended" if seq in amended else "undone"
        tips.append(BranchTip(seq, history.records[seq].at, steps, fork=at, name=name, why=why))
    return tuple(tips)


def present_tip(history: History, head: int | None, names: Mapping[int, str]) -> BranchTip | None:
    """Return the end of the present branch, None before its first step."""
    if head is None:
        return None
    path = history.path(head)
    name = next((names[record.seq] for record in reversed(path) if record.seq in names), "") if names else ""
    return BranchTip(head, path[-1].at, len(path), fork=None, name=name, why="present")


def abandoned_tip(record: StepRecord) -> int | None:
    """Return the end of the branch that the amendment with this last step has left."""
    try:
        back: _Back = decode(record.back or b"{}", _Back)
        return back.head
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None  # a damaged position: it is unknown why the branch was left


MOST_BRANCHES = 16
_ADVANCE = re.compile(r"^advance:\d+/")


class Asked(NamedTuple):
    """A question: its slot, and its key without the number of the advance that asked it."""

    slot: Id | None
    key: str


class _Given(Struct, frozen=True):
    """An answer of the old branch: its step, whether that was an advance, and the event about it."""

    step: int
    advanced: bool
    answer: Answer
    event: Rolled | Decided


class AnswerPool:
    """The answers of the old branch that no step of the new one has taken.

    An answer to an advance is for any advance that asks the same question; an answer to an action is for no other
    step before that action has been replayed or left out.
    """

    def __init__(
        self, history: History, old: Sequence[StepRecord], new: Iterable[tuple[StepRecord, Id | None]]
    ) -> None:
        """Fill the pool from the old branch after the fork, without the answers of the new steps.

        Each new step comes with the slot in which it began.
        """
        self._given: dict[Asked, list[_Given]] = {}
        for record in old:
            try:
                answers = dict(record.answers)
                answered = _answered_in(record.history(), history.state(record.parent).clock.at)
            except CorruptJournal:
                continue  # no answer of a damaged step can be used
            for asked, event in answered:
                if event.key in answers:
                    given = _Given(record.seq, record.step.kind == "advance", answers[event.key], event)
                    self._given.setdefault(asked, []).append(given)
        self._taken: Counter[Asked] = Counter()
        for record, at in new:
            self.mark_used(record, at)

    def mark_used(self, record: StepRecord, at: Id | None) -> None:
        """Take out the answers of a new step, which began in this slot."""
        self._taken.update(asked_in(record.entries, at).values())

    def find(self, request: Request, at: Id | None, later: Collection[int]) -> Answer | None:
        """Return the answer to the same question, or None; `at`: its slot, `later`: steps not replayed yet."""
        asked = asked_at(request.key, at)
        for given in self._given.get(asked, [])[self._taken[asked] :]:
            free = given.advanced or given.step not in later
            if free and _same(given.event, request) and request.problem(given.answer) is None:
                return given.answer
        return None


def given_before(history: History, old: StepRecord, head: int | None) -> dict[str, Answer]:
    """Return the answers of a step on the branches that corrections have left."""
    answers: dict[str, Answer] = {}
    ends, seen = [head], {head}
    while ends:
        for record in history.path(ends.pop()):
            if record.back is not None and len(seen) < MOST_BRANCHES and (end := abandoned_tip(record)) not in seen:
                seen.add(end)
                ends.append(end)
            if record.at == old.at and record.seq != old.seq and record.step.actions == old.step.actions:
                answers = dict(record.answers) | answers
    return answers


def asked_at(key: str, at: Id | None) -> Asked:
    """Return the question of this key in a slot."""
    return Asked(at, _ADVANCE.sub("", key))


def asked_in(entries: Iterable[Entry], at: Id | None) -> Mapping[str, Asked]:
    """Return the answered questions of a step, by their keys in it; `at`: the slot in which it began."""
    return {event.key: asked for asked, event in _answered_in(entries, at)}


def _answered_in(entries: Iterable[Entry], at: Id | None) -> list[tuple[Asked, Rolled | Decided]]:
    answered: list[tuple[Asked, Rolled | Decided]] = []
    for entry in entries:
        event = entry.event
        if isinstance(event, SlotReached):
            at = event.now
        elif isinstance(event, Rolled | Decided):
            answered.append((asked_at(event.key, at), event))
    return answered


def _same(event: Rolled | Decided, request: Request) -> bool:
    if isinstance(event, Rolled):
        return isinstance(request, Roll) and (event.dice, event.who) == (request.dice, request.who)
    return not isinstance(request, Roll) and event.who == request.who
