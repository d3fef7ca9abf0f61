"""What the list of actions holds, and what only another action asks for."""

from __future__ import annotations

from pathlib import Path

from rulesets.sovereign import RULESET
from tracker.core.fight.state import State
from tracker.core.run import Pending, Step, run
from tracker.core.terms.actions import Action
from tracker.testing.vectors import VectorFile

BOOK = VectorFile(RULESET, Path(__file__).parent / "vectors" / "cast.yaml")


MAP = {"setup": {"grid": ".......\n.......\n......."}, "start": [6, 2]}


def on_map(*, at: tuple[int, int]) -> State:
    """A fighter in the west of a small map, and an enemy."""
    sides = {"party": [{"ref": "k", "at": [0, 0]}], "foes": [{"ref": "dummy", "at": list(at)}]}
    return BOOK.play({"given": {**MAP, "sides": sides}}).state


def test_a_run_is_possible_and_asks_where_to() -> None:
    """Nothing is refused that only waits for a square (SV-095)."""
    spec = RULESET.form(on_map(at=(5, 1)), Action("run", "k"))

    assert spec is not None
    assert spec.refusal is None
    assert [field.name for field in spec.fields if field.required and field.default is None] == ["to"]


def test_a_charge_opens_on_a_square_beside_an_enemy() -> None:
    """It is done as it stands there (SV-071 to SV-074)."""
    state = on_map(at=(5, 0))
    spec = RULESET.form(state, Action("charge", "k"))

    assert spec is not None
    assert spec.refusal is None
    assert spec.field("target").default == "dummy"  # type: ignore[union-attr]  # a Charge has one
    assert spec.field("to").default == (4, 0)  # type: ignore[union-attr]  # and a square
    assert isinstance(run(RULESET, state, Step("do", (Action("charge", "k"),))), Pending)
