"""A folder with encounters and a journal, and the app on its start screen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from tests.cli import driver
from tests.ui.drive import SETTINGS, Table
from tracker.cli.app import AppContext
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Do
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal
from tracker.ui.app import TrackerApp
from tracker.ui.keys.keymap import Keymap
from tracker.ui.start.screen import StartScreen

SHIPPED = Path(__file__).parents[2] / "encounters" / "worlds_without_number"


ENCOUNTER = """\
ruleset: skirmish
title: {title}
sides:
  - {{name: Party, control: players, members: [{{name: Ada, hp: 10, ac: 14}}, {{name: Bo, hp: 8}}]}}
  - {{name: Thugs, members: [{{name: Thug, hp: 6, count: 1d4+1}}]}}
"""


class Evening(AppContext):
    """A repertoire on the evening of 1 May 2031, in Greenwich."""

    def now(self) -> datetime:
        return datetime(2031, 5, 1, 20, 0, tzinfo=UTC)


class Hall:
    """A folder with encounters and a journal, and the app on its start screen."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.journal = folder, folder / "data" / "fights.db"

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def encounter(self, name: str, title: str, change: tuple[str, str] = ("", "")) -> Path:
        return self.file(
            f"encounters/{name}.yaml",
            ENCOUNTER.format(title=title).replace(*change) if change[0] else ENCOUNTER.format(title=title),
        )

    def played(self, title: str, at: str, *done: object) -> str:
        """Put a fight into the journal that was played at some time; return its id."""
        loaded = load_encounter(self.file("elsewhere/fight.yaml", ENCOUNTER.format(title=title)), driver.find)
        assert loaded.encounter is not None
        assert loaded.ruleset is not None
        settings = Settings(roller=SETTINGS.roller, clock=lambda: at)
        with (
            Journal.open(self.journal) as journal,
            Session.start(journal, loaded.ruleset, loaded.encounter, settings) as session,
        ):
            for one in done:
                assert session.dispatch(Do((one,))).refusal is None  # type: ignore[arg-type] # actions
            return session.model.fight

    @asynccontextmanager
    async def opened(
        self, size: tuple[int, int] = (120, 40), keymap: Callable[[], Keymap] = Keymap
    ) -> AsyncIterator[Table]:
        """Open the app on its start screen, once every file has been read."""
        with Evening(self.journal) as repertoire:
            app = TrackerApp(odds=False, keymap=keymap, repertoire=repertoire)
            async with app.run_test(size=size) as pilot:
                await settled(table := Table(app, pilot))
                yield table


async def settled(table: Table) -> None:
    await table.pilot.pause()
    await table.app.workers.wait_for_complete()
    await table.pilot.pause()


def start(table: Table) -> StartScreen:
    found = table.app.screen
    assert isinstance(found, StartScreen)
    return found


async def begin(table: Table, *keys: str) -> None:
    """Choose the night raid, and press keys in the list that comes."""
    await table.type("/eel⏎")
    await table.press("enter", *keys)
