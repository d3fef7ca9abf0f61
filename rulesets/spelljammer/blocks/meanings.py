"""What the values of the percentile game's files mean, for checks and for its page."""

from __future__ import annotations

from tracker.core.game.meanings import Meanings, Meant, Short, usual

__all__ = ["MEANINGS"]

MEANINGS = Meanings(
    values=(
        Meant("setup.ambush", of="combatant or side"),
        Meant("setup.engaged", of="combatant"),
        *(
            Meant(f"{kind}.{key}", least=least, most=most)
            for kind in ("pc", "monster")
            for key, least, most in (
                ("weapons.sc", 1, 250),
                ("prot", 0, 40),
                ("dex", 1, 40),
                ("con", 1, 60),
                ("per", 1, 40),
                ("im", -10, 20),
                ("tmr", 0, 500),
                ("attacks", 1, 12),
            )
        ),
    ),
    words=usual(
        {
            "def": "ac armor_class defence defense",
            "prot": "armor armour protection",
            "hp": "hit_points",
            "dmg": "damage",
            "sc": "strike_chance",
            "weapons": "attack",
            "im": "initiative",
            "tmr": "move movement speed",
            "con": "constitution",
            "dex": "dexterity",
            "per": "perception",
        }
    ),
    short=(
        Short("pc", "def: 15", "all of it in one number, which no circumstance takes apart"),
        Short("pc", "hp_max: 40", "present hit points are the same"),
        Short("monster", "weapons: [{name: claw, sc: 60, dmg: 1d6, class: B}]", "the grievous chance of that class"),
        Short("pc", "weapons: [{name: bow, sc: 70, dmg: 1d6, missile: arrow}]", "a ranged weapon"),
    ),
)
