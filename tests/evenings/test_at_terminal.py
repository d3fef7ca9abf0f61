"""The evenings' kept keys in a real terminal: same prompts, same last screen."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.terminal import PATIENCE, TMUX, Terminal
from tests.evenings.evening import EVENINGS, SIZES, kept, played, shown_on
from tracker.ui.fight.keyboard import SOON

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed: the program cannot be driven in a real terminal"),
]

ROOT = Path(__file__).parents[2]
SIGNS = {"⏎": "Enter", "⎋": "Escape", " ": "Space"}


@pytest.fixture
def terminal(size: str, tmp_path: Path) -> Iterator[Terminal]:
    environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    opened = Terminal(tmp_path, environment, SIZES[size])
    opened.program = Path(sys.executable)
    yield opened
    opened.close()


def shown_in(screen: str) -> str:
    """Return what stands in the Action pane, "" while the screen is being drawn: its frames are not whole then."""
    try:
        return shown_on(screen.splitlines()) if "╭─ " in screen else ""
    except (IndexError, StopIteration, ValueError):
        return ""


def until(terminal: Terminal, shown: str) -> None:
    """Wait until this stands in the Action pane."""
    deadline = time.monotonic() + PATIENCE
    while True:
        screen = terminal.screen()
        if shown_in(screen) == shown:
            return
        assert time.monotonic() < deadline, f"{shown} did not come:\n{screen}"
        time.sleep(0.01)


def lines_of(terminal: Terminal) -> list[str]:
    return [line.rstrip() for line in terminal.screen().splitlines()]


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", EVENINGS)
def test_an_evening_goes_the_same_in_a_terminal(game: str, size: str, terminal: Terminal, tmp_path: Path) -> None:
    """Each key waits for its prompt, as a person would."""
    last = played(tmp_path, game, size).last
    folder = tmp_path / "at-terminal"
    folder.mkdir()
    terminal.start("-m", "tests.evenings.at_terminal", game, str(folder))
    for line in kept(game):
        until(terminal, line.shown)
        if line.keys == "⏎":
            time.sleep(SOON)  # sooner it would belong to the question before
        terminal.keys(*[SIGNS.get(key, key) for key in line.keys])
    until(terminal, shown_on(last.splitlines()))
    deadline = time.monotonic() + PATIENCE
    while lines_of(terminal) != last.splitlines() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert lines_of(terminal) == last.splitlines()
    terminal.keys("C-q")
    terminal.wait("ended with 0")
