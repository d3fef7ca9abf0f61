"""Boards: the places of combatants, as the map pane draws them.

The geometry is the ruleset's. Combatants are named by their ids; the players' screen draws boards without a fight.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.terms.errors import Refusal

Square: TypeAlias = tuple[int, int]
Shape: TypeAlias = Literal["circle", "cone", "line"]
"""Forms of an area."""


class Cell(Struct, frozen=True):
    """A square that is not plain floor.

    Attributes:
        x, y: where it is.
        glyph, word: its sign, and what it is.
        style: one of the views' style words.
        height: its height in feet.
        fill: the sign that fills all of it; "": only the glyph.
    """

    x: int
    y: int
    glyph: str
    word: str
    style: str = ""
    height: int = 0
    fill: str = ""


class Zone(Struct, frozen=True):
    """An area with members, such as a brawl.

    Its title, its middle and radius in the board's unit where they are known, who is in it, and in words what
    matters about it (the room that is left).
    """

    title: str
    members: tuple[str, ...]
    middle: float | None = None
    radius: float | None = None
    note: str = ""


class Board(Struct, frozen=True, cache_hash=True):
    """The ground of a fight.

    Attributes:
        kind: squares in two dimensions, or one line of distances.
        width, height: squares; of a line its length in the unit and 1.
        unit: what one step is ("5 ft", "1 m").
        cells: squares that are not plain floor.
        zones: areas with members.
        shapes: forms of areas that the game has.
    """

    kind: Literal["square", "line"]
    width: int
    height: int = 1
    unit: str = ""
    cells: tuple[Cell, ...] = ()
    zones: tuple[Zone, ...] = ()
    shapes: tuple[Shape, ...] = ("circle",)


class Template(Struct, frozen=True):
    """An area: a circle around a corner of the grid (of a line: a point), or a cone or line from a combatant.

    Attributes:
        shape: its form.
        who: the combatant it goes out from, None for a circle of nobody's.
        to: the corner it is around, or the square it is aimed at.
        size: its radius or length in the game's unit.
    """

    shape: Shape
    who: str | None
    to: Square
    size: int


class Trail(Struct, frozen=True):
    """A way to a square.

    Attributes:
        squares: all but the first.
        cost: feet it takes.
        provokes: who may strike on the way.
        refusal: why it is not allowed, if so.
        limit: feet that can be spent now; 0: not told.
        struck: the squares, the first among them, on which the mover is struck at.
    """

    squares: tuple[Square, ...] = ()
    cost: int = 0
    provokes: tuple[str, ...] = ()
    refusal: Refusal | None = None
    limit: int = 0
    struck: tuple[Square, ...] = ()
