"""The layout of the panes of a fight.

Heights follow the content, unless the GM has pulled an edge: the lists get the lines they fill, log and action pane get
the rest. If there is room, map and combatants are side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

BARS = 2
"""The lines of header and footer."""
FRAME, HEADING = 2, 1
LEAST_ABOVE, LEAST_BELOW = 5, 8
NARROW, MAPPED, WIDE = 100, 112, 160
"""The least columns of a screen that is not narrow, that has a map beside the combatants, and that is wide."""
LOW = 32
"""A narrow screen with fewer lines that shows the map shows only the map and the action pane."""
BELOW_ALONE = 6
"""Lines of the action pane below such a map."""
LEAST_WIDTH = 16
NAMES, MIDDLE_AT_MOST, MIDDLE = 52, 86, 60
"""Columns of the combatants: at least beside a map of squares; at most and at least beside a line of distances."""
BLOCK, BLOCK_LINES, BLOCK_BESIDE_MAP = 44, 26, 220
SQUARES = ((6, 3), (4, 2), (4, 1), (3, 1))
"""Columns and lines of a square of a map, the biggest first."""
AROUND_MAP = (7, 7)
"""Columns and lines of the map's pane around the squares: frame, numbers, words below."""
AROUND_LINE = 12
"""Lines of a map of distances besides its combatants: frame, axis, tokens, zones and signs."""
BELOW_MAP = 4
"""Lines that a map leaves to the panes below it in addition to their minimum."""
DUE = 3
"""Most lines of the calendar."""
STEP = 2
"""Lines by which the lists grow and shrink: panes that move at each fallen combatant tire the eye."""

Edge: TypeAlias = Literal["above", "order", "map", "block", "console"]
"""The edges that can be pulled: the height of the upper panes, or the width of one pane."""


Rectangle: TypeAlias = tuple[int, int, int, int]
"""Column, line, width and height."""


class Overrides(Struct, frozen=True):
    """The sizes that the GM has set, 0: not set; `above` in thousandths of the height, the others in columns."""

    above: int = 0
    order: int = 0
    map: int = 0
    block: int = 0
    console: int = 0


class Content(Struct, frozen=True):
    """The content that decides the layout: the numbers of rows of combatants and of sides, and the map.

    The other rows of the order change too often to move panes. `map`: the map is shown, not the combatants. `squares`:
    the columns and rows of a map of squares. `used`: the map is shown, and the map or the action pane has the keys.
    """

    roster: int
    sides: int
    board: bool = False
    map: bool = False
    used: bool = False
    squares: tuple[int, int] = (0, 0)


class Layout(Struct, frozen=True):
    """The height of the upper panes, and the width of each pane; 0: it is not shown, or takes the rest.

    Attributes:
        beside: whether map and combatants are side by side.
        lowered: whether the order is in the lower row, so that combatants and map have the upper row.
        alone: whether only map and action pane are shown, one above the other.
    """

    above: int
    order: int
    console: int
    block: int = 0
    map: int = 0
    beside: bool = False
    lowered: bool = False
    alone: bool = False


