"""What is drawn line by line is what a whole new picture would show."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.terminal import TMUX, Terminal

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed: the program cannot be driven in a real terminal"),
]

FIGHT = Path(__file__).parents[2] / "encounters" / "worlds_without_number" / "first_fight.yaml"
KEYS = (
    ("*", "Enter", "n", "n"),
    ("a",),
    ("Down", "Escape"),
    ("-", "3", "g", "Enter"),
    ("?",),
    ("Down", "Down", "Escape"),
    ("[", "["),
    ("]", "]", "3", "Up", "Up"),
    ("2", "2"),
    ("2", "Down", "Down", "w"),
    ("+", "2", "g", "Enter", "n"),
    ("/", "g", "o"),
    ("Enter", "u", "u", "b"),
)


@pytest.mark.parametrize("size", [(170, 45), (80, 24)])
def test_nothing_is_left_standing(tmp_path: Path, size: tuple[int, int]) -> None:
    """Panes, forms, pages, the past, a what-if and filters.

    At each of many moments the screen is whole, colours and all.
    """
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }
    environment.pop("NO_COLOR", None)
    terminal = Terminal(tmp_path, environment, size)
    try:
        terminal.start("play", str(FIGHT), "--db", str(tmp_path / "fights.db"))
        terminal.wait("ctrl+q quit")
        seen = []
        for keys in KEYS:
            terminal.keys(*keys)
            drawn = terminal.still()
            assert drawn == terminal.anew(), f"after {keys}"
            seen.append(drawn)
        assert len(set(seen)) > len(KEYS) // 2
    finally:
        terminal.close()
