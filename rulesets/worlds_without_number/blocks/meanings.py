"""What the values of Worlds Without Number's files mean, for checks and for its page."""

from __future__ import annotations

from rulesets.worlds_without_number.blocks.canonical import Monster
from tracker.core.game.meanings import Meanings, Meant, Short, usual
from tracker.core.terms.values import Data

__all__ = ["MEANINGS"]

_SKILLS = ("punch", "stab", "shoot", "exert", "heal", "notice", "sneak")


def _doubts(block: Data) -> tuple[str, ...]:
    return tuple(f"not read: {part}" for part in block.unread) if isinstance(block, Monster) else ()


MEANINGS = Meanings(
    values=(
        Meant("pc.skills.0", "skill", _SKILLS, open=True),
        *(Meant(f"{kind}.ac.{way}", least=0, most=30) for kind in ("pc", "monster") for way in ("melee", "ranged")),
        Meant("monster.hd", least=0, most=40),
        Meant("monster.atk", least=-5, most=40),
        Meant("pc.move", least=0, most=200),
        Meant("monster.move", least=0, most=500),
    ),
    words=usual(
        {
            "ac": "armor armour armor_class armour_class",
            "ml": "morale",
            "inst": "instinct",
            "dmg": "damage",
            "hp": "hit_points",
            "atk": "attack",
            "ab": "attack_bonus",
            "move": "speed movement",
            "save": "saving_throw",
            "punch": "brawl fight",
            "stab": "melee",
            "shoot": "ranged",
            "sneak": "stealth",
            "notice": "perception",
            "heal": "medicine",
            "exert": "athletics",
        }
    ),
    short=(
        Short("pc", "{hp: 9, attributes: {str: 14}}", "`mods`, worked out"),
        Short("pc", "{hp: 9, ac: 15}", "against every attack"),
        Short("pc", "{hp: 9, weapons: [long sword, {name: dagger, dmg: 1d6}]}", "a preset by name; keys beside it win"),
        Short("pc", "{hp: 9, weapons: [short sword, dagger], dual_wield: true}", "the first two one-handed weapons"),
        Short("pc", "{hp: 9, unarmed: 1d4}", "damage of bare hands"),
        Short("monster", "ac: 15a", "worn armour"),
        Short("monster", "{atk: +6 x2, dmg: 1d8+2, shock: 4/15}", "the default attack, twice in one Main action"),
        Short("monster", "{dmg: 1d6, kind: [ranged], natural: true}", "what kind of attack that is"),
        Short("monster", "hd: 1/2", "1d4 hit points"),
        Short("monster", "hd: 3+1", "three dice and a point"),
        Short("monster", "hd: 3 HP", "fixed hit points"),
        Short("monster", "move: 40' fly", "40 feet, shown in full"),
        Short("monster", "save: 13+", "the number"),
        Short(
            "monster", 'stat_line: "3  14  +4 x2  1d6  1/13  40\'  8  6  +1  14+"', "a printed line; keys beside it win"
        ),
    ),
    doubts=_doubts,
)
