"""What the log says of a fight of Sovereign."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulesets.sovereign import RULESET
from tests.support.tables import table
from tracker.testing.vectors import VectorFile
from tracker.views.log.steps import tell

BOOK = VectorFile(RULESET, Path(__file__).parent / "vectors" / "cast.yaml")


def told(given: dict[str, Any], *do: Any) -> list[str]:
    """Return the lines of the last of these entries."""
    fight = BOOK.play({"given": given, "do": list(do[:-1])})
    before = fight.state
    fight.play(do[-1])
    return [line.text for line in tell(RULESET, fight.state, fight.entries, before=before)]


CASES: dict[str, Any] = table(__file__, "cases")


@pytest.mark.parametrize("case", CASES)
def test_the_log_tells(case: str) -> None:
    """A line says who does what, its numbers with their sources, and the outcome."""
    given, do, lines = CASES[case]

    assert told(given, *do) == lines
