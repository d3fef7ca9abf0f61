"""Older formats of the journal.

Brought up to date in place after a backup, read where nothing can be written, and whole whatever happens.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.session.conftest import find, play, strike
from tests.session.duel import DUEL
from tracker.core.terms.errors import BadData
from tracker.session import repair
from tracker.session.intents import NameBranch, Redo, WhatIf
from tracker.session.model import Trial
from tracker.session.session import Session
from tracker.session.store import schema
from tracker.session.store.backups import Backups
from tracker.session.store.exchange import export_fight, import_fight
from tracker.session.store.journal import Journal
from tracker.session.store.shown import whole
from tracker.views.public.making import public_view
from tracker.views.public.shape import Public

HERE = Path(__file__).parent
FIGHT = "the-duel-at-dawn"


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    connection.close()
    return found


def made(folder: Path, number: int) -> Path:
    """Make a journal of a format."""
    path = folder / "fights.db"
    connection = sqlite3.connect(path)
    connection.executescript((HERE / f"format_{number}.sql").read_text(encoding="utf-8"))
    connection.execute(f"PRAGMA user_version = {number}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    path.chmod(0o600)
    return path


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A journal as the first format had it.

    A duel in which Bero's strike is being answered, and an answer was taken back.
    """
    return made(tmp_path, 1)


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """A journal as the second format had it.

    The duel with an open what-if, in which Bero's strike is being answered, and a named branch.
    """
    return made(tmp_path, 2)


def test_an_older_journal_is_brought_up_to_date(old: Path) -> None:
    """The fight stands where it stood, with its question and what can be done again.

    Then it can do what is new.
    """
    with Journal.open(old) as journal:
        assert (journal.read_only, journal.notice) == (False, "")
        with Session.resume(journal, FIGHT, find) as session:
            model = session.model
            assert model.pending is not None
            assert (model.head, model.pending.request.key, model.can_redo, model.trial) == (2, "attack", True, None)
            assert [tip.seq for tip in session.branches()] == [3]
            session.dispatch(WhatIf("begin"))
            play(session, 12, 2)
            session.dispatch(NameBranch(3, "waiting"))
    assert version(old) == schema.FORMAT
    with Journal.open(old) as journal, Session.resume(journal, FIGHT, find) as session:
        assert (session.model.trial, session.model.state["thug"].hp) == (Trial(2, 4), 4)
        assert session.dispatch(WhatIf("drop")).pending == model.pending
        assert session.dispatch(Redo()).refusal is None


def test_a_journal_of_the_second_format_is_brought_up_to_date(second: Path) -> None:
    """What was open in it is open, and the players' view is there at once."""
    with Journal.open(second, read_only=True) as journal:
        before = whole(journal.load(FIGHT).shown)
    with Journal.open(second) as journal, Session.resume(journal, FIGHT, find) as session:
        model = session.model
        assert model.pending is not None
        assert (model.pending.request.key, model.trial, [tip.name for tip in session.branches()]) == (
            "attack",
            Trial(2, 4),
            ["waiting"],
        )
        assert before is not None
        assert whole(journal.load(FIGHT).shown) == before
        session.dispatch(WhatIf("drop"))
        session.dispatch(strike("bero"))
        play(session, 15, 1)
        now = whole(journal.load(FIGHT).shown)
        assert now is not None
        view = replace(msgspec.json.decode(now, type=Public), log=())
        assert view == public_view(DUEL, session.model.state, session.shown.salt)
        assert now != before
    assert version(second) == schema.FORMAT


def test_a_backup_of_the_older_journal_is_made_first(old: Path) -> None:
    """The copy is of the older format and sound.

    An older program or this one can put it back.
    """
    Journal.open(old).close()
    copies = Backups(old).listed()

    assert [version(copy) for copy in copies[-1:]] == [1]
    assert repair.examine(copies[-1]).text.startswith("sound, 1 fight, 3 steps")


def test_without_a_backup_it_is_only_read(old: Path) -> None:
    """Where no copy can be made nothing is changed.

    The fight is shown, and a line says why it cannot be played.
    """
    (old.parent / "backups").write_text("in the way", encoding="utf-8")
    before = old.read_bytes()

    with Journal.open(old) as journal, Session.resume(journal, FIGHT, find) as session:
        assert journal.read_only
        assert "of an older format" in journal.notice
        assert "no backup was made" in journal.notice
        refused = session.dispatch(strike())
        assert refused.refusal is not None
        assert refused.pending is not None
    assert (version(old), old.read_bytes()) == (1, before)


def test_a_failure_on_the_way_leaves_the_older_journal(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of the change or none: the next start tries again."""
    monkeypatch.setattr(schema, "_MIGRATIONS", {1: (*schema._MIGRATIONS[1], "CREATE TABLE fight (number)")})
    with Journal.open(old) as journal:
        assert journal.read_only
        assert "already exists" in journal.notice
        assert [fight.id for fight in journal.fights()] == [FIGHT]
    monkeypatch.undo()

    with Journal.open(old) as journal:
        assert not journal.read_only


def test_an_older_journal_can_be_read_without_changing_it(old: Path) -> None:
    """Reading leaves the file as it is."""
    before = old.read_bytes()
    with Journal.open(old, read_only=True) as journal, Session.resume(journal, FIGHT, find) as session:
        assert [(fight.id, fight.trying) for fight in journal.fights()] == [(FIGHT, False)]
        assert (session.model.head, session.model.read_only, session.branches()[0].seq) == (2, True, 3)

    assert old.read_bytes() == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anything, Windows has no modes")
def test_an_older_journal_in_a_folder_that_cannot_be_written(old: Path) -> None:
    """It is read as it lies."""
    old.parent.chmod(0o555)
    old.chmod(0o444)
    try:
        with Journal.open(old) as journal, Session.resume(journal, FIGHT, find) as session:
            assert journal.read_only
            assert session.model.head == 2
    finally:
        old.parent.chmod(0o755)


def test_the_journal_is_sound_afterwards(old: Path) -> None:
    """As `tracker doctor` sees it, before and after."""
    before = repair.examine(old)
    Journal.open(old).close()

    assert (before.sound, repair.examine(old)) == (True, before)


def test_an_older_export_is_still_read(session: Session) -> None:
    """It has no names and no what-if.

    Everything in it is there.
    """
    with (HERE / "format_1.jsonl").open("rb") as lines:
        fight = import_fight(session.journal, lines)

    with Session.resume(session.journal, fight, find) as copy:
        assert (copy.model.head, copy.model.can_redo, copy.model.trial) == (2, True, None)
    assert len(list(export_fight(session.journal, fight))) == 4


def test_a_name_of_a_step_that_is_not_there(session: Session) -> None:
    """An export that names it is refused, and nothing is written."""
    first, *steps = export_fight(session.journal, session.model.fight)

    with pytest.raises(BadData, match="line 1: step 99 has a name and is missing"):
        import_fight(session.journal, [first.replace(b'"names":[]', b'"names":[[99,"x"]]'), *steps])
    assert len(session.journal.fights()) == 1
