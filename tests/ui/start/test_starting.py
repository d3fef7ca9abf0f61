"""Garbage is collected before the first picture not at all, and after it in pauses."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tracker.ui.desk.starting import WORTHWHILE, YOUNG, begin, settle, sweep


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    gc.enable()


def cycles(number: int) -> list[list[object]]:
    """So many lists that only a collection can free, and nothing else holds."""
    made: list[list[object]] = [[] for _ in range(number)]
    for one in made:
        one.append(one)
    return made


def test_a_pause_collects_what_has_gathered() -> None:
    """Between begin and settle nothing is collected.

    Then only in a sweep, and only where it is worth it.
    """
    begin()
    assert not gc.isenabled()
    settle()
    assert (gc.isenabled(), gc.get_threshold()[0]) == (True, YOUNG)
    gc.collect()
    held = cycles(WORTHWHILE // 2)
    before = gc.get_count()[0]
    sweep()
    assert gc.get_count()[0] >= before
    held += cycles(WORTHWHILE)
    held.clear()
    sweep()
    assert gc.get_count()[0] < WORTHWHILE // 2


def test_settling_twice_changes_nothing() -> None:
    """Without a beginning there is nothing to settle."""
    thresholds = gc.get_threshold()
    settle()
    assert gc.get_threshold() == thresholds
