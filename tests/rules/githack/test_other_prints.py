"""Prints of other games, each as its own books set them (GH-301 to GH-313).

The creatures are made up; the settings of type are those of Swords & Wizardry Complete, AD&D, B/X, Labyrinth Lord,
LotFP, Cairn, Into the Odd, Knave, ShadowDark and DCC.
"""

from __future__ import annotations

import pytest

from rulesets.githack import RULESET
from rulesets.githack.stat_blocks.importing import import_print
from tracker.core.game.schema import Imported
from tracker.library.content.printed import import_text

ROWS = [
    (
        "sw",
        "Marsh Lout\nHit Dice: 4+1\nArmor Class: 5 [14]\nAttacks: Weapon (1d10)\nSaving Throw: 13\nSpecial: None\n"
        "Move: 9\nAlignment: Chaos\nChallenge Level/XP: 4/120",
        ("Marsh Lout", 1, 4, "4d8+1", "1d10", "Saving Throw 13"),
    ),
    (
        "adnd",
        'Reed Lurkers (4): AC 6; MV 9"; HD 2+1; hp 11, 9, 8, 7; #AT 3; D 1-4/1-4/1-6; SA paralysis; AL CE',
        ("Reed Lurkers", 4, 4, "hp 11", "2d4+1d6", "hp of the others: 9, 8, 7"),
    ),
    (
        "adnd",
        'Reed Lurker: AC 6, MV 9", HD 2, #AT 2, D 1-4/1-4',
        ("Reed Lurker", 1, 4, "2d8", "2d4", "MV 9"),
    ),
    (
        "ose",
        "Mud Imp: AC 6, HD 1-1, MV 60' (20'), #AT 1, D 1-6, Save NM, ML 7, AL C",
        ("Mud Imp", 1, 3, "1d8-1", "1d6", "Save NM"),
    ),
    (
        "ll",
        "Mud Imp (3) [AL C, MV 60' (20'), AC 6, HD 1-1, #AT 1, DG 1d6 or weapon, SV 0 LVL, ML 7]",
        ("Mud Imp", 3, 3, "1d8-1", "1d6", "or by weapon"),
    ),
    (
        "lotfp",
        "Bog Thing: Armor 14, 3 Hit Dice, 13 hit points, Movement 60', 1 claw attack for 1d8 damage, Morale 9",
        ("Bog Thing", 1, 2, "hp 13", "1d8", "Morale 9"),
    ),
    (
        "lotfp",
        "Bog Thing: Armor 14, Hit Dice 3, Move 120', 2 claws doing 1d6 damage each, Morale 9.",
        ("Bog Thing", 1, 2, "3d8", "2d6", "Move 120"),
    ),
    (
        "lotfp",
        "Bog Bear: Armor 14, Hit Dice 4, hp 18, Movement 120', 2 Claw attacks (1d4) and 1 Bite attack (1d8), Morale 8.",
        ("Bog Bear", 1, 2, "hp 18", "2d4 | 1d8", "Movement 120"),
    ),
    (
        "adnd",
        'DEN BEAR\nFREQUENCY: Rare\nNO. APPEARING: 1-6\nARMOR CLASS: 6\nMOVE: 12"\nHIT DICE: 5+5\n% IN LAIR: 10%\n'
        "TREASURE TYPE: Nil\nNO. OF ATTACKS: 3\nDAMAGE/ATTACK: 1-6/1-6/1-8\nSPECIAL ATTACKS: Hug\n"
        "SPECIAL DEFENSES: Nil\nMAGIC RESISTANCE: Standard\nINTELLIGENCE: Semi-\nALIGNMENT: Neutral\nSIZE: L",
        ("DEN BEAR", 1, 4, "5d8+5", "2d6+1d8", "% IN LAIR 10%"),
    ),
    (
        "",
        "Root Imp\n4 HP, 8 STR, 14 DEX, 8 WIL, spear (d6)",
        ("Root Imp", 1, None, "hp 4", "1d6", "STR 8, DEX 14, WIL 8"),
    ),
    ("", "Tin Guard: STR 12, DEX 5, WIL 8, 7hp. Club (d8).", ("Tin Guard", 1, None, "hp 7", "1d8", "STR 12")),
    (
        "knave",
        "Moss Thief: AC 12, HP 9, LVL 2, ATK 2 knives (d6), MV 40', MOR 6, NA d6",
        ("Moss Thief", 1, 1, "hp 9", "2d6", "MOR 6"),
    ),
    (
        "shadowdark",
        "MOSS THIEF\nA thief of moss.\nAC 12 (leather), HP 9, ATK 2 knife (close/near) +2 (1d4) or 1 bite +1 (1d6), "
        "MV near (climb), S +1, D +2, C +0, I -1, W +0, Ch -2, AL C, LV 2",
        ("MOSS THIEF", 1, 2, "hp 9", "2d4 // 1d6", "A thief of moss"),
    ),
    (
        "dcc",
        "Moss Thief: Init +1; Atk knife +2 melee (1d4) or sling +1 missile fire (1d3); AC 12; HD 2d6; MV 30'; "
        "Act 1d20; SP sneak +5; SV Fort +0, Ref +2, Will -1; AL C.",
        ("Moss Thief", 1, 2, "2d6", "1d4 // 1d3", "SV Fort +0, Ref +2, Will -1"),
    ),
    (
        "ose",
        "Den Bear: AC 6, HD 4, Att 2 claws/1 bite, 1d4/1d4/1d6",
        ("Den Bear", 1, 3, "4d8", "1d4+1d4 | 1d6", ""),
    ),
    (
        "ose",
        "Den Bear: AC 6, HD 4, Att 2 claws/1 bite (1d4/1d4/1d6)",
        ("Den Bear", 1, 3, "4d8", "1d4+1d4 | 1d6", ""),
    ),
    (
        "ose",
        "Den Bear: AC 6, HD 4, #AT 2 claws/1 bite, Dmg 1d4/1d4/1d6",
        ("Den Bear", 1, 3, "4d8", "1d4+1d4 | 1d6", ""),
    ),
    (
        "ose",
        "Den Man: AC 6, HD 4, #AT 1 bite or 1 tail, Dmg 1d6 or 1d8",
        ("Den Man", 1, 3, "4d8", "1d6 // 1d8", ""),
    ),
    ("ose", "Den Man: AC 6, HD 4, Att 1 bite (1d6 or 1d8)", ("Den Man", 1, 3, "4d8", "1d6 // 1d8", "")),
    ("ose", "Slime: AC 8, HD 2, Att 1 touch (2d4/round)", ("Slime", 1, 1, "2d8", "2d4", "2d4 each round")),
    ("ose", "Guard of Gate 7\nAC 6\nHD 1\nAtt 1 spear (1d6)", ("Guard of Gate 7", 1, 3, "1d8", "1d6", "")),
    ("ose", "Ghouls (4): AC 6, HD 2, Att 2 claws (1d3)", ("Ghouls", 4, 3, "2d8", "2d3", "")),
    ("ose", "Giant Rats (2d6): AC 6, HD 2, Att 2 claws (1d3)", ("Giant Rats", "2d6", 3, "2d8", "2d3", "")),
    ("ose", "1d4+1 × Giant Rat: AC 6, HD 2, Att 2 claws (1d3)", ("Giant Rat", "1d4+1", 3, "2d8", "2d3", "")),
    ("ose", "Giant Rats (3-18): AC 6, HD 2, Att 2 claws (1d3)", ("Giant Rats", "3d6", 3, "2d8", "2d3", "")),
    ("ll", "Giant Rats (2d6) [AL N, AC 6, HD 2, #AT 2, DG 1d3/1d3]", ("Giant Rats", "2d6", 3, "2d8", "2d3", "")),
    ("ose", "Rat: AC 8, HD <1, Att 1 bite (1d2)", ("Rat", 1, 1, "1d4", "1d2", "")),
    ("ose", "Rat: AC 8, HD 1-2 hp, Att 1 bite (1d2)", ("Rat", 1, 1, "1d2", "1d2", "")),
]


