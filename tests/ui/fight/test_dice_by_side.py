"""Dice without being asked: the program rolls for the GM's sides, players are asked."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.ui.drive import SETTINGS, fight, opened
from tests.ui.games import WN, action_pane, ready
from tests.ui.skirmish import House, encounter
from tracker.core.terms.requests import Window
from tracker.session.intents import Advance

BY_SIDE = replace(SETTINGS, by_side=True)


async def test_a_robber_attacks_without_a_prompt(tmp_path: Path) -> None:
    """The header says for whom the program rolls. `:ask foes` and `:roll foes` change it, `u` takes that back."""
    async with opened(ready(tmp_path, WN, replace(BY_SIDE, windows="nobody"))) as table:
        assert "⚄ foes" in table.text()
        await table.type("ao⏎")
        assert (table.model.pending, len(table.model.steps[-1].answers) > 0) == (None, True)

        await table.type(":ask foes⏎")
        assert "⚄ none" in table.text()
        await table.type("'rao⏎")
        assert table.model.pending is not None

        await table.press("escape")
        await table.type(":roll toll⏎")
        assert table.model.pending is None  # it counts for the dice that were asked for
        assert "⚄ foes" in table.text()

        await table.type(":ask h⏎")
        assert "⚄ foes −h" in table.text()
        await table.type("u")
        assert "⚄ foes −" not in table.text()
        await table.type(":roll players⏎")
        assert "⚄ all" in table.text()


async def test_it_stands_in_the_palette(tmp_path: Path) -> None:
    """Each of the two opens its form, and a free roll is still a roll."""
    async with opened(fight(tmp_path, settings=BY_SIDE)) as table:
        await table.press("ctrl+p")
        await table.type("let the program⏎players⏎")
        assert "⚄ all" in table.text()
        await table.type(":roll 1d6 luck⏎")
        assert "luck" in table.text()


async def test_the_star_never_passes_a_player_by(tmp_path: Path) -> None:
    """A player's window after the roll stands: Enter passes it, `*` says so."""
    session = fight(tmp_path, encounter(rules=House(parries=True)))
    for _ in range(4):
        session.dispatch(Advance())
    async with opened(session) as table:
        await table.type("aw⏎*")
        assert isinstance(table.question, Window)
        before = table.model.pending
        await table.type("*")
        assert table.model.pending is before
        assert "Wolf may still act: Enter passes, * never does" in action_pane(table)
        await table.type("⏎")
        assert table.model.pending is None


async def test_the_header_keeps_its_mark_in_a_narrow_terminal(tmp_path: Path) -> None:
    async with opened(ready(tmp_path, WN, BY_SIDE), size=(80, 24)) as table:
        assert "⚄ foes" in table.text().splitlines()[0]
