"""The forecast of what is under the cursor of the start screen."""

from __future__ import annotations

import pytest

from tests.ui.drive import Table
from tests.ui.forecast.canned import canned, seen
from tests.ui.hall import Hall
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.core.terms.encounter import Encounter
from tracker.ui.widgets.lines import RowsWidget


def page(table: Table) -> str:
    """What the page says, its lines joined as sentences."""
    rows = table.app.screen.query_one("#reader", RowsWidget)._shown
    return " ".join(" ".join(row.text.split()) for row in rows if row is not None)


async def test_an_encounter_and_its_numbers_are_forecast(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """F opens the forecast of the file; a count that is typed has a line for each number."""
    hall.encounter("ford", "At the ford")
    workers = canned(monkeypatch, lambda one: seen(sides=("Party", "Thugs")))
    async with hall.opened() as table:
        await table.press("F")
        await table.until("by the tactics of both sides")
        assert "Forecast: At the ford" in table.text()
        assert "other numbers" in table.text()
        assert "4 rounds (2 to 7 in 9 of 10)" in page(table)
        assert [one.usual for one in workers.asked[-1]] == ["focused", "spread", "cautious", "ruthless"]
        await table.type("thug=3..5⏎")
        await table.until("5 thug")
        assert "Party wins fall left rounds" in page(table)
        counts = [_thugs(one.start) for one in workers.asked[-1]]
        assert counts == [3, 4, 5]
        await table.press("escape")
        await table.type("ogre=2⏎")
        assert '✗ there is no "ogre" in this encounter (ada, bo, thug)' in page(table)
        await table.type(" x⏎")
        assert '✗ "ogre=2 x": write NAME=N..M, such as goblin=6..12' in page(table)
        await table.press("escape", "enter")
        await table.until("by the tactics of both sides")
        await table.press("escape")
        assert table.app.screen.cover is None  # type: ignore[attr-defined]  # the start screen has one


def _thugs(start: Encounter | State) -> int:
    assert isinstance(start, Encounter)
    return start.sides[1].members[0].count.maximum


async def test_a_saved_fight_is_forecast_from_where_it_stands(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fight is only looked at. A broken file shows its problems."""
    hall.played("In the mill", "2031-05-01T19:40:00+00:00", action("damage", amount=4, targets=("ada",)))
    hall.encounter("bad", "Broken", ("hp: 6", "hp: many"))
    workers = canned(monkeypatch)
    async with hall.opened() as table:
        await table.press("F")
        await table.until("by the tactics of both sides")
        start = workers.asked[0][0].start
        assert isinstance(start, State)
        assert start["ada"].hp == 6
        assert "Round 1" in page(table)
        assert "> " not in page(table)
        assert "other numbers" not in table.text()
        await table.press("escape", "tab", "F")
        assert "hp: many" in page(table)
        await table.press("escape")
        await table.press("tab", "enter")
        assert table.hp("ada") == 6
