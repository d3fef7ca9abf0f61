"""Squares of five feet: footprints, distances, areas, and the terrain of a map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

Square: TypeAlias = tuple[int, int]
Ground: TypeAlias = Literal["open", "difficult", "wall", "chasm"]

FEET = 5
GROUNDS: dict[str, Ground] = {"open": "open", "difficult": "difficult", "wall": "wall", "chasm": "chasm"}
LEGEND: dict[str, Ground] = {".": "open", "#": "wall", "~": "difficult", "o": "chasm"}


class Body(Struct, frozen=True, gc=False):
    """A footprint of `space` squares a side, by its north-west square."""

    at: Square
    space: int = 1


class Terrain(Struct, frozen=True, dict=True, cache_hash=True):
    """A map: the ground and the height of every square, rows from the north; its hash is cached."""

    rows: tuple[tuple[Ground, ...], ...]
    heights: tuple[tuple[int, ...], ...]

    @cached_property
    def clear(self) -> frozenset[Square]:
        """The squares that do not block sight (a memo)."""
        return frozenset([(x, y) for y, row in enumerate(self.rows) for x, kind in enumerate(row) if kind != "wall"])

    @cached_property
    def width(self) -> int:
        """Squares from west to east."""
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        """Squares from north to south."""
        return len(self.rows)

    def inside(self, square: Square) -> bool:
        """Tell whether a square is on the map."""
        return 0 <= square[0] < self.width and 0 <= square[1] < len(self.rows)

    def ground(self, square: Square) -> Ground:
        """Return the ground of a square; outside the map it is wall."""
        return self.rows[square[1]][square[0]] if self.inside(square) else "wall"

    def solid(self, square: Square) -> bool:
        """Tell whether a square blocks sight."""
        return square not in self.clear

    def passable(self, square: Square) -> bool:
        """Tell whether a square can be entered at all."""
        return self.ground(square) in ("open", "difficult")

    def feet_up(self, square: Square) -> int:
        """Return the height of a square."""
        return self.heights[square[1]][square[0]] if self.inside(square) else 0

    def level(self, body: Body) -> int:
        """Return the height of the highest square below a body."""
        return max(self.feet_up(square) for square in footprint(body))


@cache
def footprint(body: Body) -> tuple[Square, ...]:
    """Return every square a body covers."""
    (x, y), space = body.at, body.space
    return tuple((x + dx, y + dy) for dy in range(space) for dx in range(space))


def distance(one: Body, other: Body) -> int:
    """Return the distance in feet between the nearest squares of two bodies."""
    (x, y), (other_x, other_y) = one.at, other.at
    across = other_x - x - one.space if other_x > x else x - other_x - other.space
    along = other_y - y - one.space if other_y > y else y - other_y - other.space
    apart = across if across > along else along
    return FEET * (apart + 1) if apart >= 0 else 0


def adjacent(one: Body, other: Body) -> bool:
    """Tell whether two bodies share an edge, a corner or a square."""
    return distance(one, other) <= FEET


def area(corner: Square, radius: int, ground: Terrain | None = None) -> tuple[Square, ...]:
    """Return the squares within a radius in feet of a grid corner: a square with sides of twice the radius.

    With a map, squares outside it are left out.
    """
    (west, east), (north, south) = _sides(corner, radius)
    if ground is not None:
        west, east, north, south = max(west, 0), min(east, ground.width), max(north, 0), min(south, ground.height)
    return tuple((column, row) for row in range(north, south) for column in range(west, east))


def caught(body: Body, corner: Square, radius: int) -> bool:
    """Tell whether any square of a body is in the area around a grid corner."""
    return all(
        low < start + body.space and start < high
        for start, (low, high) in zip(body.at, _sides(corner, radius), strict=True)
    )


def _sides(corner: Square, radius: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the first column and the column after the last, then the same for rows."""
    reach = radius // FEET
    return (corner[0] - reach, corner[0] + reach), (corner[1] - reach, corner[1] + reach)


def read_terrain(grid: str, legend: Mapping[str, str], elevation: Mapping[str, int]) -> Terrain:
    """Parse a typed map: rows, a legend of glyphs, heights such as `0-5,0: 10`.

    Raises:
        ValueError: a glyph without a meaning, an unknown ground, or squares that are no squares.
    """
    known = {**LEGEND, **{glyph: _ground(glyph, word) for glyph, word in legend.items()}}
    lines = [line.rstrip() for line in grid.strip("\n").splitlines()]
    width = max((len(line) for line in lines), default=0)
    rows = []
    for number, line in enumerate(lines):
        if unknown := [glyph for glyph in line if glyph not in known and glyph != " "]:
            raise ValueError(f'grid: row {number}: "{unknown[0]}" is not in the legend')
        rows.append(tuple(known.get(glyph, "wall") for glyph in line.ljust(width)))
    heights = [[0] * width for _ in rows]
    for squares, feet in elevation.items():
        for x, y in _squares(squares):
            if not (0 <= x < width and 0 <= y < len(rows)):
                raise ValueError(f"elevation: {squares} is not on the map")
            heights[y][x] = feet
    return Terrain(tuple(rows), tuple(tuple(row) for row in heights))


def _ground(glyph: str, word: str) -> Ground:
    if len(glyph) != 1:
        raise ValueError(f'legend: "{glyph}" is not one sign')
    if word not in GROUNDS:
        raise ValueError(f'legend: "{word}" is no ground ({", ".join(GROUNDS)})')
    return GROUNDS[word]


def _squares(text: str) -> Iterator[Square]:
    parts = text.split(",")
    if len(parts) != 2:
        raise ValueError(f'elevation: "{text}" is no square, such as "3,4" or "0-5,0"')
    columns, rows = (list(_range(part, text)) for part in parts)
    yield from ((x, y) for y in rows for x in columns)


def _range(part: str, text: str) -> Iterable[int]:
    first, _, last = part.strip().partition("-")
    if not first.isdigit() or (last and not last.isdigit()):
        raise ValueError(f'elevation: "{text}" is no square, such as "3,4" or "0-5,0"')
    return range(int(first), min(int(last or first), int(first) + 1000) + 1)
