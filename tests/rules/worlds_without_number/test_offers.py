"""What the list of actions holds, and what only another action asks for."""

from __future__ import annotations

import pytest

from rulesets.worlds_without_number import RULESET
from tests.rules.worlds_without_number.fights import scene
from tracker.core.terms.actions import Action


@pytest.mark.parametrize(("key", "by"), [("free_attack", "ansa"), ("interrupted", None)])
def test_an_answer_is_not_on_the_list(key: str, by: str | None) -> None:
    """A free attack and an interruption come with another action (WN-080, WN-037)."""
    state = scene("ambushed").state

    listed = [spec.key for spec in RULESET.actions(state, by)]

    assert listed
    assert key not in listed
    assert RULESET.form(state, Action(key, by)) is not None
