"""Offers from positions where a form cannot stand as it would begin."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rules.test_vectors import BOOKS, GAMES
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal
from tracker.testing.vectors import frozen

FOLDER = Path(__file__).parent
CASES = yaml.safe_load((FOLDER / "offers.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("game", "case"),
    [pytest.param(GAMES[key], case, id=f"{key}: {case['title']}") for key, cases in CASES.items() for case in cases],
)
def test_offer(game: Ruleset, case: Mapping[str, Any]) -> None:
    """What is listed as possible is accepted as its form opens; what is not says why."""
    state = BOOKS[game.key].play({"given": case["given"], "do": case.get("do")}).state
    by, key = case["by"], case["offer"]

    listed = {spec.key: spec for spec in game.actions(state, by)}
    spec = game.form(state, Action(key, by))
    assert spec is not None

    if "refused" in case:
        assert spec.refusal is not None, spec
        assert case["refused"] in spec.refusal.text
        assert key not in listed or listed[key].refusal == spec.refusal
        return
    assert spec.refusal is None, spec.refusal
    assert listed[key].refusal is None
    fields = {name: getattr(spec.field(name), "default", None) for name in case["opens"]}
    assert fields == {name: frozen(value) for name, value in case["opens"].items()}
    if not case.get("missing"):
        assert not isinstance(run(game, state, Step("do", (Action(key, by),))), Refusal)


@pytest.mark.parametrize(
    ("game", "given", "key", "by"),
    [
        ("worlds_without_number", "ambushed", "free_attack", "ansa"),  # WN-080
        ("worlds_without_number", "ambushed", "interrupted", None),  # WN-037
        ("sovereign", {"sides": {"party": ["k"], "foes": ["guard"]}, "start": [6, 2]}, "aoo", "k"),  # SV-049
        ("sovereign", {"sides": {"party": ["k"], "foes": ["guard"]}, "start": [6, 2]}, "veterans_luck", "k"),  # SV-P14
    ],
)
def test_an_answer_is_not_on_the_list(game: str, given: object, key: str, by: str | None) -> None:
    """What comes with another action only has a form, and no place in the list of actions."""
    state = BOOKS[game].play({"given": given}).state

    listed = [spec.key for spec in GAMES[game].actions(state, by)]

    assert listed
    assert key not in listed
    assert GAMES[game].form(state, Action(key, by)) is not None
