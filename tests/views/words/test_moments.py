"""Moments in words."""

from __future__ import annotations

import pytest

from tests.views.toy import fight
from tracker.core.terms.moments import Boundary
from tracker.views.words.moments import boundary_words


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("magic", "start of Party's magic phase"),
        ("side:party", "start of Party's phase"),
        ("", "start of Party's turn"),
    ],
)
def test_a_phase_named_by_its_side_has_no_second_name(phase: str, words: str) -> None:
    """A phase called like the anchor of its side is told by its owner only."""
    boundary = Boundary("phase_start", 2, phase, sides=("party",))

    assert boundary_words(fight(), boundary) == words
