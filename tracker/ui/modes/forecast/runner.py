"""Forecast queries: worker processes play the fights, a thread collects the results.

The screen gets results by message, a few times a second, so that no key waits for a fight. No process is started before
the first query; a new query ends the one before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from textual.screen import Screen

from tracker.forecast.rows import ForecastHeader, percent
from tracker.forecast.scenario import Scenario, new_seed, seeded
from tracker.forecast.summary import LEAST, Difference, ForecastSummary, Why
from tracker.library.ruleset_errors import error_line

if TYPE_CHECKING:
    from tracker.forecast.simulation import Simulator


Kind: TypeAlias = Literal["range", "compared", "sweep"]
FIRST = 3.0
"""Seconds for the usual tactics alone, at most, before the others are asked."""
LOOKED = 30.0
"""Seconds for which a forecast that is looked at becomes closer."""
PAIRS = 400
"""Fights of each of two ways, at most."""
MOST_EARLIER = 3


class ForecastQuery(Struct, frozen=True):
    """A query.

    Attributes:
        kind: one fight by several tactics, two ways compared, or a line for each number of a member.
        scenarios: the start of the fights of each line, with its name; the default comes first.
        about: the state or encounter of the query.
        steps: how many steps of the fight had been done; 0 for an encounter.
        seed: the number from which this query's dice come; all its scenarios share them.
    """

    kind: Kind
    scenarios: tuple[tuple[str, Scenario], ...]
    cast: ForecastHeader
    moment: str = ""
    about: object = None
    steps: int = 0
    seed: int = 0

    @property
    def beginnings(self) -> tuple[Scenario, ...]:
        return tuple(seeded(beginning, self.seed) for _, beginning in self.scenarios)


class ForecastState(Struct, frozen=True):
    """The result so far.

    Attributes:
        outlooks: one for each scenario.
        change: by how much the second of two scenarios is better.
        changes: by how much each scenario is better than the one before it.
        over: why no more fights are played, or "" while they are.
        problem: why there is no result.
        seconds: how long fights have been played.
    """

    outlooks: tuple[ForecastSummary, ...] = ()
    change: Difference | None = None
    changes: tuple[Difference | None, ...] = ()
    over: Why = ""
    problem: str = ""
    seconds: float = 0.0


class HasWorkerPool(Protocol):
    """The app, which keeps the worker pool while the GM goes from screen to screen."""

    @property
    def forecasters(self) -> Simulator:
        """The workers, made when they are first wanted."""


class ForecastRunner:
    """The forecasts of one screen, and `earlier` results in words with the number of steps done, the newest last."""

    def __init__(self, screen: Screen[None], staff: HasWorkerPool, show: Callable[[], bool]) -> None:
        self._screen, self._staff, self._show = screen, staff, show
        self._stop = threading.Event()
        self.asked: ForecastQuery | None = None
        self.known = ForecastState()
        self.earlier: tuple[tuple[int, str], ...] = ()
        self._taken_back = False

    def ask(self, asked: ForecastQuery, again: bool = False) -> None:
        """Begin a question with a seed of its own, and end the one before.

        The same question goes on with its seed, unless it is asked `again`.
        """
        self.stop()
        if not again and self.asked is not None and self.asked.scenarios == asked.scenarios:
            asked = replace(asked, seed=self.asked.seed)
        else:
            self._remember()
            self.known = ForecastState()
            asked = replace(asked, seed=new_seed())
        self.asked, self._taken_back = asked, False
        if not self.known.over or self.known.problem:
            self._listen(asked, self.known)

    def stop(self) -> None:
        """Play no more fights; what is known stays."""
        self._stop.set()

    def go_back(self, steps: int) -> None:
        """Forget what was known of moments that have been taken back; so many steps are left."""
        self.earlier = tuple((at, words) for at, words in self.earlier if at <= steps)
        self._taken_back = self._taken_back or (self.asked is not None and self.asked.steps > steps)

    def _remember(self) -> None:
        asked, outlooks = self.asked, self.known.outlooks
        if asked is None or self._taken_back:
            return
        if asked.kind == "range" and outlooks and outlooks[0].fights >= LEAST:
            words = f"{asked.moment} {percent(outlooks[0].chance)}"
            self.earlier = (*self.earlier, (asked.steps, words))[-MOST_EARLIER:]

    def _listen(self, asked: ForecastQuery, before: ForecastState) -> None:
        stop = self._stop = threading.Event()

        def listen() -> None:
            try:
                for known in _answers(self._staff.forecasters, asked, before, stop.is_set):
                    if stop.is_set():
                        return
                    self._screen.call_later(self._take, stop, known)
            except Exception as error:  # noqa: BLE001 - it costs the forecast, never the fight
                known = ForecastState(over="broken", problem=error_line(error))
                self._screen.call_later(self._take, stop, known)

        threading.Thread(target=listen, name="forecast", daemon=True).start()

    def _take(self, stop: threading.Event, known: ForecastState) -> None:
        if stop is not self._stop or stop.is_set():
            return
        self.known = known
        if not self._show():
            self.stop()


def _answers(
    workers: Simulator, asked: ForecastQuery, before: ForecastState, cancelled: Callable[[], bool]
) -> Iterator[ForecastState]:
    """Yield what is known of a query, with more and more fights."""
    beginnings = asked.beginnings
    if asked.kind == "compared":
        usual, tried = beginnings
        for found in workers.compared(tried, usual, most=PAIRS, seconds=LOOKED, cancelled=cancelled):
            if before.change is None or found.change.fights >= before.change.fights:
                yield ForecastState((found.other.outlook, found.one.outlook), found.change, over=found.one.over)
        return
    first: Sequence[ForecastSummary] = before.outlooks
    ahead = FIRST if asked.kind == "range" and not first else 0.0
    for forecasts in workers.ranged(beginnings, seconds=LOOKED, cancelled=cancelled, ahead=ahead):
        known = _longest(first, [forecast.outlook for forecast in forecasts])
        changes = tuple(forecast.change for forecast in forecasts)
        yield ForecastState(known, changes=changes, over=forecasts[0].over, seconds=forecasts[0].seconds)


def _longest(first: Sequence[ForecastSummary], now: Sequence[ForecastSummary]) -> tuple[ForecastSummary, ...]:
    early = [one if one.fights > later.fights else later for one, later in zip(first, now, strict=False)]
    return (*early, *now[len(early) :])
