"""Degrees of success: the margin, the natural die, and what the odds can tell apart."""

import pytest

from tracker.kit import Degree, degree, degrees


@pytest.mark.parametrize(
    ("total", "natural", "expected"),
    [
        (25, None, Degree.CRITICAL_SUCCESS),
        (24, None, Degree.SUCCESS),
        (15, None, Degree.SUCCESS),
        (14, None, Degree.FAILURE),
        (6, None, Degree.FAILURE),
        (5, None, Degree.CRITICAL_FAILURE),
        (15, 20, Degree.CRITICAL_SUCCESS),
        (5, 20, Degree.FAILURE),
        (15, 1, Degree.FAILURE),
        (25, 20, Degree.CRITICAL_SUCCESS),
        (5, 1, Degree.CRITICAL_FAILURE),
        (15, 10, Degree.SUCCESS),
    ],
)
def test_degree_of_a_check_against_15(total: int, natural: int | None, expected: Degree) -> None:
    """Ten over or under is critical, and a natural 20 or 1 shifts the degree."""
    assert degree(total, 15, natural) == expected


def test_other_margins_and_dice() -> None:
    """A game may have its own margin, and no best or worst die."""
    assert degree(20, 15, margin=5) == Degree.CRITICAL_SUCCESS
    assert degree(15, 15, 20, best=None, worst=None) == Degree.SUCCESS


def test_words_and_order() -> None:
    """Better degrees are greater, and have words for the log."""
    assert Degree.SUCCESS > Degree.FAILURE
    assert (Degree.CRITICAL_FAILURE.word, Degree.SUCCESS.better(9), Degree.FAILURE.better(-1)) == (
        "critical failure",
        Degree.CRITICAL_SUCCESS,
        Degree.CRITICAL_FAILURE,
    )


@pytest.mark.parametrize("bonus", range(-3, 26, 4))
def test_classes_are_where_the_degree_changes(bonus: int) -> None:
    """Between two classes every face has the same degree."""
    starts = degrees.classes(bonus, 15)

    found = [degree(face + bonus, 15, face) for face in range(1, 21)]
    changes = [1, *(face for face in range(2, 21) if found[face - 1] != found[face - 2])]
    assert list(starts) == changes
