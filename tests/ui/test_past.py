"""Looking back, going on from there, and correcting the past."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import Table, drive
from tests.ui.test_odds_line import begin, bridge


async def two_steps(table: Table) -> None:
    """Ordwen hits Snag for 7; the game master takes 2 more off him."""
    await begin(table)
    await table.type("au⏎15⏎4⏎")
    await table.type("-2u⏎")
    assert table.hp("toll-captain") == 7


def test_a_die_typed_wrongly_two_steps_ago_takes_eight_keys(tmp_path: Path) -> None:
    """c, the damage die is on top, 8 instead of 4, Enter shows the difference, Enter takes it; the later step is done again."""

    async def journey(table: Table) -> None:
        await two_steps(table)
        before = table.pressed
        await table.type("c8⏎")
        assert "Snag  hp  7 → 3" in table.text()
        assert table.hp("toll-captain") == 7
        await table.type("⏎")
        assert table.pressed - before <= 8
        assert table.hp("toll-captain") == 3

    drive(bridge(tmp_path), journey)


def test_a_correction_can_be_left_alone_and_taken_back(tmp_path: Path) -> None:
    async def journey(table: Table) -> None:
        await two_steps(table)
        await table.type("c8⏎")
        await table.press("escape")
        assert table.hp("toll-captain") == 7
        await table.type("c8⏎⏎u")
        assert table.hp("toll-captain") == 7

    drive(bridge(tmp_path), journey)


def test_an_impossible_face_is_refused_in_the_correction(tmp_path: Path) -> None:
    async def journey(table: Table) -> None:
        await two_steps(table)
        await table.type("c9⏎")
        assert "9 is not on a d8" in table.text()
        assert table.hp("toll-captain") == 7

    drive(bridge(tmp_path), journey)


def test_looking_back_shows_the_past_and_changes_nothing(tmp_path: Path) -> None:
    async def journey(table: Table) -> None:
        await two_steps(table)
        steps = len(table.model.steps)
        await table.type("[")
        assert table.hp("toll-captain") == 9
        assert "PAST" in table.text()
        await table.type("[")
        assert table.hp("toll-captain") == 16
        await table.type("]]")
        assert table.hp("toll-captain") == 7
        assert table.model.looking_at is None
        assert len(table.model.steps) == steps

    drive(bridge(tmp_path), journey)


def test_enter_goes_on_from_the_past_as_a_branch_and_the_other_is_kept(tmp_path: Path) -> None:
    async def journey(table: Table) -> None:
        await two_steps(table)
        await table.type("[⏎")
        assert table.hp("toll-captain") == 9
        await table.type("-1u⏎")
        assert table.hp("toll-captain") == 8
        await table.type("B⏎")
        assert table.hp("toll-captain") == 7

    drive(bridge(tmp_path), journey)


def test_escape_comes_back_to_now(tmp_path: Path) -> None:
    async def journey(table: Table) -> None:
        await two_steps(table)
        await table.type("[[")
        await table.press("escape")
        assert table.model.looking_at is None
        assert table.hp("toll-captain") == 7

    drive(bridge(tmp_path), journey)
