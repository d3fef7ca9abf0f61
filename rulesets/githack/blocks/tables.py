"""Tables of GitHack as data (section 8)."""

from __future__ import annotations

from msgspec import Struct

from rulesets.githack.blocks.canonical import Ability
from tracker.core.terms.dice import Dice

WEAPONS: dict[str, Dice] = {
    "small": Dice.of(1, 4),
    "medium": Dice.of(1, 6),
    "large": Dice.of(1, 8),
    "demon": Dice.of(1, 10),
}
"""8.1: dice of weapons by size (GH-028, GH-029)."""

ARMOUR: dict[str, int] = {"none": 0, "clothes": 1, "leather": 2, "light_chain": 3, "plate": 4}
"""8.2: AC of worn armour (GH-023)."""

HAZARDS: dict[str, tuple[Ability, ...]] = {
    "default": ("wis",),
    "poison": ("con",),
    "paralysis": ("con", "str"),
    "petrification": ("con", "cha"),
    "device": ("dex",),
    "breath": ("con", "dex"),
    "mind_control": ("int",),
    "trap": ("int", "dex"),
    "dimensional": ("int",),
}
"""8.4: which abilities save against a hazard, the first the usual one (GH-109)."""


class Stance(Struct, frozen=True):
    """A stance: its ability, whether it attacks, and its rank for monsters (GH-201, GH-202)."""

    ability: Ability
    attack: bool
    priority: int


STANCES: dict[str, Stance] = {
    "pursuit": Stance("str", True, 1),
    "talk": Stance("cha", False, 1),
    "defend": Stance("con", True, 2),
    "observe": Stance("wis", False, 2),
    "flank": Stance("dex", True, 3),
    "device": Stance("int", False, 3),
}
