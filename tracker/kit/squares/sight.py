"""Line of sight and cover in plan view, in whole numbers only.

Lengths are doubled, so that corners have even and centres any whole coordinates. Squares outside the map are solid,
creatures are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from tracker.kit.squares.grid import FEET, Body, Square, Terrain, area, distance, footprint

Cover: TypeAlias = Literal["none", "half", "full"]
Point: TypeAlias = tuple[int, int]
Quadrant: TypeAlias = tuple[int, int]


def _corners(body: Body) -> tuple[tuple[Point, Quadrant], ...]:
    """Return the outer corners of a footprint, each with the direction of the footprint."""
    left, top = 2 * body.at[0], 2 * body.at[1]
    right, bottom = left + 2 * body.space, top + 2 * body.space
    return (((left, top), (1, 1)), ((right, top), (-1, 1)), ((left, bottom), (1, -1)), ((right, bottom), (-1, -1)))


def _points(body: Body) -> tuple[tuple[Point, Quadrant | None], ...]:
    return (*_corners(body), ((2 * body.at[0] + body.space, 2 * body.at[1] + body.space), None))


def blocked(
    terrain: Terrain, start: Point, end: Point, own: Quadrant | None = None, theirs: Quadrant | None = None
) -> bool:
    """Tell whether a segment between doubled points is blocked; the quadrants are the sides of the ends' squares."""
    return (
        _enters(terrain, start, end) or _runs_along(terrain, start, end) or _squeezes(terrain, start, end, own, theirs)
    )


