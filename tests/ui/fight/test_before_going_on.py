"""What may have been missed, in every game."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.ui.drive import SETTINGS, SIZES, opened
from tests.ui.games import GH, SJ, SV, SW, WN, action_pane, begun, low, phase, played
from tracker.core.game.ruleset import open_reminders
from tracker.core.terms.actions import action
from tracker.core.terms.requests import DiceAnswer, Roll
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


def with_morale(folder: Path) -> Session:
    """Return the party's turn in which the first robber has fallen."""
    session = begun(folder, WN, "first_fight")
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    session.dispatch(Do((action("status", status="dead", targets=("hedge-robber-1",)),)))
    return session


def with_held_turn(folder: Path, game: str, name: str, side: str, who: str, **how: str) -> Session:
    """Return the last phase of a round, in which a combatant of the other side holds its turn."""
    session = begun(folder, game, name)
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == side)
    done = session.dispatch(Do((action("hold", who, **how),)))
    assert done.refusal is None, done.refusal
    clock = session.model.state.clock
    played(session, lambda state: state.clock.at == [slot for slot in clock.slots if slot.stage == "round"][-1].id)
    return session


def with_bleeding(folder: Path) -> Session:
    """Return the end of a round in which a character bleeds and the game master rolls it by hand."""
    session = begun(folder, GH, "goblin_waves")
    played(session, lambda state: state.clock.phase == "monsters")
    session.dispatch(Do((action("add_effect", name="dying", targets=("kerrow",)),)))
    played(session, lambda state: state.clock.phase == "round_end")
    return session


def with_monsters_unknown(folder: Path) -> Session:
    """Return the phase of Sword World in which monsters are found out, with checks still open."""
    session = begun(folder, SW, "forest_ambush")
    played(session, lambda state: state.clock.phase == "knowledge")
    return session


def casting(request: Roll) -> DiceAnswer:
    """Return dice with which spells go off and blows miss."""
    return low(request) if "/cast:" in request.key else DiceAnswer(request.dice.maximum, request.dice.sides)


def with_a_spell_gone_off(folder: Path) -> Session:
    """Return the segment in which a spell of Spelljammer goes off; what it does is the game master's to say."""
    settings = replace(SETTINGS, by_side=True, roller=casting, auto_sides=("party", "cult"))
    session = begun(folder, SJ, "spell_duel", settings)
    played(session, lambda state: state.clock.phase == "declare")
    declared = action("declare", "telmarre", main="cast", spell="Lance of Light", target="javelin-raider-1")
    done = session.dispatch(Do((declared,)))
    assert done.refusal is None, done.refusal
    played(session, lambda state: state["telmarre"].fact("went_off") is not None)
    return session


def with_one_to_drive_back(folder: Path) -> Session:
    """Return the end of a round in which an ogre has struck at a desperate defender."""
    session = begun(folder, SJ, "archers_into_melee")
    played(session, lambda state: state.clock.current is not None and state.clock.current.segment is not None)
    session.dispatch(Do((action("add_effect", name="desperate_defense", targets=("brannoc",)),)))
    played(session, lambda state: state.clock.phase == "end")
    return session


LAPSING: tuple[tuple[Callable[[Path], Session], str], ...] = (
    (with_morale, "Morale of Toll-takers: the first of them has fallen"),
    (lambda folder: with_held_turn(folder, WN, "first_fight", "party", "sefa"), "Sefa holds a turn"),
    (lambda folder: with_held_turn(folder, SV, "night_road", "party", "maud"), "Maud holds a turn"),
    (with_bleeding, "Kerrow is dying"),
    (with_monsters_unknown, "Monster Knowledge"),
    (with_a_spell_gone_off, "Lance of Light at Javelin Raider 1 goes off"),
    (with_one_to_drive_back, "Ogre Mauler may drive Brannoc back"),
)


