"""Promises of the reliability list that no other test holds."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.faults.harness.games import GAMES, fight_of
from tests.faults.harness.killing import SETTINGS
from tests.faults.harness.monkey import key as pressed
from tests.support.quick import at_rest
from tests.ui.drive import Table, drive, fight
from tests.ui.skirmish import SKIRMISH
from tracker.core.terms.actions import action
from tracker.library.guard import unwrapped
from tracker.session.intents import Advance, Do, RollRest, Undo
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.ui.keys.table import on


def at_the_table(folder: Path, key: str) -> Session:
    """A fight of this game, at its first turn."""
    ruleset, encounter = fight_of(key)
    session = Session.start(Journal.open(folder / "fights.db"), ruleset, encounter, SETTINGS)
    for _ in range(60):
        if session.model.pending is not None:
            session.dispatch(RollRest())
        elif session.model.state.clock.round < 1 or session.model.state.clock.at is None:
            session.dispatch(Advance())
        else:
            break
    return session


async def press(table: Table, *names: str) -> None:
    """Press keys without waiting longer than the app needs."""
    driver = table.app._driver
    assert driver is not None
    for name in names:
        driver.send_message(pressed(name))
        await at_rest()


@pytest.mark.parametrize("key", GAMES)
def test_nobody_else_changes_whose_turn_it_is(tmp_path: Path, key: str) -> None:
    """Felling, removing, renaming and bringing in others leaves the turn where it is."""
    session = at_the_table(tmp_path, key)
    encounter = fight_of(key)[1]
    clock = session.model.state.clock
    whose = (clock.at, clock.acting)
    actors = set(clock.current.members) if clock.current is not None else set()
    others = [one.id for one in session.model.state.combatants if one.id not in actors and one.id != clock.acting]
    newcomer = replace(encounter.sides[-1].members[0], id="")
    changes = [action("insert", None, members=(newcomer,), side=encounter.sides[-1].id)]
    if others:
        changes += [
            action("rename", None, target=others[0], name="Somebody else"),
            action("status", None, targets=(others[0],), status="down"),
            action("remove", None, targets=(others[-1],)),
        ]
    done = 0
    for change in changes:
        model = session.dispatch(Do((change,)))
        while model.pending is not None:
            model = session.dispatch(RollRest())
        done += model.refusal is None
        assert (model.state.clock.at, model.state.clock.acting) == whose, change
    assert done, "at least one of these is possible in any game"
    session.close()
    session.journal.close()


def test_a_target_that_has_left_is_refused(tmp_path: Path) -> None:
    """A form filled in before its target left changes nothing when it is sent."""
    session = fight(tmp_path)
    who = session.model.state.combatants[0].id
    session.dispatch(Do((action("remove", None, targets=("goblin-1",)),)))
    before = session.model

    model = session.dispatch(Do((action("attack", who, target="goblin-1", weapon="sword"),)))

    assert model.refusal is not None
    assert (model.state, model.steps) == (before.state, before.steps)
    session.close()
    session.journal.close()


@pytest.mark.parametrize("opening", ["o", "f", "-", "+", "e", "x", "s", "m", "i", "=", "r", "/", ":"])
def test_no_letter_acts_while_a_field_has_the_keys(tmp_path: Path, opening: str) -> None:
    """Every character typed into a command, a search or a note is text there."""
    session = fight(tmp_path)
    before = session.model.steps

    async def journey(table: Table) -> None:
        await press(table, opening)
        for sign in string.ascii_letters + string.digits + "-+=.'/?*":
            await press(table, sign)
            assert session.model.steps == before, f"{sign} acted"
        await press(table, "escape", "escape")
        assert session.model.steps == before

    drive(session, journey)


def test_no_key_destroys(tmp_path: Path) -> None:
    """Each key, pressed once, does nothing that one undo does not take back."""
    session = fight(tmp_path)

    async def journey(table: Table) -> None:
        for key in on("fight"):
            for name in key.key.split(","):
                if key.call is None or key.id in ("quit", "undo", "redo"):
                    continue
                before = session.model
                await press(table, name)
                if session.model.head != before.head:
                    session.dispatch(Undo())
                    table.showing.show(session.model, None)
                assert session.model.state == before.state, name
                await press(table, "escape", "escape", "escape")
                if session.model.pending is not None:
                    session.dispatch(Undo())
                    table.showing.show(session.model, None)

    drive(session, journey)
    assert unwrapped(session.ruleset) is SKIRMISH
