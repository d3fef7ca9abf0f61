"""Small fights come out as they are computed from the printed rules, without the program; the page says the same."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from tests.forecast.tables import CASES, PAGE, WHOSE, fight_row, odds_table, played, shares, table
from tests.forecast.witness_chains import WITNESSES

FEW, MANY = 60, 20_000
ERRORS = 4.0
"""Standard errors within which a share has to be."""
ROUNDED = 0.0005
"""Half of the last digit that a share is written with."""


def row_holds(game: str, heroes: int, what: str, chance: float) -> None:
    """Check a row of the page: its exact chance, and what 20,000 fights showed within four standard errors of it."""
    rows = table(PAGE.read_text("utf-8"), "fights")
    assert f"{MANY:,} fights" in rows[0]
    start = fight_row(game, heroes, what, chance, "").removesuffix(" |")
    (row,) = [row for row in rows if row.startswith(start)]
    shown, low, high = (float(share) / 100 for share in re.findall(r"([\d.]+)%", row.removeprefix(start)))
    error = math.sqrt(chance * (1 - chance) / MANY)
    assert abs(shown - chance) <= ERRORS * error + ROUNDED, row
    assert low <= shown <= high
    assert high - low <= 4 * error + 4 * ROUNDED, row


@pytest.mark.parametrize("fights", [FEW, pytest.param(MANY, marks=pytest.mark.long)], ids=["few", "many"])
@pytest.mark.parametrize(("game", "heroes"), CASES)
def test_fights_come_out_as_computed(tmp_path: Path, game: str, heroes: int, fights: int) -> None:
    """Winning and each fall are within four standard errors of the exact chance, which is that of the page."""
    exact = WITNESSES[game](heroes)

    seen = played(tmp_path, game, heroes, fights)

    assert (seen.fights, seen.undecided, seen.failed) == (fights, 0, 0)
    for share, chance in zip(shares(seen), exact, strict=True):
        assert abs(share - chance) <= ERRORS * math.sqrt(chance * (1 - chance) / fights), (shares(seen), exact)
    for what, chance in zip(WHOSE, exact, strict=False):
        row_holds(game, heroes, what, chance)


def test_the_table_of_the_odds_is_what_the_program_shows() -> None:
    """Shown and counted by hand, for thirty attacks."""
    assert odds_table() == table(PAGE.read_text("utf-8"), "odds")
