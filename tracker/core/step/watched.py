"""Watched totals of dice, which know the other totals that lead to the same run.

The odds of an action are found by running its step. A roll answered with a `WatchedTotal` behaves like the rolled
number, and applies the same arithmetic to every other total of the roll. Whenever the step reads the number, by a
comparison or as a key, the totals with another result are removed. The remaining totals lead to states that differ only
in such numbers, so they are not run again. If two rolls are compared with each other, the same is done with pairs of
their totals. A number in a text counts as read only if the text matters.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, cast

T = TypeVar("T")
MOST_PAIRS = 1_000
"""Rolls with more pairs of totals are compared as numbers."""


class WatchedRoll:
    """The possible totals of a roll, and those that have made no difference so far.

    `pair`: the pairs of its totals with those of the only roll it has been compared with, or None.
    """

    def __init__(self, totals: Iterable[int], fallen: int) -> None:
        self.totals = tuple(totals)
        self.own = self.totals.index(fallen)
        self.same = list(range(len(self.totals)))
        self.told: list[tuple[str, tuple[int, ...]]] = []
        self.pair: WatchedPair | None = None

    def total(self) -> int:
        """Return the rolled total as a watched number."""
        return cast(int, WatchedTotal(self, self.totals))

    def keep(self, outcomes: list[T]) -> T:
        """Remove the totals with another outcome than the rolled one, and return its outcome."""
        mine = outcomes[self.own]
        self.same = [place for place in self.same if outcomes[place] == mine]
        return mine

    def tell(self, values: tuple[int, ...], spec: str = "") -> str:
        """Return the rolled number as text, and store the text with the numbers of all totals."""
        text = format(values[self.own], spec)
        self.told.append((text, values))
        return text

    def read_in(self, words: str) -> None:
        """Remove the totals with another number in these words."""
        for text, values in self.told:
            if text in words:
                self.keep(list(values))

    def left(self) -> tuple[int, ...]:
        """Return the totals that have made no difference."""
        return tuple([self.totals[place] for place in self.same])


class WatchedPair:
    """The pairs of totals of two rolls that have made no difference in comparisons of these rolls."""

    def __init__(self, first: WatchedRoll, second: WatchedRoll) -> None:
        self.first, self.second = first, second
        self.same = [(one, other) for one in range(len(first.totals)) for other in range(len(second.totals))]
        first.pair = second.pair = self

    def keep(self, values: tuple[int, ...], others: tuple[int, ...], compare: Callable[..., bool]) -> bool:
        """Remove the pairs for which two numbers compare otherwise, and return the result of the rolled ones."""
        found = compare(values[self.first.own], others[self.second.own])
        self.same = [(one, other) for one, other in self.same if compare(values[one], others[other]) is found]
        return found

    def left(self) -> set[tuple[int, int]]:
        """Return the pairs of totals that have made no difference."""
        first, second = self.first.totals, self.second.totals
        return {(first[one], second[other]) for one, other in self.same}


def _pair_of(one: WatchedRoll, other: WatchedRoll) -> WatchedPair | None:
    """Return the pair of two rolls; None where one is compared with a third, or they have too many totals."""
    if one.pair is None and other.pair is None and len(one.totals) * len(other.totals) <= MOST_PAIRS:
        return WatchedPair(one, other)
    return one.pair if one.pair is other.pair else None


class WatchedTotal:
    """A number computed from a watched roll, with its values for all totals of that roll."""

    __slots__ = ("roll", "values")

    def __init__(self, roll: WatchedRoll, values: tuple[int, ...]) -> None:
        self.roll = roll
        self.values = values

    @property  # type: ignore[misc]  # rules ask by isinstance whether a value is a number
    def __class__(self) -> type[int]:  # type: ignore[override]
        return int

    def _read(self) -> int:
        return self.roll.keep(list(self.values))

    def _classes(self) -> int:
        """Return how many numbers it could be still; of two rolls the one with fewer is read."""
        return len({self.values[place] for place in self.roll.same})

    def _with(self, other: object, combine: Callable[..., T]) -> list[T]:
        """Return the result of an operation with another number, for each total."""
        if type(other) is WatchedTotal:
            if other.roll is self.roll:
                return [combine(*pair) for pair in zip(self.values, other.values, strict=True)]
            other = other._read()
        return [combine(value, other) for value in self.values]

    def _made(self, other: object, combine: Callable[..., int]) -> WatchedTotal:
        if type(other) is WatchedTotal and other.roll is not self.roll and self._classes() < other._classes():
            return other._made_back(self._read(), combine)
        if not isinstance(other, int | float):
            return cast(WatchedTotal, NotImplemented)  # a tuple or text is repeated, which reads the number
        return WatchedTotal(self.roll, tuple(self._with(other, combine)))

    def _made_back(self, other: object, combine: Callable[..., int]) -> WatchedTotal:
        return self._made(other, lambda mine, theirs: combine(theirs, mine))

    def _compared(self, other: object, compare: Callable[..., bool]) -> bool:
        if type(other) is WatchedTotal:
            pair = None if other.roll is self.roll else _pair_of(self.roll, other.roll)
            if pair is None:
                return self.roll.keep(self._with(other, compare))
            if pair.first is self.roll:
                return pair.keep(self.values, other.values, compare)
            return pair.keep(other.values, self.values, lambda theirs, mine: compare(mine, theirs))
        roll, values = self.roll, self.values
        found = compare(values[roll.own], other)
        roll.same = [place for place in roll.same if compare(values[place], other) is found]
        return found

    def __add__(self, other: object) -> WatchedTotal:
        return self._made(other, operator.add)

    def __radd__(self, other: object) -> WatchedTotal:
        return self._made_back(other, operator.add)

    def __sub__(self, other: object) -> WatchedTotal:
        return self._made(other, operator.sub)

    def __rsub__(self, other: object) -> WatchedTotal:
        return self._made_back(other, operator.sub)

    def __mul__(self, other: object) -> WatchedTotal:
        return self._made(other, operator.mul)

    def __rmul__(self, other: object) -> WatchedTotal:
        return self._made_back(other, operator.mul)

    def __floordiv__(self, other: object) -> WatchedTotal:
        return self._made(other, operator.floordiv)

    def __rfloordiv__(self, other: object) -> WatchedTotal:
        return self._made_back(other, operator.floordiv)

    def __mod__(self, other: object) -> WatchedTotal:
        return self._made(other, operator.mod)

    def __neg__(self) -> WatchedTotal:
        return WatchedTotal(self.roll, tuple([-value for value in self.values]))

    def __abs__(self) -> WatchedTotal:
        return WatchedTotal(self.roll, tuple([abs(value) for value in self.values]))

    def __lt__(self, other: object) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._compared(other, operator.ge)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, operator.eq)

    def __ne__(self, other: object) -> bool:
        return self._compared(other, operator.ne)

    def __bool__(self) -> bool:
        return self.roll.keep([bool(value) for value in self.values])

    def __hash__(self) -> int:
        return hash(self._read())

    def __index__(self) -> int:
        return self._read()

    def __int__(self) -> int:
        return self._read()

    def __float__(self) -> float:
        return float(self._read())

    def __truediv__(self, other: object) -> float:
        return self._read() / cast(float, other)

    def __rtruediv__(self, other: object) -> float:
        return cast(float, other) / self._read()

    def __divmod__(self, other: object) -> tuple[int, int]:
        return divmod(self._read(), cast(int, other))

    def __round__(self, digits: int | None = None) -> int:
        return round(self._read(), digits) if digits is not None else self._read()

    def __str__(self) -> str:
        return self.roll.tell(self.values)

    def __repr__(self) -> str:
        return self.roll.tell(self.values)

    def __format__(self, spec: str) -> str:
        return self.roll.tell(self.values, spec)


def as_watched(value: object) -> WatchedTotal | None:
    """Return a value if it is computed from a watched roll, else None."""
    return value if type(value) is WatchedTotal else None


def look_up(table: Sequence[int], place: int) -> int:
    """Return a number of a table; if the index is computed from a watched roll, so is the number."""
    watched = as_watched(place)
    if watched is None:
        return table[place]
    values = [table[one] if -len(table) <= one < len(table) else 0 for one in watched.values]
    return cast(int, WatchedTotal(watched.roll, tuple(values)))
