"""The keystroke budget in a real terminal.

The same keys on the installed program, sent as a GM types them.
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

ENCOUNTERS = Path(__file__).parents[2] / "encounters"


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    home = tmp_path / "home"
    home.mkdir()
    opened = Terminal(
        tmp_path,
        {
            **os.environ,
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home),
        },
    )
    yield opened
    opened.close()


def press(terminal: Terminal, line: str, *expected: str) -> int:
    """Send a key for each character, and return how many they were.

    ⏎ is Enter. It waits for what the keys bring about.
    """
    terminal.keys(*[{"⏎": "Enter", " ": "Space", ";": "\\;"}.get(letter, letter) for letter in line])
    terminal.wait(*expected)
    return len(line)


def test_worlds_without_number(terminal: Terminal, tmp_path: Path) -> None:
    """Every task of the budget on the bridge."""
    terminal.start(
        "play", str(ENCOUNTERS / "worlds_without_number" / "first_fight.yaml"), "--db", str(tmp_path / "fights.db")
    )
    terminal.wait("who is caught")
    press(terminal, "⏎", "roll 1d8 for Party")
    assert press(terminal, "7⏎", "Round 1 · Party's turn") <= 13  # 12: the dice of initiative, one for a side here
    assert press(terminal, "-7h⏎", "5→0", "dead") == 4  # 2
    assert press(terminal, "u", "Hedge Robber 1   ────────   5/5") == 1  # 9
    assert press(terminal, "-7hri⏎", "Hedge Robber 3 is dead") == 6  # 3
    press(terminal, "u", "Hedge Robber 3   ────────   5/5")
    assert press(terminal, "-21hrOU⏎", "Ordwen 21→11 (half)", "Snag 16→6 (half)") == 8  # 4
    press(terminal, "u", "21/21", "16/16")
    press(terminal, "-7o⏎", "21→14")
    assert press(terminal, "+5o⏎", "14→19") == 4  # 10
    assert press(terminal, "epr u3⏎", "prone") <= 8  # 7
    assert press(terminal, "xu⏎", "GM: End an effect → Snag") == 3  # 8
    assert press(terminal, "i2 hed⏎", "Hedge Robber 5") == 7  # 11
    press(terminal, "n", "Before going on")
    assert press(terminal, "n", "Toll-takers' turn") == 1  # 1: what may have been missed has been shown
    press(terminal, ":ask foes⏎", "⚄ none")  # the program rolls their dice unless it is told to ask
    assert press(terminal, "ao⏎19⏎5⏎", "d20 19 ✎", "1d6 5 ✎") == 8  # 5: a robber strikes at a hero
    assert press(terminal, "-1o⏎", "(amount 1)") == 4
    assert press(terminal, "c3⏎", "Ordwen  HP") + press(terminal, "⏎", "1d6 3 ✎") <= 8  # 13
    terminal.keys("C-q")
    terminal.wait("ended with 0")


def test_spelljammer(terminal: Terminal, tmp_path: Path) -> None:
    """The tasks of the budget in the percentile game.

    A declared act is done by `n` or `a`.
    """
    terminal.start(
        "play", str(ENCOUNTERS / "spelljammer" / "archers_into_melee.yaml"), "--db", str(tmp_path / "fights.db")
    )
    terminal.wait("Declarations")
    assert press(terminal, "-7g⏎", "19→12") == 4  # 2
    assert press(terminal, "-7gho⏎", "Ogre Mauler 72→65") == 6  # 3
    assert press(terminal, "-21bsOR⏎", "Ogre Mauler 65→55 (half)") == 8  # 4
    assert press(terminal, "+5b⏎", "25→30") == 4  # 10
    assert press(terminal, "u", "25/46") == 1  # 9
    assert press(terminal, "est t3⏎", "stunned, until end of") <= 8  # 7
    assert press(terminal, "xt⏎", "GM: End an effect → Telmarre") == 3  # 8
    assert press(terminal, "i2 gal⏎", "Gale Hawk 4") == 7  # 11
    press(terminal, "n", "Rock Angler: Declare")
    terminal.keys("C-q")
    terminal.wait("ended with 0")
