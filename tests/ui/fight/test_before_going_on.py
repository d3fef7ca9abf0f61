"""What may have been missed, in every game.

Reminders of the game and the encounter stand in the action pane and are shown once by `n`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import Table, drive
from tests.ui.games import action_pane, begun, played
from tracker.session.session import Session

REMINDERS = (
    ("worlds_without_number", "first_fight", 2, "The planks groan."),
    ("sword_world", "forest_ambush", 3, "A horn sounds from deeper in the wood."),
    ("sovereign", "first_fight", 3, "The lid of the great coffin begins to move."),
    ("spelljammer", "deck_ambush", 2, "The mast groans"),
    ("githack", "goblin_waves", 2, "The drum can be heard over the river"),
)


def at_round(folder: Path, game: str, name: str, number: int) -> Session:
    """A fight in which nobody does more than the clock makes them do."""
    session = begun(folder, game, name)
    played(session, lambda state: state.clock.round == number and state.clock.at is not None)
    return session


@pytest.mark.parametrize(("game", "name", "number", "words"), REMINDERS)
def test_encounters_reminder_is_shown_once(game: str, name: str, number: int, words: str, tmp_path: Path) -> None:
    """Its moment has come.

    It stands in the pane, `n` shows it once, Enter puts it away, and what is put away stays away.
    """

    async def journey(table: Table) -> None:
        assert words.split(",")[0][:24] in action_pane(table)
        await table.type("n")
        assert "Before going on" in table.text()
        assert words in action_pane(table)
        await table.type("⏎")
        assert words not in action_pane(table)
        assert len(table.state.dismissed) == 1

    drive(at_round(tmp_path, game, name, number), journey)
