"""`kill -9` at any moment."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.harness.games import GAMES
from tests.faults.harness.killing import game, play_and_kill

KILLS = int(os.environ.get("TRACKER_KILLS", "500"))
IN_EVERY_RUN = 5


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """Kills at random moments of a duel lose nothing that was shown."""
    assert play_and_kill(tmp_path, game("duel"), IN_EVERY_RUN, 1) > 0


@pytest.mark.parametrize("key", GAMES)
def test_nothing_acknowledged_is_lost_in_any_game(tmp_path: Path, key: str) -> None:
    """The same of each installed ruleset, with whatever it offers and asks."""
    assert play_and_kill(tmp_path, game(key), IN_EVERY_RUN, 1) > 0


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("key", ["duel", *GAMES])
def test_nothing_acknowledged_is_lost_in_the_long_run(
    tmp_path: Path, key: str, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Hundreds of kills, of several fights of each game."""
    kills = max(1, KILLS // 5)
    record_property("cases", kills)

    assert play_and_kill(tmp_path, game(key, seed), kills, seed) > kills // 4
