"""What is looked at on a map: cursor, overlays, sizes of squares, the window."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from tracker.core.fight.board import Board, Square, Trail

Squares: TypeAlias = frozenset[Square]
MARGIN = 3
"""Cells for the numbers of the rows."""
FEWEST = 3
"""Rows of squares that big ones leave at least."""
LEAST = 5
"""Lines of squares without which words below give way."""


class MapLook(Struct, frozen=True):
    """What is shown over the ground of a map.

    Attributes:
        cursor: the square under it.
        who: whose way and reach are shown, or None.
        active: whose turn it is, or None.
        reach: the squares that one can reach; None: not shown.
        threat: the squares its foes threaten; None: not shown.
        trail: the way to the cursor.
        area, title: squares of an area, and what it is.
        ruler, length: squares measured over, from the first to the last, and in words how far that is.
        sight: in words how `who` sees the combatant under the cursor.
        odds: in words what the plain attack on it comes to.
        fog: squares that players do not see.
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
    """How many cells a square takes across and down."""

    wide: int
    high: int


class Frame(Struct, frozen=True):
    """The part of a map that is shown.

    Attributes:
        scale: the size of its squares.
        left, top: its first column and row.
        columns, rows: how many of them.
        edge: cells beside the squares for who stands out of sight; 0: all columns are there.
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
    """Return the sizes of squares, by the letters of the longest label on the map.

    A small square holds a mark and the label, so that labels never run together.
    """
    return Scale(max(2, 1 + longest), 1), Scale(max(4, 2 + longest), 2), Scale(6, 3)


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

    `size` is the place of a size of squares that the GM has chosen, as far as there is room for more than a row or two;
    else they are as big as all of the board allows.
    The window stays where it was until the cursor leaves it. `words`: lines kept below the squares.
    """
    scales = scales_of(longest)
    room = max(1, height - 1 - (_words(height) if words is None else words))
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
        down = max(1, (room - 2) // scale.high)  # lines for those above and below
    held = was is not None and was.scale == scale
    left = _window(was.left if held and was is not None else -1, cursor[0], across, board.width)
    top = _window(was.top if held and was is not None else -1, cursor[1], down, board.height)
    return Frame(scale, left, top, min(across, board.width), min(down, board.height), edge)


def _words(height: int) -> int:
    """Return how many lines below the squares are kept for words."""
    most = 4 if height > 4 * LEAST else 3
    return most if height - 1 - most >= LEAST else 1 if height > LEAST else 0


def _window(first: int, cursor: int, shown: int, total: int) -> int:
    """Return the first column or row shown.

    The cursor keeps a square to the edge; where it leaves the window, it stands in the middle of the next one.
    """
    if first < 0 or not first + 1 <= cursor < first + shown - 1:
        near_edge = first >= 0 and first <= cursor < first + shown and (cursor in (0, total - 1) or shown <= 3)
        first = first if near_edge else cursor - shown // 2
    return max(0, min(first, total - shown))
