"""Forecasts that say at once what a test wants: no fight is played."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import cast

import pytest

from tracker.forecast.scenario import Scenario
from tracker.forecast.simulation import Comparison, Forecast, Simulator
from tracker.forecast.summary import CombatantSummary, Difference, ForecastSummary
from tracker.ui.app import TrackerApp

__all__ = ["Canned", "canned", "seen"]


def seen(
    fights: int = 200, won: int = 142, sides: tuple[str, str] = ("Party", "Goblins"), rounds: int = 4
) -> ForecastSummary:
    """Return what so many fights say, of whom the players win some."""
    tenth, six = fights // 10, fights * 6 // 10
    people = (
        CombatantSummary(
            "ava", "Ava", True, fights, tenth, (("up", fights - tenth), ("dead", tenth)), 14, 20, tenth, tenth
        ),
        CombatantSummary("wolf", "Wolf", True, fights, six, (("down", six),), 3.4, 20, six),
        CombatantSummary("goblin-1", "Goblin 1", False, fights, fights, (("down", fights),), 0, 7),
        CombatantSummary("goblin-2", "Goblin 2", False, fights, fights // 2, (("down", fights // 2),), 3, 7),
    )
    left = ((sides[0], won), (sides[1], fights - won))
    course = (rounds, rounds - 2, rounds + 3)
    return ForecastSummary(fights, won, left, course, 0.43, people, falls=fights * 65 // 100, deaths=tenth)


class Canned:
    """Workers that know the answers beforehand.

    Attributes:
        found: what each beginning is said to come to, by its tactics.
        asked: the beginnings asked for.
        gate: the rest of an answer waits for it.
    """

    def __init__(self, found: Callable[[Scenario], ForecastSummary] = lambda one: seen()) -> None:
        self.found = found
        self.asked: list[tuple[Scenario, ...]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.cancelled: list[bool] = []
        self.change = Difference(200, 0.06, -0.02, 0.14)

    def ranged(
        self, beginnings: Sequence[Scenario], *, seconds: float, cancelled: Callable[[], bool], ahead: float
    ) -> Iterator[tuple[Forecast, ...]]:
        """Yield the first forecast, then all of them, once the gate is open."""
        self.asked.append(tuple(beginnings))
        if ahead:
            yield (Forecast(self.found(beginnings[0])),)
        self.gate.wait(20)
        self.cancelled.append(cancelled())
        less = Difference(200, -0.06, -0.11, -0.01)
        changes = (None, *(less for _ in beginnings[1:]))
        yield tuple(
            Forecast(self.found(one), over="close", change=change)
            for one, change in zip(beginnings, changes, strict=True)
        )

    def compared(
        self, one: Scenario, other: Scenario, *, most: int, seconds: float, cancelled: Callable[[], bool]
    ) -> Iterator[Comparison]:
        """Yield two ways against each other."""
        self.asked.append((one, other))
        first, second = (Forecast(self.found(way), over="all") for way in (one, other))
        yield Comparison(first, second, self.change)

    def close(self) -> None:
        """End nothing."""


def canned(
    monkeypatch: pytest.MonkeyPatch, found: Callable[[Scenario], ForecastSummary] = lambda one: seen()
) -> Canned:
    """Let every app of a test ask such workers."""
    workers = Canned(found)
    monkeypatch.setattr(TrackerApp, "forecasters", cast(Simulator, workers))
    return workers
