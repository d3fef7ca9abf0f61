"""From what a GM types to canonical stat blocks: `2d+3`, `10+`, `30s`, defaults.

What `shorthand` returns may be given to it again with the same result. Unknown keys stay as they are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from tracker.core.terms.dice import Dice
from tracker.kit import readers
from tracker.kit.readers import Plain

ROUND_SECONDS = 10
PICKUP_SECONDS = 600
FULL_MOVE_EVASION = -4
STANDING_UP = -2
SURPRISE_PENALTY = -2
AUTO_FAILURE_XP = 50
MOST_CAPACITY = 20
FALL_PER_METRE = 3
LONGEST_ACTION = 600
LEAST_CRIT = 8
NO_CRIT = 13
BAD_GROUND = -2

DISTANCE = {"enclosed": 5, "large": 10, "crowded": 10, "open": 20}
RECOMMENDED = (5, 30)

_SIZES = ((2, 2, 3, 5), (5, 3, 5, 3), (10, 4, 7, 7), (15, 5, 8, 8), (20, 6, 10, 10))
"""Most fighters; radius in the open; side of the square indoors as used here and as printed (SW-R20)."""


def starting_distance(space: str | None, moving: float = 0, large_monster: float = 0) -> float | None:
    """Return the guide's starting distance, None without a space (SW-005 to SW-007)."""
    return None if space is None else DISTANCE[space] + moving + large_monster


def zone_radius(fighters: int, indoor: bool = False, as_printed: bool = False) -> float:
    """Return the guide's radius of a zone for so many sections (SW-078); indoors it is half the side of the square."""
    _, open_radius, corrected, printed = next((row for row in _SIZES if fighters <= row[0]), _SIZES[-1])
    return (printed if as_printed else corrected) / 2 if indoor else float(open_radius)


def zone_capacity(width: float | None) -> int:
    """Return how many fighters fit into a field of this width (SW-079); it is the largest row whose square fits."""
    if width is None:
        return MOST_CAPACITY
    return max((most for most, _, side, _ in _SIZES if side <= width), default=1)


def hide_penalty(distance: float | None) -> int:
    """Return the Hide modifier for a distance in whole metres, rounded up (SW-175)."""
    if distance is None:
        return 0
    metres = math.ceil(distance)
    return -4 if metres <= 10 else -2 if metres <= 20 else 0


def rounds_of(seconds: int) -> int:
    """Return seconds as rounds, rounded up (SW-R06)."""
    return max(1, -(-seconds // ROUND_SECONDS))


def crit_rate(printed: int, *changes: int) -> int | None:
    """Return the 2d total from which an attack criticals, None from 13 on.

    It is never below 8 (SW-154, SW-157, SW-R27).
    """
    rate = max(LEAST_CRIT, printed + sum(changes))
    return None if rate >= NO_CRIT else rate


_BARE_DICE = re.compile(r"(\d*)d(?!\d)", re.IGNORECASE)
_RANGE = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+)|(\+))?")


def shorthand(kind: str, plain: Plain) -> Plain:
    """Turn the typed keys of a `character` or a `monster` into those of its Struct.

    Raises:
        ValueError: with a line `field: message` for each problem.
    """
    problems: list[str] = []
    block = {key: value for key, value in plain.items() if value is not None}
    if block.get("kind") in ("character", "monster"):
        kind = str(block.pop("kind"))
    if "move" not in block:
        if "agility" in block:
            block["move"] = block["agility"]
        else:
            problems.append("agility: is missing; a monster without it has move")
    block.setdefault("death_checks", kind == "character")
    block.setdefault("earns_xp", kind == "character")
    power = block.get("magic_power", 0)
    for key, read in (("attacks", _attack), ("drops", _drop)):
        if key in block:
            block[key] = [
                read(entry, f"{key}[{place}]", problems)
                for place, entry in enumerate(_entries(block[key], key, problems))
            ]
    if "spells" in block:
        block["spells"] = [
            _spell(entry, f"spells[{place}]", power, problems)
            for place, entry in enumerate(_entries(block["spells"], "spells", problems))
        ]
    for key in ("attacks", "spells", "feats"):
        _different(block.get(key), key, problems)
    readers.raise_all(problems)
    return block


def dice_text(value: object) -> str:
    """Return dice as core writes them: a `d` without sides has six."""
    text = _BARE_DICE.sub(lambda match: f"{match[1] or 1}d6", _single(value))
    return str(Dice.parse(text))


