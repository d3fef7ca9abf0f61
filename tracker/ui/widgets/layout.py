"""Where the panes of a fight stand.

Heights follow what they hold, unless the GM has pulled an edge: the lists get the lines they fill, log and action pane
the rest. On a wide screen map and combatants stand side by side.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

BARS = 2
"""The lines of header and footer."""
FRAME, HEADING = 2, 1
LEAST_ABOVE, LEAST_BELOW = 5, 8
NARROW, WIDE = 100, 160
"""Columns from which a screen is no longer narrow, and from which it is wide."""
LEAST_WIDTH = 16
MIDDLE_AT_MOST, MIDDLE = 84, 60
"""Cells of the combatants beside a map."""
BLOCK, BLOCK_LINES, BLOCK_BESIDE_MAP = 44, 26, 220
SQUARES = ((6, 3), (4, 2))
"""Cells of the bigger squares of a map, the biggest first."""
AROUND_MAP = (7, 7)
"""Cells and lines of its pane around the squares: frame, numbers, words below."""
DUE = 3
"""Lines of the calendar there is room for."""
STEP = 2
"""Lines by which the lists grow and shrink: panes that jump with each who falls tire the eye."""

Edge: TypeAlias = Literal["above", "order", "map", "block", "console"]
"""What an edge can be pulled of: the height of the panes above, or the width of one pane."""


class Overrides(Struct, frozen=True):
    """What the GM has set, 0 for nothing: thousandths of the screen above, cells for the others."""

    above: int = 0
    order: int = 0
    map: int = 0
    block: int = 0
    console: int = 0


class Content(Struct, frozen=True):
    """What the lists hold, and whether a map is there and looked at.

    The rows of the combatants, and the sides. What the order shows besides changes too often to move panes for it.
    `squares`: how many a map has across and down, if it is one of squares.
    """

    roster: int
    sides: int
    board: bool = False
    map: bool = False
    squares: tuple[int, int] = (0, 0)


class Layout(Struct, frozen=True):
    """How high the panes above are, and how wide each is; 0: it is not shown, or takes what is left."""

    above: int
    order: int
    console: int
    block: int = 0
    map: int = 0
    beside: bool = False


def compute_layout(width: int, height: int, content: Content, sizes: Overrides) -> Layout:
    total = max(2, height - BARS)
    order = 25 if width < NARROW else 30 if width < WIDE else 36
    console = 38 if width < NARROW else 46 if width < WIDE else 64
    order = _within(sizes.order or order, LEAST_WIDTH, width // 2)
    console = _within(sizes.console or console, LEAST_WIDTH, width - LEAST_WIDTH)
    beside = content.board and width >= WIDE
    shown = width >= (BLOCK_BESIDE_MAP if beside else WIDE)
    block = _within(sizes.block or BLOCK, LEAST_WIDTH, width // 3) if shown else 0
    middle = width - order - block
    above = _above(total, content, sizes, narrow=width < NARROW, mapped=beside or content.map, block=shown)
    across = 0
    if beside:
        across = sizes.map or _map_width(middle, above, content.squares)
        across = _within(across, LEAST_WIDTH, middle - LEAST_WIDTH)
    return Layout(above, order, console, block=block, map=across, beside=beside)


def _map_width(middle: int, height: int, squares: tuple[int, int]) -> int:
    """Return the cells of a map beside the combatants: half, or what bigger squares take if the names allow it."""
    half = middle - min(MIDDLE_AT_MOST, max(MIDDLE, middle // 2))
    for wide, high in SQUARES:
        needed = squares[0] * wide + AROUND_MAP[0]
        if squares[1] * high + AROUND_MAP[1] <= height and half < needed <= middle - MIDDLE:
            return needed
        if squares[1] * high + AROUND_MAP[1] <= height and needed <= half:
            break  # there is room for them anyway
    return half


def _above(total: int, content: Content, sizes: Overrides, *, narrow: bool, mapped: bool, block: bool) -> int:
    low = min(LEAST_ABOVE, total // 2)
    if sizes.above:
        return _within(round(total * sizes.above / 1000), low, total - low)
    most = max(low, total - max(LEAST_BELOW + 1, total // 3))
    order = content.sides + DUE + (0 if narrow else content.roster)  # a narrow one leaves its members to the other pane
    wanted = max(content.roster + HEADING, order) + FRAME
    wanted += wanted % STEP
    if block:
        wanted = max(wanted, min(BLOCK_LINES + FRAME, total // 2))
    if mapped:
        wanted = max(wanted, total * 3 // 5)
    return _within(wanted, low, most)


def _within(value: int, low: int, high: int) -> int:
    return max(low, min(value, max(low, high)))


def resized(sizes: Overrides, places: Layout, edge: Edge, by: int, height: int) -> Overrides:
    if edge == "above":
        total = max(2, height - BARS)
        return replace(sizes, above=max(1, round(1000 * (places.above + by) / total)))
    sign = 1 if edge in ("order", "console") else -1  # the others stand right of their edge
    return replace(sizes, **{edge: max(LEAST_WIDTH, getattr(places, edge) + sign * by)})


def written(sizes: Overrides, **more: str) -> str:
    kept = {name: getattr(sizes, name) for name in Overrides.__struct_fields__ if getattr(sizes, name)}
    return " ".join(f"{name}={value}" for name, value in {**kept, **more}.items() if value)


def read_sizes(text: str) -> tuple[Overrides, dict[str, str]]:
    words = dict(word.split("=", 1) for word in text.split() if word.count("=") == 1)
    known = {
        name: int(words.pop(name))
        for name in Overrides.__struct_fields__
        if words.get(name, "").isascii() and words.get(name, "").isdigit() and len(words[name]) < 5
    }
    return Overrides(**known), words
