"""The map in a real terminal.

Past a foe with the arrow keys, the foe strikes, and the cover from the new place is shown.
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

FIGHT = Path(__file__).parents[2] / "encounters" / "sovereign" / "first_fight.yaml"


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path, {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"})
    yield opened
    opened.close()


def test_past_a_foe_with_the_arrow_keys(terminal: Terminal, tmp_path: Path) -> None:
    """The way is drawn with its cost and whom it provokes.

    Enter goes; the foe takes its Attack of Opportunity and misses (SV-096, SV-017).
    """
    terminal.start("play", str(FIGHT), "--db", str(tmp_path / "fights.db"))
    terminal.wait("who is caught")
    terminal.keys("Enter")
    terminal.wait("initiative")
    terminal.keys("8", "Enter")
    terminal.wait("Round 1 · Party's turn")
    terminal.keys(":", "ask foes", "Enter")
    terminal.wait("⚄ none")
    terminal.keys("5")
    terminal.wait("5 Map", "5,9 · open · Ysolde (y)")
    terminal.keys("Right", "Right", "Right", "Up", "Up", "Up")
    terminal.wait("8,6 · open", "Ysolde: 25 of 30 ft", "provokes Bone Soldier 2")
    terminal.keys("Enter")
    terminal.wait("Bone Soldier 2", "yes", "no")
    terminal.keys("y", "Enter")
    terminal.wait("d20")
    terminal.keys("2", "Enter")
    terminal.wait("4 vs AC 17", "miss")  # which nobody could better, so nobody is asked
    terminal.wait("4 Action", "8,6 · open · Ysolde (y)")
    terminal.keys("Left", "Left", "Up")
    terminal.wait("6,5 · open · Bone Soldier 2 (s) · no cover")
    terminal.keys("Left", "Left")
    terminal.wait("Bone Soldier 1 (b) · half cover")
    terminal.keys("C-q")
    terminal.wait("ended with 0")
