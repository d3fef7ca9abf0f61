"""Another program watches the players' view of a fight."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

import pytest

from tests.session.conftest import do, play, public_view, reopened, strike
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tracker.session.intents import Advance, LookAt, Reply, Undo, WhatIf
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal
from tracker.session.store.player_view_reader import NOTHING, PlayerViewReader
from tracker.views.public.schema import COVERED, VERSION


def test_a_step_is_seen_and_nothing_else(session: Session, watch: PlayerViewReader) -> None:
    """The view changes with a step. A look in between finds nothing new."""
    before = public_view(watch)
    assert not watch.poll()

    session.dispatch(strike())
    play(session, 15, 6)

    after = public_view(watch)
    assert (before.version, after.moment, watch.fight) == (VERSION, "Round 1 · Party", session.model.fight)
    assert [one.words for one in after.combatants] != [one.words for one in before.combatants]


def test_a_player_is_asked_for_a_die_without_what_is_secret(session: Session, watch: PlayerViewReader) -> None:
    """The question has the dice and a word. The next one has another key, an answered one is gone."""
    session.dispatch(strike())
    (first,) = public_view(watch).table.asks
    play(session, 15)
    (second,) = public_view(watch).table.asks
    play(session, 6)

    assert (first.dice, first.sides, first.what, second.dice, second.what) == ("d20", (20,), "attack", "d6", "damage")
    assert first.who == second.who == public_view(watch).combatants[0].id
    assert first.key != second.key
    assert public_view(watch).table.asks == ()


def test_the_same_question_asked_again_has_the_same_key(session: Session, watch: PlayerViewReader) -> None:
    """An answer that was taken back can be given again."""
    session.dispatch(strike())
    first = public_view(watch).table.asks
    play(session, 15)
    session.dispatch(Undo())

    assert public_view(watch).table.asks == first


def test_the_gm_s_own_dice_are_no_player_s(session: Session, watch: PlayerViewReader) -> None:
    """A monster's attack asks nothing of the players."""
    session.dispatch(Advance())
    session.dispatch(strike("thug", "ansa"))

    assert session.model.pending is not None
    assert public_view(watch).table.asks == ()


def test_the_table_says_what_the_gm_does_meanwhile(session: Session, watch: PlayerViewReader) -> None:
    """Looking back and trying are said. Of what is tried nothing shows."""
    session.dispatch(strike())
    play(session, 15, 2)
    real = public_view(watch)
    session.dispatch(LookAt(session.model.steps[0].seq))
    assert public_view(watch).table.mode == "back"
    session.dispatch(LookAt())
    assert public_view(watch) == real
    session.dispatch(WhatIf("begin"))
    session.dispatch(Advance())
    assert public_view(watch).table.mode == "trial"
    assert public_view(watch).order == real.order
    session.dispatch(WhatIf("drop"))
    assert public_view(watch) == real


def test_a_held_screen_stays_as_it_was(session: Session, watch: PlayerViewReader) -> None:
    """What happens meanwhile is not in the view until the screen goes on. A restart changes nothing of that."""
    before = public_view(watch)
    session.freeze_player_view(on=True)
    session.dispatch(Advance())

    held = public_view(watch)
    assert (held.table.mode, held.order, held.moment) == ("paused", before.order, before.moment)
    with reopened(session) as resumed:
        assert resumed.model.screen_held
        resumed.dispatch(do("wait", "thug"))
        assert public_view(watch).moment == before.moment
        assert not resumed.freeze_player_view(on=False).screen_held
        assert (public_view(watch).moment, public_view(watch).table.mode) == ("Round 1 · Foes", "live")


def test_leaving_while_looking_back_ends_that(session: Session, watch: PlayerViewReader) -> None:
    """The page does not say for ever that the GM looks back."""
    session.dispatch(strike())
    play(session, 15, 2)
    session.dispatch(LookAt(session.model.steps[0].seq))
    session.close()

    assert public_view(watch).table.mode == "live"


def test_the_newest_fight_is_followed_unless_one_is_named(session: Session, settings: Settings) -> None:
    """A fight that starts later is shown once the other is left."""
    newest, named = PlayerViewReader(session.journal.path), PlayerViewReader(session.journal.path, session.model.fight)
    assert newest.poll()
    assert named.poll()
    with Session.start(session.journal, DUEL, encounter(), settings) as other:
        for _ in range(3):  # neither takes the screen from the other by its steps
            other.dispatch(Reply())
            newest.poll()
            assert newest.fight == session.model.fight
            session.dispatch(strike())
            newest.poll()
            assert newest.fight == session.model.fight
        session.close()
        other.dispatch(Advance())
        newest.poll()
        named.poll()

        assert (newest.fight, named.fight) == (other.model.fight, session.model.fight)
        session.journal.discard(other.model.fight)
        newest.poll()
        assert newest.fight == session.model.fight


