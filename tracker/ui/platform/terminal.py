"""The terminal: the check that it exists, and the signals that end the program.

However the program ends, the terminal is restored, and the exit status tells the signal.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

from textual.app import App
from textual.driver import Driver

from tracker.core.terms.errors import TrackerError

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGABRT", "SIGALRM", "SIGXCPU")
ENDS = tuple(getattr(signal, name) for name in _ENDING if hasattr(signal, name))
"""The signals that end the program in order; without a handler each would kill it and leave the terminal raw."""
HUNG_UP = 129
"""The exit status after the terminal has hung up."""
PATIENCE = 3.0
"""Seconds that the app may take to end after a signal."""
AGAIN = "; `tracker run` and `tracker log` need none"
UNFIT = ("dumb", "unknown")
"""Kinds of terminal that cannot position text."""
RESET = "".join(
    f"\x1b[{code}"
    for code in (
        *("?2026l", "?2004l", "?7h", "?2048l", "?1000l", "?1003l", "?1015l", "?1006l", "?1016l"),
        *("<u", "?1049l", "?25h", "?1004l"),
    )
)
"""The escape codes that turn off every mode that the app turns on."""


def need_terminal(name: str) -> None:
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
    except ValueError:  # the stream is closed
        return False


class SignalHandler:
    """The end of a program by a signal.

    `leave` ends the program in order soon after, and returns whether it can; if not, the program ends at once. A
    program that has not ended after `PATIENCE` is aborted.
    """

    def __init__(self, leave: Callable[[], bool]) -> None:
        self.number = 0
        self._leave = leave
        self._modes = _modes()

    @property
    def status(self) -> int:
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
        """Abort the program: everything shown is saved, and the system releases the lock."""
        self.restore()
        with contextlib.suppress(OSError):
            os.write(2, RESET.encode())
        os._exit(self.status)

    def restore(self) -> None:
        if sys.platform != "win32" and self._modes is not None:
            import termios  # saved modes exist only on systems with this module

            with contextlib.suppress(termios.error, OSError):
                termios.tcsetattr(0, termios.TCSANOW, self._modes)


def _heeded(number: int) -> bool:
    """Tell whether a signal is not ignored: `nohup` ignores SIGHUP."""
    return signal.getsignal(number) is not signal.SIG_IGN


def _modes() -> list[Any] | None:
    if sys.platform == "win32":  # Textual restores the console itself
        return None
    else:
        import termios

        try:
            return termios.tcgetattr(0)
        except (termios.error, OSError):
            return None


class ResilientApp(App[None], inherit_bindings=False):
    """An app that restores its terminal however it ends."""

    def get_driver_class(self) -> type[Driver]:
        usual = super().get_driver_class()
        if sys.platform != "win32" and usual.__name__ == "LinuxDriver":
            from tracker.ui.platform.posix_driver import ResilientDriver  # imports modules that Windows does not have

            return ResilientDriver
        return usual

    def leave(self) -> bool:
        """End the app, from any thread or signal handler, and tell whether it was running."""
        loop = self._loop
        if loop is None:
            return False
        try:
            loop.call_soon_threadsafe(self.exit)
        except RuntimeError:  # the loop has just been closed
            return False
        return True

    @property
    def problems(self) -> Path | None:
        return None

    def run_to_the_end(self) -> None:
        """Run until the user leaves; raises TrackerError for an exception in the app, SystemExit for a signal."""
        ending = SignalHandler(self.leave)
        try:
            with ending.watched():
                self.run()
        finally:
            ending.restore()
        if self._exception is not None:
            from tracker.library.ruleset_errors import describe  # only needed after an exception

            so = "the app has ended by a fault of its own, what was shown is saved"
            raise TrackerError(describe(self._exception, self.problems, so), "app_fault") from self._exception
        if ending.number or getattr(self._driver, "gone", False):
            raise SystemExit(ending.status or HUNG_UP)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()
