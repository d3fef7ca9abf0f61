"""Driving the app without a terminal: press keys, read the screen as text."""

from __future__ import annotations

import asyncio
import time
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.events import Key
from textual.keys import (
    REPLACED_KEYS,
    _character_to_key,
    _get_unicode_name_from_key,
)  # as the terminal's driver names a key
from textual.pilot import Pilot

from tests.support.quick import settled
from tests.ui.skirmish import SKIRMISH, encounter, find
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter, Member
from tracker.core.terms.requests import DiceAnswer, Request, Roll
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal
from tracker.ui.app import TrackerApp
from tracker.ui.fight.controller import FightController
from tracker.ui.fight.panes import Panes
from tracker.ui.fight.screen import FightScreen
from tracker.ui.keys.keymap import Keymap
from tracker.ui.panes.bars import HeaderLine
from tracker.ui.typing.mode import Mode
from tracker.ui.widgets.lines import RowsWidget

__all__ = ["NAMED", "SIZES", "Table", "drive", "fight", "opened", "resume", "stumbles"]

SIZES = [pytest.param((80, 24), id="80x24"), pytest.param((120, 40), id="120x40", marks=pytest.mark.long)]
"""What is done by the same keys on a small and a usual terminal: every run looks at the small one."""
NAMED = {
    "-": "minus",
    "+": "plus",
    "=": "equals_sign",
    ".": "full_stop",
    "'": "apostrophe",
    "/": "slash",
    "?": "question_mark",
    "!": "exclamation_mark",
    "*": "asterisk",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    ":": "colon",
    ",": "comma",
    "#": "number_sign",
    "_": "underscore",
}


def _five(request: Roll) -> DiceAnswer:
    """The program's dice always fall on five, or as high as they can."""
    faces = tuple(min(5, sides) for sides in request.dice.sides)
    return DiceAnswer(sum(faces), faces)


SETTINGS = Settings(roller=_five, clock=lambda: "2031-05-01T19:40:00+00:00")


def fight(
    folder: Path, prepared: Encounter | None = None, rules: Ruleset = SKIRMISH, settings: Settings = SETTINGS
) -> Session:
    """Start a fight in a journal of its own."""
    return Session.start(Journal.open(folder / "fights.db"), rules, prepared or encounter(), settings)


def resume(session: Session, settings: Settings = SETTINGS) -> Session:
    """Take up the same fight as another start of the program would."""
    session.close()
    session.journal.close()
    return Session.resume(
        Journal.open(session.journal.path), session.model.fight, lambda key: session.ruleset, settings
    )


def key_event(key: str) -> Key:
    """Return the event of a key by name, as the library's pilot makes it."""
    name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
    try:
        return Key(name, unicodedata.lookup(_get_unicode_name_from_key(REPLACED_KEYS.get(name, name))))
    except KeyError:
        return Key(name, name if len(name) == 1 else None)


def stumbles(app: App[None]) -> list[str]:
    """What panes and header show that could not be drawn; the app goes on without them, a test must not."""
    shown = [
        *(pane._shown for pane in app.screen.query(RowsWidget)),
        *([header._shown] for header in app.screen.query(HeaderLine)),
    ]
    texts = [" ".join(" ".join(row.text.split()) for row in rows if row is not None) for rows in shown]
    return [text for text in texts if "nothing has changed" in text]


KEYS = {"⏎": "enter", "⇥": "tab", "⎋": "escape", " ": "space"}


