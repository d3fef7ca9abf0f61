"""Many fights of one scenario: the forecast.

The public interface of the package. A program makes one `Simulator`; it costs nothing before the first forecast.

1. Fights are numbered from 0, and each has its own dice. They are counted in this order, so the same scenario gives
   the same forecast with any number of workers.
2. A forecast ends when the chance to win is known to within five points and each character's chance to fall to within
   seven, when its time is up, when all fights are played, when it is cancelled, or when the game breaks every fight.
   Several scenarios have the same number of fights with the same dice, so that they can be compared.
3. It runs in the caller's thread: a program with a screen uses a thread of its own. A new forecast waits until the
   earlier one has noticed its cancellation, a few hundredths of a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
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
"""Up to this number of fights no process is started."""
MANY = 2_000
"""Most fights of a forecast."""
SECONDS = 2.0
ROUGH = 0.1
"""Half the width of an interval that is narrow enough for the usual tactics before the other tactics are played."""
EVERY = 0.1
"""Seconds between two reports of a forecast."""

Numbered: TypeAlias = tuple[int, End]


def never() -> bool:
    """Return that nothing is cancelled."""
    return False


class Forecast(Struct, frozen=True):
    """The forecast of one scenario so far.

    Attributes:
        outlook: the summary of the fights played so far.
        since: the round in which they began; the rounds left are those of the outlook minus this.
        seconds: the time used.
        over: why the forecast has ended, or "" while fights are played.
        change: how much more often the players win than in the scenario before this one; None for the first.
    """

    outlook: ForecastSummary
    since: int = 0
    seconds: float = 0.0
    over: Why = ""
    change: Difference | None = None


class Comparison(Struct, frozen=True):
    """The forecasts of two scenarios, and how much more often the players win the first."""

    one: Forecast
    other: Forecast
    change: Difference


class Simulator:
    """The processes that play fights; they start when first needed and are kept until `close`.

    `idle`: they compute only when no other process wants the core.

    Attributes:
        find: returns a game by its key; another process must be able to import this function.
        many: the number of processes; 0 plays in this process.
    """

    def __init__(self, find: Find, many: int | None = None, idle: bool = False) -> None:
        self.find, self.many = find, cores(idle) if many is None else many
        self._pool = WorkerPool(find, self.many, idle)
        self._one_forecast = threading.Lock()

    def __enter__(self) -> Simulator:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes."""
        self._pool.close()

    def fights(
        self,
        scenario: Scenario,
        most: int,
        *,
        exactly: bool = False,
        on_progress: Callable[[int], None] = lambda many: None,
    ) -> Sequence[End]:
        """Play at most `most` fights, until the chances are known closely enough.

        `exactly` plays all of them. `on_progress` gets the number of fights played.
        """
        tally = _Tally()
        with closing(self._played((scenario,), most, here=most <= FEW)) as played:
            for batch in played:
                if tally.add([end for _, end in batch], exactly):
                    break
                on_progress(len(tally.ends))
        return tally.ends

    def refined(
        self,
        scenario: Scenario,
        *,
        most: int = MANY,
        seconds: float = SECONDS,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[Forecast]:
        """Yield the forecast about ten times a second while fights are played; the last one says why it has ended."""
        for forecasts in self.ranged((scenario,), most=most, seconds=seconds, cancelled=cancelled):
            yield forecasts[0]

    def ranged(
        self,
        scenarios: Sequence[Scenario],
        *,
        most: int = MANY,
        seconds: float = SECONDS,
        cancelled: Callable[[], bool] = never,
        ahead: float = 0.0,
        exactly: bool = False,
        enough: Callable[[Iterable[bool]], bool] = all,
    ) -> Iterator[tuple[Forecast, ...]]:
        """Yield the forecasts of several scenarios, such as one for each tactics.

        Their fights take turns, and they end together, when `enough` of them (all or any) need no more fights. For
        `ahead` seconds the first scenario is played and yielded alone, until its chances are known to within ten
        points. `exactly` plays the `most` fights of each.
        """
        tallies = [_Tally() for _ in scenarios]
        clock = _Clock(seconds, cancelled)
        over: Why = ""
        if ahead:
            yield from self._ahead(scenarios[0], most, tallies[0], clock, min(ahead, seconds))
            scenarios = (replace(scenarios[0], skip=len(tallies[0].ends)), *scenarios[1:])
        with closing(self._played(scenarios, most * len(scenarios), clock.runs)) as played:
            for batch in played:
                if _add_rounds(tallies, batch, lambda: enough(tally.enough(exactly) for tally in tallies)):
                    over = "broken" if enough(tally.all_failed for tally in tallies) else "close"
                    break
                if clock.report_due(min(len(tally.ends) for tally in tallies)):
                    yield _forecasts(scenarios, tallies, clock, "")
        yield _forecasts(scenarios, tallies, clock, over or clock.stopped() or "all")

    def _ahead(
        self, scenario: Scenario, most: int, tally: _Tally, clock: _Clock, seconds: float
    ) -> Iterator[tuple[Forecast, ...]]:
        """Yield the forecast of the first of several scenarios, until it is roughly known."""
        with closing(self._played((scenario,), most, clock.runs)) as played:
            for batch in played:
                rough = tally.add([end for _, end in batch]) or tally.sums.known_to(ROUGH, ROUGH)
                if clock.report_due(len(tally.ends)) or (rough and not tally.all_failed):
                    yield _forecasts((scenario,), (tally,), clock, "")
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
        """Yield the comparison of two scenarios while fights are played.

        The fights of a pair have the same dice, so both scenarios must have the same root.
        """
        for second, first in self.ranged(
            (other, one), most=most, seconds=seconds, cancelled=cancelled, exactly=True, enough=any
        ):
            yield Comparison(first, second, first.change or Difference())

    def _played(
        self, scenarios: Sequence[Scenario], most: int, going: Callable[[], bool] = lambda: True, here: bool = False
    ) -> Generator[list[Numbered]]:
        play = self._played_here if here or not self.many else self._pool.play
        with self._one_forecast:
            try:
                yield from play(scenarios, most, going)
            except Exception as error:  # noqa: BLE001 - unpicklable data, or a process that cannot start
                yield [(which, failed(error)) for which in range(len(scenarios))] * 3

    def _played_here(
        self, scenarios: Sequence[Scenario], most: int, going: Callable[[], bool]
    ) -> Generator[list[Numbered]]:
        rulesets = {scenario.game: unwrapped(self.find(scenario.game)) for scenario in scenarios}
        for number in range(most):
            if not going():
                return
            seed, which = divmod(number, len(scenarios))
            yield [(number, fight(rulesets[scenarios[which].game], scenarios[which], seed))]


class _Clock:
    """The time of one forecast since its first fight."""

    def __init__(self, seconds: float, cancelled: Callable[[], bool]) -> None:
        self.seconds, self.cancelled = seconds, cancelled
        self.since: float | None = None
        self.reported = 0.0

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
        """Tell whether the next report is due, and note its time."""
        due = fights >= LEAST and self.passed - self.reported >= EVERY
        if due:
            self.reported = self.passed
        return due


class _Tally:
    """The counted fights of one scenario."""

    def __init__(self) -> None:
        self.ends: list[End] = []
        self.sums = Totals()
        self._sound = 0

    @property
    def all_failed(self) -> bool:
        """Whether the game breaks every fight."""
        return not self._sound and all_failed(self.ends)

    def add(self, ends: Sequence[End], exactly: bool = False) -> bool:
        """Count fights in their order, and tell whether they are enough.

        Further fights are dropped, because the result must not depend on the size of a batch.
        """
        for end in ends:
            if self.enough(exactly):
                break
            self.ends.append(end)
            self.sums.add(end)
            self._sound += not end.failed
        return self.enough(exactly)

    def enough(self, exactly: bool) -> bool:
        """Tell whether no more fights are needed."""
        return self.all_failed or (not exactly and self.sums.known_to(CLOSE, CLOSE_FALLS))


def _add_rounds(tallies: Sequence[_Tally], batch: Sequence[Numbered], enough: Callable[[], bool]) -> bool:
    """Count fights of several scenarios that take turns, and tell whether they are enough.

    It is checked after the last scenario's fight, because the result must not depend on the size of a batch.
    """
    for number, end in batch:
        which = number % len(tallies)
        tallies[which].add((end,), exactly=True)
        if which == len(tallies) - 1 and enough():
            return True
    return False


def _forecasts(
    scenarios: Sequence[Scenario], tallies: Sequence[_Tally], clock: _Clock, over: Why
) -> tuple[Forecast, ...]:
    rounds = [scenario.start.clock.round if isinstance(scenario.start, State) else 0 for scenario in scenarios]
    passed = clock.passed
    changes = [None, *(difference(tally.ends, before.ends) for before, tally in pairwise(tallies))]
    return tuple(
        Forecast(tally.sums.outlook(), since, passed, over, change)
        for tally, since, change in zip(tallies, rounds, changes, strict=True)
    )
