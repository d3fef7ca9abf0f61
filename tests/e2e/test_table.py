"""A whole evening at the table, in a real terminal.

A fight with typed dice, a smaller window, the power cut in mid-step, and on it goes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.terminal import TMUX, Terminal

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed: the program cannot be driven in a real terminal"),
]

FIGHT = Path(__file__).parents[2] / "encounters" / "worlds_without_number" / "first_fight.yaml"


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path, {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"})
    yield opened
    opened.close()


def begin(terminal: Terminal, journal: Path) -> None:
    """Open the fight and type the party's initiative: it goes first."""
    terminal.start("play", str(FIGHT), "--db", str(journal))
    terminal.wait("GM: who is caught entirely unaware")
    terminal.keys("Enter")
    terminal.wait("roll 1d8 for Party: initiative")
    terminal.keys("7", "Enter")
    terminal.wait("Round 1 · Party's turn")


def test_round_with_typed_dice_and_a_smaller_window(terminal: Terminal, tmp_path: Path) -> None:
    """A hero strikes a robber down with dice typed in.

    At 80 by 24 everything is still there; quitting leaves a clean terminal.
    """
    begin(terminal, tmp_path / "fights.db")
    terminal.keys("a", "h")
    terminal.wait("h Hedge Robber 1", "Melee Attack")
    terminal.keys("Enter")
    terminal.wait("roll d20")
    terminal.keys("1", "9", "Enter")
    terminal.wait("roll 1d8")
    terminal.keys("8", "Enter")
    terminal.wait("5→0", "dead")

    terminal.resize(80, 24)
    screen = terminal.wait("1 Initiative", "2 Combatants", "3 Log", "4 Action", "quit")
    assert max(len(line) for line in screen.splitlines()) <= 80

    terminal.keys("C-q")
    terminal.wait("ended with 0")


def test_same_question_after_kill_in_mid_step(terminal: Terminal, tmp_path: Path) -> None:
    """Killed between two dice, the program asks for the second again, and goes on."""
    journal = tmp_path / "fights.db"
    begin(terminal, journal)
    terminal.keys("a", "h", "Enter")
    terminal.wait("roll d20")
    terminal.keys("1", "9", "Enter")
    terminal.wait("roll 1d8")
    terminal.kill()

    terminal.start("--db", str(journal))
    terminal.wait("Toll at the broken bridge", "round 1")
    terminal.keys("Enter")
    terminal.wait("roll 1d8", "resumed", "d20 19")
    terminal.keys("8", "Enter")
    terminal.wait("5→0", "dead")
    terminal.keys("C-q")
    terminal.wait("ended with 0")


def test_a_what_if_after_kill(terminal: Terminal, tmp_path: Path) -> None:
    """Killed in a what-if, the program says so when the fight is taken up.

    Dropping the what-if brings the real fight back.
    """
    journal = tmp_path / "fights.db"
    begin(terminal, journal)
    terminal.keys("w")
    terminal.wait("WHAT-IF", "w keep or drop")
    terminal.keys("a", "h", "Enter")
    terminal.wait("roll d20")
    terminal.keys("1", "9", "Enter")
    terminal.wait("roll 1d8")
    terminal.kill()

    terminal.start("--db", str(journal))
    terminal.wait("Toll at the broken bridge", "what-if open")
    terminal.keys("Enter")
    terminal.wait("roll 1d8", "WHAT-IF", "19 ✎")
    terminal.keys("8", "Enter")
    terminal.wait("5→0", "dead")
    terminal.keys("w")
    terminal.wait("real", "what-if", "Hedge Robber 1  HP")
    terminal.keys("d")
    screen = terminal.wait("Round 1 · Party's turn", "4 Action")
    assert "WHAT-IF" not in screen
    assert "is dead" not in screen
    terminal.keys("B")
    terminal.wait("what-if  left after step 1")
    terminal.keys("Escape")
    terminal.keys("C-q")
    terminal.wait("ended with 0")
