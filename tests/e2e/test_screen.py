"""The players' screen in a terminal of its own, beside the GM's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.terminal import TMUX, Terminal

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed: the program cannot be driven in a real terminal"),
]

SHIPPED = Path(__file__).parents[2] / "encounters" / "worlds_without_number"


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[tuple[Terminal, Terminal]]:
    """The GM's terminal and the players'."""
    environment = {
        name: value for name, value in os.environ.items() if name not in {"TEXTUAL_THEME", "TRACKER_LIBRARY"}
    }
    environment |= {"HOME": str(tmp_path), "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    shutil.copytree(SHIPPED, tmp_path / "encounters")
    opened = []
    for name in ("gm", "players"):
        (tmp_path / name).mkdir()
        opened.append(Terminal(tmp_path / name, environment, folder=tmp_path))
    yield opened[0], opened[1]
    for terminal in opened:
        terminal.close()


def test_the_screen_follows_the_fight(terminals: tuple[Terminal, Terminal], tmp_path: Path) -> None:
    """It is opened before the fight, shows each step and the pause."""
    gm, players = terminals
    database = str(tmp_path / "fights.db")
    players.start("screen", "--db", database)
    players.wait("no fight yet")

    gm.start("play", "encounters/first_fight.yaml", "--db", database)
    gm.wait("Toll at the broken bridge")
    players.wait("Toll at the broken bridge", "Ordwen")
    gm.wait("caught entirely unaware")
    gm.keys("*")
    players.wait("Round 1")
    gm.keys("h", "r", "Enter")
    gm.wait("hidden")
    gm.keys("P")
    players.wait("the GM has paused this screen")
    gm.keys("P")
    gm.keys("-", "4", "o", "Enter")
    gm.wait("17/21")
    players.wait("17/21")
    gm.keys("p")
    gm.wait("What the players see", "17/21")

    players.keys("q")
    players.wait("ended with 0")


def test_a_fight_that_is_not_there_is_said(terminals: tuple[Terminal, Terminal], tmp_path: Path) -> None:
    """One line and a status, and the terminal is as it was."""
    _, players = terminals
    players.start("screen", "nowhere", "--db", str(tmp_path / "fights.db"))

    players.wait('there is no fight "nowhere"', "ended with 1")
