"""`kill -9` of the app, judged by what its screen had shown. The next start shows it again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.harness.games import GAMES
from tests.faults.harness.looking import kill_and_look

KILLS = int(os.environ.get("TRACKER_SCREEN_KILLS", "100"))


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("key", GAMES)
def test_what_the_screen_showed_is_there(
    tmp_path: Path, key: str, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Kills at random moments, and some with the screen at rest."""
    record_property("cases", max(1, KILLS // 2))
    lines, pictures = kill_and_look(tmp_path, key, seed, max(1, KILLS // 2))

    assert lines > KILLS // 2
    assert pictures >= KILLS // 25
