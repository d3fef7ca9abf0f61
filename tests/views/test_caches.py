"""What is kept from one moment's views changes nothing in the next ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from tests.faults.harness.games import GAMES, fight_of
from tests.faults.harness.killing import SETTINGS
from tests.properties.games import build
from tests.views.toy import changed
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import action
from tracker.session.intents import Do, Redo, Undo
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.session.store.player_view import whole_view
from tracker.testing import random_play
from tracker.testing.table import plain
from tracker.views.panes.order import OrderRows
from tracker.views.public.build import public_view
from tracker.views.public.schema import Public, Table
from tracker.views.time.calendar import calendar

STEPS = 60


def played(session: Session, rules: Ruleset) -> Iterator[State]:
    """Play a fight at random, and yield the state after each intent.

    Its effects end in all kinds of ways, combatants get other names, and some steps are taken back.
    """
    for number in range(STEPS):
        session.dispatch(random_play.intent_of(Random(number), rules, session.encounter, session.model))
        people = tuple(person.id for person in session.model.state.combatants)
        for until in ("", "end of round", "2 rounds") if number % 20 == 0 else ():
            session.dispatch(Do((action("add_effect", None, name=f"effect {number}", targets=people, until=until),)))
        if number % 5 == 1:
            session.dispatch(Do((action("rename", None, who=people[number % len(people)], name=f"Renamed {number}"),)))
        yield session.model.state
        for intent in (Undo(), Undo(), Redo(), Redo()) if number % 7 == 6 else ():
            session.dispatch(intent)
            yield session.model.state


def real(session: Session) -> State:
    """Return the fight after its last step, without what is only tried.

    While it is being opened, as far as it is open.
    """
    trial, pending = session.model.trial, session.model.pending
    if session.model.head is None and trial is None and pending is not None:
        return pending.state
    return session.state_at(session.model.head if trial is None else trial.step)


def stored(journal: Journal, session: Session) -> Public:
    """Return the players' view of the journal, without table and last deeds."""
    text = whole_view(journal.load(session.model.fight).shown)
    assert text is not None
    return replace(msgspec.json.decode(text, type=Public), table=Table(), log=())


@pytest.mark.parametrize("key", GAMES)
def test_what_is_kept_from_one_moment_serves_the_next(tmp_path: Path, key: str) -> None:
    """Forth and back, every view is the same as one made anew; the journal holds the players' one."""
    rules, prepared = fight_of(key)
    with Journal.open(tmp_path / "fights.db") as journal, Session.start(journal, rules, prepared, SETTINGS) as session:
        for state in played(session, rules):
            assert calendar(rules, state, 5) == calendar(replace(rules), state)[:5]
            assert tuple(OrderRows(rules, state, 40)) == tuple(OrderRows(replace(rules), state, 40))
            assert public_view(rules, state) == public_view(replace(rules), state)
            assert stored(journal, session) == public_view(replace(rules), real(session), session.player_view.salt)


@pytest.mark.parametrize("key", GAMES)
def test_the_journal_s_view_outlives_the_program(tmp_path: Path, key: str) -> None:
    """A resumed fight goes on writing its view, without stale parts."""
    rules, prepared = fight_of(key)
    with Journal.open(tmp_path / "fights.db") as journal:
        Session.start(journal, rules, prepared, SETTINGS).close()
        (fight,) = journal.fights()
        for number in range(12):
            with Session.resume(journal, fight.id, lambda key: rules, SETTINGS) as session:
                session.dispatch(random_play.intent_of(Random(number), rules, prepared, session.model))
                assert stored(journal, session) == public_view(replace(rules), real(session), session.player_view.salt)


def test_who_falls_moves_on_what_is_now_in_a_place_that_is_not_shown() -> None:
    """The clock is in a phase without members; the slot that is now for players is the next one that can act."""
    rules, encounter = build("declared")
    opened = run(rules, State(), Step("start", encounter=encounter), (), plain)
    assert isinstance(opened, Done)
    first, second, *_ = (one.id for one in opened.state.combatants)
    slots = (
        Slot("r1/fast", "Fast", "fast"),
        Slot("r1/monsters", "Monsters", "monsters", members=(first,)),
        Slot("r1/slow", "Slow", "slow", members=(second,)),
    )
    clock = replace(opened.state.clock, round=1, in_round=True, slots=slots, at="r1/fast", begun=("r1/fast",))
    state = replace(opened.state, clock=clock)
    later = changed(state, first, status="gone")

    seen = [public_view(rules, one) for one in (state, later)]
    assert [view.now for view in seen] == [0, 1]
    assert seen[1] == public_view(replace(rules), later)
