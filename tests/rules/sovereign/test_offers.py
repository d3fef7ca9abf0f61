"""What the list of actions holds, and what only another action asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesets.sovereign import RULESET
from tracker.core.terms.actions import Action
from tracker.testing.vectors import Book

BOOK = Book(RULESET, Path(__file__).parent / "vectors" / "cast.yaml")


@pytest.mark.parametrize("key", ["aoo", "veterans_luck"])
def test_an_answer_is_not_on_the_list(key: str) -> None:
    """Opportunity attacks and Veteran's Luck come with another action (SV-049, SV-P14)."""
    state = BOOK.play({"given": {"sides": {"party": ["k"], "foes": ["guard"]}, "start": [6, 2]}}).state

    listed = [spec.key for spec in RULESET.actions(state, "k")]

    assert "attack_melee" in listed
    assert key not in listed
    assert RULESET.form(state, Action(key, "k")) is not None
