"""The canonical screens, as text for what they say and as pictures for how they look."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from textual.pilot import Pilot

from tests.ui.drive import Table, drive, fight
from tests.ui.skirmish import House, encounter, find
from tracker.core.actions import action
from tracker.session.intents import Do
from tracker.session.session import Session
from tracker.ui.app import TrackerApp


class AsText(SingleFileSnapshotExtension):
    """One text file for each screen."""

    _write_mode = WriteMode.TEXT
    _file_extension = "txt"


@pytest.fixture
def screen(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(AsText)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A fight with a wounded hero, a goblin down, an effect, and a parry on offer."""
    opened = fight(tmp_path, encounter(rules=House(parries=True)))
    for done in (
        action("damage", amount=14, targets=("wolf",)),
        action("damage", amount=7, targets=("goblin-2",)),
        action("add_effect", name="protected", targets=("ava",)),
        action("add_effect", name="prone", targets=("goblin-1",), until="3"),
    ):
        opened.dispatch(Do((done,)))
    return opened


SCREENS = {
    "begin": "",
    "act": "ag",
    "question": "ag⏎14⏎",
    "in_between": "ag⏎14⏎g⏎",
    "damage": "-21gAb",
    "effect": "epro",
    "end_effect": "x",
    "status": "sg",
    "insert": "i2 g",
    "form": "a2⇥",
    "jump": "'",
    "rules": "r",
    "keys": "?",
    "log": "33",
    "refused": "ag⏎2⏎⏎a4g⏎",
    "block": "b",
}


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
@pytest.mark.parametrize("name", SCREENS)
def test_screen_says(session: Session, screen: SnapshotAssertion, name: str, size: tuple[int, int]) -> None:
    """Each canonical screen says what it said."""

    async def journey(table: Table) -> None:
        *parts, last = SCREENS[name].split("⇥")
        for part in parts:
            await table.type(part)
            await table.press("tab")
        await table.type(last)
        assert table.text() == screen

    drive(session, journey, size)


def pressing(*keys: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def press(pilot: Pilot[None]) -> None:
        await pilot.press(*keys)
        await pilot.pause()

    return press


LOOKS = {
    "begin": ((120, 40), "tracker-dark", ()),
    "question": ((120, 40), "tracker-dark", ("a", "g", "enter", "1", "4", "enter")),
    "narrow": ((80, 24), "tracker-dark", ("minus", "2", "1", "g", "A")),
    "wide": ((200, 60), "tracker-dark", ("a",)),
    "light": ((120, 40), "tracker-light", ("question_mark",)),
}


@pytest.mark.parametrize("name", LOOKS)
def test_screen_looks(session: Session, snap_compare: Callable[..., bool], name: str) -> None:
    """Each canonical screen looks as it looked."""
    size, theme, keys = LOOKS[name]
    app = TrackerApp(session, find, theme)

    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))
    session.close()
