"""What an encounter's file says of the players' screen, of fog and of dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tracker.core.fight.board import Board
from tracker.core.terms.encounter import MapSetup, ScreenSetup, SideSetup, Wave
from tracker.library.checking.convert import convert
from tracker.library.yaml.problems import Path, described

__all__ = ["SIDE", "WAVE", "diced", "map_of", "screen_of", "side_of", "wave_of"]


class _Side(Struct, frozen=True):
    """The keys of a side that every game has."""

    public: str = ""
    health: bool = True
    hidden: bool = False
    dice: Literal["", "program", "asked"] = ""


class _Wave(Struct, frozen=True):
    """The key of a wave that players' screens need."""

    hidden: bool = False


_Kind = TypeVar("_Kind", bound=Struct)
Tell = Callable[[Path, str, str], None]
"""Tells of a problem: where, what, and a hint."""

Stretch: TypeAlias = tuple[int, int, int]
"""A row of squares: its row, first and last column."""
FARTHEST = 500
SQUARES = 'all, party, or squares such as "3,4" and "0-5,0-3"'

SIDE, WAVE = _Side.__struct_fields__, _Wave.__struct_fields__


def side_of(side: SideSetup, plain: Mapping[str, object], path: Path, tell: Tell) -> SideSetup:
    """Return a side with what its file says of the screen and of its dice."""
    said = _read(plain, _Side, path, tell)
    members = tuple([replace(member, hidden=True) for member in side.members]) if said.hidden else side.members
    return replace(
        side,
        members=members,
        public=said.public or UNSET,
        health=UNSET if said.health else False,
        dice=said.dice or UNSET,
    )


def diced(sides: tuple[SideSetup, ...], plain: object, path: Path, tell: Tell) -> tuple[SideSetup, ...]:
    """Return the sides with what the file says of dice where they say nothing."""
    if plain is None:
        return sides
    said = _read({"dice": plain}, _Side, path, tell).dice
    return tuple(replace(side, dice=said) if said and side.dice is UNSET else side for side in sides)


def wave_of(wave: Wave, plain: Mapping[str, object], path: Path, tell: Tell) -> Wave:
    """Return a wave with what its file says of the screen."""
    return replace(wave, hidden=True) if _read(plain, _Wave, path, tell).hidden else wave


def screen_of(plain: object, tell: Tell) -> ScreenSetup | None:
    """Return what is said of the whole fight, or None where nothing is."""
    if plain is None:
        return None
    if not isinstance(plain, dict):
        tell(("screen",), f"a block of keys is wanted, this is {described(plain)}", "title:, points:, map:, unseen:")
        return None
    strange = {key: value for key, value in plain.items() if key not in ScreenSetup.__struct_fields__}
    for complaint in convert(strange, ScreenSetup)[1] if strange else ():
        tell(("screen", *complaint.path), complaint.message, complaint.hint)
    return _read(plain, ScreenSetup, ("screen",), tell)


def map_of(plain: object, board: Board | None, tell: Tell) -> MapSetup | None:
    """Return what fog covers on a map, or None where nothing is said of it."""
    if plain is None:
        return None
    if not isinstance(plain, dict):
        tell(("map",), f"a block of keys is wanted, this is {described(plain)}", "fog: party")
        return None
    for key in plain:
        if key not in ("fog", "sees"):
            tell(("map", str(key)), "unknown key", "known: fog, sees")
    if board is None or board.kind != "square":
        tell(("map",), "this fight has no map of squares", "give it one in `setup`, or leave `map` out")
        return None
    fog, sees = plain.get("fog", "party"), plain.get("sees", 0)
    if not isinstance(sees, int) or isinstance(sees, bool) or not 0 <= sees <= FARTHEST:
        tell(("map", "sees"), f"how far the party sees is wanted, this is {described(sees)}", f"0 to {FARTHEST}")
        sees = 0
    if sees and fog != "party":
        tell(("map", "sees"), "it is of use with `fog: party` only", "fog: party")
    if isinstance(fog, str) and fog in ("all", "party"):
        return MapSetup(fog, sees)  # type: ignore[arg-type]  # mypy does not narrow a text to a Literal
    listed = fog if isinstance(fog, list) else [fog]
    found: list[Stretch] = []
    for place, item in enumerate(listed):
        path: Path = ("map", "fog", place) if isinstance(fog, list) else ("map", "fog")
        stretches, wrong = _stretches(item, board)
        if wrong:
            tell(path, f"{described(item)} {wrong}", SQUARES)
        found += stretches
    return MapSetup("squares", squares=tuple(found))


def _stretches(item: object, board: Board) -> tuple[list[Stretch], str]:
    """Return the squares that one entry means, and what is wrong with it."""
    words = ",".join(map(str, item)) if isinstance(item, list) else str(item)
    named = re.fullmatch(r"\s*(\d{1,4})(?:-(\d{1,4}))?\s*,\s*(\d{1,4})(?:-(\d{1,4}))?\s*", words)
    if named is None:
        return [], "is no square"
    left, top = int(named[1]), int(named[3])
    right, bottom = int(named[2] or left), int(named[4] or top)
    if right < left or bottom < top:
        return [], "is no square"
    if right >= board.width or bottom >= board.height:
        return [], f"is not on the map, which has {board.width} x {board.height} squares"
    return [(y, left, right) for y in range(top, bottom + 1)], ""


def _read(plain: Mapping[str, object], kind: type[_Kind], path: Path, tell: Tell) -> _Kind:
    """Read a Struct's own keys out of a block.

    What is wrong falls back to its default."""
    said = {key: plain[key] for key in kind.__struct_fields__ if key in plain}
    value, complaints = convert(said, kind)
    for complaint in complaints:
        tell((*path, *complaint.path), complaint.message, complaint.hint)
    sound = {key: item for key, item in said.items() if all(key != fault.path[0] for fault in complaints if fault.path)}
    return convert(sound, kind)[0] or kind() if value is None else value
