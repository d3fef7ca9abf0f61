"""Many fights from one beginning: the forecast.

The public face of the package. `Simulator` is made once in a program and costs nothing before the first forecast.

1. Fights are counted from 0, and each has its own dice. They are heard in this order, so the same beginning gives the
   same forecast however many workers there are, as far as it comes.
2. A forecast is over when the chance to win is known to within five points and each character's chance to fall to
   within seven, when its time is up, when all fights are played, when it is cancelled, or when the game breaks every
   fight. Several beginnings have the same number of fights with the same dice, so that they can be compared.
3. It is made in the thread that asks: a program with a screen asks in a thread of its own. A new question waits until
   the one before has heard that it is cancelled, a few hundredths of a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.forecast.scenario import Scenario, all_failed, fight
from tracker.forecast.summary import (
    CLOSE,
    CLOSE_FALLS,
    LEAST,
    Difference,
    End,
    ForecastSummary,
    Totals,
    Why,
    difference,
    failed,
)
from tracker.forecast.worker_pool import Find, WorkerPool, cores
from tracker.library.guard import unwrapped

FEW = 24
"""So many fights are not worth a process."""
MANY = 2_000
"""Fights that a forecast plays at most."""
SECONDS = 2.0
ROUGH = 0.1
"""As closely the usual tactics are known before the others have their turn."""
EVERY = 0.1
"""Seconds between what a forecast says and what it says next."""

Numbered: TypeAlias = tuple[int, End]


def never() -> bool:
    """Return that nothing is cancelled."""
    return False


class Forecast(Struct, frozen=True):
    """What is known so far of how a fight will end.

    Attributes:
        outlook: what the fights say that are played.
        since: the round from which they were played; the rounds that are left are those of the outlook less this.
        seconds: how long it has taken.
        over: why nothing more is coming, or "" while fights are played.
        change: how much more often the players win than from the beginning before this one; None for the first.
    """

    outlook: ForecastSummary
    since: int = 0
    seconds: float = 0.0
    over: Why = ""
    change: Difference | None = None


class Comparison(Struct, frozen=True):
    """Two ways against each other, and how much more often the players win the one."""

    one: Forecast
    other: Forecast
    change: Difference


class Simulator:
    """The processes that play fights; they start when first needed and are kept until `close`.

    `idle`: they compute only when no other process wants the core.

    Attributes:
        find: returns a game by its key; a function that a process can import.
        many: how many processes; 0 plays in this process.
    """

    def __init__(self, find: Find, many: int | None = None, idle: bool = False) -> None:
        self.find, self.many = find, cores(idle) if many is None else many
        self._crew = WorkerPool(find, self.many, idle)
        self._asked = threading.Lock()

    def __enter__(self) -> Simulator:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes."""
        self._crew.close()

    def fights(
        self,
        beginning: Scenario,
        most: int,
        *,
        exactly: bool = False,
        on_progress: Callable[[int], None] = lambda many: None,
    ) -> Sequence[End]:
        """Play fights until the chances are known closely enough, `most` at the most.

        `exactly` plays them all. `on_progress` is called with how many are done.
        """
        tally = _Tally()
        with closing(self._played((beginning,), most, alone=most <= FEW)) as played:
            for some in played:
                if tally.add([end for _, end in some], exactly):
                    break
                on_progress(len(tally.ends))
        return tally.ends

    def refined(
        self,
        beginning: Scenario,
        *,
        most: int = MANY,
        seconds: float = SECONDS,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[Forecast]:
        """Yield the forecast as it becomes closer, about ten times a second.

        The last one says why it is over.
        """
        for forecasts in self.ranged((beginning,), most=most, seconds=seconds, cancelled=cancelled):
            yield forecasts[0]

    def ranged(
        self,
        beginnings: Sequence[Scenario],
        *,
        most: int = MANY,
        seconds: float = SECONDS,
        cancelled: Callable[[], bool] = never,
        ahead: float = 0.0,
        exactly: bool = False,
    ) -> Iterator[tuple[Forecast, ...]]:
        """Yield forecasts of several beginnings, such as one for each tactics.

        Their fights take turns. They are over together, when all of them are close or nothing else is to come. For
        `ahead` seconds the first is alone, until its chances are known to within ten points; so long it is told alone.
        `exactly` plays the `most` fights of each.
        """
        tallies = [_Tally() for _ in beginnings]
        clock = _Clock(seconds, cancelled)
        over: Why = ""
        if ahead:
            yield from self._ahead(beginnings[0], most, tallies[0], clock, min(ahead, seconds))
            beginnings = (replace(beginnings[0], skip=len(tallies[0].ends)), *beginnings[1:])
        with closing(self._played(beginnings, most * len(beginnings), going=clock.runs)) as played:
            for some in played:
                if _add_rounds(tallies, some, exactly):
                    over = "broken" if all(tally.all_failed for tally in tallies) else "close"
                    break
                if clock.report_due(min(len(tally.ends) for tally in tallies)):
                    yield _forecasts(beginnings, tallies, clock, "")
        yield _forecasts(beginnings, tallies, clock, over or clock.stopped() or "all")

    def _ahead(
        self, beginning: Scenario, most: int, tally: _Tally, clock: _Clock, seconds: float
    ) -> Iterator[tuple[Forecast, ...]]:
        """Yield what is known of the first of several beginnings, until it is roughly known."""
        with closing(self._played((beginning,), most, going=clock.runs)) as played:
            for some in played:
                rough = tally.add([end for _, end in some]) or tally.sums.known_to(ROUGH, ROUGH)
                if clock.report_due(len(tally.ends)) or (rough and not tally.all_failed):
                    yield _forecasts((beginning,), (tally,), clock, "")
                if rough or clock.passed >= seconds:
                    return

    def compared(
        self,
        one: Scenario,
        other: Scenario,
        *,
        most: int = MANY,
        seconds: float = SECONDS,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[Comparison]:
        """Yield two ways against each other, as they become closer.

        The fights of a pair have the same dice. Both beginnings must have the same root.
        """
        clock, tallies, over = _Clock(seconds, cancelled), (_Tally(), _Tally()), False
        with closing(self._played((one, other), 2 * most, going=clock.runs)) as played:
            for some in played:
                for which, tally in enumerate(tallies):
                    tally.add([end for number, end in some if number % 2 == which], exactly=True)
                if over := any(tally.all_failed for tally in tallies):
                    break
                if clock.report_due(len(tallies[1].ends)):
                    yield _comparison((one, other), tallies, clock, "")
        yield _comparison((one, other), tallies, clock, "broken" if over else clock.stopped() or "all")

    def _played(
        self, beginnings: Sequence[Scenario], most: int, going: Callable[[], bool] = lambda: True, alone: bool = False
    ) -> Generator[list[Numbered]]:
        with self._asked:
            try:
                yield from (
                    self._alone(beginnings, most, going)
                    if alone or not self.many
                    else self._crew.play(beginnings, most, going)
                )
            except Exception as error:  # noqa: BLE001 - what cannot be sent to a process, or a process that cannot begin
                yield [(which, failed(error)) for which in range(len(beginnings))] * 3

    def _alone(self, beginnings: Sequence[Scenario], most: int, going: Callable[[], bool]) -> Generator[list[Numbered]]:
        rulesets = {one.game: unwrapped(self.find(one.game)) for one in beginnings}
        for number in range(most):
            if not going():
                return
            seed, which = divmod(number, len(beginnings))
            beginning = beginnings[which]
            yield [(number, fight(rulesets[beginning.game], beginning, seed))]


class _Clock:
    """The time of one forecast, from when its fights begin."""

    def __init__(self, seconds: float, cancelled: Callable[[], bool]) -> None:
        self.seconds, self.cancelled = seconds, cancelled
        self.since: float | None = None
        self.told = 0.0

    @property
    def passed(self) -> float:
        now = time.monotonic()
        if self.since is None:
            self.since = now
        return now - self.since

    def runs(self) -> bool:
        return not self.stopped()

    def stopped(self) -> Why:
        if self.cancelled():
            return "cancelled"
        return "time" if self.passed >= self.seconds else ""

    def report_due(self, fights: int) -> bool:
        """Tell whether it is time to say something, and take note of it."""
        due = fights >= LEAST and self.passed - self.told >= EVERY
        if due:
            self.told = self.passed
        return due


class _Tally:
    """The fights of one scenario that have been counted."""

    def __init__(self) -> None:
        self.ends: list[End] = []
        self.sums = Totals()
        self._sound = 0

    @property
    def all_failed(self) -> bool:
        """Whether the game breaks every fight."""
        return not self._sound and all_failed(self.ends)

    def add(self, some: Sequence[End], exactly: bool = False) -> bool:
        """Count fights in their order, and tell whether they are enough.

        If they are, the rest is left out: how many come at once must not matter.
        """
        for end in some:
            if self.enough(exactly):
                break
            self.ends.append(end)
            self.sums.add(end)
            self._sound += not end.failed
        return self.enough(exactly)

    def enough(self, exactly: bool) -> bool:
        """Tell whether nothing more has to be played."""
        return self.all_failed or (not exactly and self.sums.known_to(CLOSE, CLOSE_FALLS))


def _add_rounds(tallies: Sequence[_Tally], some: Sequence[Numbered], exactly: bool) -> bool:
    """Count fights of several beginnings that take turns, and tell whether all have enough.

    They are looked at when each has had its turn: how many come at once must not matter.
    """
    for number, end in some:
        which = number % len(tallies)
        tallies[which].add((end,), exactly=True)
        if which == len(tallies) - 1 and all(tally.enough(exactly) for tally in tallies):
            return True
    return False


def _forecasts(
    beginnings: Sequence[Scenario], tallies: Sequence[_Tally], clock: _Clock, over: Why
) -> tuple[Forecast, ...]:
    rounds = [one.start.clock.round if isinstance(one.start, State) else 0 for one in beginnings]
    passed = clock.passed
    changes = [None, *(difference(one.ends, before.ends) for before, one in pairwise(tallies))]
    return tuple(
        [
            Forecast(tally.sums.outlook(), since, passed, over, change)
            for tally, since, change in zip(tallies, rounds, changes, strict=True)
        ]
    )


def _comparison(
    beginnings: tuple[Scenario, Scenario], tallies: tuple[_Tally, _Tally], clock: _Clock, over: Why
) -> Comparison:
    one, other = _forecasts(beginnings, tallies, clock, over)
    return Comparison(one, other, difference(tallies[0].ends, tallies[1].ends))
