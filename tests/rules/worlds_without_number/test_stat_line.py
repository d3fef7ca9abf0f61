"""Import of printed stat lines (8.8), and the lines of table 8.10."""

import pytest
import yaml

from rulesets.without_number.stat_blocks import Shock
from rulesets.worlds_without_number import RULESET
from rulesets.worlds_without_number.stat_blocks.models import ArmorClass, Monster, Weapon
from rulesets.worlds_without_number.stat_blocks.stat_line import read_line
from tests.support.tables import for_each, read_block, rows
from tracker.core.terms.dice import Dice

# name: hd, ac, atk, attacks, dmg, shock, move, ml, inst, skill, save
PRINTED = """
Small Pack Predator:      [1, 12, 2, 1, 1d4, 1/13, 40, 7, 6, 1, 15]
Large Solitary Predator:  [5, 13, 6, 1, 1d8, 2/13, 30, 8, 6, 1, 13]
Apex Predator:            [6, 13, 6, 2, 1d8, 2/13, 40, 8, 6, 2, 12]
Herd Beast:               [2, 11, 2, 1, 1d4, none, 40, 7, 6, 1, 14]
Vicious Large Herbivore:  [4, 13, 5, 1, 1d10, 1/13, 40, 9, 6, 1, 13]
Elephantine Grazer:       [6, 13, 5, 1, 2d8, none, 40, 7, 6, 1, 12]
Predator, Small Vicious:  [1, 14, 1, 1, 1d4, 1/13, 30, 7, 5, 1, 15]
Predator, Large Vicious:  [6, 13, 7, 2, 2d6, 2/15, 40, 9, 5, 2, 12]
Predator, Hulking:        [10, 15, 12, 2, 2d6+3, 6/15, 30, 10, 4, 1, 10]
Predator, Hellbeast:      [10, 18, 12, 4, 1d10+5, 6/15, 60, 11, 4, 3, 10]
Unnatural Swarm:          [4, 10, 6, 3, 1d6, 1/15, 30, 10, 5, 1, 13]
Slime or Ooze:            [6, 10, 6, 2, 1d8, 1/15, 20, 12, 5, 1, 12]
Automaton, Laborer:       [2, 15, 2, 1, 1d6, 1/13, 30, 12, 3, 1, 14]
Automaton, Military:      [4, 18, 5, 1, 1d10+2, 4/15, 30, 12, 3, 1, 13]
Automaton, Warbot:        [10, 20, 12, 3, 1d12+5, 7/15, 40, 12, 2, 2, 10]
Raised Corpse:            [1, 13, 1, 1, 1d6, none, 30, 12, 0, 0, 15]
Peaceful Human:           [1, 10, 0, 1, Wpn, none, 30, 7, 5, 1, 15]
Thug or Militia:          [1, 13, 1, 1, Wpn, Wpn, 30, 8, 4, 1, 15]
Barbarian Fighter:        [1, 13, 2, 1, Wpn, Wpn, 30, 8, 5, 1, 15]
Veteran Soldier:          [1, 13, 2, 1, Wpn, Wpn, 30, 8, 3, 1, 15]
Skilled Veteran:          [2, 15, 3, 1, Wpn, Wpn, 30, 9, 2, 1, 14]
Elite or Special Guard:   [3, 18, 4, 1, Wpn, Wpn, 30, 10, 2, 2, 14]
Knight or Minor Hero:     [4, 18, 6, 1, Wpn, Wpn, 30, 10, 1, 2, 13]
Warrior Baron:            [6, 18, 8, 1, Wpn, Wpn, 30, 9, 1, 2, 12]
Barbarian Warlord:        [8, 16, 10, 1, Wpn, Wpn, 30, 10, 3, 2, 11]
Mighty General:           [8, 18, 10, 1, Wpn, Wpn, 30, 10, 1, 3, 11]
Major Hero:               [10, 18, 12, 1, Wpn, Wpn, 30, 10, 2, 3, 10]
Great Warrior King:       [12, 18, 14, 1, Wpn, Wpn, 30, 10, 1, 3, 9]
"""
CREATURES: dict[str, list[str | int]] = yaml.safe_load(PRINTED)
SEPARATORS = {"spaces": "  ", "tabs": "\t", "bars": " | "}


