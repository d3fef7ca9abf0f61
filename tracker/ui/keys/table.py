"""Views of the table of commands: by key, footer and help; only commands with a call can be remapped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias, get_args

from msgspec.structs import replace

from tracker.ui.keys.command import Command, Footer, Line, On
from tracker.ui.keys.commands import COMMANDS
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, wrap_spans, wrap_text

# fmt: off
NAMES = {
    "exclamation_mark": "!", "quotation_mark": '"', "number_sign": "#", "dollar_sign": "$", "percent_sign": "%",
    "ampersand": "&", "apostrophe": "'", "left_parenthesis": "(", "right_parenthesis": ")", "asterisk": "*",
    "plus": "+", "comma": ",", "minus": "-", "full_stop": ".", "slash": "/", "colon": ":", "semicolon": ";",
    "less_than_sign": "<", "equals_sign": "=", "greater_than_sign": ">", "question_mark": "?", "at": "@",
    "left_square_bracket": "[", "backslash": "\\", "right_square_bracket": "]", "circumflex_accent": "^",
    "underscore": "_", "grave_accent": "`", "left_curly_bracket": "{", "vertical_line": "|",
    "right_curly_bracket": "}", "tilde": "~", "pageup": "page up", "pagedown": "page down", "escape": "esc",
}
# fmt: on
"""The shown names of keys, if they differ from the names in Textual."""


@lru_cache(maxsize=1000)
def called(key: str) -> str:
    before, plus, last = key.rpartition("+")
    return NAMES.get(key) or before + plus + NAMES.get(last, last)


def face(key: str) -> str:
    return called(key.partition(",")[0])


KEYS: tuple[Command, ...] = tuple(command for command in COMMANDS if command.key)
"""Every command that has a key, in the order of footer and help."""
UNKEYED: tuple[Command, ...] = tuple(command for command in COMMANDS if not command.key)
"""The commands that are only in the palette."""

FOOTERS: tuple[Footer, ...] = get_args(Footer)

_TRIED_FIRST = ("damage", "heal", "set", "status")
_TYPED = {command.id: command.line for command in KEYS if command.line is not None}
LINES: Mapping[str, Line] = {name: _TYPED[name] for name in dict.fromkeys((*_TRIED_FIRST, *_TYPED))}
"""The lines of the GM commands, in the order in which a command line tries their names."""


@lru_cache(maxsize=8)
def faces(table: tuple[Command, ...] = KEYS) -> Mapping[str, str]:
    return {command.id: face(command.key) for command in table if command.call}


def key_of(name: str, table: tuple[Command, ...] = KEYS) -> str:
    return next(face(command.key) for command in table if command.id == name)


def described(command: Command, table: tuple[Command, ...] = KEYS) -> str:
    return command.description.format_map(faces(table)) if "{" in command.description else command.description


def on(screen: On, table: tuple[Command, ...] = KEYS) -> tuple[Command, ...]:
    return tuple(command for command in table if screen in command.screens)


def usable(table: tuple[Command, ...], board: bool) -> tuple[Command, ...]:
    return tuple(command for command in table if board or not command.board)


def commands(table: tuple[Command, ...] = KEYS, screen: On = "fight") -> dict[str, Command]:
    return {name: command for command in on(screen, table) if command.call for name in command.key.split(",")}


def remapped(keymap: Mapping[str, str]) -> tuple[Command, ...]:
    return tuple(replace(row, key=keymap.get(row.id, row.key)) for row in KEYS) if keymap else KEYS


LEAVING = frozenset(command.id for command in COMMANDS if command.key == "escape")
"""The commands that close the open mode or page."""


def footer(place: Footer, table: tuple[Command, ...] = KEYS) -> tuple[tuple[str, str], ...]:
    """Return the keys of a footer with their words; at the end Escape, help and quit."""
    named = [(command, word) for command in table for where, word in command.footers if where == place]
    named.sort(key=lambda pair: 1 if pair[0].id in LEAVING else {"help": 2, "quit": 3}.get(pair[0].id, 0))
    return tuple((command.key.partition(",")[0], word) for command, word in named)


def groups(table: tuple[Command, ...] = KEYS, here: str = "") -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return the help, each heading with its keys; the keys of the pane or place `here` come first, without heading."""
    near = [command for command in table if here in command.help_for]
    rest = [command for command in table if command not in near]
    headings = dict.fromkeys(command.group for command in rest)
    first = (("", _lines(near, table)),) if near else ()
    return (*first, *((heading, _lines([row for row in rest if row.group == heading], table)) for heading in headings))


def _lines(listed: list[Command], table: tuple[Command, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((face(command.key), described(command, table)) for command in listed)


Groups: TypeAlias = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""Headings, each with its lines: a key or a sign, and its meaning."""


def help_page(
    table: tuple[Command, ...] = KEYS,
    here: str = "",
    title: str = "",
    problems: Sequence[str] = (),
    signs: Groups = (),
) -> Callable[[int], Sequence[Row]]:
    """Return the help page, in two columns if there is room.

    The keys of the pane or place `here` come first, then the signs on the screen and the other keys, last the problems
    of the keymap file.
    """

    def page(width: int) -> Sequence[Row]:
        halves = 2 if width >= 100 else 1
        column = width // halves - 1
        first, *rest = groups(table, here)
        named = (first, *signs, *rest)
        blocks = [_group_rows(head or title, lines, column, (head, lines) not in signs) for head, lines in named]
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
            end = right[place] if place < len(right) else ()
            rows.append(Row("help", (*start, Span(" " * (column - taken + 1)), *end)))
        return [*rows, *wrong]

    return page


@lru_cache(maxsize=100)
def _group_rows(
    heading: str, keys: tuple[tuple[str, str], ...], width: int, pressed: bool
) -> tuple[tuple[Span, ...], ...]:
    """Return a heading and its lines; keys, which can be `pressed`, have the colour of keys, signs have none."""
    rows: list[tuple[Span, ...]] = [(Span(heading, "title"),)]
    for key, words in keys:
        for number, part in enumerate(wrap_text(words, max(10, width - 13))):
            face = fit(key if not number else "", 10, "right")
            rows.append(cut_spans((Span(face, "key" if pressed else "strong"), Span("  "), Span(part)), width))
    rows.append(())
    return tuple(rows)
