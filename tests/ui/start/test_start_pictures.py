"""The start screen as text: what it says at the table's usual sizes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from tests.ui.drive import Table
from tests.ui.hall import Evening, Hall, settled
from tracker.core.terms.actions import action
from tracker.ui.app import TrackerApp

SCREENS = {"lists": "", "problems": "/mill⏎⏎", "party": "/eel⏎⏎", "put_away": "dD", "filter": "/eel", "keys": "?"}


@pytest.fixture
def before(hall: Hall) -> None:
    """Two fights of earlier days."""
    hall.played("Long ago", "2030-12-24T19:40:00+00:00", action("end_fight"))
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
@pytest.mark.parametrize("name", SCREENS)
async def test_start_screen_says(
    before: None,
    shipped: Hall,
    screen: SnapshotAssertion,
    name: str,
    size: tuple[int, int],
) -> None:
    """Each canonical screen says what it said."""
    shipped.encounter("mill", "In the mill", ("count: 1d4+1}", "count: lots}, {name: Boss, ac: heavy}"))
    async with shipped.opened(size) as table:
        await table.type(SCREENS[name])
        await settled(table)
        assert table.text().replace(os.sep, "/") == screen


async def test_empty_home_says(hall: Hall, screen: SnapshotAssertion) -> None:
    """Without anything to choose from it says what to do."""
    async with hall.opened((80, 24)) as table:
        assert table.text() == screen
    assert not (hall.folder / "data").exists()
    assert Path.cwd() == hall.folder


@pytest.mark.skipif(os.sep != "/", reason="the pictures show paths as other systems write them")
@pytest.mark.parametrize(
    ("name", "size", "theme"), [("dark", (120, 40), "tracker-dark"), ("light", (80, 24), "tracker-light")]
)
def test_start_screen_looks(
    before: None,
    shipped: Hall,
    snap_compare: Callable[..., bool],
    name: str,
    size: tuple[int, int],
    theme: str,
) -> None:
    """The lists with a broken file look as they looked."""
    shipped.encounter("mill", "In the mill", ("count: 1d4+1}", "count: lots}, {name: Boss, ac: heavy}"))

    async def read(pilot: Pilot[None]) -> None:
        await settled(Table(app, pilot))
        await pilot.press("down", "down")
        await pilot.pause()

    with Evening(shipped.journal) as repertoire:
        app = TrackerApp(theme=theme, repertoire=repertoire)
        assert snap_compare(app, terminal_size=size, run_before=read)
