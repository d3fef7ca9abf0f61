"""What the situation does to an attack roll: the table both games print."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

__all__ = ["MODIFIERS", "Cover", "Reach", "Situation", "Use", "Visibility", "impossible", "rows"]

Use: TypeAlias = Literal["melee", "ranged", "thrown"]
Cover: TypeAlias = Literal["none", "half", "almost"]
Visibility: TypeAlias = Literal["seen", "known", "unknown"]
Reach: TypeAlias = Literal["normal", "long", "beyond"]

MODIFIERS = {
    "shoot_distant_prone": -2,
    "adjacent_prone": 2,
    "melee_while_prone": -4,
    "long_range": -2,
    "half_cover": -2,
    "near_total_cover": -4,
    "one_handed_in_melee": -4,
    "unseen_known": -4,
    "snap_attack": -4,
    "charge": 2,
    "dual_wield": -1,
}
DUAL_WIELD_DAMAGE = 2


class Situation(Struct, frozen=True, gc=False):
    """Where attacker and target are, as far as it counts."""

    use: Use
    adjacent: bool
    target_prone: bool = False
    attacker_prone: bool = False
    cover: Cover = "none"
    visibility: Visibility = "seen"
    reach: Reach = "normal"
    in_melee: bool = False


def rows(situation: Situation) -> tuple[str, ...]:
    """Return the rows that apply, which add up.

    Of cover only the worse row counts, and one row for a missile in melee.
    """
    shot = situation.use != "melee"
    found = []
    if situation.target_prone and situation.adjacent:
        found.append("adjacent_prone")
    elif situation.target_prone and shot:
        found.append("shoot_distant_prone")
    if situation.attacker_prone and not shot:
        found.append("melee_while_prone")
    if shot and situation.reach == "long":
        found.append("long_range")
    if situation.cover != "none":
        found.append("half_cover" if situation.cover == "half" else "near_total_cover")
    if shot and situation.in_melee:
        found.append("one_handed_in_melee")
    if shot and situation.visibility == "known":
        found.append("unseen_known")
    return tuple(found)


def impossible(situation: Situation, hands: int) -> str:
    """Return the row that forbids the attack, or ""."""
    if situation.use == "melee":
        return ""
    if situation.reach == "beyond":
        return "beyond_range"
    if situation.visibility == "unknown":
        return "unseen_unknown"
    if situation.use == "ranged" and situation.in_melee and hands == 2:
        return "two_handed_in_melee"
    return ""
