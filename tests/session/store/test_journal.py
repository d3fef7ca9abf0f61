"""The journal: one writer, commits, and what is read back."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from tests.session.conftest import find, play, refusal, strike
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tracker.session.intents import Advance, LookAt
from tracker.session.session import Session
from tracker.session.store import locks
from tracker.session.store.journal import Journal

HOLDER = """
import sys, time
from tests.session.conftest import find
from tracker.session.store.journal import Journal
from tracker.session.session import Session
session = Session.resume(Journal.open(sys.argv[1]), sys.argv[2], find)
print(session.model.read_only, flush=True)
time.sleep(60)
"""


def test_the_default_place_is_the_user_s(own_folders: Path) -> None:
    """Unless told otherwise the journal lies in the user's data folder."""
    assert Journal.default_path() == platformdirs.user_data_path("encounter-tracker", appauthor=False) / "fights.db"
    assert Journal.default_path().is_relative_to(own_folders)


def test_commits_are_synchronous(journal: Journal) -> None:
    """The file is written ahead (WAL), and each commit waits for the disk."""
    execute = journal._connection.execute

    assert (execute("PRAGMA journal_mode").fetchone()[0], execute("PRAGMA synchronous").fetchone()[0]) == ("wal", 2)


def test_a_second_program_reads_only(session: Session) -> None:
    """It shows the fight, says why nothing can be done, and changes nothing."""
    with Journal.open(session.journal.path) as journal, Session.resume(journal, session.model.fight, find) as second:
        assert second.model.read_only
        assert f"process {os.getpid()}" in second.model.notice
        model = second.dispatch(strike())
        assert (refusal(model), model.head, model.can_undo) == ("read_only", 1, False)
        assert second.dispatch(LookAt(1)).refusal is None


def test_a_reader_can_look_again(session: Session) -> None:
    """What the writer does is seen on the next refresh, a pending step included."""
    with Journal.open(session.journal.path) as journal, Session.resume(journal, session.model.fight, find) as second:
        session.dispatch(strike())
        model = second.refresh()
        assert (model.pending, model.read_only) == (session.model.pending, True)


def test_closing_lets_the_next_one_write(session: Session) -> None:
    """The lock ends with the session."""
    session.close()
    with Journal.open(session.journal.path) as journal, Session.resume(journal, session.model.fight, find) as second:
        assert second.dispatch(strike()).pending is not None


def test_two_fights_are_two_locks(session: Session) -> None:
    """Two programs can run different fights of one journal at the same time."""
    with Journal.open(session.journal.path) as journal, Session.start(journal, DUEL, encounter()) as second:
        play(second, 1, 2)
        assert session.dispatch(strike()).problem == ""
        assert second.dispatch(Advance()).problem == ""


def test_the_lock_ends_with_a_killed_program(session: Session) -> None:
    """After SIGKILL the fight can be written at once."""
    fight, path = session.model.fight, session.journal.path
    session.close()
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(path), fight], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "False\n"
        with Session.resume(session.journal, fight, find) as second:
            assert second.model.read_only
            assert f"process {holder.pid}" in second.model.notice
    finally:
        holder.kill()
        holder.wait()
        if holder.stdout is not None:
            holder.stdout.close()

    with Session.resume(session.journal, fight, find) as third:
        assert third.dispatch(strike()).pending is not None


@pytest.mark.parametrize("allowed", [False, True])
def test_without_locks(session: Session, monkeypatch: pytest.MonkeyPatch, allowed: bool) -> None:
    """Where locks do not work the fight is read-only and says so. The user may allow writing without them."""
    session.close()

    def refuse(handle: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(locks, "_take", refuse)
    with (
        Journal.open(session.journal.path, without_locks=allowed) as journal,
        Session.resume(journal, session.model.fight, find) as second,
    ):
        assert second.model.read_only is not allowed
        assert ("locks do not work" in second.model.notice) is not allowed
        assert (second.dispatch(strike()).pending is not None) is allowed