def compute_layout(width: int, height: int, content: Content, sizes: Overrides) -> Layout:
    total = max(2, height - BARS)
    if content.squares != (0, 0):
        if width >= MAPPED:
            return _beside_squares(width, total, content, sizes)
        if content.used and width < NARROW and height < LOW:
            return Layout(max(total // 2, total - BELOW_ALONE), 0, 0, alone=True)
    order = 25 if width < NARROW else 30 if width < WIDE else 36
    console = 38 if width < NARROW else 46 if width < WIDE else 64
    order = _within(sizes.order or order, LEAST_WIDTH, width // 2)
    console = _within(sizes.console or console, LEAST_WIDTH, width - LEAST_WIDTH)
    beside = content.board and width >= WIDE
    shown = width >= (BLOCK_BESIDE_MAP if beside else WIDE)
    block = _within(sizes.block or BLOCK, LEAST_WIDTH, width // 3) if shown else 0
    middle = width - order - block
    above = _above(total, content, sizes, narrow=width < NARROW, beside=beside, block=shown)
    across = 0
    if beside:
        across = sizes.map or middle - min(MIDDLE_AT_MOST, max(MIDDLE, middle * 5 // 9))
        across = _within(across, LEAST_WIDTH, middle - LEAST_WIDTH)
    return Layout(above, order, console, block=block, map=across, beside=beside)


def _beside_squares(width: int, total: int, content: Content, sizes: Overrides) -> Layout:
    """Return the layout with combatants, map and perhaps stat block above; order, action pane and log below.

    The combatants keep room for names and numbers; the map gets the biggest squares that fit.
    """
    wide = width >= WIDE
    order = _within(sizes.order or (34 if wide else 24), LEAST_WIDTH, width // 3)
    console = _within(sizes.console or (56 if wide else 46), LEAST_WIDTH, width - order - LEAST_WIDTH)
    across, down = content.squares
    shown = width >= NAMES + BLOCK + across * SQUARES[-2][0] + AROUND_MAP[0]
    block = _within(sizes.block or BLOCK, LEAST_WIDTH, width // 3) if shown else 0
    middle, most = width - block, total - LEAST_BELOW - BELOW_MAP
    fitting = [
        (across * square[0] + AROUND_MAP[0], down * square[1] + AROUND_MAP[1])
        for square in SQUARES
        if across * square[0] + AROUND_MAP[0] <= middle - NAMES and down * square[1] + AROUND_MAP[1] <= most
    ]
    map_width, map_lines = fitting[0] if fitting else (middle - NAMES, down + AROUND_MAP[1])
    map_width = _within(sizes.map or map_width, LEAST_WIDTH, middle - LEAST_WIDTH)
    low = min(LEAST_ABOVE, total // 2)
    wanted = max(content.roster + HEADING + FRAME, map_lines, min(BLOCK_LINES + FRAME, total // 2) if block else 0)
    above = round(total * sizes.above / 1000) if sizes.above else min(wanted + wanted % STEP, most)
    above = _within(above, low, total - low)
    return Layout(above, order, console, block=block, map=map_width, beside=True, lowered=True)


def rectangles(
    places: Layout, width: int, height: int, upper: Sequence[str], lower: Sequence[str]
) -> dict[str, Rectangle]:
    """Return the rectangle of each pane by name, without header and footer; panes of width 0 share the rest."""
    above = max(0, min(places.above, height - 1))
    result: dict[str, Rectangle] = {}
    for row, top, lines in ((upper, 0, above), (lower, above, height - above)):
        cells = {name: getattr(places, name, 0) for name in row}
        free = [name for name in row if not cells[name]] or list(row[-1:])
        rest = max(0, width - sum(cells[name] for name in row if name not in free))
        cells |= {name: rest * (place + 1) // len(free) - rest * place // len(free) for place, name in enumerate(free)}
        left = 0
        for name in row:
            result[name] = (left, top, cells[name], lines)
            left += cells[name]
    return result


def _above(total: int, content: Content, sizes: Overrides, *, narrow: bool, beside: bool, block: bool) -> int:
    low = min(LEAST_ABOVE, total // 2)
    if sizes.above:
        return _within(round(total * sizes.above / 1000), low, total - low)
    most = max(low, total - max(LEAST_BELOW + 1, total // 3))
    order = content.sides + DUE + (0 if narrow else content.roster)  # a narrow order shows no members
    wanted = max(content.roster + HEADING, order) + FRAME
    wanted += wanted % STEP
    if block:
        wanted = max(wanted, min(BLOCK_LINES + FRAME, total // 2))
    if beside or content.map:
        wanted = max(wanted, min(total * 3 // 5, content.roster + AROUND_LINE if beside else total))
    return _within(wanted, low, most)


def _within(value: int, low: int, high: int) -> int:
    return max(low, min(value, max(low, high)))


def resized(sizes: Overrides, places: Layout, edge: Edge, by: int, height: int) -> Overrides:
    if edge == "above":
        total = max(2, height - BARS)
        return replace(sizes, above=max(1, round(1000 * (places.above + by) / total)))
    sign = 1 if edge in ("order", "console") else -1  # the other panes are right of their edge
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
