"""Weapons and Instant powers as a GM types them: complete entries out of short ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import to_builtins

from rulesets.worlds_without_number.blocks import readers
from rulesets.worlds_without_number.blocks.canonical import UNARMED, Weapon
from rulesets.worlds_without_number.blocks.readers import Typed, Wpn
from rulesets.worlds_without_number.blocks.weapons import likely, preset

__all__ = [
    "Plain",
    "armed",
    "dual_wield",
    "instants",
    "name_apart",
    "numbers",
    "plain_weapon",
    "take_all",
    "unarmed",
    "weapons",
    "word",
]

Plain: TypeAlias = dict[str, object]


def take_all(block: Plain, typed: Typed, keys: tuple[str, ...], read: Callable[[object], object]) -> None:
    """Read the keys that are there; the others keep the Struct's default."""
    for key in keys:
        value = typed.take(key, read, None)
        if value is not None:
            block[key] = value


def numbers(
    value: object, typed: Typed, name: str, keys: tuple[str, ...], read: Callable[[object], int] = readers.number
) -> dict[str, int]:
    """Return a mapping of known keys to numbers."""
    inner = Typed(readers.mapping(value), typed.problems, f"{typed.path}{name}.")
    found = {key: number for key in keys if (number := inner.take(key, read, None)) is not None}
    for key in keys:
        inner.keys.pop(key, None)
    inner.refuse_rest(", ".join(keys))
    return found


def word(value: object) -> str:
    """Read one word, in small letters."""
    return readers.text(value).casefold()


def instants(value: object, typed: Typed) -> list[Plain]:
    """Read Instant powers, under different names (WN-036 to WN-038)."""
    found: list[Plain] = []
    for place, part in enumerate(readers.listed(value)):
        inner = Typed(readers.mapping(part), typed.problems, f"instants[{place}].")
        power: Plain = {"name": inner.take("name", readers.text, ""), "does": inner.take("does", word, "")}
        take_all(power, inner, ("uses",), readers.number)
        for key in ("name", "does"):
            if not power[key]:
                inner.problem(key, "is missing" if key == "name" else "is missing: miss_to_hit, hit_to_miss or note")
        inner.refuse_rest("name, does and uses")
        found.append(power)
    name_apart(found)
    return found


def weapons(typed: Typed) -> list[Plain]:
    """Return the typed weapons, complete and under different names."""
    entries = typed.take("weapons", readers.listed, [])
    weapons = [_weapon(part, typed.problems, f"weapons[{place}].") for place, part in enumerate(entries)]
    name_apart(weapons)
    return weapons


def unarmed(typed: Typed) -> Plain:
    """Return what bare hands do; dice or a weapon entry may be typed (WN-C30)."""
    value = typed.keys.pop("unarmed", None)
    if value is None:
        return plain_weapon(UNARMED)
    entry = dict(value) if isinstance(value, Mapping) else {"dmg": value}
    return _weapon({**plain_weapon(UNARMED), **entry}, typed.problems, "unarmed.")


def _weapon(value: object, problems: list[str], path: str) -> Plain:
    """Return a weapon entry with everything that its preset and the defaults add (3.3)."""
    try:
        entry = readers.mapping(value) if isinstance(value, Mapping) else {"name": readers.text(value)}
    except ValueError as error:
        problems.append(f"{path.rstrip('.')}: {error}")
        return {}
    try:
        name = readers.text(entry.get("name") or "")
    except ValueError as error:
        problems.append(f"{path}name: {error}")
        return {}
    known = preset(name)
    # an empty value takes something away from a preset where that is possible
    typed = Typed(
        {
            **(plain_weapon(known) if known else {}),
            **{k: v for k, v in entry.items() if v is not None or k in _REMOVABLE},
        },
        problems,
        path,
    )
    weapon: Plain = {"name": name}
    typed.keys.pop("name", None)
    if not name:
        typed.problem("name", "is missing")
    elif typed.keys.get("dmg") is None:
        hint = f" (did you mean {likely(name)}?)" if likely(name) else ""
        typed.problem("dmg", f'"{name}" is not in the list of weapons, so its damage is needed{hint}')
    take_all(weapon, typed, ("dmg",), readers.dice)
    take_all(weapon, typed, ("kind", "attr"), readers.words)
    for key, read in _REMOVABLE.items():
        weapon[key] = typed.take(key, read, None)
    take_all(weapon, typed, ("hands",), readers.number)
    take_all(weapon, typed, ("natural", "nonlethal"), readers.flag)
    weapon["trauma"] = typed.take("trauma", lambda part: _trauma(part, typed), None)
    bonus = typed.take(
        "bonus", lambda part: numbers(part, typed, "bonus", ("hit", "damage", "shock", "trauma_die")), {}
    )
    if bonus.get("trauma_die"):
        typed.problem("bonus.trauma_die", "belongs to the wielder's bonus")
    weapon["bonus"] = bonus
    for key in ("kind", "attr"):
        if weapon.get(key) == []:
            typed.problem(key, "is empty")
    typed.refuse_rest("name, dmg, kind, attr, skill, shock, hands, range, reload, natural, nonlethal, trauma and bonus")
    return weapon


