"""Rows of styled text, and their widths.

A row is plain data: no markup, no terminal codes. Widths are counted in terminal cells, so wide and combining
characters keep the columns straight. Every text from a file or a person passes `text.clean` before it becomes a span.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

Align: TypeAlias = Literal["left", "right"]
MORE = "…"


class Span(Struct, frozen=True, gc=False):
    """A piece of one line in one style.

    Styles: "" plain, `dim`, `strong`, `good`, `bad`, `warn`, `players`, `ally`, `gm`, `typed`, `rule`, `cursor`,
        `past`, `title`, `trial`, `code` (for cameras).
    """

    text: str
    style: str = ""


class Row(Struct, frozen=True, gc=False):
    """One line of a pane.

    Attributes: key: whose or what it is, for the cursor: a combatant's id, a slot's id, `<step>:<line>` in the log.
        spans: what it shows, at most as wide as asked for. state: "", `current`, `done`, `acting`, `down`, `past`,
        `trial`; also `head` for headings and `refused` for what is not possible. rules: ids of the rules behind it, the
        first the one shown. about: in the log, the key of the answer it tells of.
    """

    key: str
    spans: tuple[Span, ...]
    state: str = ""
    rules: tuple[str, ...] = ()
    about: str = ""

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


# The later letters of a Hangul syllable, Hangul fillers and skin tones sit on the character before.
_NO_CELL = ((0x1160, 0x11FF), (0x3164, 0x3164), (0xD7B0, 0xD7FF), (0xFFA0, 0xFFA0), (0x1F3FB, 0x1F3FF))
# Symbols that became wide after the Unicode version of this Python.
_TWO_CELLS = ((0x2630, 0x2637), (0x268A, 0x268F), (0x4DC0, 0x4DFF), (0x1D300, 0x1D376))


class _Widths(dict[str, int]):
    """Cells of each character met so far."""

    def __missing__(self, character: str) -> int:
        cell = self[character] = _cells_of(character)
        return cell


_WIDTHS = _Widths()
_RUNS = re.compile(r" +|[^ ]+")


def _cells_of(character: str) -> int:
    code = ord(character)
    if unicodedata.category(character) in {"Mn", "Me", "Mc"} or any(first <= code <= last for first, last in _NO_CELL):
        return 0
    if unicodedata.east_asian_width(character) in {"W", "F"} or any(
        first <= code <= last for first, last in _TWO_CELLS
    ):
        return 2
    return 1


def cells(text: str) -> int:
    return len(text) if text.isascii() else sum(map(_WIDTHS.__getitem__, text))


def cut(text: str, width: int) -> str:
    """Return a text, cut to the width with `…`."""
    if len(text) <= width and (text.isascii() or cells(text) <= width):
        return text
    if width <= 0:
        return ""
    if text.isascii():
        return text[: width - 1] + MORE
    return text[: _reach(text, width - 1)] + MORE if cells(text) > width else text


def cut_name(text: str, width: int) -> str:
    """Return a name, cut to the width before its number: `Void Cor… 12`."""
    first, _, number = text.rpartition(" ")
    if not number.isdigit() or cells(text) <= width or width < len(number) + 5:
        return cut(text, width)
    short = cut(first, width - len(number) - 1)
    return f"{short} {number}"


_COUNT = re.compile(r"(?: ×| on )−?\d+$")


def cut_end(text: str, width: int) -> str:
    """Return a text, cut to the width before its count: `longbow → Gale… ×3`."""
    count = _COUNT.search(text)
    if count is None or cells(text) <= width or width < cells(count[0]) + 5:
        return cut(text, width)
    return cut(text[: count.start()], width - cells(count[0])) + count[0]


def _reach(text: str, width: int) -> int:
    """Return the number of characters of a text that fit into a width."""
    taken = 0
    for place, character in enumerate(text):
        taken += _WIDTHS[character]
        if taken > width:
            return place
    return len(text)


def fit(text: str, width: int, align: Align = "left") -> str:
    """Return a text cut or padded with blanks to exactly this width."""
    if text.isascii():
        if len(text) > width:
            return text[: width - 1] + MORE if width > 0 else ""
        return text.ljust(width) if align == "left" else text.rjust(width)
    shown = cut(text, width)
    blanks = " " * (width - cells(shown))
    return shown + blanks if align == "left" else blanks + shown


def width_of(spans: Iterable[Span]) -> int:
    taken = 0
    for span in spans:
        text = span.text
        taken += len(text) if text.isascii() else cells(text)
    return taken


def cut_spans(spans: Sequence[Span], width: int) -> tuple[Span, ...]:
    """Return spans, cut to the width with `…`."""
    if width_of(spans) <= width:
        return tuple(spans)
    kept: list[Span] = []
    left = width
    for span in spans:
        size = cells(span.text)
        if size < left:
            kept.append(span)
            left -= size
            continue
        if left > 0:
            short = span.text[: _reach(span.text, left - 1)] + MORE
            kept.append(Span(short, span.style))
        break
    return tuple(kept)


def spread(left: Sequence[Span], right: Sequence[Span], width: int) -> tuple[Span, ...]:
    """Return spans at the left edge, cut if necessary, and spans at the right edge of a line."""
    end = cut_spans(right, width)
    if not end:
        return cut_spans(left, width)
    start = cut_spans(left, max(0, width - width_of(end) - 1))
    return (*start, Span(" " * (width - width_of(start) - width_of(end))), *end)


def join(parts: Iterable[Sequence[Span]], between: str = "  ") -> tuple[Span, ...]:
    """Return groups of spans with a plain text between each two, without empty groups."""
    joined: list[Span] = []
    for part in parts:
        if part:
            joined += [Span(between), *part] if joined else part
    return tuple(joined)


def line(key: str, text: str, width: int, style: str = "", state: str = "", rules: tuple[str, ...] = ()) -> Row:
    return Row(key, (Span(cut(text, width), style),), state, rules)


def wrap_text(text: str, width: int) -> tuple[str, ...]:
    return tuple("".join(span.text for span in spans) for spans in wrap_spans((Span(text),), width))


def wrap_spans(spans: Sequence[Span], width: int, indent: int = 0) -> tuple[tuple[Span, ...], ...]:
    """Return spans in lines, those after the first indented; words longer than a line are broken."""
    if width_of(spans) <= width:
        return (tuple(spans),)
    width = max(width, 2)  # a wide character must fit, or nothing could be said at all
    indent = min(indent, width // 2, width - 2)
    lines: list[list[tuple[str, str]]] = [[]]
    left, fresh = width, True
    for text, style, size, whole in _pieces(spans):
        if text[0] == " ":
            if size <= left and (not fresh or len(lines) == 1):
                lines[-1].append((text, style))
                left -= size
                fresh = False
            continue
        if whole > left and not fresh:
            if text == "·" and whole == size:  # the end of the line parts as well
                continue
            lines.append([(" " * indent, "")] if indent else [])
            left = width - indent
        while size > left:
            reach = _reach(text, left)
            lines[-1].append((text[:reach], style))
            text = text[reach:]
            size = cells(text)
            lines.append([(" " * indent, "")] if indent else [])
            left = width - indent
        lines[-1].append((text, style))
        left -= size
        fresh = False
    return tuple([_merged(pieces) for pieces in lines if pieces])


def _pieces(spans: Sequence[Span]) -> list[tuple[str, str, int, int]]:
    """Return words and blanks in pieces of one style, each with its cells and, where a word begins, those of it all."""
    pieces: list[tuple[str, str, int, int]] = []
    first = -1
    for span in spans:
        style, begins = span.style, True
        for text in _RUNS.findall(span.text):
            size = len(text) if text.isascii() else cells(text)
            if begins and first >= 0 and text[0] != " ":
                start = pieces[first]
                pieces[first] = (*start[:3], start[3] + size)
                pieces.append((text, style, size, 0))
            else:
                first = len(pieces) if text[0] != " " else -1
                pieces.append((text, style, size, size))
            begins = False
    return pieces


def _merged(pieces: list[tuple[str, str]]) -> tuple[Span, ...]:
    while len(pieces) > 1 and pieces[-1][0].isspace():
        pieces.pop()
    merged: list[Span] = []
    text, style = pieces[0]
    for more, another in pieces[1:]:
        if another == style:
            text += more
        else:
            merged.append(Span(text, style))
            text, style = more, another
    merged.append(Span(text, style))
    return tuple(merged)
