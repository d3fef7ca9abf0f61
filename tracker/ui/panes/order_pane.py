"""The pane of the initiative."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.labels import folded
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.keys.command import Pane
from tracker.ui.panes.pane import FightPane
from tracker.ui.widgets.lines import RowsWidget, window
from tracker.views.panes.order import OrderRows, parts_of_key
from tracker.views.words.spans import Row


class OrderPane(FightPane):
    """The initiative: the game's own order, and below it what ends or fires next."""

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self._rows: OrderRows | None = None
        self._made: tuple[State | None, int, int, Id | None] = (None, 0, 0, None)
        self.cursor = -1
        self._at: object = None

    def follow(self, model: Model | None, selected: Id | None) -> None:
        if model is not self.model or self.active != self._made[3]:
            self.model = model
            self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.model is None:
            return (), -1, 0
        state, made = self.model.state, self._made
        if self._rows is None or made[0] is not state or made[1:] != (width, height, self.active):
            self._rows = OrderRows(self.ruleset, state, width, active=self.active, height=height)
            self._made = (state, width, height, self.active)
            where = (state.clock.at, state.clock.acting, len(state.clock.acted))
            if where != self._at:
                self._at, self.top = where, self._follow(height)
        rows: Sequence[Row] = self._rows
        if self.narrowed:
            rows = [row for row in rows if self.narrowed in folded(row.text)]
        self.cursor = min(self.cursor, len(rows) - 1)
        cursor = self.cursor if self.chosen_pane else -1
        self.top = window(self.top, cursor, height, len(rows))
        return rows[self.top : self.top + height], cursor - self.top if cursor >= 0 else -1, len(rows)

    def _follow(self, height: int) -> int:
        """Return the first line to show when time has moved.

        Who acts is in sight, with a few of those that come next.
        """
        place = self._rows.now if self._rows is not None else 0
        if self.top <= place < self.top + height - min(3, height // 3):
            return self.top
        return max(0, place - 1)

    def move(self, by: int) -> None:
        start = self.cursor if self.cursor >= 0 else self.top - 1
        self.cursor = max(0, min(len(self._rows or ()) - 1, start + by))
        self.update()

    def go(self, by: int) -> Id | None:
        self.move(by)
        return self.person()

    def point(self, event: RowsWidget.Chosen, chosen: bool) -> bool:
        if event.key:
            self.put_on(event.place)
        return super().point(event, chosen)

    def person(self) -> Id | None:
        who = parts_of_key(self.chosen_key())[1]
        return who if self.model is not None and who in self.model.state else None
