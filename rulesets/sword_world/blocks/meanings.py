"""What the values of Sword World's files mean, for checks and for its page."""

from __future__ import annotations

from tracker.core.game.meanings import Meanings, Meant, Short, usual

__all__ = ["MEANINGS"]

_KINDS = ("character", "monster")

MEANINGS = Meanings(
    values=(
        Meant("setup.zones.participants", of="combatant"),
        Meant("setup.known.who", of="combatant"),
        Meant("setup.known.monsters", of="combatant"),
        Meant("setup.surprise", of="side"),
        Meant("member.in_hand", "attack", own="attacks.name"),
        *(
            Meant(f"{kind}.{key}", least=least, most=most)
            for kind in _KINDS
            for key, least, most in (
                ("level", 0, 30),
                ("defense", 0, 60),
                ("move", 0, 200),
                ("attacks.crit", 7, 13),
            )
        ),
    ),
    words=usual(
        {
            "evasion": "ac",
            "defense": "armor_class defence",
            "armor": "armour",
            "hp": "hit_points",
            "damage": "dmg damage_dice",
            "move": "movement speed",
            "crit": "critical",
            "attacks": "weapons",
            "drops": "loot spoils",
        }
    ),
    short=(
        Short("character", "{hp: 20, agility: 15}", "`move` too"),
        Short(
            "monster", "{hp: 20, move: 15, attacks: [{name: Claw, damage: 2d+3}]}", "dice without faces are six-sided"
        ),
        Short("monster", "{hp: 20, move: 15, drops: [{roll: 2-6, item: nothing}]}", "`low` and `high`"),
        Short("monster", "{hp: 20, move: 15, drops: [{roll: 10+, item: ring}]}", "from 10 to 12"),
        Short("monster", "{hp: 20, move: 15, drops: [{roll: always, item: hide}]}", "without a roll"),
        Short(
            "character",
            "{hp: 20, move: 15, spells: [{name: Hex, duration: 30s, effect: {evasion: -1}}]}",
            "rounds of ten seconds; an effect by number",
        ),
        Short(
            "character",
            "{hp: 20, move: 15, attacks: [{name: Torch, impact: 5, energy: fire}]}",
            "one energy without a list",
        ),
        Short(
            "character",
            "{hp: 20, move: 15, attacks: [{name: Musket, mode: gun, impact: 20}]}",
            "a gun's damage is magical",
        ),
        Short(
            "character",
            "{hp: 20, move: 15, spells: [{name: Load, duration: 1, effect: {damage: {amount: 1, type: magical}}}]}",
            "damage of a type of its own",
        ),
    ),
)
