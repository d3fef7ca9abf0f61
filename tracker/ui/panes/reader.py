"""The reader: a page of text over the panes - the help or some rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tracker.core.game.ruleset import Ruleset
from tracker.ui.widgets.lines import RowsWidget
from tracker.views.panes.blocks import mistake_rows, rule_rows
from tracker.views.words.spans import Row, Span

MOVES = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "space": 10, "home": -1_000_000, "end": 1_000_000}
"""The keys that move in a page, by how many lines."""

Page = Callable[[int], Sequence[Row]]


class Reader(RowsWidget):
    """A page to read, scrolled by the arrow keys and closed by Escape."""

    def __init__(self) -> None:
        super().__init__(0, "", "reader")
        self.page: Page | None = None
        self._rows: Sequence[Row] = ()
        self._made = 0

    def show(self, title: str, page: Page, widest: int = 0) -> None:
        self.page, self._made, self.top = page, 0, 0
        self.styles.max_width = widest or None
        self.lit = True
        self.title, self.note = title, "esc closes"
        self._shown = []

    def renew(self) -> None:
        self._made = 0
        self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.page is None:
            return (), -1, 0
        if self._made != width:
            self._rows, self._made = self.page(width), width
        self.top = max(0, min(self.top, len(self._rows) - height))
        return self._rows[self.top : self.top + height], -1, len(self._rows)


def rules_page(ruleset: Ruleset, rules: Sequence[str]) -> Page:
    def page(width: int) -> Sequence[Row]:
        if problems := mistake_rows(ruleset.rulebook, width):
            return problems
        rows: list[Row] = []
        for key in rules:
            rule = ruleset.rulebook.find(key)
            if rule is None:
                rows.append(Row(key, (Span(key, "rule"), Span("  is not in the rulebook", "dim"))))
            else:
                rows += rule_rows(rule, width)
            rows.append(Row("", ()))
        return rows

    return page
