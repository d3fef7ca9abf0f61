"""Printed stat blocks of fifth edition, and the numbers in the words of what a creature can do."""

from __future__ import annotations

import pytest

from tracker.core.game.foreign import Feature
from tracker.kit import printed
from tracker.kit.printed import PrintedPower

DRAKE = """Ash Drake
Large dragon, chaotic evil
Armor Class 17 (natural armor)
Hit Points 75 (10d10 + 20)
Speed 30 ft., climb 30 ft., fly 60 ft.
STR DEX CON INT WIS CHA
19 (+4) 10 (+0) 15 (+2) 12 (+1) 11 (+0) 15 (+2)
Saving Throws Dex +2, Con +4
Damage Resistances cold; bludgeoning and piercing from nonmagical attacks
Condition Immunities frightened
Challenge 4 (1,100 XP)
Keen Smell. The drake has advantage on Wisdom
(Perception) checks that rely on smell.
Actions
Bite. Melee Weapon Attack: +6 to hit, reach 10 ft., one target. Hit: 9 (1d10 + 4) piercing damage.
Legendary Actions
Wing Beat (Costs 2 Actions). Each creature in a 10-foot radius must succeed on a DC 14 Dexterity saving throw or be
knocked prone.
"""


def test_a_print_is_read() -> None:
    drake = printed.read_creature(DRAKE)

    assert (drake.name, drake.size, drake.hp, drake.ac, drake.hd, drake.challenge) == (
        *("Ash Drake", "large"),
        *(75, 17, "10d10+20", "4"),
    )
    assert dict(drake.scores) == {"str": 19, "dex": 10, "con": 15, "int": 12, "wis": 11, "cha": 15}
    assert drake.saves == (("dex", 2), ("con", 4))
    assert (drake.resist, drake.unaffected) == (("cold", "bludgeoning", "piercing"), ("frightened",))
    assert [(one.group, one.name) for one in drake.features] == [
        ("trait", "Keen Smell"),
        ("action", "Bite"),
        ("legendary", "Wing Beat (Costs 2 Actions)"),
    ]


@pytest.mark.parametrize("text", ["", "Goblin: AC 7 [12], HD 1, Att 1 spear", "Name\nArmor Class high\nHit Points 3"])
def test_what_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"fifth edition|no number"):
        printed.read_creature(text)


@pytest.mark.parametrize(
    ("name", "words", "read"),
    [
        (
            "Longbow",
            "Ranged Weapon Attack: +4 to hit, range 150/600 ft., one target. Hit: 6 (1d8 + 2) piercing damage.",
            PrintedPower(hit=4, range=(150, 600), damage=(("1d8+2", "piercing"),)),
        ),
        (
            "Sting",
            "Melee Weapon Attack: +5 to hit, reach 5 ft. Hit: 5 (1d4 + 3) piercing damage, the target must make a DC "
            "11 Constitution saving throw, taking 9 (2d8) poison damage, or half as much on a success.",
            PrintedPower(
                hit=5,
                reach=5,
                damage=(("1d4+3", "piercing"),),
                save="con",
                dc=11,
                half=True,
                extra=(("2d8", "poison"),),
            ),
        ),
        (
            "Fire Breath (Recharge 5–6)",
            "Each creature in a 30-foot cone makes a DC 13 Dexterity saving throw, taking 24 (7d6) fire damage on a "
            "failed save, or half as much on a success.",
            PrintedPower(damage=(("7d6", "fire"),), save="dex", dc=13, half=True, shape="cone", size=30, recharge=5),
        ),
        (
            "Dread Gaze (1/Day)",
            "The target must succeed on a DC 12 Wisdom saving throw or be frightened. It may repeat the saving throw "
            "at the end of each of its turns.",
            PrintedPower(save="wis", dc=12, condition="frightened", ends_by_save=True, uses=1),
        ),
        ("Keen Smell", "It has advantage on checks that rely on smell.", PrintedPower()),
    ],
)
def test_the_numbers_of_a_feature(name: str, words: str, read: PrintedPower) -> None:
    assert printed.power(Feature("action", name, words)) == read
