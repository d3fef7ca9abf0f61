"""The terminal: whether there is one, and the signals that end a program in it.

However the program ends, the terminal is as it was, and the exit status says how.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO, cast

from textual.app import App
from textual.driver import Driver
from textual.drivers import linux_driver

from tracker.core.terms.errors import TrackerError

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGABRT", "SIGALRM", "SIGXCPU")
ENDS = tuple(getattr(signal, name) for name in _ENDING if hasattr(signal, name))
"""The signals that end a program in order; without a handler each would kill it in a raw terminal."""
HUNG_UP = 129
"""The exit status after the terminal has gone away."""
PATIENCE = 3.0
"""Seconds an app that is told to end may take for it."""
AGAIN = "; `tracker run` and `tracker log` need none"
UNFIT = ("dumb", "unknown")
"""Kinds of terminal that can place no text."""
ASK_GROUND = "\x1b]11;?\x1b\\"
_GROUND = re.compile(r"\x1b\]11;rgba?:(?P<colour>[0-9a-fA-F]{1,4}(?:/[0-9a-fA-F]{1,4}){2})[0-9a-fA-F/]*(?:\x07|\x1b\\)")
"""What a terminal answers."""
RESET = "".join(
    f"\x1b[{code}"
    for code in (
        *("?2026l", "?2004l", "?7h", "?2048l", "?1000l", "?1003l", "?1015l", "?1006l", "?1016l"),
        *("<u", "?1049l", "?25h", "?1004l"),
    )
)
"""Takes back whatever the app asks of a terminal."""


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
    except ValueError:  # it is closed
        return False


class SignalHandler:
    """The end of a program by a signal.

    `leave` has it end in order, soon after, and tells whether it does; else it ends at once. What does not come to its
    end is broken off.

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
        """Break off: what was shown is on disk, and the system gives the lock back."""
        self.restore()
        with contextlib.suppress(OSError):
            os.write(2, RESET.encode())
        os._exit(self.status)

    def restore(self) -> None:
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


class ResilientDriver(linux_driver.LinuxDriver):
    """The library's driver, for a terminal that may go away or be borrowed."""

    gone = False
    ground: Callable[[bool], None] | None = None
    """Is called with whether the terminal's ground is light, once it has said so."""
    _is_changing = False
    """Whether the terminal is being taken or given back."""
    _stop_is_due = False
    """Whether a signal to stop came meanwhile."""

    def __init__(self, app: App[None], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None):
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = cast(TextIOWrapper, _Line(cast(TextIO, self._file)))
        # The library's reader would end the app at a byte that is no text, and read on for ever where a terminal ends.
        vars(linux_driver)["getincrementaldecoder"] = lambda encoding: partial(_Decoder, self._tell_ground)

    def ask_ground(self, told: Callable[[bool], None]) -> None:
        """Ask the terminal for the colour of its ground; one that does not know the question says nothing."""
        self.ground = told
        self.write(ASK_GROUND)
        self.flush()

    def _tell_ground(self, is_light: bool) -> None:
        app = cast("ResilientApp", self._app)
        if self.ground is not None and app._loop is not None:
            app._loop.call_soon_threadsafe(self.ground, is_light)

    def start_application_mode(self) -> None:
        """Take the terminal; a signal to stop waits until it is taken."""
        with self._changing():
            super().start_application_mode()  # type: ignore[no-untyped-call]  # the library's own is not annotated

    def stop_application_mode(self) -> None:
        """Give the terminal back, with what the library forgets."""
        with self._changing():
            self.disable_input()  # what the terminal answers from now on turns nothing on any more
            if self._mouse_pixels:
                self._mouse_pixels = False
                self.write("\x1b[?1016l")
            super().stop_application_mode()

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold back signals to stop: they would wait for threads that have not been started, or start them twice."""
        before, self._is_changing = self._is_changing, True
        try:
            yield
        finally:
            self._is_changing = before
        if self._stop_is_due and not before:
            self._stop_is_due = False
            self._sigtstp_application()

    def _sigtstp_application(self, *_: object) -> None:
        """Give the terminal back and stop, or stop as soon as the terminal has been taken."""
        if self._is_changing:
            self._stop_is_due = True
            return
        if self._auto_restart:
            self._is_changing = True
            try:
                self.suspend_application_mode()
            finally:
                self._is_changing = False
            self._must_signal_resume = True
        self._stop_is_due = False
        if sys.platform != "win32":  # which has no such signal, and never runs this driver
            os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_: object) -> None:
        """Go on after a stop; one that could not be seen coming has left the terminal to others."""
        if self._is_changing:
            return
        with self._changing():
            if self._auto_restart and not self._must_signal_resume:
                self.suspend_application_mode()
            super()._sigcont_application()
        app = cast("ResilientApp", self._app)
        if app._loop is not None:
            app._loop.call_soon_threadsafe(lambda: app.call_later(app.refresh, layout=True))

    def _run_input_thread(self) -> None:
        app = cast("ResilientApp", self._app)
        try:
            self.run_input_thread()
        except (EOFError, OSError):
            self.gone = True
            app.leave()
        except Exception as error:  # noqa: BLE001 - the app tells of it and ends
            if app._loop is not None:
                app._loop.call_soon_threadsafe(app._handle_exception, error)


class _Line:
    """The way to a terminal, which drops what the terminal no longer takes."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()


class _Decoder:
    """The text that a terminal sends, with a sign for each byte that is none, without what it says of its ground."""

    def __init__(self, tell_ground: Callable[[bool], None]) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._tell_ground = tell_ground

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of these bytes; raises EOFError where the terminal has come to its end."""
        if not data and not final:
            raise EOFError
        text = self._decoder.decode(data, final)
        for found in _GROUND.finditer(text):
            self._tell_ground(_is_light(found["colour"]))
        return _GROUND.sub("", text)


def _is_light(colour: str) -> bool:
    """Tell whether a colour such as `ffff/fafa/f0f0` is nearer to white than to black."""
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in colour.split("/"))
    return bool(0.3 * red + 0.59 * green + 0.11 * blue > 0.5)


class ResilientApp(App[None], inherit_bindings=False):
    """An app that leaves its terminal as it was."""

    def get_driver_class(self) -> type[Driver]:
        usual = super().get_driver_class()
        if sys.platform != "win32" and usual.__name__ == "LinuxDriver":
            return ResilientDriver
        return usual

    def leave(self) -> bool:
        """Have the app end, from any thread or signal, and tell whether it runs."""
        loop = self._loop
        if loop is None:
            return False
        try:
            loop.call_soon_threadsafe(self.exit)
        except RuntimeError:  # it has just been closed
            return False
        return True

    @property
    def problems(self) -> Path | None:
        return None

    def run_to_the_end(self) -> None:
        """Run until the user leaves; raises TrackerError for a fault of the app, SystemExit for a signal."""
        ending = SignalHandler(self.leave)
        try:
            with ending.watched():
                self.run()
        finally:
            ending.restore()
        if self._exception is not None:
            from tracker.library.ruleset_errors import describe  # only a fault needs it

            so = "the app has ended by a fault of its own, what was shown is saved"
            raise TrackerError(describe(self._exception, self.problems, so), "app_fault") from self._exception
        if ending.number or getattr(self._driver, "gone", False):
            raise SystemExit(ending.status or HUNG_UP)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()
