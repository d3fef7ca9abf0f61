"""Areas on a map as far as their line of effect goes: circles, cones, lines.

A square belongs to an area where it can be entered by sight, and some point of it is seen from where the area begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tracker.kit.squares import sight
from tracker.kit.squares.grid import FEET, Body, Square, Terrain, area, distance, footprint


@lru_cache(maxsize=64)
def around(terrain: Terrain, corner: Square, radius: int) -> tuple[Square, ...]:
    """Return the squares around a grid corner that an area there has an effect on."""
    found = [square for square in area(corner, radius, terrain) if not terrain.solid(square)]
    if not _walled(terrain, (corner, *found)):
        return tuple(found)
    return tuple(square for square in found if sight.seen_from(terrain, corner, square))


@lru_cache(maxsize=64)
def cone(terrain: Terrain, start: Body, to: Square, length: int) -> tuple[Square, ...]:
    """Return the squares of a cone from a body towards a square.

    It is everywhere as wide as it is long up to there.
    """
    middle = (2 * start.at[0] + start.space, 2 * start.at[1] + start.space)
    ahead = (2 * to[0] + 1 - middle[0], 2 * to[1] + 1 - middle[1])
    steps = length // FEET
    found = []
    (west, north), reach = start.at, start.space + steps
    for y in range(max(0, north - steps), min(terrain.height, north + reach)):
        for x in range(max(0, west - steps), min(terrain.width, west + reach)):
            across, down = 2 * x + 1 - middle[0], 2 * y + 1 - middle[1]
            along, beside = across * ahead[0] + down * ahead[1], across * ahead[1] - down * ahead[0]
            if along > 0 and 2 * abs(beside) <= along:
                found.append((x, y))
    return _seen(terrain, start, [square for square in found if 0 < distance(start, Body(square)) <= length])


@lru_cache(maxsize=64)
def ray(terrain: Terrain, start: Body, to: Square, length: int) -> tuple[Square, ...]:
    """Return the squares of a line from a body through a square.

    It is one square wide and ends at the first wall.
    """
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
    """Return a quotient, halves away from zero."""
    sign = 1 if number >= 0 else -1
    return sign * ((2 * abs(number) + count) // (2 * count))


def _seen(terrain: Terrain, start: Body, squares: list[Square]) -> tuple[Square, ...]:
    """Return the squares a body has a line to, walls left out."""
    found = [square for square in squares if not terrain.solid(square)]
    if not _walled(terrain, (*footprint(start), *squares)):
        return tuple(found)
    return tuple(square for square in found if sight.sight(terrain, start, Body(square)))


def _walled(terrain: Terrain, squares: Iterable[Square]) -> bool:
    """Tell whether there is a wall in the rectangle around some squares."""
    held = tuple(squares)
    columns, rows = [x for x, _ in held], [y for _, y in held]
    return any(
        terrain.solid((x, y))
        for y in range(min(rows) - 1, max(rows) + 2)
        for x in range(min(columns) - 1, max(columns) + 2)
        if terrain.inside((x, y))
    )
