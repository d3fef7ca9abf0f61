"""The stat block of the combatant under the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.fight.slots import Id
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.drawing.slips import Slipped
from tracker.ui.keys.panes import Pane
from tracker.ui.panes.pane import FightPane
from tracker.views.panes.blocks import block_rows
from tracker.views.words.spans import Row


class BlockPane(FightPane):
    """The stat block of the combatant under the cursor."""

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self._of: tuple[object, object, int] = (None, None, 0)
        self._rows: Sequence[Row] = ()
        self._pinned: Id | None = None

    def pin(self) -> None:
        """Hold the stat block fast, or let it follow the cursor again."""
        self._pinned = self.selected if self._pinned is None else None
        self.say(title=self.row.title if self._pinned is None else f"{self.row.title}, held")
        self.update()

    def follow(self, model: Model | None, selected: Id | None) -> None:
        """Follow the fight and the cursor."""
        if selected != self.selected:
            self.top = 0
        super().follow(model, selected)

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        """Return the visible part of the stat block."""
        model, who = self.model, self._pinned or self.selected
        if model is None or who is None or who not in model.state:
            return (), -1, 0
        of = (model.state, who, width)
        if self._of[0] is not of[0] or self._of[1:] != of[1:]:
            slipped = Slipped()
            rows = block_rows(self.ruleset, model.state, who, width, slipped.note)
            self._rows, self._of = (*rows, *slipped.rows(self.app, width)), of
        self.top = max(0, min(self.top, len(self._rows) - height))
        return self._rows[self.top : self.top + height], -1, len(self._rows)
