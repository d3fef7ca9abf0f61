"""Stat blocks: the parts both games have, and the readers of what a GM types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from tracker.core.game.file_syntax import key
from tracker.core.terms.dice import Dice
from tracker.kit.readers import Plain, Typed, dice, number, text

# -- entries of stat blocks that both games type alike -----------------------------------------------------------------


def numbers(
    value: Mapping[str, object], typed: Typed, name: str, keys: Sequence[str], read: Callable[[object], int] = number
) -> dict[str, int]:
    """Return a mapping of known keys to numbers."""
    inner = Typed({word.casefold(): part for word, part in value.items()}, typed.problems, f"{typed.path}{name}.")
    found = {word: amount for word in keys if (amount := inner.take(word, read, None)) is not None}
    for word in keys:
        inner.keys.pop(word, None)
    inner.refuse_rest(", ".join(keys))
    return found


def hit_dice(value: object) -> str:
    """Read the dice for hit points, which can give at least 1."""
    written = dice(value)
    if Dice.parse(written).maximum < 1:
        raise ValueError(f'"{written}" gives no hit points: write dice such as 3d8')
    return written


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
    """Return an entry of a list with its name read.

    A bare text is a name; what is neither is noted as a problem.
    """
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
    """Note a weapon without a name, or an unknown one without damage."""
    if not name:
        typed.problem("name", "is missing")
    elif typed.keys.get(damage) is None:
        meant = likely(name)
        hint = f" (did you mean {meant}?)" if meant else ""
        typed.problem(damage, f'"{name}" is not in the list of weapons, so its damage is needed{hint}')


# -- the usual words for the skills of both games -------------------------------------


SKILL_WORDS: dict[str, str] = {
    "stab": "melee",
    "shoot": "ranged",
    "sneak": "stealth",
    "notice": "perception",
    "heal": "medicine",
    "exert": "athletics",
}
"""As `tracker.core.game.file_syntax.usual` takes them."""


# -- the shapes in every stat block: attributes, modifiers and Shock ---------------------------------------------------


Attribute: TypeAlias = Literal["str", "dex", "con", "int", "wis", "cha"]
ATTRIBUTES: tuple[Attribute, ...] = ("str", "dex", "con", "int", "wis", "cha")

Level: TypeAlias = Annotated[int, Meta(ge=-1, le=4)]
AtLeastNone: TypeAlias = Annotated[int, Meta(ge=0)]
AtLeastOne: TypeAlias = Annotated[int, Meta(ge=1)]


class Shock(Struct, frozen=True):
    """Harm of a missed melee attack.

    `points` against an AC of at most `ac`, None for any.
    """

    points: Annotated[AtLeastNone, key("harm of a miss, before modifiers")]
    ac: Annotated[AtLeastNone | None, key("the highest AC it harms; none (`-`): any")]

    def __str__(self) -> str:
        return f"{self.points}/{'-' if self.ac is None else self.ac}"


def modifier_of(mods: Struct, attribute: Attribute) -> int:
    """Return one of the modifiers of a stat block."""
    found: int = getattr(mods, attribute)
    return found
