"""Kills of the app in its terminal, compared by what the screen showed.

The picture is what a terminal makes of all that was written. After the next start it shows the same; what was on its
way may have come besides.
"""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path
from random import Random

import pyte

from tests.e2e.line import Line
from tests.faults.harness.games import FIGHTS
from tracker.cli.main import main
from tracker.session.store.journal import Journal

__all__ = ["kill_and_look"]

SIZE = (120, 40)
PANES = ("1 Initiative", "2 Combatants", "3 Log")
# Nothing is taken back: what has been told stays told.
KEYS = (
    (b"\r",) * 8
    + (b"n",) * 5
    + (b"*",) * 3
    + (b"a\r\r", b"a", b"\x7f" * 12, b"\x7f" * 12, b"-3a\r", b"+2b\r", b"2", b"\t", b"oa tired\r")
)
ESCAPE = b"\x1b"
ROUND = re.compile(r"^ *R\d+ ")
PAGE = "╭─ Keys ─"
STILL, PATIENCE, LATE = 0.25, 60.0, 0.06


class Picture:
    """A program in a terminal, and what the terminal shows of it."""

    def __init__(self, *words: str) -> None:
        self.line = Line(lambda: main(words), SIZE)
        self._screen = pyte.Screen(*SIZE)
        self._stream, self._read = pyte.ByteStream(self._screen), 0
        self._rows = [""] * SIZE[1]

    def rows(self) -> list[str]:
        """Return what the terminal shows."""
        data, self._read = self.line.said[self._read :], len(self.line.said)
        if data:
            # The terminal that is made here knows neither the keyboard's protocol nor the pointer's shape.
            self._stream.feed(data.replace(b"\x1b[>25u", b"").replace(b"\x1b]22;default\x07", b""))
            for y in self._screen.dirty:
                line = self._screen.buffer[y]
                self._rows[y] = "".join([line[x].data for x in range(SIZE[0])])
            self._screen.dirty.clear()
        return list(self._rows)

    def wait(self, text: str, shown: bool = True) -> None:
        """Wait until this is shown, or no more."""
        deadline = time.monotonic() + PATIENCE
        while any(text in row for row in self.rows()) != shown:
            assert time.monotonic() < deadline, f"{text!r} did not {'come' if shown else 'go'}: {self.rows()}"
            while not self.line.read() and time.monotonic() < deadline:
                pass

    def still(self) -> list[str]:
        """Return what is shown once nothing more is drawn."""
        deadline = time.monotonic() + PATIENCE
        while self.line.read(STILL):
            assert time.monotonic() < deadline, "the screen does not come to rest"
        return self.rows()

    def escape(self) -> list[str]:
        """Leave whatever is open, and return what is shown then.

        The page of keys comes and goes: so every key before it has been taken, however slow the machine is.
        """
        for _ in range(4):
            self._escape()
        self.line.write(b"?")
        self.wait(PAGE)
        self._escape()
        self.wait(PAGE, shown=False)
        return self.still()

    def _escape(self) -> None:
        self.line.write(ESCAPE)
        self.line.read(LATE)
        time.sleep(LATE)  # a key behind an escape would be taken for one with Alt

    def kill(self) -> None:
        """Kill the program, and take what it had written before."""
        self.line.send(signal.SIGKILL)
        assert self.line.ended() == -signal.SIGKILL, "the app ended by itself"


def pane(rows: list[str], title: str) -> list[str]:
    """Return the lines of a pane, none where it is covered."""
    top = next((number for number, row in enumerate(rows) if f"─ {title} " in row), None)
    if top is None:
        return []
    left = rows[top].rindex("╭", 0, rows[top].index(title))
    right = rows[top].index("╮", left)
    lines = []
    for row in rows[top + 1 :]:
        if row[left] not in "│┃":
            break
        lines.append(row[left + 1 : right].rstrip())
    return lines


def log_lines(rows: list[str]) -> list[str]:
    """Return the lines of the log that are shown, without the rounds before them."""
    return [ROUND.sub("", line).strip() for line in pane(rows, PANES[2]) if line.strip()]


def goes_on(before: list[str], after: list[str], on_its_way: bool) -> bool:
    """Tell whether a log that showed these lines may show those now.

    Lines go up as others come; the newest may have been joined by what was on its way.
    """
    if not before or not after:
        return True
    sure = before[:-2] if on_its_way else before
    return any(sure[gone:] == after[: max(0, len(sure) - gone)] for gone in range(len(sure) + 1 if on_its_way else 1))


def alike(before: list[str], after: list[str]) -> bool:
    """Tell whether a pane shows the same, scrolled by less than half.

    Where a list is longer than its pane, how far it is scrolled depends on what was looked at before.
    """
    return any(
        one[by:] == other[: len(one) - by]
        for by in range(len(before) // 2 + 1)
        for one, other in ((before, after), (after, before))
    )


def kill_and_look(folder: Path, game: str, number: int, kills: int) -> tuple[int, int]:
    """Kill so often, and compare the pictures before and after.

    Return how many lines of the log were compared, and how many whole pictures.
    """
    chance, path = Random(number), folder / "fights.db"
    file = FIGHTS[game][number % len(FIGHTS[game])]
    first = Picture("play", str(file), "--db", str(path))
    first.wait("ctrl+q")
    first.still()
    first.kill()
    with Journal.open(path) as journal:
        fight = journal.fights()[0].id
    lines = pictures = 0
    picture = Picture("--db", str(path), fight)
    try:
        picture.wait("ctrl+q")
        for _ in range(kills):
            done = list[bytes]()
            for _ in range(chance.randint(1, 12)):
                done.append(chance.choice((*KEYS, ESCAPE)))
                picture.line.write(done[-1])
                picture.line.read(LATE if done[-1] == ESCAPE else chance.uniform(0.0, 0.1))
            calm = chance.random() < 0.4
            before = picture.escape() if calm else picture.rows()
            picture.kill()
            if not calm:
                before = picture.rows()
            picture.line.close()
            picture = Picture("--db", str(path), fight)
            picture.wait("ctrl+q")
            after = picture.escape()
            shown = log_lines(before)
            where = f"{game}, fight {number}, after {done}:\n" + "\n".join((*before, "", *after))
            assert goes_on(shown, log_lines(after), not calm), where
            lines += len(shown)
            if calm and shown:
                assert all(alike(pane(before, title), pane(after, title)) for title in PANES), where
                pictures += 1
    finally:
        picture.line.close()
    return lines, pictures
