"""The library's driver for the terminals of POSIX, for one that may go away, be borrowed, or have a light ground.

No other module imports this one while it is imported itself: Windows has no such terminals, nor their modules.
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
"""What a terminal answers."""


class ResilientDriver(linux_driver.LinuxDriver):
    """The library's driver, for a terminal that may go away or be borrowed."""

    gone = False
    ground: Callable[[bool], None] | None = None
    """Is called with whether the terminal's ground is light, once it has said so."""
    _is_lent = False
    """Whether the terminal has been given back for a stop."""
    _stop_is_wanted = False
    """Whether a signal to stop has come after the last one to go on."""

    def __init__(self, app: App[None], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None):
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = cast(TextIOWrapper, _Line(cast(TextIO, self._file)))
        # The library's reader would end the app at a byte that is no text, and read on for ever where a terminal ends.
        vars(linux_driver)["getincrementaldecoder"] = lambda encoding: partial(_Decoder, self._tell_ground)
        self._obey_stops()

    def ask_ground(self, told: Callable[[bool], None]) -> None:
        """Ask the terminal for the colour of its ground; one that does not know the question says nothing."""
        self.ground = told
        self.write(ASK_GROUND)
        self.flush()

    def _tell_ground(self, is_light: bool) -> None:
        app: Any = self._app  # a `ResilientApp`
        if self.ground is not None and app._loop is not None:
            app._loop.call_soon_threadsafe(self.ground, is_light)

    def write(self, data: str) -> None:
        """Write to the terminal, and nothing while it is lent: all is drawn anew afterwards."""
        if not self._is_lent:
            super().write(data)

    def stop_application_mode(self) -> None:
        """Give the terminal back, with what the library forgets."""
        self.disable_input()  # what the terminal answers from now on turns nothing on any more
        if self._mouse_pixels:
            self._mouse_pixels = False
            self.write("\x1b[?1016l")
        super().stop_application_mode()

    def _obey_stops(self) -> None:
        """Obey signals to stop and to go on between two events: one may come within a picture, or while a lock is held.

        Their handlers only note what is wanted. The loop is told of both, so that it wakes whichever thread gets one.
        """
        if sys.platform != "win32":  # which has no such signals, and never runs this driver
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGTSTP, self._stop)
            loop.add_signal_handler(signal.SIGCONT, self._go_on)
            signal.signal(signal.SIGTSTP, self._sigtstp_application)
            signal.signal(signal.SIGCONT, self._sigcont_application)

    def _sigtstp_application(self, *_: object) -> None:
        self._stop_is_wanted = True
        if not self._auto_restart:  # the terminal is lent to another program, and the loop waits for that
            _halt()

    def _sigcont_application(self, *_: object) -> None:
        self._stop_is_wanted = False

    def _stop(self) -> None:
        """Give the terminal back and stop, unless the program is to go on by now."""
        if self._stop_is_wanted and self._auto_restart:
            if not self._is_lent:
                self.suspend_application_mode()
                self._is_lent = self._must_signal_resume = True
            if self._stop_is_wanted:
                _halt()

    def _go_on(self) -> None:
        """Take the terminal after a stop; one that could not be seen coming has left it to others."""
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
        except Exception as error:  # noqa: BLE001 - the app tells of it and ends
            if app._loop is not None:
                app._loop.call_soon_threadsafe(app._handle_exception, error)


def _halt() -> None:
    if sys.platform != "win32":
        os.kill(os.getpid(), signal.SIGSTOP)


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
