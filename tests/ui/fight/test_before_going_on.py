"""What may have been missed, in every game.

Reminders of the game and the encounter stand in the action pane, and `n` asks before an action is given up.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import opened
from tests.ui.games import action_pane, begun, played
from tracker.core.game.ruleset import open_reminders
from tracker.core.terms.actions import action
from tracker.session.intents import Do
from tracker.session.session import Session
from tracker.ui.typing.mode import Result

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
async def test_encounters_reminder_is_shown_once(game: str, name: str, number: int, words: str, tmp_path: Path) -> None:
    """Budget 19: it stands in the pane at its moment, and `n` goes on; no other side has it again, and `R` lists it."""
    session = at_round(tmp_path, game, name, number)
    for reminder in open_reminders(session.ruleset, session.model.state):
        if reminder.lapses:
            session.dispatch(Do((action("dismiss", key=reminder.key),)))
    async with opened(session) as table:
        was = table.model
        assert words in action_pane(table)
        await table.type("n")
        assert table.pressed == 1
        assert table.model.head != was.head or table.model.pending is not None
        await table.press("escape")
        assert words not in action_pane(table)
        if table.model.pending is None:
            await table.type("R")
            assert words in action_pane(table)
            await table.type("x")
            assert len(table.state.dismissed) == len(was.state.dismissed) + 1


async def test_the_list_closes_with_the_last_of_it(tmp_path: Path) -> None:
    """What settles one may settle the others: no empty list is left to be closed."""
    session = begun(tmp_path, "sword_world", "forest_ambush")
    played(session, lambda state: state.clock.round == 1 and state.clock.at is not None)
    async with opened(session) as table:
        await table.type("n")
        assert "has not had a turn" in action_pane(table)
        await table.type("⏎")
        assert (table.mode, table.state.clock.acting is None) == (None, False)


async def test_the_end_of_a_decided_fight_is_offered_in_each_round(tmp_path: Path) -> None:
    """The first `n` of a round has it, the next goes on."""
    session = at_round(tmp_path, "sovereign", "first_fight", 2)
    foes = tuple(one.id for one in session.model.state.combatants if one.side == "the-dead")
    session.dispatch(Do((action("status", status="dead", targets=foes),)))
    async with opened(session) as table:
        rounds = []
        while table.state.clock.round < 4:  # a wave comes then
            assert "A all" not in action_pane(table)
            for other in open_reminders(session.ruleset, table.state):
                if other.about is not None:
                    table.showing.apply(Result(None, (Do((action("dismiss", key=other.key),)),)))
            await table.type("n")
            if "end the fight?" in action_pane(table):
                rounds.append(table.state.clock.round)
                await table.type("n")
        assert rounds == [2, 3]
