"""A deed is told whole and in few lines, in every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.rules.test_vectors import BOOKS, GAMES
from tests.support.tables import table
from tests.views.log.logging_support import log_lines
from tracker.core.fight.state import State

# By game and by what is told: the fight, what is done in it, and all lines of the last entry.
CASES: dict[str, dict[str, dict[str, Any]]] = table(__file__, "cases")


@pytest.mark.parametrize(
    ("game", "case"),
    [pytest.param(game, case, id=f"{game}: {title}") for game, cases in CASES.items() for title, case in cases.items()],
)
def test_the_log_tells(game: str, case: Mapping[str, Any]) -> None:
    """A line says who does what, its numbers with their sources, and the outcome."""
    *before, last = case["do"] or [None]
    fight = BOOKS[game].play({"given": case["given"], "do": before})
    state = State() if last is None else fight.state
    if last is not None:
        fight.play(last)

    lines = [line.partition("  [")[0] for line in log_lines(GAMES[game], fight.state, fight.entries, before=state)]

    assert lines == case["lines"]
