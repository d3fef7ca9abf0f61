"""Boards: where combatants stand, as the map pane draws it.

The geometry is the ruleset's.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.fight.state import Id
from tracker.core.terms.actions import Refusal

__all__ = ["Board", "Cell", "Square", "Trail", "Zone"]

Square: TypeAlias = tuple[int, int]


class Cell(Struct, frozen=True):
    """A square that is not plain floor.

    Its glyph and word, one of the views' style words, and how high it lies in feet.
    """

    x: int
    y: int
    glyph: str
    word: str
    style: str = ""
    height: int = 0


class Zone(Struct, frozen=True):
    """An area with members, such as a brawl.

    Its title, its middle and radius in the board's unit where they are known, who is in it, and in words what
    matters about it (the room that is left).
    """

    title: str
    members: tuple[Id, ...]
    middle: float | None = None
    radius: float | None = None
    note: str = ""


class Board(Struct, frozen=True):
    """The ground of a fight.

    Attributes:
        kind: squares in two dimensions, or one line of distances.
        width, height: squares; of a line its length in the unit and 1.
        unit: what one step is ("5 ft", "1 m").
        cells: squares that are not plain floor.
        zones: areas with members.
    """

    kind: Literal["square", "line"]
    width: int
    height: int = 1
    unit: str = ""
    cells: tuple[Cell, ...] = ()
    zones: tuple[Zone, ...] = ()


class Trail(Struct, frozen=True):
    """A way to a square.

    Its squares without the first, what it costs in feet, who may strike on the way, and why it is not allowed, if
    so.
    """

    squares: tuple[Square, ...] = ()
    cost: int = 0
    provokes: tuple[Id, ...] = ()
    refusal: Refusal | None = None
