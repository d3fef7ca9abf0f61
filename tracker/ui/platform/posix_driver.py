"""The library's driver for the terminals of POSIX, for one that may go away, be borrowed, or have a light ground.

No other module imports this one while it is imported itself: Windows has no such terminals, nor their modules.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from io import TextIOWrapper
from typing import Any, TextIO, cast

from textual.app import App
from textual.drivers import linux_driver

ASK_GROUND = "\x1b]11;?\x1b\\"
_GROUND = re.compile(r"\x1b\]11;rgba?:(?P<colour>[0-9a-fA-F]{1,4}(?:/[0-9a-fA-F]{1,4}){2})[0-9a-fA-F/]*(?:\x07|\x1b\\)")
"""What a terminal answers."""


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
        app: Any = self._app  # a `ResilientApp`
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
        app: Any = self._app  # a `ResilientApp`
        if app._loop is not None:
            app._loop.call_soon_threadsafe(lambda: app.call_later(app.refresh, layout=True))

    def _run_input_thread(self) -> None:
        app: Any = self._app  # a `ResilientApp`
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
