"""The start screen in a real terminal: from an empty home to a second fight with the party as the first one left it."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.e2e.terminal import NEEDS_TMUX, SHIPPED, Terminal

pytestmark = NEEDS_TMUX


def test_from_an_empty_home_to_the_second_fight(terminal: Terminal, tmp_path: Path) -> None:
    """Nothing there: what to do."""
    home = tmp_path / "home"
    terminal.start()
    terminal.wait(
        "No fight has been played yet.", "tracker play ENCOUNTER.yaml", "docs/yaml.md", "Examples, which come"
    )
    terminal.press("⎋", "ended with 0")
    assert not (home / "data").exists()

    shutil.copytree(SHIPPED / "worlds_without_number", home / "encounters")
    broken = home / "encounters" / "first_fight.yaml"
    broken.write_text(broken.read_text(encoding="utf-8").replace("title:", "titel:", 1), encoding="utf-8")
    terminal.start()
    terminal.wait("0 to resume, 16 to begin", "✗ 1 problem", "titel: unknown key")
    terminal.press("2⏎", "esc closes", "did you mean title?", "^")
    terminal.press("e", "Toll at the broken bridge", "4 against 5  ")
    assert (tmp_path / "line").read_text().strip().startswith("+")
    terminal.press("⏎", "is a side caught entirely unaware?")
    terminal.press("⏎", "roll 1d8 for Party")
    terminal.quit()

    terminal.start()
    terminal.wait("1 to resume, 15 to begin", "today", "asks: Party")
    terminal.press("1⏎", "roll 1d8 for Party", "resumed")
    terminal.press("7⏎", "Round 1 · Party's turn")
    terminal.press("-5s⏎", "15→10")
    terminal.quit()

    terminal.start()
    terminal.wait("1 to resume, 15 to begin")
    terminal.press(
        "/eel⏎⏎", "Begin: Lights out at Eel Landing", 'as "Toll at the broken bridge" left it, today', "Sefa 10/15"
    )
    terminal.press("2", "Lights out at Eel Landing · Worlds Without Number", "10/15")
    terminal.quit()
