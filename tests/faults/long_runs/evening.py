"""A long evening: a fight played by keys in one sitting, and its cost.

    python -m tests.faults.long_runs.evening GAME STEPS JOURNAL

It prints a line with what it measured.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import sys
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median

import msgspec
from msgspec import Struct
from textual.drivers.headless_driver import HeadlessDriver

from tests.faults.harness.games import fight_of
from tests.faults.harness.killing import SETTINGS
from tests.faults.harness.monkey import key
from tests.support.quick import settled
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal
from tracker.ui.app import TrackerApp
from tracker.ui.fight.screen import FightScreen

__all__ = ["Cost", "spent"]

EARLY = 1_000
"""Steps after which everything is loaded that is loaded once, and what is kept to be quick is full."""
MANY = 400
"""Keys of which the usual time is taken."""


class Cost(Struct, frozen=True):
    """What an evening costs: at its beginning, and at its end.

    `memory` in bytes, `handles` open files, `key` the usual computing time of a key in seconds, `resume` that of the
    next start of the fight.
    """

    steps: int
    memory: tuple[int, int]
    handles: tuple[int, int]
    key: tuple[float, float]
    resume: tuple[float, float]
    journal: int


def handles() -> int:
    return len(os.listdir("/proc/self/fd"))


def memory() -> int:
    """Return the bytes this process holds, once what can be thrown away is gone.

    What the C library keeps free for later is given back first: it is no growth, and comes and goes by megabytes.
    """
    gc.collect()
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Player:
    """One who plays on and on, whatever the game."""

    def __init__(self, app: TrackerApp, session: Session, seed: int) -> None:
        self.app, self.session, self.chance = app, session, Random(seed)
        self.times = deque[float](maxlen=MANY)  # all of them would be memory that is not the program's

    async def press(self, *names: str) -> None:
        """Press keys, and note how long each takes."""
        driver = self.app._driver
        assert isinstance(driver, HeadlessDriver)
        for name in names:
            begun = time.thread_time()
            driver.send_message(key(name))
            await settled(self.app)
            self.times.append(time.thread_time() - begun)
            if self.app._exception is not None:
                raise self.app._exception

    async def play(self, steps: int) -> None:
        """Play until the fight has so many steps."""
        last, stood = 0, 0
        while (now := len(self.session.model.steps)) < steps:
            stood = stood + 1 if now <= last else 0
            last = max(now, last)
            assert stood < 2_000, "the fight does not go on"
            await self.do_something()
            screen = self.app.screen
            assert isinstance(screen, FightScreen)
            while screen.controller.mode is not None and self.session.model.pending is None:
                await self.press("escape")

    async def do_something(self) -> None:
        """Do one of the things that are done at a table all evening."""
        if self.session.model.pending is not None:
            await self.press(*self.chance.choice((("*",), ("enter",), ("escape", "escape", "*"))))
            return
        label = self.chance.choice([one.label for one in self.session.model.state.combatants] or ["a"])
        things = (
            (5, ("o", *label, "space", *"tired", "enter")),
            (3, ("-", "1", *label, "enter")),
            (3, ("+", "1", *label, "enter")),
            (4, ("n",)),
            (2, ("a", "enter", "enter", "enter")),
            (1, ("u",)),
            (1, ("[", "[", "escape")),
            (1, ("?", "escape", "3", "up", "up", "2")),
        )
        await self.press(*self.chance.choices([keys for _, keys in things], [weight for weight, _ in things])[0])


def spent(game: str, steps: int, path: Path) -> Cost:
    """Play an evening and return its cost."""
    ruleset, encounter = fight_of(game)
    settings = Settings(roller=dice_roller(1), clock=SETTINGS.clock, step_seconds=60.0)
    measured: list[tuple[int, int, float]] = []

    def resumed(fight: str) -> float:
        times = []
        for _ in range(3):
            begun = time.thread_time()
            with (
                Journal.open(path, read_only=True) as journal,
                Session.resume(journal, fight, lambda wanted: ruleset, settings),
            ):
                times.append(time.thread_time() - begun)
        return min(times)

    async def sit(app: TrackerApp, session: Session) -> None:
        async with app.run_test(size=(120, 40)):
            await settled(app)
            player = Player(app, session, 1)
            for most in (min(EARLY, steps // 2), steps):
                await player.play(most)
                await asyncio.sleep(2.5)  # a pause, in which the app tidies up
                measured.append((memory(), handles(), median(player.times)))
                again.append(resumed(session.model.fight))

    again: list[float] = []
    with Journal.open(path) as journal, Session.start(journal, ruleset, encounter, settings) as session:
        asyncio.run(sit(TrackerApp(session), session))
        journal.backups.wait()
    (early, few, quick), (late, many, slow) = measured
    size = sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
    return Cost(steps, (early, late), (few, many), (quick, slow), (again[0], again[1]), size)


if __name__ == "__main__":
    print(msgspec.json.encode(spent(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))).decode())
