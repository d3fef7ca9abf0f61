"""The worked examples and the rules of GitHack, played as vectors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rulesets.githack import RULESET
from tracker.testing.vectors import Table, VectorFile

FOLDER = Path(__file__).parent / "vectors"
BOOK = VectorFile(RULESET, *sorted(FOLDER.glob("*.yaml")))


@pytest.mark.parametrize("vector", [pytest.param(vector, id=str(vector["id"])) for vector in BOOK.vectors])
def test_vector(vector: Mapping[str, Any]) -> None:
    """Given dice, a vector's outcome, requests, phases and rules follow."""
    expected = dict(vector.get("expect") or {})
    slots = expected.pop("slots", {})

    table = BOOK.play({**vector, "expect": expected})

    assert {phase: list(members(table, phase)) for phase in slots} == slots
    assert table.state.ruleset == "githack"


def members(table: Table, phase: str) -> tuple[str, ...]:
    return next(slot.members for slot in table.state.clock.slots if slot.phase == phase)
