"""The part of a map that a pane shows, and marks for combatants outside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from tracker.core.fight.board import Board, Square, Trail
from tracker.views.maps.tokens import Token, Tokens
from tracker.views.words.spans import Row, Span, cut_spans

Squares: TypeAlias = frozenset[Square]
MARGIN = 3
"""Cells for the numbers of the rows."""
FEWEST = 3
"""Rows of squares at least, if squares are big."""
FEWEST_WORDS = 2
"""Lines of words below the map at least, if then all its rows fit on a low screen."""
LEAST = 5
"""Lines of squares at least, before words below the map are shown."""


class MapLook(Struct, frozen=True):
    """The overlays of a map.

    Attributes:
        who: the combatant whose path and reach are shown, or None.
        reach: the squares it can reach; None: not shown.
        threat: the squares its foes threaten; None: not shown.
        area, title: squares of an area, and its name.
        ruler, length: measured squares, from the first to the last, and the distance in words.
        sight: whether `who` sees the combatant under the cursor, in words.
        odds: the odds of the plain attack on it, in words.
    """

    cursor: Square
    who: str | None = None
    active: str | None = None
    reach: Squares | None = None
    threat: Squares | None = None
    trail: Trail | None = None
    area: Squares = frozenset()
    title: str = ""
    ruler: tuple[Square, ...] = ()
    length: str = ""
    sight: str = ""
    odds: str = ""
    fog: Squares = frozenset()


class Scale(Struct, frozen=True):
    """The cells of a square across and down."""

    wide: int
    high: int


class Frame(Struct, frozen=True):
    """The part of a map that is shown.

    Attributes:
        edge: cells beside the squares for combatants outside; 0: all columns are shown.
    """

    scale: Scale
    left: int
    top: int
    columns: int
    rows: int
    edge: int = 0

    @property
    def before(self) -> int:
        """The cells before the first square of a line."""
        return MARGIN + self.edge


def scales_of(longest: int) -> tuple[Scale, ...]:
    """Return the sizes of squares: the smallest has a mark and the longest label, the next one also a gap behind."""
    return Scale(max(2, 1 + longest), 1), Scale(max(3, 2 + longest), 1), Scale(max(4, 2 + longest), 2), Scale(6, 3)


def frame_of(
    board: Board,
    longest: int,
    cursor: Square,
    *,
    width: int,
    height: int,
    size: int | None,
    was: Frame | None,
    words: int | None = None,
) -> Frame:
    """Return the part of a board that is shown.

    `size` is the place of the size that the GM has chosen, made smaller until more than a row or two fit; None: the
    biggest size at which the whole board fits. The window stays until the cursor leaves it. `words`: lines below the
    squares.
    """
    scales = scales_of(longest)
    if words is None:
        most = _words(height)
        whole = height - 1 - board.height * scales[0].high
        words = whole if FEWEST_WORDS <= whole < most else most
    room = max(1, height - 1 - words)
    fitting = [
        place
        for place, scale in enumerate(scales)
        if board.width * scale.wide <= width - MARGIN and board.height * scale.high <= room
    ]
    roomy = [place for place, scale in enumerate(scales) if room - 2 >= FEWEST * scale.high]
    scale = scales[max(fitting, default=0) if size is None else min(size, max(roomy, default=0))]
    edge, across = 0, (width - MARGIN) // scale.wide
    if across < board.width:
        edge = longest + 3  # an arrow, a label, a plus and a blank
        across = max(1, (width - MARGIN - 2 * edge - 1) // scale.wide)
    down = max(1, room // scale.high)
    if down < board.height:
        down = max(1, (room - 2) // scale.high)  # lines for combatants above and below
    first = (was.left, was.top) if was is not None and was.scale == scale else (-1, -1)
    left, top = _window(first[0], cursor[0], across, board.width), _window(first[1], cursor[1], down, board.height)
    return Frame(scale, left, top, min(across, board.width), min(down, board.height), edge)


def _words(height: int) -> int:
    most = 4 if height > 4 * LEAST else 3
    return most if height - 1 - most >= LEAST else 1 if height > LEAST else 0


def _window(first: int, cursor: int, shown: int, total: int) -> int:
    """Return the first column or row shown, one square from the cursor, or around it once it leaves the window."""
    if first < 0 or not first + 1 <= cursor < first + shown - 1:
        near_edge = first >= 0 and first <= cursor < first + shown and (cursor in (0, total - 1) or shown <= 3)
        first = first if near_edge else cursor - shown // 2
    return max(0, min(first, total - shown))


def beside(here: Mapping[int, Token], frame: Frame) -> tuple[str, str]:
    """Return the nearest tokens west and east of the window in a row, with `+` for more of them."""
    west = [place for place, token in here.items() if place < frame.left and token.label]
    east = [place for place, token in here.items() if place >= frame.left + frame.columns and token.label]
    left = f"◂{here[max(west)].label}{_more(here, west)}" if west else ""
    right = f"{here[min(east)].label}{_more(here, east)}▸" if east else ""
    return left, right


def _more(here: Mapping[int, Token], places: list[int]) -> str:
    return "+" if len({here[place].who for place in places}) > 1 else ""


def above_or_below(tokens: Tokens, frame: Frame, width: int, *, above: bool) -> Row:
    """Return the combatants beyond the first or last row at their columns; corners name the nearest and a number."""
    last = frame.left + frame.columns - 1
    named = [token for token in tokens.listed if token.label]
    if above:
        out = [token for token in named if token.at[1] + token.space <= frame.top]
    else:
        out = [token for token in named if token.at[1] >= frame.top + frame.rows]
    out.sort(key=lambda token: (abs(token.at[1] - frame.top), token.at))
    west = [token for token in sorted(out, key=lambda token: token.at[0], reverse=True) if token.at[0] < frame.left]
    east = [token for token in sorted(out, key=lambda token: token.at[0]) if token.at[0] > last]
    size = frame.columns * frame.scale.wide
    first, end = (f"◂{_corner(west)}" if west else ""), (f"{_corner(east)}▸" if east else "")
    line = list((first + end.rjust(size - len(first)))[:size])
    left_over = 0
    for token in (token for token in out if frame.left <= token.at[0] <= last):
        start = _free(line, (token.at[0] - frame.left) * frame.scale.wide + 1, len(token.label))
        if start is None:
            left_over += 1
        else:
            line[start : start + len(token.label)] = token.label
    arrow = ("↑" if above else "↓") if out else " "
    text = arrow.rjust(2).ljust(frame.before) + "".join(line) + (f" +{left_over}" if left_over else "")
    return Row("above" if above else "below", cut_spans((Span(text.rstrip(), "dim"),), width))


def _corner(tokens: list[Token]) -> str:
    return f"{tokens[0].label}+{len(tokens) - 1}" if len(tokens) > 1 else tokens[0].label


def _free(line: list[str], wanted: int, size: int) -> int | None:
    """Return the nearest place at which `size` cells and one on each side are blank."""
    for off in range(len(line)):
        for start in (wanted - off, wanted + off) if off else (wanted,):
            around = line[max(0, start - 1) : start + size + 1]
            if 0 <= start <= len(line) - size and not "".join(around).strip():
                return start
    return None
