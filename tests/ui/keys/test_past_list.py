"""The list of what was given: found by whom and by words, said in full."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import opened
from tests.ui.games import WN, ready
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.core.terms.requests import Responded
from tracker.ui.modes.history.inputs import answer_words


async def test_a_die_of_the_past_is_found(tmp_path: Path) -> None:
    """A label or words narrow the list, a number is the right value.

    Escape shows all again. It says who did what to whom and what came of it.
    """
    async with opened(ready(tmp_path, WN)) as table:
        await table.type("ao⏎19⏎5⏎'ra s⏎19⏎4⏎-1t⏎c")
        shown = table.pane("over")
        assert "R1 Hedge Robber 2: Melee Attack → Sefa" in shown
        assert "Hedge Robber 1: Melee Attack → Ordwen Ordwen 21→16" in shown
        assert "R1 GM: Damage → Tavi Tavi 14→13" in shown
        await table.type("h")
        assert "▸ hand axe against Ordwen 1d6 5" in table.pane("over")
        assert "Sefa" not in table.pane("over")
        await table.type("3⏎⏎")
        assert (table.hp("ordwen"), table.hp("sefa")) == (18, 11)
        await table.type("cinitiative")
        assert "▸ Toll-takers: initiative 1d8" in table.pane("over")
        await table.press("escape")
        assert "GM: Damage → Tavi" in table.pane("over")
        await table.type("z")
        await table.press("enter")
        assert table.panes.cover is table.panes.over
        await table.press("escape", "escape")
        assert (table.mode, table.panes.cover) == (None, None)


def test_a_response_is_called_as_the_game_calls_it() -> None:
    """An action in an answer has its title, not its key."""
    luck = Responded((action("veterans_luck", "ysolde"),))
    assert answer_words(State(), luck) == "ysolde: veterans luck"
    assert answer_words(State(), luck, {"veterans_luck": "Veteran's Luck"}) == "ysolde: Veteran's Luck"
