"""Readers of what a GM types in a stat block.

A reader gets one typed value, text or the number it looks like, and returns plain values; what it cannot read is a
`ValueError` with a message for people. `Typed` takes the keys of a mapping one by one and collects such messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from tracker.core.terms.dice import Dice

__all__ = [
    "NOTHING",
    "Plain",
    "Typed",
    "dice",
    "flag",
    "known_weapon",
    "name_apart",
    "named_entry",
    "number",
    "numbers",
    "plain",
    "text",
]

Plain: TypeAlias = dict[str, object]
T = TypeVar("T")
D = TypeVar("D")

NOTHING = frozenset({"", "-", "–", "—", "none", "n/a", "na"})


class Typed:
    """The typed keys of one mapping; every key that has been taken is gone from `keys`."""

    def __init__(self, keys: Mapping[str, object], problems: list[str], path: str = "") -> None:
        self.keys = dict(keys)
        self.problems = problems
        self.path = path

    def take(self, key: str, read: Callable[[object], T], default: D) -> T | D:
        """Read and remove a key; an absent, empty or unreadable one gives the default."""
        value = self.keys.pop(key, None)
        if value is None:
            return default
        try:
            return read(value)
        except ValueError as error:
            self.problem(key, str(error))
            return default

    def copy(self, block: Plain, keys: Sequence[str], read: Callable[[object], object]) -> None:
        """Read the keys that are there into a block; the others keep the Struct's default."""
        for key in keys:
            value = self.take(key, read, None)
            if value is not None:
                block[key] = value

    def problem(self, key: str, message: str) -> None:
        """Note what is wrong with a key, on one line whatever was typed."""
        self.problems.append(" ".join(f"{self.path}{key}: {message}".splitlines()))

    def refuse_rest(self, known: str) -> None:
        """Note every key that is left as unknown."""
        for key in self.keys:
            self.problem(key, f"unknown; there are {known}")
        self.keys.clear()


def text(value: object) -> str:
    """Read a text; a number is text too."""
    if value is None or isinstance(value, Mapping | list | tuple):
        raise ValueError("a single value is needed here")
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip()


def plain(value: object) -> str:
    """Return a typed value without spaces, in small letters, with a plain minus."""
    return re.sub(r"\s+", "", text(value)).replace("−", "-").casefold()


def flag(value: object) -> bool:
    """Read `true` or `false`."""
    word = text(value).casefold()
    if word not in ("true", "false"):
        raise ValueError(f'"{word}" is neither true nor false')
    return word == "true"


def number(value: object) -> int:
    """Read a whole number, with or without a plus."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    typed = plain(value)
    if not re.fullmatch(r"[+-]?\d{1,9}", typed):
        raise ValueError(f'"{text(value)}" is not a whole number')
    return int(typed)


def dice(value: object) -> str:
    """Read dice; returns them in their one spelling."""
    return str(Dice.parse(plain(value)))


def numbers(
    value: Mapping[str, object], typed: Typed, name: str, keys: Sequence[str], read: Callable[[object], int] = number
) -> dict[str, int]:
    """Return a mapping of known keys to numbers."""
    inner = Typed({key.casefold(): part for key, part in value.items()}, typed.problems, f"{typed.path}{name}.")
    found = {key: amount for key in keys if (amount := inner.take(key, read, None)) is not None}
    for key in keys:
        inner.keys.pop(key, None)
    inner.refuse_rest(", ".join(keys))
    return found


def name_apart(entries: Sequence[Plain]) -> None:
    """Number the names that come again, so that each means one entry."""
    used: set[str] = set()
    for entry in entries:
        name = str(entry.get("name", ""))
        free, times = name, 2
        while free.casefold() in used:
            free, times = f"{name} {times}", times + 1
        used.add(free.casefold())
        entry["name"] = free


def named_entry(
    value: object, read: Callable[[object], Mapping[str, object]], problems: list[str], path: str
) -> Plain | None:
    """Return an entry of a list, its name read; a bare text is a name, and what is neither is a problem."""
    try:
        entry: Plain = dict(read(value)) if isinstance(value, Mapping) else {"name": text(value)}
    except ValueError as error:
        problems.append(f"{path.rstrip('.')}: {error}")
        return None
    try:
        entry["name"] = text(entry.get("name") or "")
    except ValueError as error:
        problems.append(f"{path}name: {error}")
        return None
    return entry


def known_weapon(typed: Typed, name: str, damage: str, likely: Callable[[str], str]) -> None:
    """Note a weapon without a name, or one without damage that is not in the list either."""
    if not name:
        typed.problem("name", "is missing")
    elif typed.keys.get(damage) is None:
        meant = likely(name)
        hint = f" (did you mean {meant}?)" if meant else ""
        typed.problem(damage, f'"{name}" is not in the list of weapons, so its damage is needed{hint}')
