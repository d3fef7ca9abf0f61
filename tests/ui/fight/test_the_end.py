"""The end of a fight opens by itself, however the fight ends, and again when a finished fight is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import SIZES, Table, opened, resume
from tests.ui.games import SW, WN, begin, begun, words
from tracker.core.terms.actions import action
from tracker.session.intents import Advance, Do, RollRest
from tracker.ui.modes.history.summary import StoryMode, SummaryMode


async def ended(table: Table) -> None:
    """Begin a fight, and end it before anything has happened."""
    await begin(table)
    await table.type(":end_fight⏎")


@pytest.mark.parametrize("size", SIZES)
async def test_the_end_says_who_won_and_tells_the_story(tmp_path: Path, size: tuple[int, int]) -> None:
    """The headline stands above the numbers; `s` opens the story, `f` and `n` tell more of it."""
    async with opened(begun(tmp_path, WN, "first_fight"), size) as table:
        await ended(table)
        assert isinstance(table.mode, SummaryMode)
        assert "The fight ends in round 1 with the party and the toll-takers still standing." in words(table)
        await table.type("s")
        assert isinstance(table.mode, StoryMode)
        assert "three hedge robbers" in words(table)
        await table.type("f")
        assert "Hedge Robber 1" in words(table)
        await table.type("n")
        assert "They want five silver a head" in words(table)
        await table.press("escape")
        assert isinstance(table.mode, SummaryMode)


async def test_an_end_that_asks_opens_it_after_the_answer(tmp_path: Path) -> None:
    """Sword World asks which effects stay: the end opens when that is answered, and not again."""
    session = begun(tmp_path, SW, "forest_ambush")
    while not session.model.state.clock.in_round:
        session.dispatch(RollRest() if session.model.pending is not None else Advance())
    session.dispatch(Do((action("add_effect", name="cursed", targets=("wolf",), until="until removed"),)))
    async with opened(session) as table:
        await table.type(":end_fight⏎")
        assert "which effects stay?" in words(table)
        while table.model.pending is not None:
            assert not isinstance(table.mode, SummaryMode)
            await table.press("enter")
        assert table.state.clock.over
        assert isinstance(table.mode, SummaryMode)


async def test_a_finished_fight_opens_on_its_end(tmp_path: Path) -> None:
    """It is looked at, not resumed; Esc shows the fight as it stood."""
    session = begun(tmp_path, WN, "first_fight")
    async with opened(session) as table:
        await ended(table)
    async with opened(resume(session)) as table:
        assert isinstance(table.mode, SummaryMode)
        await table.press("escape")
        assert table.mode is None
