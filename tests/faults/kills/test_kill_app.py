"""`kill -9` of the app itself, in a terminal of its own, under random keys."""

from __future__ import annotations

import os
import select
import signal
import struct
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.faults.harness.games import GAMES, fight_of
from tests.faults.harness.killing import SETTINGS, digest, sound
from tracker.core.game.ruleset import Ruleset
from tracker.session.intents import Intent
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.ui.app import TrackerApp

try:
    import fcntl
    import pty
    import termios
except ImportError:
    pytest.skip("no pseudo-terminal can be made on this system", allow_module_level=True)

KILLS = int(os.environ.get("TRACKER_APP_KILLS", "100"))
KEYS = (
    (b"\r",) * 8
    + (b"n",) * 5
    + (b"*",) * 3
    + (b"a\r\r", b"a", b"u", b"U", b"\x1b", b"\x7f" * 12, b"\x7f" * 12, b"\x7f" * 12, b"-3a\r", b"e", b"2", b"b", b"\t")
)


class Reporting(Session):
    """A session that tells through a pipe what it shows, once it shows it."""

    out = -1

    def dispatch(self, intent: Intent) -> Model:
        os.write(self.out, b"?")
        model = super().dispatch(intent)
        os.write(self.out, f"{digest(self.ruleset, model)}\n".encode())
        return model


def run_app(path: Path, fight: str, ruleset: Ruleset, out: int) -> None:
    Reporting.out = out
    session = Reporting.resume(Journal.open(path), fight, lambda key: ruleset, SETTINGS)
    os.write(out, b"!")
    TrackerApp(session).run()


def killed(path: Path, fight: str, ruleset: Ruleset, chance: Random) -> tuple[str, bool]:
    """Play on in a terminal for a moment, and kill.

    Return the last digest that was reported, and whether an intent was on its way.
    """
    end, out = os.pipe()
    child, terminal = pty.fork()
    if not child:
        try:
            os.close(end)
            run_app(path, fight, ruleset, out)
        finally:
            os._exit(3)
    os.close(out)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    told, drawn, pressed = b"", False, 0.0
    last = time.monotonic() + 20
    stop: float | None = None
    while time.monotonic() < (last if stop is None else stop):
        ready, _, _ = select.select([terminal, end], [], [], 0.01)
        if terminal in ready:
            drawn = b"\x1b[" in os.read(terminal, 65_536) or drawn
        if end in ready:
            if b"!" not in told:
                last = time.monotonic() + 3  # a monkey lost in a form is killed there
            told += os.read(end, 65_536)
            if stop is None and b"?" in told:  # it has begun to work
                stop = time.monotonic() + chance.uniform(0.0, 0.6)
        # as fast as a key that is held; not before the app has the terminal
        if drawn and time.monotonic() - pressed > 0.02:
            sign = chance.choice(KEYS)
            # a key behind an escape would be taken for one with Alt
            pressed = time.monotonic() + (0.06 if sign == b"\x1b" else 0.0)
            os.write(terminal, sign)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the app ended by itself"
    os.close(terminal)
    with os.fdopen(end, "rb") as rest:
        told += rest.read()
    reports = told.partition(b"!")[2]
    whole, _, started = reports.rpartition(b"\n")
    return whole.rpartition(b"?")[2].decode(), started == b"?" or (bool(started) and not whole)


def play_and_kill(folder: Path, key: str, kills: int, seed: int) -> int:
    """Kill so often, and return how many of the killed apps had acknowledged something."""
    chance = Random(seed)
    ruleset, encounter = fight_of(key, seed)
    path = folder / "fights.db"
    with Journal.open(path) as journal, Session.start(journal, ruleset, encounter, SETTINGS) as session:
        fight, before, steps = session.model.fight, digest(ruleset, session.model), 0
    answered = 0
    for _ in range(kills):
        reported, going = killed(path, fight, ruleset, chance)
        with Journal.open(path) as journal, Session.resume(journal, fight, lambda wanted: ruleset, SETTINGS) as session:
            assert (journal.notice, session.model.read_only, session.model.problem) == ("", False, "")
            found, many = digest(ruleset, session.model), len(journal.load(fight).steps)
        assert many >= steps, "steps are missing"
        assert going or found == (reported or before), f"seed {seed}: what was shown is not what is there"
        before, steps, answered = found, many, answered + bool(reported)
    assert sound(path) == "ok"
    return answered


def test_a_killed_app_loses_nothing(tmp_path: Path) -> None:
    """A few kills of the app in one fight. Most come after something was acknowledged."""
    assert play_and_kill(tmp_path, GAMES[-1], 4, 1) > 0


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_a_killed_app_loses_nothing_in_the_long_run(
    tmp_path: Path, key: str, record_property: Callable[[str, object], None]
) -> None:
    """Many kills of the app under each ruleset."""
    record_property("cases", KILLS)
    assert play_and_kill(tmp_path, key, KILLS, 2) > KILLS // 10
