"""The driver of the terminal, which outlasts it.

It is imported where there are terminals of this kind only.
"""

from __future__ import annotations

import codecs
import contextlib
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO, cast

from textual.app import App
from textual.drivers import linux_driver

if TYPE_CHECKING:
    from tracker.ui.desk.lasting import LastingApp


class LastingDriver(linux_driver.LinuxDriver):
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
        app = cast("LastingApp", self._app)
        if app._loop is not None:
            app._loop.call_soon_threadsafe(lambda: app.call_later(app.refresh, layout=True))

    def _run_input_thread(self) -> None:
        app = cast("LastingApp", self._app)
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