def test_a_watch_is_told_which_fight_to_follow(session: Session, settings: Settings) -> None:
    """From the next look on, whatever is played elsewhere."""
    watch = PlayerViewReader(session.journal.path, session.model.fight)
    with Session.start(session.journal, DUEL, encounter(), settings) as other:
        assert watch.poll()
        assert watch.fight == session.model.fight
        watch.follow(other.model.fight)
        assert watch.poll()
        assert watch.fight == other.model.fight
        session.dispatch(strike())
        watch.poll()
        assert watch.fight == other.model.fight


def test_a_new_fight_can_begin_covered(journal: Journal, settings: Settings, path: Path) -> None:
    """Nothing of it is in the journal's view until the GM shows it; a restart changes nothing of that."""
    with Session.start(journal, DUEL, encounter(), settings, covered=True) as session:
        watch = PlayerViewReader(path)
        assert public_view(watch) == COVERED
        play(session, 5, 2)
        assert not watch.poll()
        with reopened(session) as resumed:
            assert (resumed.model.screen_covered, resumed.model.screen_held) == (True, False)
            resumed.dispatch(strike())
            assert public_view(watch) == COVERED
            resumed.freeze_player_view(on=False)
            assert not resumed.model.screen_covered
            assert (public_view(watch).moment, public_view(watch).table.mode) == ("Round 1 · Party", "live")
            resumed.cover_player_view()
            assert public_view(watch) == COVERED


def test_the_journal_may_come_later(path: Path, settings: Settings) -> None:
    """A screen that is opened first waits for the fight."""
    watch = PlayerViewReader(path)
    watch.poll()
    assert (watch.view, watch.problem) == (None, NOTHING)

    with Journal.open(path) as journal, Session.start(journal, DUEL, encounter(), settings):
        assert watch.poll()
        assert watch.view is not None


def test_a_fight_that_is_not_there_is_said(session: Session) -> None:
    """A wrong name is one line."""
    watch = PlayerViewReader(session.journal.path, "nowhere")

    assert watch.poll()
    assert watch.problem == f'there is no fight "nowhere" in {session.journal.path}'


def test_a_journal_nobody_writes_can_be_watched(session: Session) -> None:
    """After the GM has gone the last view stays."""
    path = session.journal.path
    session.close()
    session.journal.close()
    watch = PlayerViewReader(path)

    assert watch.poll(), watch.problem
    assert watch.view is not None


@pytest.mark.parametrize("damage", ["no database", "an endless view", "no JSON", "a folder", "a pipe"])
def test_what_is_no_journal_ends_no_watch(session: Session, damage: str, tmp_path: Path) -> None:
    """Files of another hand are told of in one line, without waiting."""
    path = tmp_path / "fights.db"
    if damage == "a folder":
        path.mkdir()
    elif damage == "a pipe":
        os.mkfifo(path)
    elif damage == "no database":
        path.write_bytes(b"no journal at all" * 100)
    else:
        path = session.journal.path
        with sqlite3.connect(path) as writer:
            if damage == "no JSON":
                writer.execute("UPDATE shown SET view = x'00ff'")
            else:
                endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
                writer.execute("DROP TABLE shown")
                writer.execute(
                    f"CREATE VIEW shown AS {endless} SELECT 0 AS fight, '' AS salt, 'x' AS view, 'x' AS at_table FROM n"
                )
        writer.close()
    began = time.process_time()
    watch = PlayerViewReader(path)
    watch.poll()
    assert watch.view is None
    assert (watch.problem == NOTHING) == (damage in ("a folder", "a pipe"))
    assert len(watch.problem.splitlines()) == 1
    assert time.process_time() - began < 5
    watch.close()


def test_initiative_can_be_rolled_before_the_fight_is_open(journal: Journal, settings: Settings, path: Path) -> None:
    """While the first step still asks, players see who is there."""
    with Session.start(journal, DUEL, encounter(), settings) as session:
        assert session.model.head is None
        view = public_view(PlayerViewReader(path))

        assert (view.title, view.stage) == (session.model.title, "before")
        assert [one.name for one in view.combatants] == ["Ansa", "Bero", "Thug"]
