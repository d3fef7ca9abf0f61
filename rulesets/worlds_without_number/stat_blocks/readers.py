"""Readers of printed notations: `15a`, `+6 x2`, `2/15`, `13+`, `40' fly`.

A reader gets one typed value, a scalar as text or as the number it looks like, and returns plain values; what it cannot
read is a
`ValueError` with a message for people. `Typed` takes the keys of a mapping one by one and collects such messages under
their paths.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from rulesets.without_number import stat_blocks as shared
from tracker.core.terms.dice import Dice
from tracker.kit.readers import NOTHING, Typed, compact, dice, number, text

_WPN = re.compile(r"(?:wpn|weapon)\.?(?P<plus>[+-]\d+)?")


class Wpn(Struct, frozen=True):
    """A printed `Wpn+2`: whatever weapon it holds, and what is added to it."""

    plus: int = 0


def save(value: object) -> int:
    """Read a save number: `13` or `13+`."""
    return number(compact(value).removesuffix("+"))


def damage(value: object) -> str | Wpn | None:
    """Read damage: dice, `Wpn`, `Wpn+2`, or nothing."""
    typed = compact(value)
    if typed in NOTHING:
        return None
    return dice(typed) if (printed := _wpn(typed)) is None else printed


def weapon_damage(value: object) -> str:
    """Read the damage of a weapon: dice, or `none` for a net and the like."""
    return "0" if compact(value) in NOTHING else dice(value)


def shock(value: object) -> dict[str, object] | Wpn | None:
    """Read Shock: `2/15`, `5/-`, `Wpn`, `Wpn+2`, or nothing (WN-136, WN-138)."""
    if isinstance(value, Mapping):
        problems: list[str] = []
        typed = Typed(value, problems)
        points, limit = typed.take("points", number, 0), typed.take("ac", number, None)
        typed.refuse_rest("points and ac")
        if problems:
            raise ValueError("; ".join(problems))
        return {"points": points, "ac": limit}
    written = compact(value)
    if written in NOTHING:
        return None
    if (printed := _wpn(written)) is not None:
        return printed
    match = re.fullmatch(r"(?P<points>\d+)/(?:ac)?(?P<ac>\d+|[-–—])", written)
    if match is None:
        raise ValueError(f'"{text(value)}" is not Shock, such as 2/15, 5/- or none')
    return {"points": int(match["points"]), "ac": int(match["ac"]) if match["ac"].isdigit() else None}


def armor_class(value: object) -> tuple[dict[str, object], bool]:
    """Read `15`, `15a` or `{melee, ranged}`, and whether armour is worn."""
    if isinstance(value, Mapping):
        problems: list[str] = []
        typed = Typed(value, problems)
        both = {key: typed.take(key, _one_class, None) for key in ("melee", "ranged")}
        typed.refuse_rest("melee and ranged")
        problems += [f"{key}: is missing" for key, found in both.items() if found is None and not problems]
        if problems:
            raise ValueError("; ".join(problems))
        found = [pair for pair in both.values() if pair is not None]
        return {key: pair[0] for key, pair in zip(both, found, strict=True)}, any(worn for _, worn in found)
    single, worn = _one_class(value)
    return {"melee": single, "ranged": single}, worn


def attack(value: object) -> tuple[int, int]:
    """Read `+6`, `+6 x2` or `N/A` (R33).

    Attack bonus and attacks in one Main action, none of them for `N/A`.
    """
    typed = compact(value)
    if typed in NOTHING:
        return 0, 0
    match = re.fullmatch(r"(?P<atk>[+-]?\d+)(?:[x×*](?P<times>\d+))?", typed)
    if match is None:
        raise ValueError(f'"{text(value)}" is not an attack bonus, such as +6 or +6 x2')
    return int(match["atk"]), int(match["times"] or 1)


def hit_dice(value: object) -> tuple[int | None, str | None, int | None]:
    """Read `4`, `4d8`, `3+1`, `1/2` or `3 HP` (R41).

    The number of hit dice, what is rolled for hit points, and fixed hit points.
    """
    typed = compact(value)
    if typed in ("1/2", "½", "0.5"):
        return 0, "1d4", None
    if match := re.fullmatch(r"(\d+)hp", typed):
        return None, None, int(match[1])
    if match := re.fullmatch(r"([1-9]\d*)([+-]\d+)", typed):
        return int(match[1]), shared.hit_dice(f"{match[1]}d8{match[2]}"), None
    if "d" in typed:
        rolled = shared.hit_dice(typed)
        return len(Dice.parse(rolled).sides), rolled, None
    count = number(typed)
    if count < 0:
        raise ValueError(f"must be at least 0, not {count}")
    return count, f"{count}d8" if count > 0 else "1d4", None


def feet(value: object) -> tuple[int, str]:
    """Read a movement rate.

    Its first number in feet, and the whole text where it says more.
    """
    typed = text(value)
    match = re.search(r"\d+", typed)
    if match is None or typed.startswith(("-", "−")):
        raise ValueError(f'"{typed}" is not a movement rate, such as 30 or 40\' fly')
    only = re.fullmatch(r"\d+\s*(?:['’\u2032]|ft\.?|feet)?", typed, re.IGNORECASE)
    return int(match[0]), "" if only else typed


def ranges(value: object) -> list[int] | None:
    """Read a range: `30/60`, normal and greatest."""
    if isinstance(value, list | tuple) and len(value) == 2:
        near, far = number(value[0]), number(value[1])
    else:
        typed = re.sub(r"['’\u2032]|ft\.?|feet", "", compact(value))
        if typed in NOTHING:
            return None
        match = re.fullmatch(r"(\d+)/(\d+)", typed)
        if match is None:
            raise ValueError(f'"{text(value)}" is not a range, such as 30/60')
        near, far = int(match[1]), int(match[2])
    if near > far:
        raise ValueError(f"the normal range {near} is beyond the greatest {far}")
    return [near, far]


def _wpn(typed: str) -> Wpn | None:
    match = _WPN.fullmatch(typed)
    return Wpn(int(match["plus"] or 0)) if match else None


def _one_class(value: object) -> tuple[int, bool]:
    match = re.fullmatch(r"(\d{1,3})(a?)", compact(value))
    if match is None:
        raise ValueError(f'"{text(value)}" is not an Armor Class, such as 15, 15a or {{melee: 13, ranged: 15}}')
    return int(match[1]), bool(match[2])
