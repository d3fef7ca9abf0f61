"""Stat blocks as a GM types them, read into the game's own."""

from rulesets.worlds_without_number import RULESET
from rulesets.worlds_without_number.stat_blocks.models import PC, HouseRules, Monster, Setup, SideKeys, Weapon
from tests.support.tables import read_block
from tracker.core.terms.values import Codec

CODEC = Codec([PC, Monster, HouseRules, Setup, SideKeys])


def pc(**typed: object) -> PC:
    block = read_block(RULESET, "pc", {"name": "Ansa", "hp": 12, **typed})
    assert isinstance(block, PC)
    return block


def monster(**typed: object) -> Monster:
    block = read_block(RULESET, "monster", {"name": "Raider", **typed})
    assert isinstance(block, Monster)
    return block


def weapon(**typed: object) -> Weapon:
    return monster(weapons=[typed]).weapons[0]
