"""Watched totals behave as the number that fell, and know which others would have led to the same."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest

from tests.support.tables import for_each
from tracker.core.step.watched import WatchedRoll, look_up

LOOKS: tuple[Callable[[int], object], ...] = (
    lambda total: total + 3 >= 7,
    lambda total: max(0, total - 4) == 0,
    lambda total: -total < -2,
    lambda total: total // 2 * 2 == total,
    lambda total: (total - 3) * (total - 3) <= 1,
    lambda total: "a" * total,
    lambda total: ("a",) * total,
    lambda total: total * ["a"],
    lambda total: list(range(total)),
    lambda total: {1: "low"}.get(total, "high"),
    lambda total: bool(abs(total - 4)),
    lambda total: round(total / 3),
    lambda total: sorted((total, 4)),
    lambda total: isinstance(total, int) and total % 3 != 1,
    lambda total: look_up((0, 0, 1, 1, 2, 2), total - 1) > 0,
    lambda total: look_up((5, 6, 7), total - 4),
)


@for_each("look", LOOKS)
@for_each("fallen", range(1, 7))
def test_what_is_left_leads_to_the_same(look: Callable[[int], object], fallen: int) -> None:
    """The result is that of the number; every total that is left gives it too."""
    roll = WatchedRoll(range(1, 7), fallen)

    result = look(roll.total())

    assert result == look(fallen)
    assert fallen in roll.left()
    assert all(look(total) == look(fallen) for total in roll.left())


def test_a_comparison_keeps_all_that_it_does_not_tell_apart() -> None:
    """One class of a comparison is one run."""
    roll = WatchedRoll(range(1, 21), 15)

    assert roll.total() + 2 >= 14

    assert roll.left() == tuple(range(12, 21))


@pytest.mark.parametrize("turned", [False, True])
def test_two_rolls_that_are_compared_keep_the_pairs_that_compare_alike(turned: bool) -> None:
    """One run stands for all pairs of totals with which one roll beats the other, ties apart."""
    one, other = WatchedRoll(range(1, 7), 4), WatchedRoll(range(1, 7), 2)

    assert (other.total() < one.total() + 1) if turned else (one.total() + 1 > other.total())

    assert one.left() == other.left() == tuple(range(1, 7))
    assert one.pair is other.pair is not None
    found = one.pair.left() if one.pair.first is one else {pair[::-1] for pair in one.pair.left()}
    assert found == {(mine, theirs) for mine in range(1, 7) for theirs in range(1, 7) if mine + 1 > theirs}


def test_a_roll_is_paired_with_one_other() -> None:
    """A third one is compared as the number that fell."""
    first, second, third = (WatchedRoll(range(1, 7), fallen) for fallen in (3, 2, 5))

    assert first.total() > second.total()
    assert first.total() < third.total()

    assert third.left() == (5,)
    assert first.left() == (1, 2, 3, 4)


@pytest.mark.parametrize("turned", [False, True])
@for_each("combine", (operator.add, operator.sub))
def test_of_two_rolls_that_are_counted_together_the_one_with_fewer_numbers_left_is_read(
    turned: bool, combine: Callable[[int, int], int]
) -> None:
    """A critical of 5 or 6 is read, and one run stands for all totals of the roll that follows it."""
    critical, more = WatchedRoll(range(1, 7), 6), WatchedRoll(range(1, 7), 2)
    first, second = critical.total(), more.total()
    assert first >= 5

    found = combine(second, first) if turned else combine(first, second)

    assert (critical.left(), more.left()) == ((6,), tuple(range(1, 7)))
    assert found == (combine(2, 6) if turned else combine(6, 2))