@pytest.mark.parametrize(("make", "words"), LAPSING)
async def test_going_on_stops_once_before_it_gives_something_up(
    make: Callable[[Path], Session], words: str, tmp_path: Path
) -> None:
    """It stops again after an undo has brought it back, and once only."""
    session = make(tmp_path)
    for one in open_reminders(session.ruleset, session.model.state):
        if words not in one.text:
            session.dispatch(Do((action("dismiss", key=one.key),)))
    async with opened(session) as table:
        here = table.state.clock.at
        assert re.search(rf"! [^!]*{re.escape(words)}", action_pane(table))
        for _ in range(2):
            await table.type("n")
            assert (table.state.clock.at, "Before going on" in table.text()) == (here, True)
            assert words in action_pane(table)
            await table.press("escape")
            await table.type("n")
            assert table.state.clock.at != here
            while table.model.pending is not None:
                await table.press("ctrl+z")
            if table.state.clock.at != here:
                await table.type("u")
            assert table.state.clock.at == here


async def test_the_list_of_what_was_missed_begins_with_what_the_pane_shows(tmp_path: Path) -> None:
    """`R⏎` settles the first reminder of the pane, whatever else is open."""
    session = with_morale(tmp_path)
    assert "Main" in open_reminders(session.ruleset, session.model.state)[0].text
    async with opened(session) as table:
        assert "! Morale of" in action_pane(table)
        await table.type("R")
        assert "▸ 1 Morale of" in action_pane(table)
        await table.type("⏎")
        assert table.model.pending is not None
        assert table.model.pending.request.why == "Morale"


@pytest.mark.parametrize("size", SIZES)
async def test_a_reminder_opens_the_field_that_is_missing(size: tuple[int, int], tmp_path: Path) -> None:
    """Sword World: `R⏎` asks for the number of a Death Check, which the prompt then names with its bonus."""
    session = begun(tmp_path, SW, "forest_ambush")
    played(session, lambda state: state.clock.in_round)
    session.dispatch(Do((action("damage", amount=session.model.state["sela"].hp + 3, targets=("sela",)),)))
    async with opened(session, size=size) as table:
        assert "! Death Check of Sela (HP −1)" in table.pane("console")
        await table.type("R⏎")
        assert "▸ target number ?" in table.pane("console")
        await table.type("8⏎")
        assert table.model.pending is not None
        assert "Death Check (HP −1) · +1 vs target 8 · 7 or more succeeds" in table.pane("console")
        await table.type("⏎")
        assert not [one for one in open_reminders(session.ruleset, table.state) if "Death Check" in one.text]


def test_the_dying_of_the_game_master_are_told_once_and_healed_by_choice(tmp_path: Path) -> None:
    """A dying character has first aid in each round; a dying foe is told once."""
    session = begun(tmp_path, WN, "first_fight")
    played(session, lambda state: state.clock.in_round)
    for who in ("hedge-robber-1", "sefa"):
        session.dispatch(Do((action("status", status="mortal", targets=(who,)),)))
    keys: dict[str, set[tuple[str, bool]]] = {}
    for _ in range(3):
        round_now = session.model.state.clock.round
        while session.model.state.clock.round == round_now:
            for one in session.ruleset.pending(session.model.state):
                if one.text.endswith("is dying"):
                    keys.setdefault(str(one.about), set()).add((one.key, one.settle is not None))
            played(session, lambda state, at=session.model.state.clock.at: state.clock.at != at)
    assert keys["hedge-robber-1"] == {("dying:hedge-robber-1", False)}
    assert len({key for key, _ in keys["sefa"]}) > 1
    assert {settled for _, settled in keys["sefa"]} == {True, False}


async def test_one_key_passes_over_who_has_had_no_turn(tmp_path: Path) -> None:
    """The open turn of who has acted is ended with it; it stops once for those who have not."""
    session = begun(tmp_path, SW, "forest_ambush", replace(SETTINGS, by_side=True, roller=low))
    played(session, phase("following"))
    for who in ("wolf", "finn", "sela"):
        session.dispatch(Do((action("other_action", who),)))
    async with opened(session) as table:
        assert "m Mira a act · n → Round 2" in action_pane(table)
        await table.type("n")
        assert "Mira has not had a turn" in action_pane(table)
        await table.type("n")
        assert table.state.clock.round == 2
        assert table.pressed == 2
