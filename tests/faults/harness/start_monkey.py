"""A monkey at the start screen.

Into fights and out of them, over encounters of which some are broken; fights are put away and taken out, never lost.
"""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from pathlib import Path
from random import Random

from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.worker import WorkerCancelled

from tests.faults.harness.games import ENCOUNTERS, GAMES
from tests.faults.harness.killing import sound
from tests.faults.harness.monkey import SIZES, events_of, key
from tests.faults.test_bad_yaml import mutations
from tests.support.quick import at_rest, settled
from tracker.cli.app import AppContext
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.ui.app import TrackerApp
from tracker.ui.fight.screen import FightScreen
from tracker.ui.keys.table import KEYS
from tracker.ui.start.screen import StartScreen

__all__ = ["let_loose_at_the_start"]

START = tuple(
    name
    for entry in KEYS
    if entry.call and "start" in entry.screens and entry.id != "quit"
    for name in entry.key.split(",")
)
USUAL = (
    ("enter",) * 6 + ("up", "down", "down", "tab", "escape", "d", "D", "u", "r", "b", "e", "space") + tuple("123456789")
)
MOST_FIGHTS = 40


def lay_out(folder: Path, chance: Random) -> None:
    """Lay out the bundled encounters, some of them with mistakes."""
    for game in GAMES:
        shutil.copytree(ENCOUNTERS / game, folder / "encounters" / game)
    for path in sorted((folder / "encounters").glob("*/*.yaml")):
        if chance.random() < 0.3:
            (path.parent / f"broken-{path.name}").write_bytes(mutations(path.read_bytes(), chance))
    (folder / "encounters" / "no-fight.yaml").write_text("just a text\n", encoding="utf-8")


def check(app: TrackerApp, repertoire: AppContext, fights: int) -> int:
    """What holds after each event, and return how many fights there are."""
    if app._exception is not None:
        raise app._exception
    assert app.is_running, "the app has ended"
    screen = app.screen
    if repertoire.session is None or app.session is None:
        assert isinstance(screen, StartScreen)
    elif isinstance(screen, FightScreen):
        assert app.session is repertoire.session
        assert screen.controller.model == app.session.model
        assert app.session.model.problem == "", app.session.model.problem
    found = len(repertoire.fights())
    assert found >= fights, "a fight is gone"
    return found


def let_loose_at_the_start(folder: Path, seed: int, most: int) -> int:
    """Let a monkey make so many events, starting where the start screen does. Return how many fights it began."""
    chance, fights = Random(seed), 0
    done: list[str] = []
    lay_out(folder, chance)
    usual = events_of(chance)

    async def run(repertoire: AppContext) -> None:
        nonlocal fights
        app = TrackerApp(repertoire=repertoire)
        app.exit = lambda *_: None  # type: ignore[method-assign]  # the monkey stays
        async with app.run_test(size=SIZES[0]):
            await settled(app, paint=True)
            driver = app._driver
            assert isinstance(driver, HeadlessDriver)
            while len(done) < most:
                at_start = isinstance(app.screen, StartScreen)
                if at_start and chance.random() < 0.7:
                    name = chance.choice(START if chance.random() < 0.4 else USUAL)
                    messages: tuple[object, ...] = (key(name),)
                    if fights > MOST_FIGHTS and name in ("enter", "b"):
                        continue
                elif not at_start and chance.random() < 0.08:
                    name, messages = "another", ()
                    app.screen.post_message(FightScreen.Another())
                else:
                    name, messages = next(usual)
                for message in messages:
                    if isinstance(message, events.Resize):
                        driver._size = message.size  # the driver has no other way
                    driver.send_message(message)
                    await at_rest()
                await at_rest()
                done.append(name)
                fights = check(app, repertoire, fights)
                if not len(done) % 50:
                    with suppress(WorkerCancelled):  # by a later look at the files
                        await app.workers.wait_for_complete()

    try:
        with AppContext(folder / "data" / "fights.db") as repertoire:
            asyncio.run(run(repertoire))
    except BaseException as error:
        error.add_note(f"start screen, seed {seed}, event {len(done)}: {' | '.join(done[-12:])}")
        raise
    with Journal.open(folder / "data" / "fights.db") as journal:
        listed = (*journal.fights(), *journal.fights(discarded=True))
        assert len(listed) == fights
        for fight in listed:
            with Session.resume(journal, fight.id, registry.find) as session:
                assert (session.model.problem, session.model.read_only) == ("", False)
    assert sound(folder / "data" / "fights.db") == "ok"
    return fights
