"""Each place where a forecast is shown, at three sizes of the screen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.ui.drive import fight, opened
from tests.ui.forecast.canned import canned, seen
from tests.ui.hall import Hall, settled
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.forecast.scenario import Scenario
from tracker.forecast.summary import ForecastSummary

pytestmark = pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)], ids=["80x24", "120x40", "200x60"])
WON = {"focused": 142, "spread": 110, "cautious": 160, "ruthless": 120}


def told(one: Scenario) -> ForecastSummary:
    """Return an outlook by the tactics, and by the numbers of an encounter."""
    fewer = 0 if isinstance(one.start, State) else 12 * one.start.sides[-1].members[0].count.maximum
    other = one.start.sides[-1].name
    return seen(won=WON[one.usual] - fewer, sides=("Party", other))


async def test_a_fight_is_forecast(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, screen: SnapshotAssertion, size: tuple[int, int]
) -> None:
    """The sheet of the fight, after a step, of an action, and in a what-if."""
    canned(monkeypatch, told)
    async with opened(fight(tmp_path), size) as table:
        await table.press("F")
        await table.until("by the tactics")
        assert table.text() == screen(name="fight")
        await table.press("n")
        assert table.text() == screen(name="stale")
        await table.press("escape")
        await table.type("ag⇥")
        await table.press("ctrl+f")
        await table.until("points left")
        assert table.text() == screen(name="action")
        await table.press("escape", "escape", "escape")
        await table.type("wF")
        await table.until("difference")
        assert table.text() == screen(name="what_if")


async def test_the_start_screen_forecasts(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, screen: SnapshotAssertion, size: tuple[int, int]
) -> None:
    """The page of a saved fight, of an encounter, and of its numbers."""
    hall.played("In the mill", "2031-05-01T19:40:00+00:00", action("damage", amount=4, targets=("ada",)))
    hall.encounter("ford", "At the ford")
    canned(monkeypatch, told)
    async with hall.opened(size) as table:
        await settled(table)  # the preview beneath the page has been read
        await table.press("F")
        await table.until("by the tactics")
        assert table.text() == screen(name="saved")
        await table.press("escape", "tab", "F")
        await table.until("by the tactics")
        assert table.text().replace(os.sep, "/") == screen(name="encounter")
        await table.type("thug=3..6⏎")
        await table.until("6 × thug")
        assert table.text().replace(os.sep, "/") == screen(name="numbers")
