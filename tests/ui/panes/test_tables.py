"""The tables of panes and commands.

Each row is all there is to say of a pane or a command.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import fight, opened
from tests.ui.skirmish import encounter
from tracker.ui.fight import panes as fight_panes
from tracker.ui.fight.commands.table import ACTIONS
from tracker.ui.keys.command import PANES, Pane, pane_commands
from tracker.ui.keys.table import KEYS, UNKEYED, described
from tracker.ui.start.screen import StartScreen


def test_every_action_of_a_fight_is_done() -> None:
    """Commands and actions match, but for choosing a theme and typing a size."""
    called = {command.action for command in (*KEYS, *UNKEYED) if command.action and "fight" in command.screens}

    assert called | {"theme", "size"} == set(ACTIONS)


def test_every_action_of_the_start_screen_is_done() -> None:
    """No command of the start screen calls what it cannot do."""
    called = {command.action for command in KEYS if command.action and "start" in command.screens}

    assert [action for action in called if not hasattr(StartScreen, f"action_{action}")] == []


def test_the_number_of_a_pane_is_its_key() -> None:
    """The row of a pane makes its command, in the order of the numbers."""
    rows = (Pane("second", 2, "Second", "", region="above"), Pane("first", 1, "First", "", region="below", look="see"))

    assert [(made.id, made.key, made.word, described(made)) for made in pane_commands(rows)] == [
        ("first", "1", "first", "see"),
        ("second", "2", "second", "look at the second; again: enlarge it"),
    ]


async def test_a_row_is_a_pane(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another row of the table is a pane in its region that follows the fight."""
    row = Pane("twin", 9, "Twin", "roster:RosterPane", region="below")
    monkeypatch.setattr(fight_panes, "PANES", (*PANES, row))
    async with opened(fight(tmp_path, encounter(2))) as table:
        assert "9 Twin" in table.text()
        await table.type("-2h⏎")
        assert "h Goblin 2 ▾5/7" in table.pane("twin")
