"""What stands on a screen: its Action pane, and the labels of the combatants."""

from __future__ import annotations

import re

__all__ = ["people", "seen"]

PERSON = re.compile(r"│[^\w│]{1,6}(\w{1,2})  (\S.*?)(?:  |$)")


def seen(lines: list[str]) -> tuple[str, list[str]]:
    """Return title and rows of the Action pane, or of what covers it."""
    if not any("╭─ 4 " in line for line in lines):
        return lines[1].strip("╭─╮ ").partition(" ─")[0], [lines[2].strip("│ ")]
    top, left = _corner(lines, "4")
    right = lines[top].index("╮", left)
    title = lines[top][left + 5 : right].partition(" ─")[0].strip()
    rows = []
    for line in lines[top + 1 :]:
        if line[left] == "╰" or set(line[left + 1 : right].strip()) == {"─"}:  # below it stands a stat block
            break
        rows.append(line[left + 1 : right].strip())
    return title, [row for row in rows if row] or [""]


def people(lines: list[str]) -> dict[str, str]:
    """Return the names of the Combatants pane by their labels."""
    top, left = _corner(lines, "2")
    found = (PERSON.match(line[left:]) for line in lines[top + 1 :])
    return {person[1]: person[2] for person in found if person is not None}


def _corner(lines: list[str], pane: str) -> tuple[int, int]:
    return next(
        ((number, line.index(f"╭─ {pane} ")) for number, line in enumerate(lines) if f"╭─ {pane} " in line), (0, 0)
    )
