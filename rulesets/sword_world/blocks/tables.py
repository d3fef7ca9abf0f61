"""The small tables: starting distance, brawl zones, Hide penalties, flat numbers (8.2 to 8.7)."""

from __future__ import annotations

import math

ROUND_SECONDS = 10
PICKUP_SECONDS = 600
FULL_MOVE_EVASION = -4
STANDING_UP = -2
SURPRISE_PENALTY = -2
AUTO_FAILURE_XP = 50
MOST_CAPACITY = 20
FALL_PER_METRE = 3
LONGEST_ACTION = 600
LEAST_CRIT = 8
NO_CRIT = 13
BAD_GROUND = -2

DISTANCE = {"enclosed": 5, "large": 10, "crowded": 10, "open": 20}
RECOMMENDED = (5, 30)

_SIZES = ((2, 2, 3, 5), (5, 3, 5, 3), (10, 4, 7, 7), (15, 5, 8, 8), (20, 6, 10, 10))
"""Most fighters; radius in the open; side of the square indoors as used here and as printed (SW-R20)."""


def starting_distance(space: str | None, moving: float = 0, large_monster: float = 0) -> float | None:
    """Return the guide's starting distance, None without a space (SW-005 to SW-007)."""
    return None if space is None else DISTANCE[space] + moving + large_monster


def zone_radius(fighters: int, indoor: bool = False, as_printed: bool = False) -> float:
    """Return the guide's radius of a zone for so many sections (SW-078).

    Indoors it is half the side of the square.
    """
    _, open_radius, corrected, printed = next((row for row in _SIZES if fighters <= row[0]), _SIZES[-1])
    return (printed if as_printed else corrected) / 2 if indoor else float(open_radius)


def zone_capacity(width: float | None) -> int:
    """Return how many fighters fit into a field of this width (SW-079).

    It is the largest row whose square fits.
    """
    if width is None:
        return MOST_CAPACITY
    return max((most for most, _, side, _ in _SIZES if side <= width), default=1)


def hide_penalty(distance: float | None) -> int:
    """Return the Hide modifier for a distance in whole metres, rounded up (SW-175)."""
    if distance is None:
        return 0
    metres = math.ceil(distance)
    return -4 if metres <= 10 else -2 if metres <= 20 else 0


def rounds_of(seconds: int) -> int:
    """Return seconds as rounds, rounded up (SW-R06)."""
    return max(1, -(-seconds // ROUND_SECONDS))


def crit_rate(printed: int, *changes: int) -> int | None:
    """Return the 2d total from which an attack criticals, None from 13 on.

    It is never below 8 (SW-154, SW-157, SW-R27).
    """
    rate = max(LEAST_CRIT, printed + sum(changes))
    return None if rate >= NO_CRIT else rate