def _enters(terrain: Terrain, start: Point, end: Point) -> bool:
    """Tell whether a segment passes through the inside of a solid square."""
    (x0, y0), (x1, y1) = start, end
    dx, dy = x1 - x0, y1 - y0
    west, east, north, south = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    solid = _solid(terrain)
    for column in range(west // 2, (east + 1) // 2):
        left, low, high = 2 * column, north, south
        if dx:
            first, last = dy * (max(left, west) - x0), dy * (min(left + 2, east) - x0)
            low, high = y0 + min(first // dx, last // dx), y0 - min(-first // dx, -last // dx)
        for row in range(low // 2, (high + 1) // 2):
            if (column, row) not in solid:
                continue
            top = 2 * row
            if east <= left or west >= left + 2 or south <= top or north >= top + 2:
                continue
            sides = [dx * (y - y0) - dy * (x - x0) for x in (left, left + 2) for y in (top, top + 2)]
            if min(sides) < 0 < max(sides):
                return True
    return False


@lru_cache(maxsize=8)
def _solid(terrain: Terrain) -> frozenset[Square]:
    """Return the squares that block sight, including the ring around the map."""
    columns, rows = range(-1, terrain.width + 1), range(-1, terrain.height + 1)
    return frozenset((x, y) for y in rows for x in columns if terrain.solid((x, y)))


def _runs_along(terrain: Terrain, start: Point, end: Point) -> bool:
    """Tell whether a segment runs along the face of a solid square for any length."""
    for axis in (0, 1):
        other = 1 - axis
        if start[other] != end[other] or start[other] % 2 or start[axis] == end[axis]:
            continue
        low, high = sorted((start[axis], end[axis]))
        line = start[other] // 2
        for along in range(low // 2, (high + 1) // 2):
            sides = ((along, line - 1), (along, line)) if axis == 0 else ((line - 1, along), (line, along))
            if any(terrain.solid(square) for square in sides):
                return True
    return False


def _squeezes(terrain: Terrain, start: Point, end: Point, own: Quadrant | None, theirs: Quadrant | None) -> bool:
    """Tell whether a segment slips between two solid squares that meet on it."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    ahead = (_sign(dx), _sign(dy))
    back = (-ahead[0], -ahead[1])
    if start == end:
        return own is not None and theirs is not None and _pinched(terrain, start, own, theirs)
    if own is not None and _pinched(terrain, start, own, ahead):
        return True
    if theirs is not None and _pinched(terrain, end, back, theirs):
        return True
    if not dx or not dy:
        return False
    step = 1 if start[0] % 2 else 2
    return any(
        _pinched(terrain, (x, y), back, ahead)
        for x in range(start[0] + ahead[0] * step, end[0], 2 * ahead[0])
        if (numerator := dy * (x - start[0])) % dx == 0 and (y := start[1] + numerator // dx) % 2 == 0
    )


def _pinched(terrain: Terrain, point: Point, one: Quadrant, other: Quadrant) -> bool:
    """Tell whether two opposite quadrants of a lattice point are between two solid squares."""
    if not one[0] or not one[1] or other != (-one[0], -one[1]):
        return False
    return terrain.solid(_square(point, (one[0], other[1]))) and terrain.solid(_square(point, (other[0], one[1])))


def _square(point: Point, quadrant: Quadrant) -> Square:
    x, y = point[0] // 2, point[1] // 2
    return (x if quadrant[0] > 0 else x - 1, y if quadrant[1] > 0 else y - 1)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def seen_corners(terrain: Terrain, viewer: Body, target: Body) -> tuple[Square, ...]:
    """Return the corners of the target that a corner of the viewer sees."""
    return tuple(
        (end[0] // 2, end[1] // 2)
        for end, theirs in _corners(target)
        if any(not blocked(terrain, start, end, own, theirs) for start, own in _corners(viewer))
    )


def seen_from(terrain: Terrain, corner: Square, square: Square) -> bool:
    """Tell whether a grid corner sees any corner or the centre of a square."""
    start = (2 * corner[0], 2 * corner[1])
    return any(not blocked(terrain, start, end, None, theirs) for end, theirs in _points(Body(square)))


@lru_cache(maxsize=20_000)
def sight(terrain: Terrain, viewer: Body, target: Body) -> bool:
    """Tell whether any corner or centre of one body sees any of the other."""
    return any(
        not blocked(terrain, start, end, own, theirs)
        for start, own in _points(viewer)
        for end, theirs in _points(target)
    )


@lru_cache(maxsize=20_000)
def cover(terrain: Terrain, viewer: Body, target: Body, eyes: int = 5) -> Cover:
    """Return the cover of a target in sight, by its corners and by high ground, from `eyes` feet up."""
    seen = len(seen_corners(terrain, viewer, target))
    if seen == 0:
        return "full"
    return "half" if seen < 4 or terrain.level(target) - terrain.level(viewer) >= eyes else "none"


@lru_cache(maxsize=64)
def around(terrain: Terrain, corner: Square, radius: int) -> tuple[Square, ...]:
    """Return the squares that an area around a grid corner affects."""
    squares = [square for square in area(corner, radius, terrain) if not terrain.solid(square)]
    if not _walled(terrain, (corner, *squares)):
        return tuple(squares)
    return tuple(square for square in squares if seen_from(terrain, corner, square))


@lru_cache(maxsize=64)
def cone(terrain: Terrain, start: Body, to: Square, length: int) -> tuple[Square, ...]:
    """Return the squares of a cone from a body towards a square, everywhere as wide as long."""
    middle = (2 * start.at[0] + start.space, 2 * start.at[1] + start.space)
    ahead = (2 * to[0] + 1 - middle[0], 2 * to[1] + 1 - middle[1])
    steps = length // FEET
    squares = []
    (west, north), reach = start.at, start.space + steps
    for y in range(max(0, north - steps), min(terrain.height, north + reach)):
        for x in range(max(0, west - steps), min(terrain.width, west + reach)):
            across, down = 2 * x + 1 - middle[0], 2 * y + 1 - middle[1]
            along, sideways = across * ahead[0] + down * ahead[1], across * ahead[1] - down * ahead[0]
            if along > 0 and 2 * abs(sideways) <= along:
                squares.append((x, y))
    return _seen(terrain, start, [square for square in squares if 0 < distance(start, Body(square)) <= length])


@lru_cache(maxsize=64)
def ray(terrain: Terrain, start: Body, to: Square, length: int) -> tuple[Square, ...]:
    """Return the squares of a line from a body through a square to the first wall, one square wide."""
    own = footprint(start)
    here = min(own, key=lambda square: (max(abs(to[0] - square[0]), abs(to[1] - square[1])), square))
    across, down = to[0] - here[0], to[1] - here[1]
    count = max(abs(across), abs(down))
    found: list[Square] = []
    for number in range(1, length // FEET + 1) if count else ():
        square = (here[0] + _rounded(number * across, count), here[1] + _rounded(number * down, count))
        if terrain.solid(square):
            break
        found.append(square)
    return _seen(terrain, start, found)


def _rounded(number: int, count: int) -> int:
    sign = 1 if number >= 0 else -1
    return sign * ((2 * abs(number) + count) // (2 * count))


def _seen(terrain: Terrain, start: Body, squares: list[Square]) -> tuple[Square, ...]:
    """Return the squares that a body sees, without walls."""
    free = [square for square in squares if not terrain.solid(square)]
    if not _walled(terrain, (*footprint(start), *squares)):
        return tuple(free)
    return tuple(square for square in free if sight(terrain, start, Body(square)))


def _walled(terrain: Terrain, squares: Sequence[Square]) -> bool:
    """Tell whether the rectangle around some squares has a wall."""
    columns, rows = [x for x, _ in squares], [y for _, y in squares]
    return any(
        terrain.solid((x, y))
        for y in range(min(rows) - 1, max(rows) + 2)
        for x in range(min(columns) - 1, max(columns) + 2)
        if terrain.inside((x, y))
    )
