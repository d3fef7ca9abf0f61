"""The map of a fight in its file: the set-up's rows of squares, and the first positions of members.

class Place(Standing, frozen=True, tag=True):      # or Standing itself
    surprised: bool = False

RULESET = Ruleset(..., schema=Schema(..., setup=GridSetup, member=Place, board="square"))
MAP = SquareMap(ground_of, ...)
MAP.settle(ctx, newcomers)                         # in join
"""

# Annotations are evaluated when the module is loaded: postponed, each would be compiled again at every start.

from functools import cached_property
from typing import Annotated

from msgspec import Struct

from tracker.core.fight.state import State
from tracker.core.game.file_syntax import key
from tracker.core.terms.values import Data
from tracker.kit.squares.grid import Square, Terrain, read_terrain


class GridSetup(Struct, Data, frozen=True, tag=True, dict=True):
    """The set-up of a fight: its map, if it has one."""

    grid: Annotated[str, key("rows of squares: `.` floor, `#` wall, `~` difficult, `o` a chasm")] = ""
    legend: Annotated[dict[str, str], key("further signs, such as `T: wall`")] = {}
    elevation: Annotated[dict[str, int], key("feet of height, such as `0-5,0: 10`")] = {}

    def __post_init__(self) -> None:
        """Refuse a map that cannot be parsed."""
        _ = self.terrain

    @cached_property
    def terrain(self) -> Terrain | None:
        """The map, or None for a fight without one."""
        return read_terrain(self.grid, self.legend, self.elevation) if self.grid.strip() else None


class Standing(Struct, Data, frozen=True, tag=True):
    """A member's own key: its first position."""

    at: Annotated[
        tuple[int | Square, ...],
        key("a square from the north-west, such as `[3, 4]`, or a list with one for each copy"),
    ] = ()

    def __post_init__(self) -> None:
        """Refuse a value that is neither a square nor a list of squares."""
        if any(isinstance(part, int) for part in self.at) and not self.squares:
            raise ValueError("at: a square, such as [3, 4], or a list of squares")

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares, one for each copy; there may be fewer."""
        match self.at:
            case (int(x), int(y)):
                return ((x, y),)
            case _:
                return tuple(part for part in self.at if not isinstance(part, int))


def ground_of(state: State) -> Terrain | None:
    """Return the map of a fight whose set-up is a `GridSetup`, or None."""
    return state.setup.terrain if isinstance(state.setup, GridSetup) else None
