"""Dice as values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.tables import for_each
from tracker.core.terms.dice import Dice

TERMS = st.lists(
    st.tuples(st.integers(1, 5), st.sampled_from((2, 3, 4, 6, 8, 10, 12, 20, 100))), min_size=1, max_size=3
)
DICE = st.builds(Dice, TERMS, st.integers(-20, 20))


@pytest.mark.parametrize(
    ("text", "terms", "plus"),
    [
        ("d100", ((1, 100),), 0),
        ("2d6+3", ((2, 6),), 3),
        (" 2 D 6 - 1 ", ((2, 6),), -1),
        ("1d6+1d4", ((1, 6), (1, 4)), 0),
        ("7", (), 7),
        ("-2+1d8", ((1, 8),), -2),
        ("1d6+2+3", ((1, 6),), 5),
    ],
)
def test_dice_are_read(text: str, terms: tuple[tuple[int, int], ...], plus: int) -> None:
    """Every usual notation of dice is parsed."""
    assert Dice.parse(text) == Dice(terms, plus)


@for_each(
    "text",
    [
        "",
        "  ",
        "d0",
        "0d6",
        "1d6-1d4",
        "201d6",
        "1d1001",
        "goblin",
        "1d6 2",
        "1 2",
        "1d6x2",
        "2d",
        "d",
        "+",
        "2d6+",
        "d6d6",
    ],
)
def test_nonsense_is_refused(text: str) -> None:
    """A text that is no dice is refused."""
    with pytest.raises(ValueError, match="dice"):
        Dice.parse(text)


@given(DICE)
def test_text_is_read_back(dice: Dice) -> None:
    """Printed dice are parsed to equal dice."""
    assert Dice.parse(str(dice)) == dice
    assert hash(Dice.parse(str(dice))) == hash(dice)


@given(
    st.builds(
        Dice,
        st.lists(st.tuples(st.integers(1, 2), st.sampled_from((2, 4, 6, 20))), min_size=1, max_size=2),
        st.integers(-3, 3),
    )
)
def test_chances_add_up(dice: Dice) -> None:
    """Every total between the bounds has its chance, and together they are certain."""
    chances = dict(dice.chances())

    assert (min(chances), max(chances)) == (dice.minimum, dice.maximum)
    assert sum(chances.values()) == pytest.approx(1)
    assert sum(total * chance for total, chance in chances.items()) == pytest.approx(
        sum((sides + 1) / 2 for sides in dice.sides) + dice.plus
    )


def test_the_chance_of_a_seven() -> None:
    """Two dice show seven in six of thirty-six ways."""
    assert dict(Dice.parse("2d6").chances())[7] == pytest.approx(6 / 36)


def test_parts() -> None:
    """Dice can be taken apart and put together."""
    dice = Dice.parse("2d6+1d4+3")

    assert (dice.natural, dice.sides, dice.natural.natural) == (Dice.parse("2d6+1d4"), (6, 6, 4), Dice.parse("2d6+1d4"))
    assert dice.plus_dice(Dice.parse("1d8-1")) == Dice(((2, 6), (1, 4), (1, 8)), 2)
    assert (repr(dice), str(Dice(plus=4))) == ("Dice('2d6+1d4+3')", "4")


def test_dice_do_not_change() -> None:
    """Dice are values."""
    with pytest.raises(AttributeError):
        Dice.parse("1d6").plus = 2


def test_dice_are_no_text() -> None:
    """Dice equal dice only."""
    assert Dice.parse("1d6") != "1d6"
