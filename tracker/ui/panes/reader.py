"""The reader: a page of text over the panes - the help or some rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from tracker.core.game.ruleset import Ruleset
from tracker.ui.drawing.lines import LinesPane
from tracker.ui.keys.command import Command
from tracker.ui.keys.table import KEYS, groups
from tracker.views.panes.blocks import mistake_rows, rule_rows
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, wrap_spans, wrap_text

__all__ = ["MOVES", "Groups", "Page", "Reader", "help_page", "rules_page"]

MOVES = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "space": 10, "home": -1_000_000, "end": 1_000_000}
"""The keys that move in a page, by how many lines."""

Page = Callable[[int], Sequence[Row]]
Groups: TypeAlias = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""Headings, each with its lines: a key or a sign, and what it does or means."""


class Reader(LinesPane):
    """A page to read, scrolled by the arrow keys and closed by Escape."""

    def __init__(self) -> None:
        super().__init__(0, "", "reader")
        self.page: Page | None = None
        self._rows: Sequence[Row] = ()
        self._made = 0

    def show(self, title: str, page: Page, widest: int = 0) -> None:
        """Fill the page, which the screen then lets cover the panes."""
        self.page, self._made, self.top = page, 0, 0
        self.styles.max_width = widest or None
        self.lit = True
        self.title, self.note = title, "esc closes"
        self._shown = []

    def renew(self) -> None:
        """Draw what differs of a page that has changed."""
        self._made = 0
        self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        """Return the visible part of the page."""
        if self.page is None:
            return (), -1, 0
        if self._made != width:
            self._rows, self._made = self.page(width), width
        self.top = max(0, min(self.top, len(self._rows) - height))
        return self._rows[self.top : self.top + height], -1, len(self._rows)


def help_page(
    table: tuple[Command, ...] = KEYS,
    here: str = "",
    title: str = "",
    problems: Sequence[str] = (),
    signs: Groups = (),
) -> Page:
    """Return the help, in two columns where there is room.

    The keys of what is `here` come first, then the signs on the screen and the rest, last what is wrong with the keymap
    file.
    """

    def page(width: int) -> Sequence[Row]:
        halves = 2 if width >= 100 else 1
        column = width // halves - 1
        first, *rest = groups(table, here)
        named = (first, *signs, *rest)
        blocks = [_group_rows(heading or title, keys, column) for heading, keys in named]
        wrong = [
            Row("problem", spans)
            for problem in problems
            for spans in wrap_spans((Span("✗ ", "bad"), Span(problem, "bad")), width, 2)
        ]
        if wrong:
            wrong = [Row("problems", (Span("Wrong in the keymap file", "title"),)), *wrong]
        if halves == 1:
            return [*(Row("help", spans) for block in blocks for spans in block), *wrong]
        left: list[tuple[Span, ...]] = []
        right: list[tuple[Span, ...]] = []
        for block in blocks:
            (left if len(left) <= len(right) else right).extend(block)
        rows = []
        for place in range(max(len(left), len(right))):
            start = left[place] if place < len(left) else ()
            taken = sum(cells(span.text) for span in start)
            rows.append(
                Row("help", (*start, Span(" " * (column - taken + 1)), *(right[place] if place < len(right) else ())))
            )
        return [*rows, *wrong]

    return page


@lru_cache(maxsize=100)
def _group_rows(heading: str, keys: tuple[tuple[str, str], ...], width: int) -> tuple[tuple[Span, ...], ...]:
    rows: list[tuple[Span, ...]] = [(Span(heading, "title"),)]
    for key, words in keys:
        for number, part in enumerate(wrap_text(words, max(10, width - 13))):
            rows.append(
                cut_spans((Span(fit(key if not number else "", 10, "right"), "key"), Span("  "), Span(part)), width)
            )
    rows.append(())
    return tuple(rows)


def rules_page(ruleset: Ruleset, rules: Sequence[str]) -> Page:
    """Return the texts of some rules."""

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
