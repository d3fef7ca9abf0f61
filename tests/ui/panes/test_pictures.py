"""The canonical screens, as text and as pictures."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from itertools import product
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from tests.ui.drive import Table, fight, opened
from tests.ui.forecast.canned import canned
from tests.ui.skirmish import House, encounter, find
from tracker.core.terms.actions import action
from tracker.session.intents import Do
from tracker.session.session import Session
from tracker.ui.app import TrackerApp


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A fight with a wounded hero, a felled goblin, an effect and a parry."""
    opened = fight(tmp_path, encounter(rules=House(parries=True)))
    for done in (
        action("damage", amount=14, targets=("wolf",)),
        action("damage", amount=7, targets=("goblin-2",)),
        action("add_effect", name="protected", targets=("ava",)),
        action("add_effect", name="prone", targets=("goblin-1",), until="3"),
    ):
        opened.dispatch(Do((done,)))
    return opened


@pytest.fixture(autouse=True)
def forecasts(monkeypatch: pytest.MonkeyPatch) -> None:
    canned(monkeypatch)


SCREENS = {
    "begin": "",
    "act": "ag",
    "question": "ag⏎14⏎",
    "in_between": "ag⏎14⏎g⇥",
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
    "past": "-3w⏎[[",
    "branches": "-3w⏎u-4b⏎B↓",
    "what_if": "w-7i⏎",
    "deciding": "w-7i⏎w",
    "palette": "^prep",
    "line": ":w att g 14 5",
    "correct": "ag⏎14⏎⏎c↓↓2⏎",
    "over": "^pend f⏎⏎",
    "forecast": "F",
    "compared": "ag⇥^f",
}
COMES = {"forecast": "by the tactics of both sides", "compared": "points left"}
"""What comes a moment after the keys."""


LOOKS = {
    "begin": ((120, 40), "tracker-dark"),
    "question": ((120, 40), "tracker-dark"),
    "damage": ((80, 24), "tracker-dark"),
    "form": ((200, 60), "tracker-dark"),
    "keys": ((120, 40), "tracker-light"),
    "act": ((120, 40), "tracker-dark"),  # with the odds
    "refused": ((80, 24), "tracker-light"),
    "past": ((120, 40), "tracker-dark"),
    "branches": ((120, 40), "tracker-light"),
    "what_if": ((120, 40), "tracker-dark"),
    "deciding": ((80, 24), "ansi-dark"),
    "palette": ((120, 40), "tracker-contrast"),
    "line": ((120, 40), "ansi-light"),
    "correct": ((200, 60), "tracker-light"),
    "over": ((120, 40), "tracker-dark"),
    "forecast": ((120, 40), "tracker-dark"),
}


async def played(table: Table, name: str) -> None:
    """Press the keys of a screen; ⇥ is the tab key, ↓ the arrow, ^ stands for ctrl."""
    named = {"⇥": "tab", "↓": "down"}
    for part in re.findall(r"\^.|[⇥↓]|[^⇥↓^]+", SCREENS[name]):
        if part.startswith("^"):
            await table.press(f"ctrl+{part[1]}")
        elif part in named:
            await table.press(named[part])
        else:
            await table.type(part)
    await table.until(COMES.get(name, ""))


SAID = [
    pytest.param(name, size, id=f"{name}-{size[0]}x{size[1]}")
    for name, size in product(SCREENS, ((80, 24), (120, 40)))
    if name == "act" or LOOKS.get(name, ("", ""))[0] != size  # a picture with its colours says it too
]


@pytest.mark.parametrize(("name", "size"), SAID)
async def test_screen_says(session: Session, screen: SnapshotAssertion, name: str, size: tuple[int, int]) -> None:
    """Each canonical screen says what it said."""
    async with opened(session, size) as table:
        await played(table, name)
        assert table.text() == screen


def looking(name: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    """Press the keys of a screen; wait for the odds where they are shown."""

    async def press(pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app, TrackerApp)
        table = Table(pilot.app, pilot)
        await played(table, name)
        if pilot.app.odds:
            await table.until("% hit")

    return press


@pytest.mark.parametrize("name", LOOKS)
def test_screen_looks(session: Session, snap_compare: Callable[..., bool], name: str) -> None:
    """Each canonical screen looks as it looked."""
    size, theme = LOOKS[name]
    app = TrackerApp(session, find, theme, odds=name == "act")

    assert snap_compare(app, terminal_size=size, run_before=looking(name))
    session.close()
