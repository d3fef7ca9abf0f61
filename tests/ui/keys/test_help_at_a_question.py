"""Help at a question: a question mark can be no answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.shares import every
from tests.ui.drive import SIZES, fight, opened
from tests.ui.games import FIGHTS, begun
from tracker.session.intents import Advance
from tracker.ui.modes.acting.prompt import Prompt


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", every(3, FIGHTS))
async def test_a_question_mark_opens_the_help(game: str, size: tuple[int, int], tmp_path: Path) -> None:
    """Budget 34: one key; what is typed so far and the question stay as they were, and the footer says so."""
    session = begun(tmp_path, game, FIGHTS[game][0])
    while session.model.pending is None:
        session.dispatch(Advance())
    async with opened(session, size=size) as table:
        asked = table.question
        assert isinstance(table.mode, Prompt)
        assert "? help" in table.text().splitlines()[-1]
        typed = "1" if asked.numeric else ""
        await table.type(typed + "?")
        assert "Question" in table.pane("over")
        await table.press("escape")
        assert isinstance(table.mode, Prompt)
        assert (table.mode.entry.text, table.question) == (typed, asked)


async def test_a_question_mark_is_text_where_text_is_typed(tmp_path: Path) -> None:
    """A note may ask something."""
    async with opened(fight(tmp_path)) as table:
        await table.type("owho?⏎")
        assert any("who?" in note for note in table.state.journal_notes) or "who?" in table.text()
