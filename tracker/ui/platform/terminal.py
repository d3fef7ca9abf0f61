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

    def __init__(self, app: App[None], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None):
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = cast(TextIOWrapper, _Line(cast(TextIO, self._file)))
        # The library's reader would end the app at a byte that is no text, and read on for ever where a terminal ends.
        vars(linux_driver)["getincrementaldecoder"] = lambda encoding: partial(_Decoder, self._tell_background)

    def start_application_mode(self) -> None:
        """Take the terminal, and ask it for its background if the app wants to know."""
        super().start_application_mode()  # type: ignore[no-untyped-call]  # the library's has no types
        if cast("ResilientApp", self._app).asks_background:
            self.write("\x1b]11;?\x1b\\")
            self.flush()

    def _tell_background(self, light: bool) -> None:
        app = cast("ResilientApp", self._app)
        if app._loop is not None:
            app._loop.call_soon_threadsafe(lambda: app.call_later(app.take_background, light))

    def stop_application_mode(self) -> None:
        """Give the terminal back, with what the library forgets."""
        self.disable_input()  # what the terminal answers from now on turns nothing on any more
        if self._mouse_pixels:
            self._mouse_pixels = False
            self.write("\x1b[?1016l")
        super().stop_application_mode()

    def _sigcont_application(self, *_: object) -> None:
        """Go on after a stop; one that could not be seen coming has left the terminal to others."""
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


_BACKGROUND = re.compile(r"\x1b\]11;rgb:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)(?:\x07|\x1b\\)")
"""A terminal's answer to the question for its background."""
_BEGUN = re.compile(r"\x1b\]11?(?:(?<=11);[^\x07\x1b]*\x1b?)?\Z")
"""The beginning of one, whose rest comes with the next bytes."""
_LIGHT = 0.5


class _Decoder:
    """The text that a terminal sends, with a sign for each byte that is none.

    `told` is called with whether the terminal's ground is light, once it has answered.
    """

    def __init__(self, told: Callable[[bool], None]) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._told, self._held = told, ""

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of these bytes; raises EOFError where the terminal has come to its end."""
        if not data and not final:
            raise EOFError
        text = self._held + self._decoder.decode(data, final)
        if "\x1b]1" not in text:
            self._held = ""
            return text
        for answer in _BACKGROUND.finditer(text):
            red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in answer.groups())
            self._told(0.2126 * red + 0.7152 * green + 0.0722 * blue > _LIGHT)
        text = _BACKGROUND.sub("", text)
        begun = None if final else _BEGUN.search(text)
        self._held = begun.group() if begun is not None else ""
        return text[: len(text) - len(self._held)]


class ResilientApp(App[None], inherit_bindings=False):
    """An app that leaves its terminal as it was; `asks_background`: it wants to know whether that is light."""

    asks_background = False

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

    def take_background(self, light: bool) -> None:
        """Follow the terminal's ground."""

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
