"""Textual's driver for POSIX terminals, extended for hang-ups, suspending, and a light background.

No module imports this one at its top: on Windows the modules of such terminals do not exist.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import re
import signal
import sys
from collections.abc import Callable
from functools import partial
from io import TextIOWrapper
from typing import Any, TextIO, cast

from textual.app import App
from textual.drivers import linux_driver

ASK_GROUND = "\x1b]11;?\x1b\\"
_GROUND = re.compile(r"\x1b\]11;rgba?:(?P<colour>[0-9a-fA-F]{1,4}(?:/[0-9a-fA-F]{1,4}){2})[0-9a-fA-F/]*(?:\x07|\x1b\\)")
"""Matches the answer of a terminal."""


class ResilientDriver(linux_driver.LinuxDriver):
    """Textual's driver, for a terminal that may hang up or be lent to another program."""

    gone = False
    ground: Callable[[bool], None] | None = None
    """Called with whether the terminal's background is light, when the terminal answers."""
    _is_lent = False
    """Whether the terminal is released because the program is stopped (SIGTSTP)."""
    _stop_is_wanted = False
    """Whether the last signal was SIGTSTP, not SIGCONT."""

    def __init__(self, app: App[None], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None):
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = cast(TextIOWrapper, _Line(cast(TextIO, self._file)))
        # Textual's reader would end the app at a byte that is no text, and loop for ever at the end of a terminal.
        vars(linux_driver)["getincrementaldecoder"] = lambda encoding: partial(_Decoder, self._tell_ground)
        self._obey_stops()

    def ask_ground(self, told: Callable[[bool], None]) -> None:
        """Ask the terminal for its background colour; a terminal that does not know the question does not answer."""
        self.ground = told
        self.write(ASK_GROUND)
        self.flush()

    def _tell_ground(self, is_light: bool) -> None:
        app: Any = self._app  # a `ResilientApp`
        if self.ground is not None and app._loop is not None:
            app._loop.call_soon_threadsafe(self.ground, is_light)

    def write(self, data: str) -> None:
        """Write to the terminal, unless it is lent: afterwards the whole screen is drawn again."""
        if not self._is_lent:
            super().write(data)

    def stop_application_mode(self) -> None:
        """Restore the terminal, with the mouse mode that Textual forgets."""
        self.disable_input()  # later answers of the terminal must turn on no mode
        if self._mouse_pixels:
            self._mouse_pixels = False
            self.write("\x1b[?1016l")
        super().stop_application_mode()

    def _obey_stops(self) -> None:
        """Handle SIGTSTP and SIGCONT between two events: a signal may arrive during a frame, or while a lock is held.

        The signal handlers only set a flag. The event loop handles both signals too, so that it wakes whichever thread
        receives them.
        """
        if sys.platform != "win32":  # Windows has no such signals, and never runs this driver
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGTSTP, self._stop)
            loop.add_signal_handler(signal.SIGCONT, self._go_on)
            signal.signal(signal.SIGTSTP, self._sigtstp_application)
            signal.signal(signal.SIGCONT, self._sigcont_application)

    def _sigtstp_application(self, *_: object) -> None:
        self._stop_is_wanted = True
        if not self._auto_restart:  # the terminal is lent to another program, and the loop waits for its end
            _halt()

    def _sigcont_application(self, *_: object) -> None:
        self._stop_is_wanted = False

    def _stop(self) -> None:
        """Restore the terminal and stop, unless SIGCONT has arrived since."""
        if self._stop_is_wanted and self._auto_restart:
            if not self._is_lent:
                self.suspend_application_mode()
                self._is_lent = self._must_signal_resume = True
            if self._stop_is_wanted:
                _halt()

    def _go_on(self) -> None:
        """Take the terminal again after a stop; after SIGSTOP, which no handler sees, suspend first."""
        if self._stop_is_wanted or not self._auto_restart:
            return
        if not self._is_lent:
            self.suspend_application_mode()
        self._is_lent = False
        self.resume_application_mode()
        app: Any = self._app  # a `ResilientApp`
        app.call_later(app.refresh, layout=True)

    def _run_input_thread(self) -> None:
        app: Any = self._app  # a `ResilientApp`
        try:
            self.run_input_thread()
        except (EOFError, OSError):
            self.gone = True
            app.leave()
        except Exception as error:  # noqa: BLE001 - the app shows the error and ends
            if app._loop is not None:
                app._loop.call_soon_threadsafe(app._handle_exception, error)


def _halt() -> None:
    if sys.platform != "win32":
        os.kill(os.getpid(), signal.SIGSTOP)


class _Line:
    """The output of a terminal; text that the terminal no longer accepts is dropped."""

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
    """The decoder of a terminal's input: it replaces invalid bytes and removes answers about the background."""

    def __init__(self, tell_ground: Callable[[bool], None]) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._tell_ground = tell_ground

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of these bytes; raises EOFError at the end of the terminal."""
        if not data and not final:
            raise EOFError
        text = self._decoder.decode(data, final)
        for match in _GROUND.finditer(text):
            self._tell_ground(_is_light(match["colour"]))
        return _GROUND.sub("", text)


def _is_light(colour: str) -> bool:
    """Tell whether a colour such as `ffff/fafa/f0f0` is nearer to white than to black."""
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in colour.split("/"))
    return bool(0.3 * red + 0.59 * green + 0.11 * blue > 0.5)
