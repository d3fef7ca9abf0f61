"""Watched totals behave as the number that fell, and know which others would have led to the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tracker.core.step.watched import WatchedRoll

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
)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("fallen", range(1, 7))
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
