"""Reads values of other programs' files, without an error for any value; the results of an import."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from tracker.core.game.foreign import Creature
from tracker.core.terms.dice import Dice

Plain = Mapping[str, object]
LONGEST_NOTE = 10_000
_TAG = re.compile(r"<[^<>]{0,2000}>")
_LINK = re.compile(r"@\w{1,20}\[[^\]]{0,400}\](?:\{([^}]{0,200})\})?")
_WHOLE = re.compile(r"\s*([+-]?\d{1,9})(?:\.0*)?\s*")


def at(value: object, *path: str) -> object:
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def whole(value: object) -> int | None:
    """Return a whole number, also one that is written as text, or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < 10**9 else None
    if isinstance(value, float):
        return int(value) if value == int(value) and abs(value) < 10**9 else None
    match = _WHOLE.fullmatch(value) if isinstance(value, str) else None
    return int(match[1]) if match else None


def whole_at(value: object, *path: str) -> int | None:
    return whole(at(value, *path))


def unreadable_numbers(value: object, paths: Iterable[str], of: str = "") -> Iterator[str]:
    """Yield values that should be numbers and are none; a path has its keys between dots.

    A value within a path that has no keys is yielded too, once.
    """
    known = tuple(paths)
    seen = set[str]()
    for path in known:
        steps = path.split(".")
        for far in range(1, len(steps) + 1):
            place, part = ".".join(steps[:far]), at(value, *steps[:far])
            if isinstance(part, Mapping) or place in seen:
                continue
            seen.add(place)
            is_number = place in known and whole(part) is not None
            if not is_number and (text := _shown(part)) not in ("", "-"):
                yield f'{f"{of}: " if of else ""}{place} "{text}"'
            break


def unreadable_blocks(value: object, keys: Iterable[str], of: str = "") -> Iterator[str]:
    for key in keys:
        listed = at(value, key)
        for part in listed if isinstance(listed, list | tuple) else (listed,):
            if (not isinstance(part, Mapping) or part is listed) and (text := _shown(part)):
                yield f'{f"{of}: " if of else ""}{key} "{text}"'


def _shown(value: object) -> str:
    if value is None or value == [] or value == {} or value is False:
        return ""
    return (plain_text(value) or plain_text(str(value)))[:60]


def text_at(value: object, *path: str) -> str:
    return plain_text(at(value, *path))


def plain_text(value: object) -> str:
    """Return a text on one line, without tags, links and entities."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = _LINK.sub(lambda link: link[1] or "", _TAG.sub(" ", str(value)))
    return " ".join(html.unescape(text).split())


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST_NOTE else f"{text[: LONGEST_NOTE - 1]}…"


def blocks(value: object) -> Iterator[Plain]:
    for part in value if isinstance(value, list | tuple) else ():
        if isinstance(part, Mapping):
            yield part


def dice_in(value: object) -> str | None:
    """Return dice in their one spelling, None for any other text."""
    try:
        dice = Dice.parse(plain_text(value).replace("−", "-"))
    except ValueError:
        return None
    return str(dice) if dice.terms or dice.plus else None


class Group(Struct, frozen=True):
    """Some combatants of an encounter.

    Attributes:
        creature: their kind; without numbers of its own it is found by name.
        count: how many, a number or dice.
        name: their name here, "" for the creature's name.
        side: `foes`, `friends` or `players`.
    """

    creature: Creature
    count: str = "1"
    name: str = ""
    side: str = "foes"
    hidden: bool = False


class ImportedEncounter(Struct, frozen=True):
    name: str
    groups: tuple[Group, ...]
    notes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class PrintedText(Struct, frozen=True):
    """A text of no known program: perhaps printed stat blocks."""

    text: str


class Unreadable(Struct, frozen=True):
    """A file or a part of it that cannot be read, and why."""

    what: str
    why: str


ImportedItem: TypeAlias = Creature | ImportedEncounter | PrintedText | Unreadable
