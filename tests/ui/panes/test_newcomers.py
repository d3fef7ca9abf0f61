"""Newcomers on a map: joining asks where, and Enter puts them there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import SIZES, opened
from tests.ui.games import SV, WN, begun, played, shelved
from tests.ui.keys.test_five_games import heroes
from tracker.ui.panes.map_pane import MapPane


@pytest.mark.parametrize("size", SIZES)
async def test_two_newcomers_join_on_the_map(size: tuple[int, int], tmp_path: Path) -> None:
    """Budget 31: two join and are placed in nine keys; then the pane is chosen that was chosen before."""
    session = begun(tmp_path, SV, "first_fight")
    played(session, heroes)
    async with opened(session, size=size, find=shelved(SV)) as table:
        selected, chosen, many = table.showing.selected, table.chosen, len(table.state.combatants)
        before = table.pressed
        await table.type("i2bon⏎")
        first, second = table.state.combatants[many:]
        assert (first.position, second.position) == (None, None)
        assert f"where does {first.name} come in?" in " ".join(table.pane("console").split())
        assert f"{first.name} has no square yet: enter puts it here" in table.text()
        await table.type("⏎⏎")
        assert table.pressed - before <= 9
        placed = [table.state[one.id].position for one in (first, second)]
        assert None not in placed
        assert len(set(placed)) == 2
        assert table.chosen == chosen
        assert table.state.get(selected) is not None
        await table.type("uu")
        assert [table.state[one.id].position for one in (first, second)] == [None, None]


async def test_a_square_that_is_taken_is_refused(tmp_path: Path) -> None:
    """A newcomer is not put where another combatant stands, and waits for another square."""
    session = begun(tmp_path, SV, "first_fight")
    played(session, heroes)
    async with opened(session, find=shelved(SV)) as table:
        many = len(table.state.combatants)
        await table.type("ibon⏎")
        who = table.state.combatants[many].id
        board = table.panes.of(MapPane)
        taken = next(one.position for one in table.state.combatants if one.position is not None)
        board.cursor = (int(taken[0]), int(taken[1]))
        await table.press("enter")
        assert table.state[who].position is None
        assert f"{taken[0]},{taken[1]} is occupied" in table.pane("console")


async def test_a_fight_without_a_map_asks_nothing(tmp_path: Path) -> None:
    """Who joins there stands nowhere."""
    session = begun(tmp_path, WN, "first_fight")
    played(session, heroes)
    async with opened(session, find=shelved(WN)) as table:
        chosen = table.chosen
        await table.type("i2hed⏎")
        assert table.chosen == chosen
        assert "come in?" not in table.text()
