"""The log pane: the lines of a step are made when they come into sight.

A place in the log is `(step, line)`, so lines need not be counted: a new line or an undo costs nothing for lines that
are not on the screen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from tracker.core.fight.events import ActionTaken, Entry
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.labels import folded
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.keys.command import Call, Pane
from tracker.ui.panes.pane import FightPane
from tracker.ui.typing.mode import ModeContext, Result
from tracker.ui.widgets.lines import RowsWidget
from tracker.views.log.rendering import log_rows
from tracker.views.words.spans import Row

Where: TypeAlias = tuple[int, int]
MOST_KEPT = 400
"""Steps whose rows are cached."""
NEWEST = 200
"""Width in cells of the newest line, if the pane itself is not shown."""


class LogPane(FightPane):
    """The story of the fight; the newest line is at the bottom unless the cursor is further up.

    `guest` is a page that is shown here instead of the log.
    """

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self.state_at: Callable[[int | None], State] = session.state_at
        self.guest: RowsWidget | None = None
        self.cursor: Where | None = None
        self._bottom: Where | None = None
        self._cache: dict[tuple[int, int, bool], tuple[Row, ...]] = {}
        self._pending_rows: tuple[object, int, bool, tuple[Row, ...]] = (None, 0, False, ())

    def follow(self, now: Model | None, selected: Id | None) -> None:
        was, self.model = self.model, now
        if was is now:
            if self.guest is not None:
                self.update()
            return
        shown, shows = ((model.head, model.pending, model.looking_at) if model else None for model in (was, now))
        if shown != shows:
            self.cursor = self._bottom = None
        self.update()

    # The story

    @property
    def _count(self) -> int:
        """The number of steps to show: up to the moment looked at, else all with the pending step."""
        model = self.model
        if model is None:
            return 0
        if model.looking_at is not None:
            return bisect_left(model.steps, model.looking_at, key=lambda record: record.seq) + 1
        return len(model.steps) + (1 if model.pending is not None else 0)

    def _entries(self, step: int) -> Sequence[Entry]:
        assert self.model is not None
        if step < len(self.model.steps):
            return self.model.steps[step].entries
        return self.model.pending.entries if self.model.pending is not None else ()

    def _state_at(self, step: int | None) -> State | None:
        try:
            return self.state_at(step)
        except CorruptJournal:
            return None

    def _step_rows(self, step: int, width: int) -> tuple[Row, ...]:
        model = self.model
        if model is None:
            return ()
        if step >= len(model.steps):
            tried = model.trial is not None and ((model.head or 0) >= model.trial.first or model.can_undo)
            if self._pending_rows[0] is not model.pending or self._pending_rows[1:3] != (width, tried):
                entries, before = self._entries(step), self._state_at(model.head)
                rows = log_rows(
                    self.ruleset, model.state, entries=entries, seq=-1, width=width, tried=tried, before=before
                )
                self._pending_rows = (model.pending, width, tried, rows)
            return self._pending_rows[3]
        record = model.steps[step]
        tried = model.trial is not None and record.seq >= model.trial.first
        key = (record.seq, width, tried)
        if key not in self._cache:
            if len(self._cache) > MOST_KEPT:
                self._cache.clear()
            # With the state after the step, so that its lines never change.
            before, after = self._state_at(record.parent), self._state_at(record.seq) or model.state
            self._cache[key] = log_rows(
                self.ruleset, after, entries=record.entries, seq=record.seq, width=width, tried=tried, before=before
            )
        rows = self._cache[key]
        return tuple(row for row in rows if self.narrowed in folded(row.text)) if self.narrowed else rows

    def _before(self, where: Where, width: int) -> Iterator[tuple[Where, Row]]:
        step, line = where
        for place in range(min(step, self._count - 1), -1, -1):
            rows = self._step_rows(place, width)
            start = min(line, len(rows) - 1) if place == step else len(rows) - 1
            for number in range(start, -1, -1):
                yield (place, number), rows[number]

    def _after(self, where: Where, width: int) -> Iterator[tuple[Where, Row]]:
        step, line = where
        for place in range(step, self._count):
            rows = self._step_rows(place, width)
            for number in range(line + 1 if place == step else 0, len(rows)):
                yield (place, number), rows[number]

    @property
    def _end(self) -> Where:
        return (self._count, 1_000_000)

    def newest(self) -> str:
        """Return the last line of the story."""
        text = next((row.text for _, row in self._before(self._end, NEWEST)), "")
        return " ".join(text.split())

    # The pane

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.guest is not None:
            lines = self.guest.lines(width, height)
            self.top = self.guest.top
            return lines
        self.top = 0
        if self.model is None:
            return (), -1, 0
        found: list[tuple[Where, Row]] = []
        for where, row in self._before(self._bottom or self._end, width):
            found.append((where, row))
            if len(found) == height:
                break
        if len(found) < height and self._bottom is not None and found:
            found.reverse()
            for where, row in self._after(found[-1][0], width):
                found.append((where, row))
                if len(found) == height:
                    break
            found.reverse()
        found.reverse()
        chosen = (
            next((place for place, (where, _) in enumerate(found) if where == self.cursor), len(found) - 1)
            if self.chosen_pane
            else -1
        )
        return [row for _, row in found], chosen, 0

    def show_guest(self, guest: RowsWidget | None) -> None:
        self.guest, self.top = guest, 0
        self.say(title=self.row.title if guest is None else guest.title)
        self.update()

    def about(self) -> Id | None:
        step = self._count - 1 if self.cursor is None else self.cursor[0]
        if step < 0 or self.guest is not None or not self.chosen_pane:
            return None
        taken = (entry.event.action.by for entry in self._entries(step) if isinstance(entry.event, ActionTaken))
        return next((by for by in taken if by is not None), None)

    def open(self, scene: ModeContext) -> Result | None:
        return Result(None, call=Call("read", self.chosen_rules()))

    def point(self, event: RowsWidget.Chosen, chosen: bool) -> bool:
        if event.key:
            self.put_on(event.place)
        return super().point(event, chosen)

    def move(self, by: int) -> None:
        """Move the cursor by lines; beyond the last line it follows the newest line again."""
        width, height = self.room
        if self.guest is not None:
            self.guest.top = max(0, self.guest.top + by)
            self.update()
            return
        lines = self._before if by < 0 else self._after
        if by <= -100_000:
            self.cursor = next((where for where, _ in self._after((0, -1), width)), None)
        elif by >= 100_000:
            self.cursor = None
        else:
            start = self.cursor
            if start is None:
                start = next((where for where, _ in self._before(self._end, width)), None)
            left = abs(by)
            for where, _ in lines(start, width) if start is not None and left else ():
                if where == start:
                    continue
                start = where
                left -= 1
                if not left:
                    break
            self.cursor = start
        self._show_cursor(width, height)
        self.update()

    def _show_cursor(self, width: int, height: int) -> None:
        """Change the bottom line no more than needed to show the cursor."""
        cursor = self.cursor
        if cursor is None:
            self._bottom = None
            return
        bottom = self._bottom or self._end
        if cursor > bottom:
            self._bottom = cursor
            return
        for above, (where, _) in enumerate(self._before(bottom, width), start=1):
            if where == cursor:
                return
            if above >= height:
                break
        below = [cursor]
        for where, _ in self._after(cursor, width):
            below.append(where)
            if len(below) == height:
                break
        self._bottom = below[-1]
