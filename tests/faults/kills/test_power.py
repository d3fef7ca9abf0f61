"""Power cuts at any moment, simulated from the traced writes and syncs of a fight."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.harness.cutting import STRACE, cut_often, traced
from tests.faults.harness.games import GAMES

CUTS = int(os.environ.get("TRACKER_CUTS", "500"))
pytestmark = pytest.mark.skipif(
    STRACE is None, reason="strace is not installed: writes and syncs of the journal cannot be traced"
)


def test_power_cuts_lose_nothing_shown(tmp_path: Path) -> None:
    """A few cuts of a duel. Without the syncs of the journal they are seen to lose steps."""
    done = traced(tmp_path / "traced", "duel", 1, 40)

    assert cut_often(tmp_path, "duel", 1, done, 10) > 0
    with pytest.raises(AssertionError, match=r"the fight is gone|what was shown"):
        cut_often(tmp_path, "duel", 1, [one for one in done if not one.kind.startswith("sync")], 10)


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("key", ["duel", *GAMES])
def test_power_cuts_lose_nothing_shown_in_the_long_run(
    tmp_path: Path, key: str, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Hundreds of cuts, of several fights of each game."""
    cuts = max(1, CUTS // 5)
    record_property("cases", cuts)
    done = traced(tmp_path / "traced", key, seed, 120)

    assert cut_often(tmp_path, key, seed, done, cuts) >= cuts // 4
