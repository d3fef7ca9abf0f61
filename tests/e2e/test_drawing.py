"""What is drawn line by line is what a whole new picture would show."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.terminal import TMUX, Terminal, anew, still

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed: the program cannot be driven in a real terminal"),
]

FIGHT = Path(__file__).parents[2] / "encounters" / "worlds_without_number" / "first_fight.yaml"
SIZES = ((170, 45), (80, 24))
KEYS = (
    ("*", "Enter", "n", "n", "a"),
    ("Down", "Escape", "-", "3", "g", "Enter", "?"),
    ("Down", "Down", "Escape", "[", "[", "]", "3", "Up", "Up", "2", "2"),
    ("2", "Down", "Down", "w", "+", "2", "g", "Enter", "n"),
    ("/", "g", "o"),
    ("Enter", "u", "u", "b"),
)


def test_nothing_is_left_standing(tmp_path: Path) -> None:
    """Panes, forms, pages, the past, a what-if and filters.

    At each of many moments the screen is whole, colours and all, on a large terminal and on a small one.
    """
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }
    environment.pop("NO_COLOR", None)
    terminals = []
    for size in SIZES:
        place = tmp_path / f"{size[0]}"
        place.mkdir()
        terminals.append(Terminal(place, environment, size))
    try:
        for terminal in terminals:
            terminal.start("play", str(FIGHT), "--db", str(terminal.folder / "fights.db"))
        for terminal in terminals:
            terminal.wait("ctrl+q quit")
        seen = []
        for keys in KEYS:
            for terminal in terminals:
                terminal.keys(*keys)
            drawn = still(terminals)
            for size, was, now in zip(SIZES, drawn, anew(terminals), strict=True):
                assert was == now, f"after {keys} at {size}"
            seen.append(drawn)
        for shown in zip(*seen, strict=True):
            assert len(set(shown)) > len(KEYS) // 2
    finally:
        for terminal in terminals:
            terminal.close()
