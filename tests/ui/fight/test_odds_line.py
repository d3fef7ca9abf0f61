"""The odds of the action in hand stand in the action pane."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from tests.ui.drive import Table
from tests.ui.games import WN, begin, begun
from tracker.session.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return begun(tmp_path, WN, "first_fight")


async def settled(table: Table) -> None:
    for thread in threading.enumerate():
        if thread.name == "odds":
            await asyncio.to_thread(thread.join)
    await table.pilot.pause()


async def test_the_odds_stand_below_the_action_before_enter(table: Table) -> None:
    """Ordwen needs 7 or more against AC 14; nothing has happened yet."""
    await begin(table)
    await table.type("Oau")
    await table.until("70% hit, 30% miss · mean 5.3")
    assert table.hp("toll-captain") == 16


async def test_the_odds_follow_the_action_in_hand_and_go_with_it(table: Table) -> None:
    await begin(table)
    await table.type("Oau")
    await table.until("mean 5.3")
    await table.press("down")
    await table.until("mean 4.6")
    await table.press("escape")
    assert "% hit" not in table.text()


async def test_the_odds_can_be_switched_off(table: Table) -> None:
    await begin(table)
    await table.type("OOau")
    await settled(table)
    assert "% hit" not in table.text()
