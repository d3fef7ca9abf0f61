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
"""Seconds at most in which only the default tactics are played, before the others."""
LOOKED = 30.0
"""Seconds at most in which fights of an open forecast are played."""
PAIRS = 400
"""Fights at most of each of two compared scenarios."""
MOST_EARLIER = 3
"""Earlier results that are kept."""


class ForecastQuery(Struct, frozen=True):
    """What a forecast is made of.

    Attributes:
        kind: one fight by several tactics, two scenarios compared, or a line for each number of a member.
        scenarios: the scenario of each line with its name, the default first.
        header: sides, labels and round, which all lines share.
        moment: the moment of the fight in words, "" for an encounter.
        about: the state or encounter of the query.
        steps: the number of steps of the fight at that moment; 0 for an encounter.
        seed: the seed of the dice, the same for all scenarios.
    """

    kind: Kind
    scenarios: tuple[tuple[str, Scenario], ...]
    header: ForecastHeader
    moment: str = ""
    about: object = None
    steps: int = 0
    seed: int = 0


class ForecastState(Struct, frozen=True):
    """The result of a query so far.

    Attributes:
        summaries: the summary of each scenario's fights.
        change: by how much the second of two compared scenarios is better.
        changes: by how much each scenario is better than the scenario before it.
        over: why no more fights are played, or "" while they are.
        problem: why there is no result.
        seconds: how long fights have been played.
    """

    summaries: tuple[ForecastSummary, ...] = ()
    change: Difference | None = None
    changes: tuple[Difference | None, ...] = ()
    over: Why = ""
    problem: str = ""
    seconds: float = 0.0


class HasWorkerPool(Protocol):
    """The app, which keeps the worker pool when the GM changes the screen."""

    @property
    def forecasters(self) -> Simulator:
        """The worker pool, started with the first forecast."""


class ForecastRunner:
    """Runs the forecasts of one screen.

    Attributes:
        query, state: the present query and its result so far.
        earlier: the results of earlier moments in words, each with the number of steps at it, the newest last.
    """

    def __init__(self, screen: Screen[None], app: HasWorkerPool, show: Callable[[], bool]) -> None:
        self._screen, self._app, self._show = screen, app, show
        self._stop = threading.Event()
        self.query: ForecastQuery | None = None
        self.state = ForecastState()
        self.earlier: tuple[tuple[int, str], ...] = ()
        self._taken_back = False

    def ask(self, query: ForecastQuery, again: bool = False) -> None:
        """Start a query with a new seed, and stop the query before it.

        A query with the same scenarios continues with its seed and its fights, unless it is asked `again`.
        """
        self.stop()
        if not again and self.query is not None and self.query.scenarios == query.scenarios:
            query = replace(query, seed=self.query.seed)
        else:
            self._remember()
            self.state = ForecastState()
            query = replace(query, seed=new_seed())
        self.query, self._taken_back = query, False
        if not self.state.over or self.state.problem:
            self._start(query, self.state)

    def stop(self) -> None:
        """Play no more fights; the result so far is kept."""
        self._stop.set()

    def go_back(self, steps: int) -> None:
        """Forget the results of moments that have been taken back; `steps`: the number of steps left."""
        self.earlier = tuple((at, words) for at, words in self.earlier if at <= steps)
        self._taken_back = self._taken_back or (self.query is not None and self.query.steps > steps)

    def _remember(self) -> None:
        query, summaries = self.query, self.state.summaries
        if query is None or self._taken_back:
            return
        if query.kind == "range" and summaries and summaries[0].fights >= LEAST:
            words = f"{query.moment} {percent(summaries[0].chance)}"
            self.earlier = (*self.earlier, (query.steps, words))[-MOST_EARLIER:]

    def _start(self, query: ForecastQuery, before: ForecastState) -> None:
        stop = self._stop = threading.Event()

        def collect() -> None:
            try:
                for state in _results(self._app.forecasters, query, before, stop.is_set):
                    if stop.is_set():
                        return
                    self._screen.call_later(self._take, stop, state)
            except Exception as error:  # noqa: BLE001 - it costs the forecast, never the fight
                state = ForecastState(over="broken", problem=error_line(error))
                self._screen.call_later(self._take, stop, state)

        threading.Thread(target=collect, name="forecast", daemon=True).start()

    def _take(self, stop: threading.Event, state: ForecastState) -> None:
        if stop is not self._stop or stop.is_set():
            return
        self.state = state
        if not self._show():
            self.stop()


def _results(
    workers: Simulator, query: ForecastQuery, before: ForecastState, cancelled: Callable[[], bool]
) -> Iterator[ForecastState]:
    """Yield the results of a query, each of more fights."""
    scenarios = tuple(seeded(scenario, query.seed) for _, scenario in query.scenarios)
    if query.kind == "compared":
        usual, tried = scenarios
        for both in workers.compared(tried, usual, most=PAIRS, seconds=LOOKED, cancelled=cancelled):
            if before.change is None or both.change.fights >= before.change.fights:
                yield ForecastState((both.other.outlook, both.one.outlook), both.change, over=both.one.over)
        return
    ahead = FIRST if query.kind == "range" and not before.summaries else 0.0
    for forecasts in workers.ranged(scenarios, seconds=LOOKED, cancelled=cancelled, ahead=ahead):
        summaries = _of_most_fights(before.summaries, [forecast.outlook for forecast in forecasts])
        changes = tuple(forecast.change for forecast in forecasts)
        yield ForecastState(summaries, changes=changes, over=forecasts[0].over, seconds=forecasts[0].seconds)


def _of_most_fights(before: Sequence[ForecastSummary], now: Sequence[ForecastSummary]) -> tuple[ForecastSummary, ...]:
    """Return the present summaries; while a continued one has fewer fights than it had before, the earlier one."""
    most = [old if old.fights > new.fights else new for old, new in zip(before, now, strict=False)]
    return (*most, *now[len(most) :])
