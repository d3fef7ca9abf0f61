"""What the values of GitHack's files mean, for checks and for its page."""

from __future__ import annotations

from rulesets.githack.blocks.canonical import Monster
from tracker.core.game.meanings import Meanings, Meant, Short, usual
from tracker.core.terms.values import Data

__all__ = ["MEANINGS"]


def _doubts(block: Data) -> tuple[str, ...]:
    return block.review if isinstance(block, Monster) else ()


MEANINGS = Meanings(
    values=(
        Meant("pc.ac", least=0, most=10),
        Meant("monster.ac", least=0, most=20),
        Meant("pc.angst", least=0, most=30),
    ),
    words=usual(
        {
            "armour": "armor",
            "ac": "armor_class armour_class",
            "hd": "hit_dice",
            "hp": "hit_points",
            "damage": "dmg",
            "weapons": "weapon",
            "str": "strength",
            "con": "constitution",
            "dex": "dexterity",
            "int": "intelligence",
            "wis": "wisdom",
            "cha": "charisma",
            "paralysed": "paralysis paralyzed",
            "poisoned": "poison",
        }
    ),
    short=(
        Short("pc", "str: 14", "an ability beside the other keys instead of in `scores`"),
        Short("pc", "armour: light_chain", "`none`, `clothes`, `leather`, `light_chain` or `plate`, for `ac`"),
        Short("pc", "weapons: [{name: sword, dice: large}]", "dice by size: `small`, `medium`, `large`, `demon`"),
        Short("pc", "harm: //x", "the first boxes; the rest of the track is empty"),
        Short("monster", 'stat_line: "AC 5, HD 3, hp 12, claw 1d6"', "a printed line; keys beside it win"),
        Short("monster", "damage: 1d8", "one attack"),
        Short("monster", "{attacks: 2, damage: 1d4/1d4}", "attacks and damage as they are printed"),
        Short("monster", "{damage: 1d6, reach: both}", "where that attack strikes"),
        Short("monster", "{ac: 15, system: d20}", "numbers as another game counts them, turned into this one's"),
        Short("monster", "{damage: 1d6, morale: 8}", "words of a print that no rule reads are kept in the notes"),
    ),
    doubts=_doubts,
)
