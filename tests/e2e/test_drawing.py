"""What is drawn line by line is what a whole new picture would show."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.terminal import FIRST_FIGHT, NEEDS_TMUX, Terminal, anew, apart, still

pytestmark = NEEDS_TMUX

SIZES = ((170, 45), (80, 24))
KEYS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("⏎", "roll 1d8"), ("7⏎", "Party's turn"), ("nn", "Toll-takers' turn"), ("a", "4 Act ")),
    (("↓⎋", "A sheet"), ("-3h⏎", "5→2"), ("?", "Keys")),
    (("↓↓⎋", "A sheet"), ("[[", "PAST"), ("]3↑↑22", "Combatants")),
    (("2⎋", "A sheet"), ("↓↓w", "WHAT-IF"), ("+2h⏎", "2→4"), ("n", "Before going on")),
    (("⎋", "keep or drop"), ("/hed", "> hed")),
    (("⏎u", "taken back"), ("b", "Stat block")),
)
"""Keys, and what is on both screens then; at the end of each row the screens are looked at."""


def test_nothing_is_left_standing(tmp_path: Path) -> None:
    """Panes, forms, pages, the past, a what-if and filters."""
    terminals = []
    for size in SIZES:
        place = tmp_path / f"{size[0]}"
        place.mkdir()
        terminals.append(Terminal(place, apart(tmp_path / "home"), size))
    try:
        for terminal in terminals:
            terminal.start("play", str(FIRST_FIGHT), "--db", str(terminal.folder / "fights.db"))
        for terminal in terminals:
            terminal.wait("ctrl+q quit")
        seen = []
        for row in KEYS:
            for terminal in terminals:
                for keys, comes in row:
                    terminal.press(keys, comes)
            drawn = still(terminals)
            for size, was, now in zip(SIZES, drawn, anew(terminals), strict=True):
                assert was == now, f"after {row} at {size}"
            seen.append(drawn)
        for shown in zip(*seen, strict=True):
            assert len(set(shown)) > len(KEYS) // 2
    finally:
        for terminal in terminals:
            terminal.close()
