"""A program in a pseudo-terminal of its own, forked from the tests."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

try:
    import fcntl
    import pty
    import termios
except ImportError:
    pytest.skip("no pseudo-terminal can be made on this system", allow_module_level=True)

__all__ = ["PATIENCE", "Line"]

PATIENCE = 120.0
MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])|\x1b\[(>)\d+u|\x1b\[<(\d*)u")
USUAL = {7: True, 25: True}
"""Modes that a terminal begins with: lines wrap, the cursor shows."""
ASKED = re.compile(rb"\x1b\[\?(2026|2048)\$p")
ON = b"\x1b[?2048h"


class Line:
    """A terminal at the end of a line, with a program in it.

    A modern terminal answers what it is asked: it knows frames and sends its size.

    Attributes:
        said: all that the program has written.
        status: its exit status, once it has ended.
    """

    def __init__(self, program: Callable[[], int], size: tuple[int, int] = (120, 40), modern: bool = False) -> None:
        self.said, self.status, self._modern, self._answered = b"", -1, modern, 0
        self._size = size
        self._end, inner = pty.openpty()
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.before = termios.tcgetattr(inner)
        self._inner: int | None = inner
        self.child = os.fork()
        if not self.child:
            self._become(program, inner)

    def _become(self, program: Callable[[], int], inner: int) -> None:
        """Be the program: the leader of a session with this terminal."""
        status = 70
        try:
            os.setsid()
            os.close(self._end)
            fcntl.ioctl(inner, termios.TIOCSCTTY, 0)
            for number in range(3):
                os.dup2(inner, number)
            os.close(inner)
            assert sys.__stdin__ is not None
            assert sys.__stdout__ is not None
            assert sys.__stderr__ is not None
            sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__
            os.environ["TERM"] = "xterm-256color"
            status = program()
            sys.stdout.flush()
        finally:
            os._exit(status)

    def read(self, seconds: float = 0.05) -> bool:
        """Read what comes in this time, and tell whether anything came."""
        if not select.select([self._end], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._end, 65_536)
        except OSError:  # nobody writes there any more
            return False
        self.said += data
        if self._modern:
            self._answer()
        return bool(data)

    def _answer(self) -> None:
        while (asked := ASKED.search(self.said, self._answered)) is not None:
            self._answered = asked.end()
            os.write(self._end, b"\x1b[?%s;2$y" % asked[1])
        if ON in self.said[self._answered :]:
            self._answered = self.said.index(ON, self._answered) + len(ON)
            width, height = self._size
            os.write(self._end, f"\x1b[48;{height};{width};{height * 16};{width * 8}t".encode())

    def until(self, text: str, since: int = 0) -> None:
        """Wait until the program has written a text."""
        deadline = time.monotonic() + PATIENCE
        while text.encode() not in self.said[since:]:
            assert time.monotonic() < deadline, f"{text!r} did not come:\n{self.said[since:]!r}"
            self.read()

    def write(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._end, keys)

    def send(self, number: int) -> None:
        """Send the program a signal."""
        os.kill(self.child, number)

    def hang_up(self) -> None:
        """Close the terminal."""
        assert self._inner is not None
        os.close(self._inner)
        os.close(self._end)
        self._inner = None

    def stopped(self) -> None:
        """Wait until the program is stopped, and read what it wrote before."""
        deadline = time.monotonic() + PATIENCE
        while os.waitpid(self.child, os.WUNTRACED | os.WNOHANG) == (0, 0):
            assert time.monotonic() < deadline, f"the program does not stop:\n{self.said!r}"
            self.read(0.005)
        while self.read(0.0):
            pass

    def ended(self) -> int:
        """Wait until the program has ended, and return its exit status."""
        deadline = time.monotonic() + PATIENCE
        while True:
            done, status = os.waitpid(self.child, os.WNOHANG)
            if done:
                break
            if time.monotonic() > deadline:
                os.kill(self.child, signal.SIGKILL)
                os.waitpid(self.child, 0)
                raise AssertionError("the program does not end")
            if self._inner is None:
                time.sleep(0.005)
            else:
                self.read(0.005)
        while self._inner is not None and self.read(0.0):
            pass
        self.status = os.waitstatus_to_exitcode(status)
        return self.status

    @property
    def modes(self) -> tuple[dict[int, bool], int]:
        """The modes that are not as they were, and how many keyboard protocols are left."""
        now, protocols = dict[int, bool](), 0
        for found in MODE.finditer(self.said):
            if found[1]:
                now |= {int(number): found[2] == b"h" for number in found[1].split(b";")}
            else:
                protocols += 1 if found[3] else -1
        return {number: on for number, on in now.items() if on != USUAL.get(number, False)}, protocols

    @property
    def as_it_was(self) -> bool:
        """Whether the terminal has the modes of before."""
        assert self._inner is not None
        return termios.tcgetattr(self._inner) == self.before and self.modes == ({}, 0)

    def close(self) -> None:
        """End what still runs, and close the terminal."""
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            if self.status == -1:
                os.kill(self.child, signal.SIGKILL)
                os.waitpid(self.child, 0)
        if self._inner is not None:
            self.hang_up()


def shelf(game: str) -> Path:
    """Return the folder of a game's bundled encounters."""
    return Path(__file__).parents[2] / "encounters" / game
