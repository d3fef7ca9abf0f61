"""The way to a step: all steps of its branch up to there.

Ways share their steps instead of copying them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from operator import is_
from typing import overload

from tracker.session.model import StepRecord

__all__ = ["Steps"]


class Steps(Sequence[StepRecord]):
    """The first so many steps of a shared list.

    Longer and shorter ways share it; it only ever grows at its end.
    """

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
        if not isinstance(other, Steps):
            return NotImplemented
        same = self._count == other._count
        return same and (
            self._shared is other._shared or all(one == another for one, another in zip(self, other, strict=True))
        )

    def __hash__(self) -> int:
        return hash((self._count, self._shared[self._count - 1].seq if self._count else None))

    def up_to(self, count: int) -> Steps:
        """Return the first so many of these."""
        return Steps(self._shared, count)

    def followed_by(self, fresh: Sequence[StepRecord]) -> Steps:
        """Return these with others behind them.

        Where the shared list goes on otherwise, the new way gets a list of its own.
        """
        known = self._shared[self._count : self._count + len(fresh)]
        if all(map(is_, known, fresh)):
            self._shared.extend(fresh[len(known) :])
            return Steps(self._shared, self._count + len(fresh))
        return Steps([*self, *fresh], self._count + len(fresh))
