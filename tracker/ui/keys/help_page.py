"""The page that lists every key and sign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from tracker.ui.keys.command import Command
from tracker.ui.keys.table import KEYS, groups
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, wrap_spans, wrap_text

Groups: TypeAlias = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""Headings, each with its lines: a key or a sign, and what it does or means."""


def help_page(
    table: tuple[Command, ...] = KEYS,
    here: str = "",
    title: str = "",
    problems: Sequence[str] = (),
    signs: Groups = (),
) -> Callable[[int], Sequence[Row]]:
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
