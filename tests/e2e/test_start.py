"""The start screen in a real terminal.

From an empty home to a second fight with the party as the first one left it.
"""

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
def home(tmp_path: Path) -> Path:
    """A home with nothing in it, and a program there that mends what is broken."""
    folder = tmp_path / "home"
    folder.mkdir()
    mender = tmp_path / "nano"
    mender.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/line\nsed -i "s/titel:/title:/" "$2"\n', encoding="utf-8")
    mender.chmod(0o755)
    return folder


@pytest.fixture
def terminal(tmp_path: Path, home: Path) -> Iterator[Terminal]:
    own = {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "EDITOR": str(tmp_path / "nano"),
    }
    unset = {"VISUAL", "TRACKER_LIBRARY", "TEXTUAL_THEME"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    opened = Terminal(
        tmp_path, {**environment, **own, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}, folder=home
    )
    yield opened
    opened.close()


def test_from_an_empty_home_to_the_second_fight(terminal: Terminal, home: Path, tmp_path: Path) -> None:
    """Nothing there: what to do.

    Then a broken file is opened where it is wrong, mended and begun; left, taken up again from the list; and the party
    goes on into the next fight as it stands.
    """
    terminal.start()
    terminal.wait(
        "No fight has been played yet.", "tracker play ENCOUNTER.yaml", "docs/yaml.md", "Examples, which come"
    )
    terminal.keys("Escape")
    terminal.wait("ended with 0")
    assert not (home / "data").exists()

    shutil.copytree(SHIPPED, home / "encounters")
    broken = home / "encounters" / "first_fight.yaml"
    broken.write_text(broken.read_text(encoding="utf-8").replace("title:", "titel:", 1), encoding="utf-8")
    terminal.start()
    terminal.wait("0 to resume, 16 to begin", "✗ 1 problem", "titel: unknown key")
    terminal.keys("2", "Enter")
    terminal.wait("esc closes", "did you mean title?", "^")
    terminal.keys("e")
    terminal.wait("Toll at the broken bridge", "4 against 5  ")
    assert (tmp_path / "line").read_text().strip().startswith("+")
    terminal.keys("Enter")
    terminal.wait("who is caught entirely unaware?")
    terminal.keys("Enter")
    terminal.wait("roll 1d8 for Party")
    terminal.keys("C-q")
    terminal.wait("ended with 0")

    terminal.start()
    terminal.wait("1 to resume, 15 to begin", "today", "asks: Party")
    terminal.keys("1", "Enter")
    terminal.wait("roll 1d8 for Party", "resumed")
    terminal.keys("7", "Enter")
    terminal.wait("Round 1 · Party's turn")
    terminal.keys("-", "5", "s", "Enter")
    terminal.wait("15→10")
    terminal.keys("C-q")
    terminal.wait("ended with 0")

    terminal.start()
    terminal.wait("1 to resume, 15 to begin")
    terminal.keys("/", "e", "e", "l", "Enter", "Enter")
    terminal.wait("Begin: Lights out at Eel Landing", 'as "Toll at the broken bridge" left it, today', "Sefa 10/15")
    terminal.keys("2")
    terminal.wait("Lights out at Eel Landing · Worlds Without Number", "10/15")
    terminal.keys("C-q")
    terminal.wait("ended with 0")
