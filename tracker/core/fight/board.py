"""Boards: the ground of a fight, as the map pane draws it.

The ruleset computes the geometry. Combatants are ids, so that the players' screen can draw a board without a fight.
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
        x, y: its column and row.
        glyph, word: its character, and the word for it.
        style: one of the views' style words.
        height: its height in feet.
        fill: the character that fills all of it; "": only the glyph.
    """

    x: int
    y: int
    glyph: str
    word: str
    style: str = ""
    height: int = 0
    fill: str = ""


class Zone(Struct, frozen=True):
    """An area with members, such as a melee.

    Attributes:
        title: its name.
        members: the ids of its combatants.
        middle, radius: in the board's unit; None: unknown.
        note: more about it in words (the room that is left).
    """

    title: str
    members: tuple[str, ...]
    middle: float | None = None
    radius: float | None = None
    note: str = ""


class Board(Struct, frozen=True, cache_hash=True):
    """The ground of a fight.

    Attributes:
        kind: a grid of squares, or a line of distances.
        width, height: in squares; a line has its length in the unit, and 1.
        unit: the size of a square or step ("5 ft", "1 m").
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
    """An area: a circle around a corner of the grid (on a line: a point), or a cone or line from a combatant.

    Attributes:
        shape: its form.
        who: the combatant it starts from; None for a circle without one.
        to: the corner in its middle, or the square it is aimed at.
        size: its radius or length in the game's unit.
    """

    shape: Shape
    who: str | None
    to: Square
    size: int


class Trail(Struct, frozen=True):
    """A path to a square.

    Attributes:
        squares: the squares without the first.
        cost: its cost in feet.
        provokes: the combatants that may strike at the mover.
        refusal: why it is not allowed, or None.
        limit: feet that can be spent now; 0: unknown.
        struck: the squares, the first included, on which the mover is struck at.
    """

    squares: tuple[Square, ...] = ()
    cost: int = 0
    provokes: tuple[str, ...] = ()
    refusal: Refusal | None = None
    limit: int = 0
    struck: tuple[Square, ...] = ()
