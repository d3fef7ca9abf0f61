"""What lasts from one start to the next: the lines typed and the theme."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import fight, opened
from tests.ui.lines.test_line import line_of, wolfs_turn
from tracker.ui.app import TrackerApp
from tracker.ui.platform.settings import MOST_LINES, UiState


async def test_earlier_lines_come_back(tmp_path: Path) -> None:
    """Up and down go through the lines while nothing else is typed; the newest is first."""
    async with opened(wolfs_turn(tmp_path)) as table:
        await table.type(":damage 1 g⏎:damage 2 h⏎:")
        await table.press("up")
        assert line_of(table).entry.text == "damage 2 h"
        await table.press("up", "up")
        assert line_of(table).entry.text == "damage 1 g"
        await table.press("down")
        assert line_of(table).entry.text == "damage 2 h"
        await table.press("down")
        assert line_of(table).entry.text == ""
        await table.press("up", "enter")
        assert table.hp("goblin-2") == 3


def test_lines_are_kept_across_starts(tmp_path: Path) -> None:
    """Two hundred lines, each once, the newest last; a folder that cannot be written is no trouble."""
    memory = UiState(lambda: tmp_path / "state")
    for number in range(250):
        memory.add(f"damage {number} g")
    memory.add("damage 249 g")

    again = UiState(lambda: tmp_path / "state").lines
    assert (len(again), again[0], again[-1]) == (MOST_LINES, "damage 50 g", "damage 249 g")
    assert sorted(path.name for path in (tmp_path / "state").iterdir()) == ["lines.txt"]


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x1b[31mred\x1b[0m\n\n  \n", b"x" * 3_000_000, None])
def test_broken_memory_is_no_failure(tmp_path: Path, content: bytes | None) -> None:
    """Whatever the file holds, the lines are text and new ones can be added."""
    folder = tmp_path / "state"
    if content is None:
        folder.write_text("a file, no folder")
    else:
        folder.mkdir()
        (folder / "lines.txt").write_bytes(content)
    memory = UiState(lambda: folder)

    memory.add("undo")

    assert memory.lines[-1] == "undo"
    assert all("\x1b" not in line and len(line) <= 2000 for line in memory.lines)


def test_theme_is_remembered(tmp_path: Path) -> None:
    """The theme chosen last is there at the next start; one that is gone is forgotten."""
    memory = UiState(lambda: tmp_path)
    memory.theme = "tracker-light"
    session = fight(tmp_path)
    assert TrackerApp(session, memory=UiState(lambda: tmp_path)).theme == "tracker-light"
    memory.theme = "no such theme"
    assert TrackerApp(session, memory=UiState(lambda: tmp_path)).theme in ("tracker-dark", "ansi-dark")
    session.close()