def read(line: str, **typed: object) -> Monster:
    block = read_block(RULESET, "monster", {"name": "x", "stat_line": line, **typed})
    assert isinstance(block, Monster)
    return block


def cells(name: str) -> list[str]:
    """Return a creature's columns as a book prints them."""
    hd, ac, atk, attacks, dmg, shock, move, ml, inst, skill, save = CREATURES[name]
    times = f" x{attacks}" if attacks != 1 else ""
    return [
        f"{hd}",
        f"{ac}",
        f"+{atk}{times}",
        f"{dmg}",
        f"{shock}",
        f"{move}'",
        f"{ml}",
        f"{inst}",
        f"+{skill}",
        f"{save}+",
    ]


@for_each("separator", SEPARATORS)
@for_each("name", CREATURES)
def test_the_lines_of_the_table_load(name: str, separator: str) -> None:
    """WN-C31: every column of table 8.10 comes back, however the columns are parted."""
    hd, ac, atk, attacks, dmg, shock, move, ml, inst, skill, save = CREATURES[name]

    block = read(SEPARATORS[separator].join(cells(name)))

    assert block.unread == ()
    assert [block.hd, block.ac, block.atk, block.attacks] == [hd, ArmorClass(int(ac), int(ac)), atk, attacks]
    assert [block.move, block.ml, block.inst, block.skill, block.save] == [move, ml, inst, skill, save]
    if dmg == "Wpn":
        assert block.any_weapon
    else:
        assert [(str(weapon.dmg), str(weapon.shock).lower()) for weapon in block.weapons] == [(dmg, shock)]


@for_each("name", CREATURES)
def test_printed_saves_are_the_computed_ones(name: str) -> None:
    """WN-C07 holds for every creature of the table."""
    block = read("  ".join(cells(name)))

    assert block.computed_save == block.save


def test_a_whole_line() -> None:
    """E75."""
    block = read("10  15  +12 x2  2d6+3  6/-  30'  10  4  +1  10+")

    assert block == Monster(
        name="x",
        hd=10,
        hit_dice=Dice.of(10, 8),
        ac=ArmorClass(15, 15),
        atk=12,
        attacks=2,
        weapons=(Weapon("attack", Dice.parse("2d6+3"), shock=Shock(6, None)),),
        move=30,
        ml=10,
        inst=4,
        skill=1,
        save=10,
    )


LABELLED = "HD 3, AC 14a, Atk. +4 x 2, Dmg. 1d6, Shock 1/13, Move 40' fly, ML 8, Inst. 6, Skill +1, Save 14+"


@pytest.mark.parametrize("line", rows(__file__, "labels"))
def test_labels(line: str) -> None:
    """With labels the order and the kind of gap do not matter."""
    assert read(line) == read("3  14a  +4 x2  1d6  1/13  40' fly  8  6  +1  14+")


def test_a_labelled_line_may_leave_columns_out() -> None:
    """What is not printed keeps its default."""
    block = read("AC 13, Atk +1")

    assert (block.ac, block.atk, block.hd, block.ml) == (ArmorClass(13, 13), 1, 1, 7)


