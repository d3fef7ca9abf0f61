"""What the app does while nobody types.

It fetches what the next keys need, and caches states for the next start.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import Table, drive
from tests.ui.skirmish import SKIRMISH, encounter
from tracker.session.intents import Advance
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal
from tracker.session.tree.history import EVERY
from tracker.ui.fight import screen


def long_fight(folder: Path) -> Session:
    """A fight of more than sixty-four steps, whose state is not cached yet."""
    session = Session.start(Journal.open(folder / "fights.db"), SKIRMISH, encounter(3), Settings(roller=dice_roller(1)))
    for _ in range(EVERY):
        session.dispatch(Advance())
    return session


def test_states_are_cached_in_a_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not while keys come, but soon after the last one."""
    monkeypatch.setattr(screen, "PAUSE", 0.2)
    session = long_fight(tmp_path)

    def cached() -> int:
        return int(session.journal._connection.execute("SELECT count(*) FROM state").fetchone()[0])

    async def journey(table: Table) -> None:
        assert cached() == 0
        await table.press("down")
        for _ in range(100):
            await table.pilot.pause(0.02)
            if cached():
                break
        assert cached() == 1

    drive(session, journey)
