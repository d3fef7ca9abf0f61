"""Prints of other games, each as its own books set them (GH-301 to GH-313)."""

from __future__ import annotations

import pytest

from rulesets.githack import RULESET
from rulesets.githack.stat_blocks.importing import import_print
from tests.support.tables import for_each, rows
from tracker.core.game.schema import Imported
from tracker.library.content.printed import import_text

ROWS = rows(__file__, "rows", tuples=True)


def seen(read: Imported) -> tuple[object, ...]:
    """Return name, count, AC, hit points and dice of a stat block."""
    block = read.block
    modes = block.get("attacks")
    assert isinstance(modes, list)
    dice = " // ".join(" | ".join(part["dice"] for part in mode["parts"]) for mode in modes)
    points = f"hp {block['hp']}" if "hp" in block else block.get("hd")
    return block["name"], block.get("count", 1), block.get("ac"), points, dice


@for_each(("system", "text", "wanted"), ROWS)
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
