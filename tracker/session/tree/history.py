"""History: the steps of a fight as a tree, and the states after them.

A state is folded from the nearest one known before it; rules are never run again. States are kept every `EVERY` steps,
and for the last few asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from tracker.core.fight.fold import fold_all
from tracker.core.fight.state import State
from tracker.core.terms.errors import CorruptJournal, RulesBug
from tracker.session.model import StepRecord
from tracker.session.tree.path import Steps

__all__ = ["History"]

EVERY = 64
RECENT = 96


class History:
    """Every step of a fight, on all its branches.

    `next` is the number of the next one.
    """

    def __init__(self, records: Iterable[StepRecord] = ()) -> None:
        self.records: dict[int, StepRecord] = {}
        self.next = 1
        self._depths: dict[int | None, int] = {None: 0}
        self._kept: dict[int, State] = {}
        self._recent: OrderedDict[int, State] = OrderedDict()
        self._path = Steps()
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
        """Take in a step that is on disk now, with the state after it."""
        self._enter(record)
        self._keep(record.seq, state)

    def ends(self, head: int | None) -> tuple[int, ...]:
        """Return the last steps of all branches but that of `head`, the newest first."""
        parents = {record.parent for record in self.records.values()}
        present = {record.seq for record in self.path(head)}
        return tuple(sorted((seq for seq in self.records if seq not in parents and seq not in present), reverse=True))

    def path(self, seq: int | None) -> Steps:
        """Return the steps from the first one to this one.

        What the last call found is used as far as it goes.
        """
        if seq is None:
            return Steps()
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
        self._path = Steps().followed_by(fresh[::-1])
        return self._path

    def state(self, seq: int | None) -> State:
        """Return the state after a step.

        Raises:
            CorruptJournal: where a record on the way is damaged or does not fit.
        """
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
