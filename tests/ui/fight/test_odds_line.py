"""The odds of the action in hand stand in the action pane."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from rulesets.worlds_without_number import RULESET
from tests.ui.drive import Table, drive, fight
from tracker.library.content.encounters import load_encounter
from tracker.session.session import Session

FIRST = Path(__file__).resolve().parents[3] / "encounters" / "worlds_without_number" / "first_fight.yaml"


def bridge(folder: Path) -> Session:
    prepared = load_encounter(FIRST, lambda key: RULESET).encounter
    assert prepared is not None
    return fight(folder, prepared, RULESET)


async def begin(table: Table) -> None:
    """No surprise, the party first."""
    await table.type("⏎5⏎3⏎")


async def settled(table: Table) -> None:
    for thread in threading.enumerate():
        if thread.name == "odds":
            await asyncio.to_thread(thread.join)
    await table.pilot.pause()


def test_the_odds_stand_below_the_action_before_enter(tmp_path: Path) -> None:
    """Ordwen needs 7 or more against AC 14.

    Nothing has happened yet.
    """

    async def journey(table: Table) -> None:
        await begin(table)
        await table.type("Oau")
        await table.until("70% hit, 30% miss · mean 5.3")
        assert table.hp("toll-captain") == 16

    drive(bridge(tmp_path), journey)


def test_the_odds_follow_the_action_in_hand_and_go_with_it(tmp_path: Path) -> None:
    async def journey(table: Table) -> None:
        await begin(table)
        await table.type("Oau")
        await table.until("mean 5.3")
        await table.press("down")
        await table.until("mean 4.6")
        await table.press("escape")
        assert "% hit" not in table.text()

    drive(bridge(tmp_path), journey)


def test_the_odds_can_be_switched_off(tmp_path: Path) -> None:
    async def journey(table: Table) -> None:
        await begin(table)
        await table.type("OOau")
        await settled(table)
        assert "% hit" not in table.text()

    drive(bridge(tmp_path), journey)
