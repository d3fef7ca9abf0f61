"""Stat blocks as a GM types them, read into the game's own."""

from pathlib import Path

import yaml

from rulesets.worlds_without_number.stat_blocks.models import PC, HouseRules, Monster, Setup, SideKeys, Weapon
from rulesets.worlds_without_number.stat_blocks.shorthand import read_block
from tracker.core.terms.values import Codec

FOLDER = Path(__file__).parents[3] / "encounters" / "worlds_without_number"
CODEC = Codec([PC, Monster, HouseRules, Setup, SideKeys])


def pc(**typed: object) -> PC:
    block = read_block("pc", {"name": "Ansa", "hp": 12, **typed})
    assert isinstance(block, PC)
    return block


def monster(**typed: object) -> Monster:
    block = read_block("monster", {"name": "Raider", **typed})
    assert isinstance(block, Monster)
    return block


def weapon(**typed: object) -> Weapon:
    return monster(weapons=[typed]).weapons[0]


def cadmon() -> PC:
    text = """
        hp: 15
        ac: 16
        shield: true
        ab: 2
        mods: {str: 2, dex: -1}
        skills: {stab: 2, punch: 1, exert: 1, notice: 0}
        saves: {physical: 12, evasion: 15, mental: 14}
        weapons:
          - {name: hand axe, dmg: 1d6, shock: 1/15, kind: [melee, thrown], range: 10/30, attr: [str]}
        instants:
          - {name: Veteran's Luck, does: miss_to_hit, uses: 1}
    """
    return pc(**yaml.safe_load(text))
