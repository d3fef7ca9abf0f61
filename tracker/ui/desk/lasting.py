"""The app and its terminal: how both end.

A terminal that goes away ends them; a byte that is no text does not. A fault of their own is one line, with a problem
file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from textual.app import App
from textual.driver import Driver

from tracker.core.terms.errors import TrackerError
from tracker.ui.desk.terminal import HUNG_UP, Ending


class LastingApp(App[None], inherit_bindings=False):
    """An app that leaves its terminal as it was."""

    def get_driver_class(self) -> type[Driver]:
        """Take a driver that outlasts its terminal."""
        usual = super().get_driver_class()
        if sys.platform != "win32" and usual.__name__ == "LinuxDriver":
            from tracker.ui.desk.driver import LastingDriver  # it cannot be imported everywhere

            return LastingDriver
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
        """The folder of problem files, or None for the user's own."""
        return None

    def run_to_the_end(self) -> None:
        """Run until the user leaves.

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
            raise TrackerError(told(self._exception, self.problems, so), "app_fault") from self._exception
        if ending.number or getattr(self._driver, "gone", False):
            raise SystemExit(ending.status or HUNG_UP)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()
