"""Monkeys at the cockpit and at the players' phones at once.

Neither breaks the other: the journal holds what the screen shows, and the server answers to the end.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.harness.games import GAMES, fight_of
from tests.faults.harness.monkey import let_loose
from tests.faults.long_runs.phones import phones

EVENTS = int(os.environ.get("TRACKER_TABLE_EVENTS", "5000"))
IN_EVERY_RUN = 60


def test_monkeys_at_the_whole_table_break_nothing(tmp_path: Path) -> None:
    """Some dozen events of the GM, and what the phones send meanwhile."""
    ruleset, encounter = fight_of(GAMES[0])

    with phones(tmp_path / "fights.db", 1) as found:
        assert let_loose(tmp_path, ruleset, encounter, 1, IN_EVERY_RUN).steps > 0
    assert found.said[200] > 0


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("key", GAMES)
def test_monkeys_at_the_whole_table_break_nothing_in_the_long_run(
    tmp_path: Path, key: str, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Thousands of events in each game."""
    record_property("cases", EVENTS // 2)
    ruleset, encounter = fight_of(key, seed)

    with phones(tmp_path / "fights.db", seed) as found:
        assert let_loose(tmp_path, ruleset, encounter, seed, EVENTS // 2).steps >= min(2, EVENTS // 1_000)
    assert found.said[200] > EVENTS // 200
