"""Readers of typed stat blocks: numbers, dice, lists.

A reader gets one typed value and returns a plain one, or raises `ValueError` with a message for people. `Typed` reads
the keys of a mapping one by one and collects the messages with their paths, for a game's `shorthand`.

    def shorthand(kind: str, plain: dict[str, object]) -> dict[str, object]:
        problems: list[str] = []
        typed = readers.Typed(plain, problems)
        block = {"armour": typed.take("ac", readers.number, 10), "languages": typed.take("speaks", readers.words, [])}
        readers.raise_all(problems)
        return {**typed.keys, **block}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from msgspec import UNSET

from tracker.core.clock.joining import MOST_COPIES
from tracker.core.terms.dice import Dice, dice_between
from tracker.core.terms.effects import changed_by

Plain: TypeAlias = dict[str, object]
T = TypeVar("T")
D = TypeVar("D")
NOTHING = frozenset({"", "-", "–", "—", "none", "n/a", "na"})
"""Printed words for nothing."""
HOW_MANY = r"(?:\d{0,2}d\d{1,3}(?:[ ]?[+-][ ]?\d{1,2})?|[1-9]\d{0,2}[ ]?[-–][ ]?\d{1,3}|[1-9]\d{0,2})"
"""A number, dice or a range beside the name of a creature."""
_BEHIND = re.compile(rf"(?P<name>[^()]+?)\s*\(\s*[x×]?(?P<count>{HOW_MANY})\s*[x×]?\s*\)", re.IGNORECASE)
_IN_FRONT = re.compile(rf"(?P<count>{HOW_MANY})(?:\s*[x×])?\s+(?P<name>[^\W\d].*)", re.IGNORECASE)


class Typed:
    """The typed keys of one mapping.

    A key that is read is removed from `keys`; problems are stored with their paths. `called`: the file's own words for
    keys with other words.
    """

    def __init__(
        self, keys: Mapping[str, object], problems: list[str], path: str = "", called: Mapping[str, str] | None = None
    ) -> None:
        self.keys, self.problems, self.path, self.called = dict(keys), problems, path, called or {}

    def take(self, key: str, read: Callable[[object], T], default: D) -> T | D:
        """Read and remove a key; store a problem and return the default if the value is wrong."""
        value = self.keys.pop(key, None)
        if value is None:
            return default
        try:
            return read(value)
        except ValueError as error:
            self.problem(key, str(error))
            return default

    def copy(self, block: Plain, keys: Iterable[str], read: Callable[[object], object]) -> None:
        """Read the keys that exist into a block."""
        for key in keys:
            value = self.take(key, read, None)
            if value is not None:
                block[key] = value

    def inner(self, key: str) -> Typed:
        """Return the keys of a mapping within this one."""
        keys: Mapping[str, object] = self.take(key, mapping, {})
        return Typed(keys, self.problems, f"{self.path}{key}.")

    def problem(self, key: str, message: str) -> None:
        """Store the problem of a key on one line."""
        self.problems.append(" ".join(f"{self.path}{self.called.get(key, key)}: {message}".splitlines()))

    def refuse_rest(self, known: str) -> None:
        """Store every remaining key as an unknown one."""
        for key in self.keys:
            self.problem(key, f"unknown; there are {known}")
        self.keys.clear()


def raise_all(problems: Sequence[str]) -> None:
    """Raise one `ValueError` with a line for each problem, if any."""
    if problems:
        raise ValueError("\n".join(problems))


def text(value: object) -> str:
    """Read a text, or a number as text."""
    if value is None or isinstance(value, Mapping | list | tuple):
        raise ValueError("a single value is needed here")
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip()


def compact(value: object) -> str:
    """Read a text without spaces, in small letters, with a plain minus."""
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
    if isinstance(value, bool) or not re.fullmatch(r"[+-]?[0-9]{1,9}", compact(value)):
        raise ValueError(f'"{text(value)}" is not a whole number')
    return int(compact(value))


def between(least: int, most: int) -> Callable[[object], int]:
    """Return the reader of a whole number within bounds."""

    def read(value: object) -> int:
        whole = number(value)
        if not least <= whole <= most:
            raise ValueError(f"{whole} is not between {least} and {most}")
        return whole

    return read


def dice(value: object) -> str:
    """Read dice, and return them in their standard spelling."""
    return str(Dice.parse(compact(value)))


def counted(title: str) -> tuple[str, int | str]:
    """Read the name and the count of a printed title: `Ghouls (4)`, `4 Ghouls`, `Giant Rats (2d6)`.

    The count is a number or dice; a range such as `2-12` becomes dice.
    """
    match = _BEHIND.fullmatch(title.strip()) or _IN_FRONT.fullmatch(title.strip())
    if match is None:
        return title, 1
    low, _, high = re.sub(r"\s", "", match["count"]).replace("–", "-").partition("-")
    try:
        dice = dice_between(int(low), int(high)) if low.isdigit() and high else Dice.parse(match["count"])
    except ValueError:
        return title, 1
    if not 0 < dice.maximum <= MOST_COPIES:
        return title, 1
    return match["name"], str(dice) if dice.terms else dice.plus


def pair(value: object) -> tuple[int, int]:
    """Read two whole numbers: `30/60`, or a list of two."""
    parts = list(value) if isinstance(value, list | tuple) else compact(value).split("/")
    if len(parts) != 2:
        raise ValueError("two numbers are needed here, such as 30/60")
    return number(parts[0]), number(parts[1])


def listed(value: object) -> list[object]:
    """Read a list."""
    if not isinstance(value, list | tuple):
        raise ValueError("a list is needed here")
    return list(value)


def words(value: object) -> list[str]:
    """Read words of a list, or separated by blanks, commas, slashes or `or`, each once."""
    parts = map(text, value) if isinstance(value, list | tuple) else re.split(r"[\s,/]+|\bor\b", text(value))
    return list(dict.fromkeys(word.casefold() for word in parts if word))


def mapping(value: object) -> Plain:
    """Read a mapping with its keys in small letters."""
    if not isinstance(value, Mapping):
        raise ValueError("keys with values are needed here")
    return {str(key).casefold(): part for key, part in value.items()}


def damages(kinds: Sequence[str]) -> Callable[[object], list[Plain]]:
    """Return the reader of dice with kinds of damage: `1d8+3 slashing + 2d6 fire`, each as `{dice, kind}`."""

    def read(value: object) -> list[Plain]:
        if isinstance(value, list | tuple):
            return [dict(mapping(part)) for part in value]
        damage: list[Plain] = []
        for part in map(str.strip, re.split(r"\s+\+\s+|,|\band\b|\bplus\b", text(value))):
            amount, _, kind = part.rpartition(" ")
            if kind.casefold() not in kinds or not amount:
                raise ValueError(f'"{part}" is no damage, such as 1d8+3 {kinds[0]} ({", ".join(kinds)})')
            damage.append({"dice": dice(amount), "kind": kind.casefold()})
        return damage

    return read


def changes(value: object) -> list[Plain]:
    """Read modifiers of numbers, `+1d4 attack, -2 ac`, each as the keys of a `Modifier`."""
    if isinstance(value, list | tuple):
        return [dict(mapping(part)) for part in value]
    modifiers = []
    for part in map(str.strip, text(value).split(",")):
        match = re.fullmatch(r"([+-]?)\s*(\d*d?\d+)\s+(\w+)", part.replace("−", "-"))
        if match is None:
            raise ValueError(f'"{part}" is no change, such as +1d4 attack or -2 ac')
        amount, rolled = changed_by(match[1] + match[2])
        modifier: Plain = {"stat": match[3], "amount": amount}
        modifiers.append(modifier if rolled is UNSET else {**modifier, "dice": str(rolled)})
    return modifiers


def repeated(value: object) -> list[str]:
    """Read names with counts, `bite, 2 claw`, each as often as it counts; a number alone counts `any`."""
    listed = map(text, value) if isinstance(value, list | tuple) else text(value).split(",")
    names: list[str] = []
    for part in filter(None, map(str.strip, listed)):
        times, _, name = part.partition(" ")
        names += [name.strip() or "any"] * min(int(times), MOST_COPIES) if times.isdigit() else [part]
    return names