@for_each(
    ("column", "text", "expected"),
    [
        (0, "1/2", {"hd": 0, "hit_dice": Dice.of(1, 4), "hp": None}),
        (0, "4d8", {"hd": 4, "hit_dice": Dice.of(4, 8)}),
        (0, "3 HP", {"hp": 3}),
        (0, "3+1", {"hd": 3, "hit_dice": Dice.parse("3d8+1")}),
        (0, "2 - 1", {"hd": 2, "hit_dice": Dice.parse("2d8-1")}),
        (1, "15a", {"ac": ArmorClass(15, 15), "worn_armor": True}),
        (2, "6", {"atk": 6, "attacks": 1}),
        (2, "+6 x 3", {"atk": 6, "attacks": 3}),
        (2, "N/A", {"attacks": 0, "weapons": ()}),
        (3, "None", {"weapons": ()}),
        (4, "-", {"weapons": (Weapon("attack", Dice.of(1, 6)),)}),
        (5, "30 ft", {"move": 30, "move_text": ""}),
        (5, "20'/40' swim", {"move": 20, "move_text": "20'/40' swim"}),
        (8, "-1", {"skill": -1}),
        (8, "+6", {"skill": 6}),
        (9, "14", {"save": 14}),
    ],
)
def test_forms_of_the_columns(column: int, text: str, expected: dict[str, object]) -> None:
    """8.8: the forms each column is printed in."""
    printed = ["1", "13", "+1", "1d6", "1/13", "30'", "8", "5", "+1", "15+"]
    printed[column] = text

    block = read("  ".join(printed))

    assert {key: getattr(block, key) for key in expected} == expected
    assert block.unread == ()


def test_typed_fields_win() -> None:
    """What stands beside the line replaces its column."""
    block = read("3  14  +4  1d6  1/13  40'  8  6  +1  14+", hd=5, dmg="1d8", save="10+")

    assert (block.hd, block.hit_dice, block.atk, str(block.weapons[0].dmg), block.save) == (
        5,
        Dice.of(5, 8),
        4,
        "1d8",
        10,
    )


def test_typed_hit_dice_keep_printed_hit_points() -> None:
    """`3 HP` is about hit points only."""
    block = read("3 HP  14  +4  1d6  1/13  40'  8  6  +1  14+", hd=2)

    assert (block.hd, block.hp) == (2, 3)


def test_weapons_stand_in_for_wpn() -> None:
    """8.8: the list is what it holds, and the printed plus goes to damage."""
    block = read(
        "1 | 13a | +1 | Wpn+1 | Wpn | 30' | 8 | 4 | +1 | 15+", weapons=[{"name": "short sword"}, {"name": "small bow"}]
    )

    assert [(weapon.name, weapon.bonus.damage, weapon.bonus.shock) for weapon in block.weapons] == [
        ("short sword", 1, 0),
        ("small bow", 1, 0),
    ]
    assert not block.any_weapon


def test_unreadable_columns_are_named_and_the_rest_is_kept() -> None:
    """8.8: a smudge costs one column."""
    block = read("3  1?  +4  1z6  1/13  40'  13  6  +1  14+")

    assert block.unread == ("AC: 1?", "Dmg: 1z6", "ML: 13")
    assert (block.hd, block.ac, block.atk, block.ml, block.save) == (3, ArmorClass(), 4, 7, 14)
    assert block.weapons == (Weapon("attack", Dice.of(1, 6), shock=Shock(1, 13)),)


def test_columns_beside_labels_that_have_none() -> None:
    """A nameless or repeated column is reported, not guessed."""
    assert read_line("AC 13, swift, Atk +2, AC 14").unread == ("column 2: swift", "AC: 14")


def test_empty_columns_keep_their_defaults() -> None:
    """Nothing between two bars is nothing, not a mistake."""
    found = read_line("1||+1|1d6||30'|8|4|+1|15+")

    assert found.unread == ()
    assert "ac" not in dict(found.typed)


@pytest.mark.parametrize("line", ["", "1 13 +1 1d6", "1  13  +1  1d6  1/13  30'  8  5  +1", "just some words"])
def test_too_few_columns_without_labels(line: str) -> None:
    """Nine columns without labels could be any nine."""
    with pytest.raises(ValueError, match=r"stat_line: .*needs all ten columns"):
        read(line)
