"""Readers of what a GM types in a stat block of Sovereign; what cannot be read is a ValueError with a message for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

from tracker.core.terms.dice import Dice

__all__ = ["Plain", "Typed", "dice", "flag", "listed", "mapping", "number", "ranges", "shock", "text", "words"]

Plain: TypeAlias = dict[str, object]
T = TypeVar("T")
D = TypeVar("D")
_NOTHING = frozenset({"", "-", "–", "—", "none"})


class Typed:
    """The typed keys of one mapping; what has been taken is gone, problems are collected under their paths."""

    def __init__(self, keys: Mapping[str, object], problems: list[str], path: str = "") -> None:
        self.keys, self.problems, self.path = dict(keys), problems, path

    def take(self, key: str, read: Callable[[object], T], default: D) -> T | D:
        """Read and remove a key; an absent or unreadable one gives the default."""
        value = self.keys.pop(key, None)
        if value is None:
            return default
        try:
            return read(value)
        except ValueError as error:
            self.problem(key, str(error))
            return default

    def copy(self, block: Plain, keys: tuple[str, ...], read: Callable[[object], object]) -> None:
        """Read the keys that are there into a block."""
        for key in keys:
            value = self.take(key, read, None)
            if value is not None:
                block[key] = value

    def problem(self, key: str, message: str) -> None:
        """Note what is wrong with a key, on one line."""
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
    if isinstance(value, bool) or not re.fullmatch(r"[+-]?\d{1,9}", text(value).replace("−", "-")):
        raise ValueError(f'"{text(value)}" is not a whole number')
    return int(text(value).replace("−", "-"))


def dice(value: object) -> str:
    """Read dice; returns them in their one spelling."""
    return str(Dice.parse(text(value).replace("−", "-")))


def shock(value: object) -> Plain | None:
    """Read Shock: `2/15`, `5/-`, or nothing."""
    if isinstance(value, Mapping):
        if set(value) != {"points", "ac"}:
            raise ValueError("Shock is points and ac, such as 2/15")
        return {"points": number(value["points"]), "ac": None if value["ac"] is None else number(value["ac"])}
    written = text(value)
    if written.casefold() in _NOTHING:
        return None
    points, slash, limit = written.partition("/")
    if not slash:
        raise ValueError(f'"{written}" is no Shock, such as 2/15 or 5/-')
    limit = limit.strip().upper().removeprefix("AC").strip()
    return {"points": number(points), "ac": None if limit in _NOTHING else number(limit)}


def ranges(value: object) -> list[int] | None:
    """Read a range: `[10, 30]` or `10/30`, or nothing."""
    if not isinstance(value, list | tuple) and text(value).casefold() in _NOTHING:
        return None
    parts = list(value) if isinstance(value, list | tuple) else text(value).split("/")
    if len(parts) != 2:
        raise ValueError("a range has two numbers: normal and maximum")
    normal, most = (number(part) for part in parts)
    if most < normal:
        raise ValueError(f"the maximum of {most} ft is less than the normal {normal} ft")
    return [normal, most]


def listed(value: object) -> list[object]:
    """Read a list; a single value is a list of one."""
    return list(value) if isinstance(value, list | tuple) else [value]


def words(value: object) -> list[str]:
    """Read words: a list, or several between slashes, as `STR/DEX`."""
    parts = [text(part) for part in value] if isinstance(value, list | tuple) else text(value).split("/")
    return [part.strip().casefold() for part in parts if part.strip()]


def mapping(value: object) -> Mapping[str, object]:
    """Read a mapping."""
    if not isinstance(value, Mapping):
        raise ValueError("names and values are needed here, such as {str: 1}")
    return {str(key): part for key, part in value.items()}
