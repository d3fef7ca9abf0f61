"""The tables of the page are those that are computed, and what was played lies where it must."""

from __future__ import annotations

import math
import re

import pytest

from tests.forecast.tables import PAGE, WHOSE, fight_row, odds_table, table
from tests.forecast.test_witnesses import CASES, ERRORS
from tests.forecast.witness_chains import WITNESSES

TEXT = PAGE.read_text("utf-8")
FIGHTS = 20_000
ROUNDED = 0.0005
"""Half of the last digit that a share is written with."""


def test_the_table_of_the_odds_is_what_the_program_shows() -> None:
    """Shown and counted by hand, for thirty attacks."""
    assert odds_table() == table(TEXT, "odds")


@pytest.mark.parametrize(("game", "heroes"), CASES)
def test_the_table_of_the_fights_has_the_exact_chances(game: str, heroes: int) -> None:
    """Each exact chance is computed anew; what 20,000 fights showed lies within four standard errors of it."""
    rows = table(TEXT, "fights")
    assert f"{FIGHTS:,} fights" in rows[0]
    for what, chance in zip(WHOSE, WITNESSES[game](heroes), strict=False):
        start = fight_row(game, heroes, what, chance, "").removesuffix(" |")
        (row,) = [row for row in rows if row.startswith(start)]
        shown, low, high = (float(share) / 100 for share in re.findall(r"([\d.]+)%", row.removeprefix(start)))
        error = math.sqrt(chance * (1 - chance) / FIGHTS)
        assert abs(shown - chance) <= ERRORS * error + ROUNDED, row
        assert low <= shown <= high
        assert high - low <= 4 * error + 4 * ROUNDED, row
