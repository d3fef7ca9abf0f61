"""Rows of the start screen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from tests.support.tables import for_each, rows
from tracker.library.content.discovery import EncounterFile
from tracker.library.yaml.problems import Problem
from tracker.session.rows import FightSummary
from tracker.ui.start.rows import fight_rows, found_rows, game_words, problem_rows, stands_words, when_words
from tracker.views.words.spans import width_of

NOW = datetime(2031, 5, 1, 20, 0, tzinfo=UTC)
FIGHT = FightSummary(
    "ford", "At the ford", "skirmish", 3, "Wolf", "2031-05-01T19:40:00+00:00", 9, False, "attack on Goblin 1", "", None
)


@pytest.mark.parametrize(("at", "words"), rows(__file__, "when_in_words"))
def test_when_in_words(at: str, words: str) -> None:
    assert when_words(at, NOW) == words


def test_when_counts_days_where_the_game_master_sits() -> None:
    """Half past midnight in Auckland is today there, though it is still yesterday in Greenwich."""
    there = NOW.astimezone(timezone(timedelta(hours=12)))

    assert when_words("2031-05-01T12:30:00+00:00", there) == "today 00:30"


@pytest.mark.parametrize(
    ("fight", "words"),
    [
        (FIGHT, "round 3 · up: Wolf · asks: attack on Goblin 1"),
        (FightSummary("f", "F", "s", 5, "over", "", 9, True, "", "", None), "over"),
        (FightSummary("f", "F", "s", 0, "Set-up", "", 1, False, "", "", None), "set-up"),
        (FightSummary("f", "F", "s", 2, "", "", 9, False, "", "", None, True), "round 2 · what-if open"),
    ],
)
def test_where_a_fight_stands(fight: FightSummary, words: str) -> None:
    assert stands_words(fight) == words


@for_each("width", [10, 20, 40, 76, 99, 100, 116, 196])
def test_rows_fit_their_width(width: int) -> None:
    """With all names no row is wider than its pane; a row that does not fit has two lines."""
    name = "日本 [bold] " * 20
    fight = FightSummary("f", name, "skirmish", 3, name, "2031-05-01T19:40:00+00:00", 9, False, name, "", "2031")
    sound = EncounterFile(Path("far/" * 30 + "mill.yaml"), name, "skirmish", name, "2 against 3")
    broken = EncounterFile(Path("mill.yaml"), name, problems=(Problem("mill.yaml", 3, 4, message=name),))

    rows = [
        fight_rows("f", 1, fight, width, game="Skirmish", now=NOW),
        found_rows("m", 12, sound, width, game=name),
        found_rows("m", 123, broken, width, game=""),
    ]

    assert [len(lines) for lines in rows] == [1 if width >= 100 else 2] * 2 + [2]
    assert max(width_of(row.spans) for lines in rows for row in lines) <= width


def test_the_name_of_a_file_is_shown() -> None:
    (row,) = found_rows(
        "m",
        1,
        EncounterFile(
            Path("a/very/long/way/to/the/folder/of/the/game/mill.yaml"), "In the mill", "s", "Skirmish", "2 against 3"
        ),
        100,
        game="Skirmish",
    )

    assert row.text.endswith("mill")


def test_game_that_is_not_loaded_has_its_key_as_words() -> None:
    assert game_words("worlds_without_number") == "Worlds Without Number"


def test_mark_stays_under_its_place() -> None:
    """If the line is too long for the page, line and mark are moved together."""
    problem = Problem("mill.yaml", 1, 120, message="what is wrong")
    line, mark = "x" * 119 + "HERE" + "y" * 50, " " * 119 + "^"

    rows = [row.text for row in problem_rows((problem,), ((line, mark),), 60)]

    assert rows[1][rows[2].index("^") :].startswith("HERE")
