"""Long evenings: ten thousand steps by keys in one sitting.

Memory hardly grows, no file stays open, the journal stays small, keys and starts stay as quick as at the beginning.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tests.faults.harness.games import GAMES
from tests.faults.long_runs.evening import EARLY, Cost

STEPS = int(os.environ.get("TRACKER_EVENING", "10000"))
MEMORY, JOURNAL = 10_000_000, 3_000
"""Bytes that the program may grow by, and the bytes of a step in the journal."""
HOME = Path(__file__).parents[3]


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_a_long_evening_costs_no_more_than_a_short_one(
    tmp_path: Path, key: str, record_property: Callable[[str, object], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Measured after a thousand steps and at the end, in a program of its own."""
    record_property("cases", STEPS)
    program = [sys.executable, "-m", "tests.faults.long_runs.evening", key, str(STEPS), str(tmp_path / "fights.db")]
    told = subprocess.run(program, cwd=HOME, capture_output=True, check=True).stdout
    cost = msgspec.json.decode(told, type=Cost)
    with capsys.disabled():
        print(f"\n{key}: {told.decode().strip()}")

    early, late = cost.memory
    assert late - early < MEMORY
    assert cost.handles[1] <= cost.handles[0]
    assert cost.journal <= JOURNAL * cost.steps
    assert cost.key[1] < 2 * cost.key[0] + 0.002
    assert cost.resume[1] < cost.resume[0] + 0.1 * max(1.0, cost.steps / 10_000), (
        f"after {EARLY} and {cost.steps} steps"
    )
