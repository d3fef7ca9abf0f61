"""Stat lines of old-school games, read as creatures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.shares import tries
from tracker.core.game.foreign import Creature, ForeignAttack
from tracker.kit.stat_lines import is_old_school, read_creature

SKELETON = (
    "Skeleton: AC 7 [12], HD 1 (4hp), Att 1 × rusty weapon (1d6), THAC0 19 [0], MV 60' (20'), SV D12, ML 12, AL C"
)
OGRE = "Ogre: HD 4+1; AC 5[14]; Atk weapon (1d10+1); Move 9; Save 13; AL C; CL/XP 4/120"
TROLL = "Troll\nAC 4, HD 6+3*, #AT 2 claws/1 bite, D 1-6/1-6/1-10, MV 120' (40'), Save F6, ML 10 (8)"


def test_both_counts_of_armour_need_no_system() -> None:
    assert read_creature(SKELETON) == Creature(
        name="Skeleton",
        system="wwn",
        hd="1",
        hp=4,
        ac=12,
        attack=0,
        blows=(ForeignAttack(name="rusty weapon", dice="1d6"),),
        move="20",
        morale=12,
        notes=("AL C", "Save D12"),
    )


def test_a_line_between_semicolons() -> None:
    """A single save number is a save; a move without feet is kept as it is printed."""
    assert read_creature(OGRE) == Creature(
        name="Ogre",
        system="wwn",
        hd="4d8+1",
        ac=14,
        blows=(ForeignAttack(name="weapon", dice="1d10+1"),),
        save=13,
        notes=("AL C", "CL/XP 4/120", "Move 9"),
    )


def test_attacks_under_the_label_of_the_oldest_books() -> None:
    """`AT 1 × weapon` is an attack, and a text that begins with the word "at" is none."""
    read = read_creature("Orc: AC 6 [13], HD 1, AT 1 x weapon (1d8), ML 8, at will: bless")

    assert read.blows == (ForeignAttack(name="weapon", dice="1d8"),)
    assert read.notes == ("ML 8, at will: bless",)


def test_attacks_and_their_damage_in_two_columns() -> None:
    """Each attack has the damage of its place, a range is the dice that have it."""
    read = read_creature(TROLL, "ose")

    assert (read.name, read.system, read.ac, read.hd, read.attacks) == ("Troll", "ose", 4, "6d8+3", 3)
    assert read.blows == (ForeignAttack(name="claws", dice="1d6"), ForeignAttack(name="bite", dice="1d10"))
    assert "attacks: 2 claws/1 bite" in read.notes


@pytest.mark.parametrize(
    ("line", "attack"),
    [
        ("AC 5 [14], HD 3, THAC0 17", 2),  # both counts add up to 19
        ("AC 5 [15], HD 3, THAC0 17", 3),
        ("AC 5, HD 3, THAC0 17 [+2]", 2),
        ("AC 5, HD 3, THAC0 17", None),
        ("AC 15, HD 3, AB +4", 4),
    ],
)
def test_the_bonus_to_hit(line: str, attack: int | None) -> None:
    """A THAC0 alone says nothing where no count of armour says which game it is of."""
    read = read_creature(line)

    assert read.attack == attack
    assert ("which game" in str(read.lost)) == (attack is None)


@pytest.mark.parametrize(("system", "attack"), [("ose", 2), ("adnd", 3)])
def test_the_system_counts_a_thac0(system: str, attack: int) -> None:
    assert read_creature("AC 5, HD 3, THAC0 17", system).attack == attack


@pytest.mark.parametrize(
    ("attacks", "lost"),
    [
        ("Att 1 bite (1d3 + disease)", "bite: disease"),
        ("Att 2 × claw (1d4) or 1 × breath (3d6)", "or 1 × breath (3d6)"),
        ("Att 1 gaze", "gaze: damage is not said"),
        ("Att 1 gaze (petrification)", 'gaze: damage "petrification"'),
    ],
)
def test_what_an_attack_does_besides_is_named(attacks: str, lost: str) -> None:
    assert lost in read_creature(f"AC 5 [14], HD 3, {attacks}").lost


@pytest.mark.parametrize("line", [SKELETON, OGRE, TROLL])
def test_lines_are_told_from_those_of_other_games(line: str) -> None:
    assert is_old_school(line)
    assert not is_old_school("Wolf: HD 3, AC 14a, Atk. +4 x 2, Dmg. 1d6, Shock 1/13, Move 40', ML 8, Save 14+")


def test_a_line_without_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="neither Armour Class nor Hit Dice"):
        read_creature("Skeleton: SV D12 W13, AL C")


COLUMNS = (
    "AC",
    "HD",
    "Att",
    "D",
    "THAC0",
    "MV",
    "SV",
    "ML",
    "7 [12]",
    "2*",
    "½",
    "1 × bite",
    "(1d6",
    "3d8+2",
    "1-6",
    "40'",
)
PARTS = st.sampled_from((*COLUMNS, *"/,;:[)−+", "or", "\n", "+ x)"))


@tries(200)
@given(st.lists(PARTS, max_size=20).map(" ".join))
def test_any_line_is_read_or_refused(line: str) -> None:
    """Whatever is printed, it is a creature or a `ValueError`."""
    try:
        read = read_creature(line)
    except ValueError:
        return
    assert isinstance(read, Creature)
