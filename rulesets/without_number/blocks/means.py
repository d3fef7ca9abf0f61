"""What the keys mean that both games have, and the usual words for their skills."""

from __future__ import annotations

__all__ = ["MODIFIERS", "SKILL_WORDS"]

MODIFIERS: dict[str, str] = {
    "str": "Strength",
    "dex": "Dexterity",
    "con": "Constitution",
    "int": "Intelligence",
    "wis": "Wisdom",
    "cha": "Charisma",
}

SKILL_WORDS: dict[str, str] = {
    "stab": "melee",
    "shoot": "ranged",
    "sneak": "stealth",
    "notice": "perception",
    "heal": "medicine",
    "exert": "athletics",
}
"""As `tracker.core.game.typed.usual` takes them."""
