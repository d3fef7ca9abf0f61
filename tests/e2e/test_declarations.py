"""Declarations in a real terminal: four player characters and six foes."""

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

FIGHTS = Path(__file__).parents[2] / "encounters" / "spelljammer"


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path, {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"})
    yield opened
    opened.close()


def test_four_heroes_and_six_foes_declare_in_six_keys(terminal: Terminal, tmp_path: Path) -> None:
    """One key takes the foes' defaults, one each a hero's, and one ends the declarations."""
    folder = shutil.copytree(FIGHTS, tmp_path / "fights")
    prepared = folder / "archers_into_melee.yaml"
    prepared.write_text(
        prepared.read_text(encoding="utf-8").replace("{ref: gale-hawk, count: 2}", "{ref: gale-hawk, count: 3}"),
        encoding="utf-8",
    )
    terminal.start("play", str(prepared), "--db", str(tmp_path / "fights.db"))
    terminal.wait("Round 1 · Declarations", "Gale Hawk 3", "Rock Angler")

    heroes = ("Brannoc", "Isaude", "Telmarre", "Sister Orsolya")
    seen = ("Rock Angler: Declare", *(f"{hero}: Declare" for hero in heroes), "act 1")
    for told in seen:
        terminal.keys("n")
        terminal.wait(told)

    terminal.keys("C-q")
    terminal.wait("ended with 0")
