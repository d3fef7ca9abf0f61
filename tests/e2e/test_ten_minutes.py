"""The README's ten minutes at the table, keystroke by keystroke, in a real terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

from tests.e2e.terminal import FIRST_FIGHT, NEEDS_TMUX, Terminal

pytestmark = NEEDS_TMUX

ROOT = Path(__file__).parents[2]
Typed: TypeAlias = tuple[str, tuple[str, ...]]

STEPS: tuple[tuple[Typed, ...], ...] = (
    (("⏎", ("roll 1d8 for Party",)),),
    (("7⏎", ("Round 1 · Party's turn", "⚄ foes")), (":ask foes⏎", ("⚄ none",)), (":roll foes⏎", ("⚄ foes",))),
    (("'o", ("o Ordwen",)), ("a", ("4 Act ", "Melee Attack"))),
    (("h", ("> h",)), ("⏎", ("roll d20",)), ("19⏎", ("5→0", "dead"))),
    (
        ("-7u⏎", ("9/16",)),
        ("-4riW⏎", ("5→1", "4→2")),
        ("eprone u⏎", ("MV    •prone",)),
        ("eblessed o +1 attack 3 rounds⏎", ("blessed",)),
        ("xu⏎", ("End an effect → Snag",)),
        ("su fled⏎", ("- →•u  Snag",)),
        ("u", ("taken back",)),
        ("i2 robber⏎", ("Hedge Robber 5",)),
    ),
    (("n", ("Before going on", "Morale of Toll-takers")), ("n", ("Toll-takers' turn",))),
    (
        (":ask foes⏎", ("⚄ none",)),
        ("'r", ("r Hedge Robber 2",)),
        ("ao⏎", ("roll d20", "16 or more")),
        ("19⏎", ("roll 1d6", "⚡")),
        ("5⏎", ("21→16",)),
    ),
    (
        ("u", ("taken back: Hedge Robber 2",)),
        ("U", ("21→16",)),
        ("c", ("Correct", "Hedge Robber 2: Melee Attack → Ordwen")),
        ("r2⏎", ("What would differ", "Ordwen  HP")),
        ("⏎", ("21→19",)),
        ("[", ("PAST",)),
        ("]", ("Toll-takers' turn",)),
    ),
    (
        ("w", ("WHAT-IF",)),
        ("-9o⏎", ("10/21",)),
        ("w", ("real", "what-if")),
        ("d", ("19/21",)),
    ),
    (("A", ("4 Sheet", "i Hedge")),),
    (("srijkwu gone⏎", ("End", "the fight?")), ("y⏎", ("the fight is over",))),
)
"""What each step of the README's list types, and what is on the screen then."""


def steps() -> list[str]:
    """Return the numbered steps of the README's list."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("## Ten minutes at the table")[2].partition("\n## ")[0]
    return re.split(r"^\d+\. ", section, flags=re.MULTILINE)[1:]


def test_the_readme_types_what_is_tried_here() -> None:
    """Each step of the list has its keys, in this order."""
    for text, typed in zip(steps(), STEPS, strict=False):
        quoted = iter(re.findall(r"`([^`]+)`", text))
        assert [keys for keys, _ in typed if keys not in quoted] == [], text
    assert len(steps()) == len(STEPS) + 1  # and the way out


def test_ten_minutes_at_the_table(terminal: Terminal, tmp_path: Path) -> None:
    """Every key of the list does what it says, to the end of the fight."""
    terminal.start("play", str(FIRST_FIGHT), "--db", str(tmp_path / "fights.db"))
    terminal.wait("is a side caught")
    for typed in STEPS:
        for keys, comes in typed:
            terminal.press(keys, *comes)
        if typed[0][0] == "A":
            terminal.press("⎋", " a act  A sheet")
    terminal.quit()
