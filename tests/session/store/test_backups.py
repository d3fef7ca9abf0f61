"""Backups of the journal: made beside the running fight, the ten newest kept."""

from __future__ import annotations

import os
import sqlite3
import time

import pytest

from tests.session.conftest import do, find, strike
from tracker.session.intents import Undo
from tracker.session.session import Session
from tracker.session.store import backups as module
from tracker.session.store.backups import KEPT
from tracker.session.store.journal import Journal


def test_ten_backups_are_kept(session: Session) -> None:
    """Each new copy drives out the oldest, never more."""
    for number in range(KEPT + 3):
        session.dispatch(do("wait", "ansa"))
        assert session.journal.backups.make() is not None, number

    copies = session.journal.backups.listed()
    assert len(copies) == KEPT
    connection = sqlite3.connect(copies[0])
    assert connection.execute("SELECT count(*) FROM step").fetchone()[0] == KEPT + 4
    connection.close()


def test_a_fight_is_backed_up_when_it_is_opened(session: Session) -> None:
    """Opening makes a copy, unless nothing was written since the last one."""
    session.journal.backups.wait()
    assert len(session.journal.backups.listed()) == 1
    session.dispatch(do("wait", "ansa"))
    session.close()
    fight = session.model.fight
    with Journal.open(session.journal.path) as journal, Session.resume(journal, fight, find) as second:
        journal.backups.wait()
        assert len(journal.backups.listed()) == 2
        journal.backups.soon()
        journal.backups.wait()
        assert len(journal.backups.listed()) == 2
        second.dispatch(strike())
        journal.backups.soon()
        journal.backups.wait()
        assert len(journal.backups.listed()) == 3


def test_a_copy_waits_until_the_program_stands(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is copied while it starts. Then a copy is made without anybody waiting for it."""
    backups = session.journal.backups
    assert backups.listed() == ()
    backups.wait()
    session.dispatch(do("wait", "ansa"))
    monkeypatch.setattr(module, "CALM", 0.01)
    backups.soon()
    end = time.monotonic() + 30
    while len(backups.listed()) < 2:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_backups_are_made_while_playing(session: Session) -> None:
    """Every hundred commits a copy is made."""
    session.journal.backups.wait()
    for _ in range(100):
        session.dispatch(do("wait", "ansa"))
    session.journal.backups.wait()

    assert len(session.journal.backups.listed()) == 2


def test_a_damaged_journal_drives_out_no_backup(session: Session) -> None:
    """A copy that fails its check does not count, and the screen says so."""
    session.journal.backups.wait()
    for _ in range(100):
        session.dispatch(do("wait", "ansa"))
    session.journal.backups.wait()
    before = session.journal.backups.listed()
    session.journal._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    text = bytearray(session.journal.path.read_bytes())
    text[4096 * 8 : 4096 * 12] = os.urandom(4096 * 4)
    session.journal.path.write_bytes(bytes(text))

    assert session.journal.backups.make() is None
    assert session.journal.backups.listed() == before
    assert "damaged" in session.journal.backups.problem


def test_a_backup_that_cannot_be_made(session: Session) -> None:
    """A folder that is in the way costs the backup, not the fight. The screen says so."""
    session.journal.backups.wait()
    session.journal.backups.folder.rename(session.journal.path.parent / "moved")
    session.journal.backups.folder.write_text("in the way")

    assert session.journal.backups.make() is None
    model = session.dispatch(strike())
    assert "no backup" in model.notice
    assert session.dispatch(Undo()).problem == ""


def test_a_journal_that_is_gone(session: Session) -> None:
    """Where only backups are left, a line says where they lie."""
    session.close()
    session.journal.close()
    session.journal.path.unlink()
    with Journal.open(session.journal.path) as journal:
        assert journal.fights() == ()
        assert str(session.journal.backups.listed()[0]) in journal.notice
