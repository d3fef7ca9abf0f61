"""Tables of the percentile game as data, and the pure functions that read them.

section 8.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias

from tracker.core.terms.dice import Dice
from tracker.kit import readers

D100 = Dice.of(1, 100)
Result: TypeAlias = Literal["miss", "hit", "critical", "grievous"]

SPECIAL_HITS: tuple[tuple[int, int, int], ...] = (
    (1, 0, 1),
    (10, 1, 2),
    (17, 1, 3),
    (24, 1, 4),
    (29, 2, 5),
    (37, 2, 6),
    (44, 2, 7),
    (50, 3, 8),
    (57, 3, 9),
    (64, 3, 10),
    (70, 4, 11),
    (77, 4, 12),
    (84, 4, 13),
    (90, 5, 14),
    (97, 5, 15),
    (104, 5, 16),
    (110, 6, 17),
    (117, 6, 18),
    (124, 6, 19),
    (130, 7, 20),
)  # fmt: skip - a table
"""T-1: least modified strike chance of each band, highest grievous roll, highest critical roll (SJ-033)."""

INITIATIVE_DICE = (10, 8, 6, 4, 2)
"""Dice of the attack slots; a sixth and later slot counts as 1 (SJ-010, SJ-015, A-07)."""

WOUND_STEPS = ((5, -30, "SJ-048"), (10, -20, "SJ-047"), (20, -10, "SJ-046"))
LIGHTING = {
    "lit": (0, "SJ-106"),
    "starry_night": (-10, "SJ-106"),
    "cloudy_night": (-20, "SJ-107"),
    "unlit": (-40, "SJ-108"),
    "pitch_black": (-60, "SJ-109"),
}
ENCUMBERED = {"none": 0, "normal": -10, "double": -25}
SIZES = {"tiny": -10, "small": -5, "medium": 0, "large": 5, "giant": 10}
MOVEMENT = {
    "stationary": (10, "SJ-143"),
    "walking": (0, "SJ-144"),
    "running": (-10, "SJ-145"),
    "sprinting": (-20, "SJ-146"),
    "fast_sprinting": (-30, "SJ-147"),
    "dodging": (-20, "SJ-148"),
    "mounted": (-10, "SJ-149"),
}  # fmt: skip - a table
COVER = {"none": (0, "SJ-156"), "soft": (-10, "SJ-156"), "hard": (-20, "SJ-157")}
RANGED_IN_MELEE = {
    "hand_crossbow": ({"none": -10, "specialist": -5, "double": 0}, "SJ-160"),
    "crossbow": ({"none": -20, "specialist": -15, "double": -10}, "SJ-161"),
    "bow": ({"none": -30, "specialist": -20, "double": -10}, "SJ-162"),
}
AMBUSH = {
    0: (0, 0, ""),
    1: (0, 0, "SJ-057"),
    2: (0, 0, "SJ-058"),
    3: (10, 0, "SJ-059"),
    4: (20, 0, "SJ-060"),
    5: (30, 2, "SJ-061"),
}
"""T-6: by level of the victim, the attackers' SC and damage."""
UNSEEN = {1: (-10, -5, "SJ-099"), 2: (-20, -10, "SJ-098"), 3: (-40, -20, "SJ-097")}
"""T-8: by PER multiple of who cannot see, SC against the unseen and own DEF."""
MISSILES = {
    "arrow": (-2, 1, "SJ-164"),
    "quarrel": (-2, 1, "SJ-164"),
    "javelin": (-3, 2, "SJ-165"),
    "spear": (-4, 5, "SJ-166"),
}
INTO_MELEE = {
    (1, 1): (30, "SJ-170"),
    (1, 2): (20, "SJ-171"),
    (1, 3): (10, "SJ-172"),
    (2, 1): (40, "SJ-173"),
    (3, 1): (50, "SJ-174"),
    (3, 2): (45, "SJ-175"),
}  # fmt: skip - a table
NATURAL_FRIEND = {"none": 5, "specialist": 3, "double": 1}
SPEC_BONUS = {"none": 0, "specialist": 5, "double": 10}
GRIEVOUS_CLASS = {"A": 20, "B": 60, "C": 20}


@cache
def special_hits(msc: int, table: str = "document") -> tuple[int, int]:
    """Return the highest grievous and critical rolls at a strike chance, 0 for none (SJ-033)."""
    if table == "formula" and msc == 29:
        return 1, 4
    found = (0, 0)
    for least, grievous, critical in SPECIAL_HITS:
        if msc >= least:
            found = (grievous, critical)
    return found


def judge(roll: int, msc: int, table: str = "document") -> Result:
    """Judge a d100 (SJ-032, SJ-033, SJ-138 to SJ-141)."""
    grievous, critical = special_hits(msc, table)
    if roll >= 96:
        return "miss"
    if roll == 1 or roll <= grievous:
        return "grievous"
    if roll == 2 or roll <= critical:
        return "critical"
    return "hit" if roll == 3 or roll <= msc else "miss"


def stun_threshold(con: int, size: str, hp_max: int) -> int:
    """Return the damage of one hit that does not yet stun.

    SJ-038, SJ-040 to SJ-042, A-05.
    """
    adjusted = con + {"large": 2, "giant": 4}.get(size, 0) + -(-max(0, hp_max - 100) // 10)
    return adjusted if adjusted <= 25 else 2 * adjusted - 25


def wound_mod(hp: int, start: int) -> tuple[int, str]:
    """Return the modifier of a badly wounded combatant and its rule (SJ-046 to SJ-049).

    A step counts only if `start` lies above it.
    """
    for least, mod, rule in WOUND_STEPS:
        if hp <= least < start:
            return mod, rule
    return 0, "SJ-044"


def casting_time(spell_type: str, rank: int) -> int:
    """Return a mage's casting time in segments (T-4, SJ-068, A-11)."""
    rank = max(1, rank)
    steps = 0 if rank <= 5 else 1 if rank <= 10 else 2 if rank <= 15 else 3 if rank <= 20 else 4 if rank == 21 else 5
    return (6 if spell_type == "gk" else 7) - steps


def multiple(roll: int, score: int, mod: int = 0) -> int:
    """Return the least n with roll <= n x score + mod, at most 5.

    5 stands for 5× or worse (A-01, A-19).
    """
    return next((level for level in range(1, 5) if roll <= level * score + mod), 5)


def into_melee(friends: int, opponents: int) -> tuple[int, str]:
    """Return the total up to which a shot into a melee hits a friend.

    T-10, A-27.
    """
    return INTO_MELEE.get((friends, opponents), (max(5, 30 + 10 * (friends - 1) - 10 * (opponents - 1)), "SJ-A27"))


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