def drop_range(value: object) -> tuple[int, int]:
    """Read the roll of a Drop entry: `2-6`, `10+`, `7` or `always`."""
    text = _single(value).casefold()
    if text == "always":
        return 0, 0
    match = _RANGE.fullmatch(text)
    if match is None:
        raise ValueError(f'"{text}" is no roll of a Drop entry (2-6, 10+ or always)')
    low = int(match[1])
    high = 12 if match[3] else int(match[2] or low)
    if not 2 <= low <= high <= 12:
        raise ValueError(f'"{text}" is not within 2 to 12')
    return low, high


def _single(value: object) -> str:
    if value is None or isinstance(value, bool | Mapping | list | tuple):
        raise ValueError("a single value is needed here, as text or a number")
    return str(value).strip()


def _entries(value: object, key: str, problems: list[str]) -> list[object]:
    if isinstance(value, list | tuple):
        return list(value)
    problems.append(f"{key}: a list is wanted")
    return []


def _attack(value: object, path: str, problems: list[str]) -> object:
    if not isinstance(value, Mapping):
        return value
    attack: Plain = {key: part for key, part in value.items() if part is not None}
    _dice(attack, "damage", path, problems)
    _words(attack, "energy")
    if ("impact" in attack) == ("damage" in attack):
        name = attack.get("name")
        problems.append(f"{path}: {name if isinstance(name, str) else 'an attack'} needs either impact or damage")
    if attack.get("mode") == "gun":
        attack.setdefault("damage_type", "magical")  # SW-141
    return attack


def _spell(value: object, path: str, power: object, problems: list[str]) -> object:
    if not isinstance(value, Mapping):
        return value
    spell: Plain = {key: part for key, part in value.items() if part is not None}
    _words(spell, "energy")
    spell.setdefault("bonus", power)
    harmful = "impact" in spell and spell.get("heal") is not True
    spell.setdefault("resist", "half" if harmful else "none")
    _duration(spell, path, problems)
    problems += [f"{path}.{problem}" for problem in _idle(spell)]
    effect = spell.get("effect")
    if isinstance(effect, Mapping):
        spell["effect"] = [_change(stat, amount, f"{path}.effect.{stat}", problems) for stat, amount in effect.items()]
    if "max_targets" in spell and spell.get("area") != "radius":
        problems.append(f"{path}.max_targets: only an area of a radius has a maximum")
    return spell


def _idle(spell: Plain) -> list[str]:
    name = spell.get("name")
    named = name if isinstance(name, str) else "the spell"
    found = []
    if "duration" in spell and "effect" not in spell:
        found.append(f"duration: {named} has a duration but no effect: give it one, even one without numbers")
    if spell.get("heal") is True and "impact" not in spell:
        found.append(f"heal: {named} heals by its impact, and has none")
    if spell.get("resist") == "half" and "impact" not in spell:
        found.append(f"resist: {named} has no impact that could be halved")
    return found


def _duration(spell: Plain, path: str, problems: list[str]) -> None:
    value = spell.get("duration")
    if isinstance(value, str) and value != "combat":
        match = re.fullmatch(r"(\d{1,6})\s*(s|rounds?)?", value.strip())
        if match is None or not int(match[1]):
            problems.append(f'{path}.duration: "{value}" is neither rounds, nor seconds such as 30s, nor combat')
            spell.pop("duration")
        else:
            spell["duration"] = rounds_of(int(match[1])) if match[2] == "s" else int(match[1])


def _change(stat: object, amount: object, path: str, problems: list[str]) -> Plain:
    if isinstance(amount, Mapping):
        return {"stat": stat, **amount}
    if not isinstance(amount, int) or isinstance(amount, bool):
        problems.append(f"{path}: a whole number is wanted")
        return {"stat": stat, "amount": 0}
    return {"stat": stat, "amount": amount}


def _drop(value: object, path: str, problems: list[str]) -> object:
    if not isinstance(value, Mapping):
        return value
    drop: Plain = dict(value)
    if "roll" in drop:
        try:
            drop["low"], drop["high"] = drop_range(drop.pop("roll"))
        except ValueError as error:
            problems.append(f"{path}.roll: {error}")
    return drop


def _dice(entry: Plain, key: str, path: str, problems: list[str]) -> None:
    if key in entry:
        try:
            entry[key] = dice_text(entry[key])
        except ValueError as error:
            problems.append(f"{path}.{key}: {error}")
            entry[key] = "0"


def _words(entry: Plain, key: str) -> None:
    if isinstance(entry.get(key), str):
        entry[key] = [entry[key]]


def _different(value: object, key: str, problems: list[str]) -> None:
    called = (
        [entry.get("name") for entry in value if isinstance(entry, Mapping)] if isinstance(value, list | tuple) else []
    )
    names = [name for name in called if isinstance(name, str)]
    problems.extend(f"{key}: two are called {name}" for name in dict.fromkeys(names) if names.count(name) > 1)