def _own_shock(value: object) -> Plain | None:
    found = readers.shock(value)
    if isinstance(found, Wpn):
        raise ValueError("Wpn is for printed monsters; a weapon has its own Shock")
    return found


def _word_or_nothing(value: object) -> str | None:
    found = word(value)
    return None if found in ("none", "-", "") else found


_REMOVABLE: dict[str, Callable[[object], object]] = {
    "skill": _word_or_nothing,
    "shock": _own_shock,
    "range": readers.ranges,
    "reload": _word_or_nothing,
}


def _trauma(value: object, typed: Typed) -> Plain | None:
    """Read `{die, rating}` or `1d6/x2`."""
    if isinstance(value, Mapping):
        inner = Typed(readers.mapping(value), typed.problems, f"{typed.path}trauma.")
        die = inner.take("die", readers.dice, "")
        rating = inner.take("rating", lambda part: readers.number(str(part).strip().removeprefix("x")), 0)
        inner.refuse_rest("die and rating")
    else:
        written, _, times = readers.text(value).partition("/")
        if _word_or_nothing(written) is None and not times:
            return None
        die, rating = readers.dice(written), readers.number(times.strip().removeprefix("x") or "0")
    if not die or rating < 1:
        raise ValueError("a Trauma Die and a Rating are needed, such as {die: 1d6, rating: 2}")
    return {"die": die, "rating": rating}


def plain_weapon(weapon: Weapon) -> Plain:
    """Return a weapon as the keys somebody could have typed."""
    plain: Plain = to_builtins(weapon, enc_hook=str)
    return plain


def armed(weapon: Plain, dmg: Wpn, shock: Plain | Wpn | None, said_shock: bool) -> Plain:
    """Return a weapon in the hand of somebody printed with `Wpn` (8.8): the pluses added, a printed Shock in place of its own."""
    bonus = {"hit": 0, "damage": 0, "shock": 0, **weapon.get("bonus", {})}  # type: ignore[dict-item]  # a mapping of numbers
    bonus["damage"] += dmg.plus
    changed = {**weapon, "bonus": bonus}
    if isinstance(shock, Wpn):
        bonus["shock"] += shock.plus
    elif said_shock and "melee" in weapon.get("kind", ["melee"]):  # type: ignore[operator]  # a list of words
        changed["shock"] = shock
    return changed


def name_apart(entries: list[Plain]) -> None:
    """Number the names that come again, so that each means one entry."""
    used: set[str] = set()
    for entry in entries:
        name = str(entry.get("name", ""))
        free, number = name, 2
        while free.casefold() in used:
            free, number = f"{name} {number}", number + 1
        used.add(free.casefold())
        entry["name"] = free


def dual_wield(value: object, weapons: list[Plain]) -> list[str] | None:
    """Read two names of weapons; `true` stands for the first two that need one hand (R29)."""
    one_handed = [weapon for weapon in weapons if weapon.get("hands", 1) == 1 and not weapon.get("natural")]
    if not isinstance(value, list | tuple):
        if not readers.flag(value):
            return None
        if len(one_handed) < 2:
            raise ValueError("there are no two one-handed weapons")
        return [str(weapon["name"]) for weapon in one_handed[:2]]
    if len(value) != 2:
        raise ValueError("two names are needed")
    named = {str(weapon["name"]).casefold(): str(weapon["name"]) for weapon in one_handed}
    parts = [readers.text(part) for part in value]
    for part in parts:
        if part.casefold() not in named:
            raise ValueError(f'"{part}" is none of its one-handed weapons')
    return [named[part.casefold()] for part in parts]