def seen(read: Imported) -> tuple[object, ...]:
    """Return name, count, AC, hit points and dice of a stat block."""
    block = read.block
    modes = block.get("attacks")
    assert isinstance(modes, list)
    dice = " // ".join(" | ".join(part["dice"] for part in mode["parts"]) for mode in modes)
    points = f"hp {block['hp']}" if "hp" in block else block.get("hd")
    return block["name"], block.get("count", 1), block.get("ac"), points, dice


@pytest.mark.parametrize(("system", "text", "wanted"), ROWS)
def test_a_print_of_another_game(system: str, text: str, wanted: tuple[object, ...]) -> None:
    """Every number of the print is where it belongs, and the rest is kept."""
    read = import_print(text, system, {})

    assert seen(read) == wanted[:-1]
    assert read.unread == ()
    kept = read.block.get("kept", [])
    assert isinstance(kept, list)
    assert any(str(wanted[-1]) in each for each in kept) or not wanted[-1]


@pytest.mark.parametrize(
    "text",
    [
        "Name | AC | HD | Attacks | Damage\n---|---|---|---|---\nMoss Rat | 7 | 1 | 1 bite | 1d4\n"
        "Moss Bear | 6 | 4 | 2 claws/1 bite | 1d4/1d4/1d8",
        "Name\tAC\tHD\tAtt\tDmg\nMoss Rat\t7\t1\t1 bite\t1d4\nMoss Bear\t6\t4\t2 claws/1 bite\t1d4/1d4/1d8",
        "Name    AC  HD  Att    Dmg\nMoss Rat  7  1  1 bite  1d4\nMoss Bear  6  4  2 claws/1 bite  1d4/1d4/1d8",
    ],
)
def test_a_table_has_a_creature_in_each_row(text: str) -> None:
    """Its first column has the names."""
    rat, bear = import_text(RULESET, text, "ose")

    assert isinstance(rat, Imported)
    assert isinstance(bear, Imported)
    assert seen(rat) == ("Moss Rat", 1, 2, "1d8", "1d4")
    assert seen(bear) == ("Moss Bear", 1, 3, "4d8", "1d4+1d4 | 1d8")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Rat: AC 8, HD 1, Att 1 bite (1d2)", '"AC 8": which game counts so? name the system: native, ose'),
        ("Root Knight\n6 HP, 1 Armor, 12 STR, 14 DEX, 8 WIL, bite (d8)", '"Armour 1": there it is taken from damage'),
    ],
)
def test_no_armour_class_is_guessed(text: str, said: str) -> None:
    """It is left out, and the stat block says so (GH-303, GH-313)."""
    read = import_print(text, "", {})

    assert "ac" not in read.block
    assert read.unread[0].startswith(said)
    assert read.block["review"] == [f"not read: {read.unread[0]}"]


def test_two_scales_need_no_system() -> None:
    """A pair says both (GH-302)."""
    assert import_print("Rat: AC 8 [11], HD 1, Att 1 bite (1d2)", "", {}).block["ac"] == 1
