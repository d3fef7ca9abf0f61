"""Typed notations of a stat block, turned into the canonical form of `blocks`."""

from __future__ import annotations

from rulesets.spelljammer.blocks.tables import GRIEVOUS_CLASS
from tracker.kit import readers

LONGEST = 15
"""Segments from 10, on which a spell carried over begins, to -5 (SJ-029, SJ-030)."""


def shorthand(kind: str, plain: dict[str, object]) -> dict[str, object]:
    """Return a stat block's keys in canonical form.

    Raises:
        ValueError: with a line `path: what is wrong` for each problem.
    """
    block, problems = dict(plain), list[str]()
    block.pop("side", None)  # the encounter's sides say it
    if isinstance(block.get("def"), int) and not isinstance(block.get("def"), bool):
        block["def"] = {"other": block["def"]}
    if "hp" not in block and "hp_max" in block:
        block["hp"] = block["hp_max"]
    elif "hp_max" not in block and "hp" in block:
        block["hp_max"] = block["hp"]
    weapons = block.get("weapons")
    if isinstance(weapons, list):
        block["weapons"] = [_weapon(weapon) if isinstance(weapon, dict) else weapon for weapon in weapons]
        if not weapons:
            problems.append("weapons: at least one is needed")
        problems += _twice("weapons", weapons)
    spells = block.get("spells")
    problems += _twice("spells", spells if isinstance(spells, list) else [])
    for place, spell in enumerate(spells if isinstance(spells, list) else []):
        if isinstance(spell, dict):
            problems += _casting_time(place, spell)
    readers.raise_all(problems)
    return block


def _twice(key: str, entries: list[object]) -> list[str]:
    """Return a problem for each entry named like an earlier one.

    Declarations refer to them by name.
    """
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in entries]
    return [
        f"{key}[{place}].name: {name} is there twice"
        for place, name in enumerate(names)
        if isinstance(name, str) and name in names[:place]
    ]


def _casting_time(place: int, spell: dict[str, object]) -> list[str]:
    """Return what is wrong with a spell's casting time.

    It is missing, or longer than any round has room for.
    """
    time = spell.get("casting_time")
    if time is None and spell.get("type") == "cleric":
        return [f"spells[{place}].casting_time: a cleric's spell needs it"]
    if isinstance(time, int) and not isinstance(time, bool) and time > LONGEST:
        return [
            f"spells[{place}].casting_time: {time} segments never end in a round: a spell that begins on 10 "
            f"has {LONGEST} until -5 (or `round`)"
        ]
    return []


def _weapon(weapon: dict[str, object]) -> dict[str, object]:
    filled = dict(weapon)
    wound_class = filled.get("class")
    if "grievous_chance" not in filled and isinstance(wound_class, str) and wound_class in GRIEVOUS_CLASS:
        filled["grievous_chance"] = GRIEVOUS_CLASS[wound_class]
    if "missile" in filled or "type" in filled:
        filled.setdefault("kind", "ranged")
    return filled
