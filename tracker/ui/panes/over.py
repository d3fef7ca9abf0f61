"""The sheet over the panes: lists that need more room than the action pane has."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.ui.drawing.lines import LinesPane
from tracker.ui.panes.console import Desk
from tracker.views.words.spans import Row

WIDEST = 120
"""Cells a sheet is wide at most, so that an eye still finds the end of a line."""


class OverPane(LinesPane):
    """A list in the middle of the screen, open while a mode wants it."""

    def __init__(self) -> None:
        super().__init__(0, "", "over")
        self.desk: Desk | None = None
        self.lit = True
        self.styles.max_width = WIDEST

    def show(self, desk: Desk | None) -> None:
        """Show the mode that lies on the desk, or nothing any more."""
        self.desk = desk
        if desk is not None and desk.mode is not None:
            self.say(title=desk.mode.title, note="esc leaves")
            self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        """Return what the mode shows."""
        if self.desk is None:
            return (), -1, 0
        rows = self.desk.rows(width, height, "", self.app)
        self.top, self.beside, total = self.desk.scrolled(height)
        return rows, -1, total

    def move(self, by: int) -> None:
        """Stay: a mode reads the arrow keys itself."""
