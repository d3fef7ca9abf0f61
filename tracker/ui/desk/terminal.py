"""The terminal: whether there is one, and the signals that end a program in it.

However the program ends, the terminal is as it was, and the exit status says how.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from tracker.core.terms.errors import TrackerError

ENDS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name))
"""The signals that end a program in order."""
HUNG_UP = 129
"""The exit status after the terminal has gone away."""
PATIENCE = 3.0
"""Seconds an app that is told to end may take for it."""
AGAIN = "; `tracker run` and `tracker log` need none"
UNFIT = ("dumb", "unknown")
"""Kinds of terminal that can place no text."""
RESET = "".join(
    f"\x1b[{code}"
    for code in (
        *("?2026l", "?2004l", "?7h", "?2048l", "?1000l", "?1003l", "?1015l", "?1006l", "?1016l"),
        *("<u", "?1049l", "?25h", "?1004l"),
    )
)
"""Takes back whatever the app asks of a terminal."""


def need_terminal(name: str) -> None:
    """Raise TrackerError where the program cannot be shown."""
    if not all(_is_terminal(stream) for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise TrackerError(
            f"{name} needs a terminal for its keys and its picture: do not redirect input or output{AGAIN}",
            "no_terminal",
        )
    kind = os.environ.get("TERM", "")
    if kind in UNFIT:
        raise TrackerError(
            f"{name} cannot be drawn in a terminal of the kind {kind} (TERM): open a full-screen terminal{AGAIN}",
            "no_terminal",
        )


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # it is closed
        return False


class Ending:
    """The end of a program by a signal.

    `leave` has it end in order, soon after, and tells whether it does; else it ends at once. What does not come to its
    end is broken off.

    Attributes:
        number: the signal; 0: none has come.
    """

    def __init__(self, leave: Callable[[], bool]) -> None:
        self.number = 0
        self._leave = leave
        self._modes = _modes()

    @property
    def status(self) -> int:
        """The exit status that tells of the signal."""
        return 128 + self.number if self.number else 0

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """End the program in order at each signal that would kill it."""
        before = {number: signal.signal(number, self._told) for number in ENDS if _heeded(number)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _told(self, number: int, frame: object) -> None:
        if not self.number:
            self.number = number
            last = threading.Timer(PATIENCE, self._break_off)
            last.daemon = True
            last.start()
        if not self._leave():
            raise SystemExit(self.status)

    def _break_off(self) -> None:
        """Break off: what was shown is on disk, and the system gives the lock back."""
        self.restore()
        with contextlib.suppress(OSError):
            os.write(2, RESET.encode())
        os._exit(self.status)

    def restore(self) -> None:
        """Give the terminal its modes back."""
        if sys.platform != "win32" and self._modes is not None:
            import termios  # there are modes, so there is a module for them

            with contextlib.suppress(termios.error, OSError):
                termios.tcsetattr(0, termios.TCSANOW, self._modes)


def _heeded(number: int) -> bool:
    """Tell whether a signal is heeded: `nohup` has a hang-up ignored."""
    return signal.getsignal(number) is not signal.SIG_IGN


def _modes() -> list[Any] | None:
    if sys.platform == "win32":  # the terminal library puts the console back itself
        return None
    else:
        import termios

        try:
            return termios.tcgetattr(0)
        except (termios.error, OSError):
            return None
