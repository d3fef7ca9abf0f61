"""The command line, the palette and a key of one's own, in a real terminal."""

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


def begin(terminal: Terminal, journal: Path, *said: str) -> None:
    """Open the fight and type the party's initiative: it goes first."""
    terminal.start("play", str(FIGHT), "--db", str(journal))
    terminal.wait("who is caught", *said)
    terminal.keys("Enter")
    terminal.wait("Party", "roll 1d8")
    terminal.keys("7", "Enter")
    terminal.wait("Round 1 · Party's turn")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    homes = {name: str(tmp_path / name) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    opened = Terminal(
        tmp_path, {**os.environ, **homes, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    )
    yield opened
    opened.close()


def test_attack_and_commands_in_one_line_each(terminal: Terminal, tmp_path: Path) -> None:
    """An attack with its dice, its correction, and the same line after a new start."""
    journal = tmp_path / "fights.db"
    begin(terminal, journal)
    terminal.keys(":", "o mel h 19 8")
    terminal.wait("Ordwen  Melee Attack", "19 1d20", "8 1d8")
    terminal.keys("Enter")
    terminal.wait("5→0", "dead")
    terminal.keys(":", "und", "Tab", "Enter")
    terminal.wait("a act", "4 Action")
    terminal.keys("C-q")
    terminal.wait("ended with 0")

    terminal.start("--db", str(journal))
    terminal.wait("Toll at the broken bridge", "enter open")
    terminal.keys("Enter")
    terminal.wait("resumed", "a act")
    terminal.keys(":", "Up", "Up")
    terminal.wait("> o mel h 19 8", "8 1d8")
    terminal.keys("Enter")
    terminal.wait("5→0", "dead")
    terminal.keys("C-q")
    terminal.wait("ended with 0")


def test_palette_and_theme(terminal: Terminal, tmp_path: Path) -> None:
    """The palette ends the fight, and undo takes it back.

    A theme is chosen and kept.
    """
    begin(terminal, tmp_path / "fights.db")
    terminal.keys("C-p")
    terminal.wait("─ Palette")
    terminal.keys("end fi")
    terminal.wait("u takes it back")
    terminal.keys("Enter")
    terminal.wait("4 Form")
    terminal.keys("Enter")
    terminal.wait("Fight over")
    terminal.keys("u")
    terminal.wait("Round 1 · Party's turn")
    terminal.keys("C-p")
    terminal.wait("─ Palette")
    terminal.keys("tracker-light", "Enter")
    terminal.wait("theme tracker-light")
    terminal.keys("C-q")
    terminal.wait("ended with 0")
    assert (tmp_path / "XDG_STATE_HOME" / "encounter-tracker" / "theme.txt").read_text() == "tracker-light\n"


def test_key_of_ones_own_and_a_mistake_in_the_file(terminal: Terminal, tmp_path: Path) -> None:
    """The mistake is on the screen.

    The key that is right works, and ctrl+q quits.
    """
    folder = tmp_path / "XDG_CONFIG_HOME" / "encounter-tracker"
    folder.mkdir(parents=True)
    (folder / "keys.yaml").write_text("act: y\ndamge: d\n", encoding="utf-8")
    begin(terminal, tmp_path / "fights.db", "keys.yaml:2:1", "did you mean damage?")
    terminal.wait("y act")
    terminal.keys("y")
    terminal.wait("4 Act ", "Melee Attack")
    terminal.keys("C-q")
    terminal.wait("ended with 0")
