"""The app and its terminal: how both end.

A terminal that goes away ends them; a byte that is no text does not. A fault of their own is one line, with a problem
file.
"""

from __future__ import annotations

import codecs
import contextlib
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO, cast

from textual.app import App
from textual.driver import Driver
from textual.drivers import linux_driver

from tracker.core.terms.errors import TrackerError
from tracker.ui.desk.terminal import HUNG_UP, Ending

__all__ = ["LastingApp"]


class LastingApp(App[None], inherit_bindings=False):
    """An app that leaves its terminal as it was."""

    def get_driver_class(self) -> type[Driver]:
        """Take a driver that outlasts its terminal."""
        usual = super().get_driver_class()
        return _LastingDriver if usual is linux_driver.LinuxDriver else usual

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

    def run_to_the_end(self, problems: Path | None = None) -> None:
        """Run until the user leaves.

        Args:
            problems: the folder of problem files; None: the user's own.

        Raises:
            TrackerError: where a fault of the app has ended it.
            SystemExit: with the status of the signal that has ended it.
        """
        ending = Ending(self.leave)
        try:
            with ending.watched():
                self.run()
        finally:
            ending.restore()
        if self._exception is not None:
            from tracker.library.slips import told  # only a fault needs it

            so = "the app has ended by a fault of its own, what was shown is saved"
            raise TrackerError(told(self._exception, problems, so), "app_fault") from self._exception
        if ending.number or (isinstance(self._driver, _LastingDriver) and self._driver.gone):
            raise SystemExit(ending.status or HUNG_UP)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()


class _LastingDriver(linux_driver.LinuxDriver):
    """The library's driver, for a terminal that may go away or be borrowed.

    Attributes:
        gone: the terminal has gone away.
    """

    gone = False

    def __init__(self, app: App[None], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None):
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = cast(TextIOWrapper, _Line(cast(TextIO, self._file)))
        # The library's reader would end the app at a byte that is no text, and read on for ever where a terminal ends.
        vars(linux_driver)["getincrementaldecoder"] = lambda encoding: _Decoder

    def stop_application_mode(self) -> None:
        """Give the terminal back, with what the library forgets."""
        self.disable_input()  # what the terminal answers from now on turns nothing on any more
        if self._mouse_pixels:
            self._mouse_pixels = False
            self.write("\x1b[?1016l")
        super().stop_application_mode()

    def _sigcont_application(self, *_: object) -> None:
        """Go on after a stop.

        One that could not be seen coming has left the terminal to others.
        """
        if self._auto_restart and not self._must_signal_resume:
            self.suspend_application_mode()
        super()._sigcont_application()
        app = cast(LastingApp, self._app)
        if app._loop is not None:
            app._loop.call_soon_threadsafe(lambda: app.call_later(app.refresh, layout=True))

    def _run_input_thread(self) -> None:
        app = cast(LastingApp, self._app)
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
        """Write a text."""
        with contextlib.suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        """Send what was written."""
        with contextlib.suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        """Return the number of the file."""
        return self._file.fileno()


class _Decoder:
    """The text that a terminal sends, with a sign for each byte that is none."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of these bytes.

        Raises:
            EOFError: where the terminal has come to its end.
        """
        if not data and not final:
            raise EOFError
        return self._decoder.decode(data, final)
