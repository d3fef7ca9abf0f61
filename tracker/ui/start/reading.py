"""Reading encounter files in a thread, behind the first picture of the start screen."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from tracker.core.terms.errors import TrackerError
from tracker.ui.start.repertoire import Repertoire

if TYPE_CHECKING:  # the files are read when the first picture stands
    from tracker.library.shelves.finding import Found, Remark

BATCH_SECONDS = 0.05


class Reading:
    """Reads every file for a screen, which hears of them as they are read."""

    class Read(Message):
        """Files that have been read, the last of them where `last`."""

        def __init__(self, turn: int, items: list[Found | Remark], last: bool) -> None:
            super().__init__()
            self.turn, self.items, self.last = turn, items, last

    def __init__(self, screen: Screen[None], repertoire: Repertoire) -> None:
        self._screen, self._repertoire = screen, repertoire
        self.turn = 0

    def begin(self, first: Path | None = None) -> None:
        """Read the files in a thread, one of them first, and drop an earlier reading."""
        self.turn += 1
        walk = partial(self._walk, self.turn, first)
        self._screen.run_worker(walk, group="files", exclusive=True, thread=True)

    def _walk(self, turn: int, first: Path | None) -> None:
        """Read every file, in the thread."""
        worker = get_current_worker()
        read: list[Found | Remark] = []
        sent = monotonic()
        try:
            for item in self._repertoire.encounters(first):
                if worker.is_cancelled:
                    return
                read.append(item)
                if monotonic() - sent > BATCH_SECONDS:
                    self._screen.post_message(self.Read(turn, read, False))
                    read, sent = [], monotonic()
        except TrackerError as error:
            from tracker.library.shelves.finding import Remark

            read.append(Remark(error.message))
        self._screen.post_message(self.Read(turn, read, True))