@dataclass
class Table:
    """The app on the table: keys go in, the screen and the fight come out."""

    app: TrackerApp
    pilot: Pilot[None]
    pressed: int = field(default=0)
    sound: bool = True  # whether a pane that cannot be drawn fails the test
    drawn: bool = False  # whether the screen has been looked at

    @property
    def screen(self) -> FightScreen:
        found = self.app.screen
        assert isinstance(found, FightScreen)
        return found

    @property
    def cockpit(self) -> FightController:
        return self.screen.controller

    @property
    def showing(self) -> FightController:
        return self.screen.controller

    @property
    def panes(self) -> Panes:
        return self.cockpit.panes

    @property
    def mode(self) -> Mode | None:
        return self.showing.mode

    @property
    def chosen(self) -> tuple[int, bool]:
        """The number of the pane that has the arrow keys, and whether one is enlarged."""
        return self.panes.chosen.number, self.panes.big is not None

    @property
    def model(self) -> Model:
        found = self.showing.model
        assert found is not None
        return found

    @property
    def state(self) -> State:
        return self.model.state

    async def press(self, *keys: str) -> None:
        """Press keys by name, each when the one before is fully handled; the library's pilot would sleep in between."""
        self.pressed += len(keys)
        assert self.app._driver is not None
        for key in keys:
            self.app._driver.send_message(key_event(key))
            await settled(self.app)
        if self.sound:
            assert stumbles(self.app) == []

    async def take_back(self, to: Model) -> None:
        """Close what is open, and undo what has been done since."""
        self.showing.open(None)
        while (self.model.head, self.model.pending) != (to.head, to.pending):
            await self.press("u")
            self.showing.open(None)

    @property
    def question(self) -> Request:
        """What is asked, by a step that waits."""
        assert self.model.pending is not None
        return self.model.pending.request

    async def type(self, text: str) -> None:
        """Press a key for each character; a blank is the space bar, ⏎ is Enter, ⇥ is Tab, ⎋ is Escape."""
        await self.press(*[KEYS.get(letter, NAMED.get(letter, letter)) for letter in text])

    async def hurry(self, text: str) -> None:
        """Press a key for each character without looking at the screen, which is painted at the next look."""
        for letter in text:
            self.app.post_message(Key("enter" if letter == "\r" else _character_to_key(letter), letter))
        await settled(self.app)

    async def until(self, said: str | Callable[[], bool], seconds: float = 120.0) -> None:
        """Wait until the screen says something, or something holds, that comes by itself; then lay the screen out."""
        end = time.monotonic() + seconds
        while not (said in self.text() if isinstance(said, str) else said()):
            assert time.monotonic() < end, f"{said!r} never came:\n{self.text()}"
            await self.pilot.pause(0.01)
        await settled(self.app)

    def hp(self, who: str) -> int:
        return self.state[who].hp

    def text(self) -> str:
        """The screen as text, without the blanks at the ends of lines."""
        self.drawn = True
        strips = (
            self.app.screen._compositor.render_strips()
        )  # the one place that knows how the library keeps its picture
        return "\n".join(strip.text.rstrip() for strip in strips) + "\n"

    def pane(self, name: str) -> str:
        """What one pane shows, its lines joined as sentences.

        For the action pane it is the sheet over the panes while what is open lies there.
        """
        name = "over" if name == "console" and self.panes.cover is self.panes.over else name
        rows = self.screen.query_one(f"#{name}", RowsWidget)._shown
        return " ".join(" ".join(row.text.split()) for row in rows if row is not None)


@asynccontextmanager
async def opened(
    session: Session,
    size: tuple[int, int] = (120, 40),
    keymap: Keymap | None = None,
    effects: Path | None = None,
    find: Callable[[str], Sequence[Member]] = find,
    sound: bool = True,
    repertoire: Any = None,
) -> AsyncIterator[Table]:
    """Open the app on a fight, and close both; what goes wrong in a handler fails the test."""
    app = TrackerApp(
        session,
        find,
        keymap=lambda: keymap or Keymap(),
        effects=None if effects is None else lambda: effects,
        repertoire=repertoire,
    )
    try:
        async with app.run_test(size=size) as pilot:
            await settled(app)
            yield (table := Table(app, pilot, sound=sound))
            await settled(app, paint=not table.drawn)
            if table.sound and not app._exit:
                assert stumbles(app) == []
    finally:
        session.close()


def drive(session: Session, journey: Callable[[Table], Awaitable[None]], *given: Any, **named: Any) -> TrackerApp:
    """Run a journey on the app: `opened` for a test that is no coroutine."""

    async def run() -> TrackerApp:
        async with opened(session, *given, **named) as table:
            await journey(table)
        return table.app

    return asyncio.run(run())
