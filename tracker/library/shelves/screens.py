"""What an encounter's file says of the players' screen and of dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tracker.core.terms.encounter import ScreenSetup, SideSetup, Wave
from tracker.library.checking.convert import convert
from tracker.library.yaml.problems import Path, described

__all__ = ["SIDE", "WAVE", "diced", "screen_of", "side_of", "wave_of"]


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


def _read(plain: Mapping[str, object], kind: type[_Kind], path: Path, tell: Tell) -> _Kind:
    """Read a Struct's own keys out of a block.

    What is wrong falls back to its default."""
    said = {key: plain[key] for key in kind.__struct_fields__ if key in plain}
    value, complaints = convert(said, kind)
    for complaint in complaints:
        tell((*path, *complaint.path), complaint.message, complaint.hint)
    sound = {key: item for key, item in said.items() if all(key != fault.path[0] for fault in complaints if fault.path)}
    return convert(sound, kind)[0] or kind() if value is None else value
