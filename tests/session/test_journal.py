"""The journal: one writer, full disks, damaged files, backups."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import platformdirs
import pytest
from msgspec.structs import replace

from tests.session.conftest import bare, clock, do, find, play, strike, thrown
from tests.session.duel import DUEL, encounter
from tracker.core.terms.errors import CorruptJournal, TrackerError
from tracker.session.intents import Advance, LookAt, Undo
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store import locks, schema, statements
from tracker.session.store.backups import KEPT
from tracker.session.store.journal import Journal
from tracker.session.tree.history import EVERY

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


# -- one writer --------------------------------------------------------------------------------------------------------


def test_a_second_program_reads_only(session: Session) -> None:
    """It shows the fight, says why nothing can be done, and changes nothing."""
    with Journal.open(session.journal.path) as journal, Session.resume(journal, session.model.fight, find) as second:
        assert second.model.read_only
        assert f"process {os.getpid()}" in second.model.notice
        model = second.dispatch(strike())
        assert model.refusal is not None
        assert (model.refusal.reason, model.head, model.can_undo) == ("read_only", 1, False)
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
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
        if holder.stdout is not None:
            holder.stdout.close()

    with Session.resume(session.journal, fight, find) as third:
        assert third.dispatch(strike()).pending is not None


@pytest.mark.parametrize("allowed", [False, True])
def test_without_locks(session: Session, monkeypatch: pytest.MonkeyPatch, allowed: bool) -> None:
    """Where locks do not work the fight is read-only and says so, unless writing without them was allowed."""
    session.close()
    monkeypatch.setattr(locks, "fcntl", None)
    with (
        Journal.open(session.journal.path, without_locks=allowed) as journal,
        Session.resume(journal, session.model.fight, find) as second,
    ):
        assert second.model.read_only is not allowed
        assert ("locks do not work" in second.model.notice) is not allowed
        assert (second.dispatch(strike()).pending is not None) is allowed


# -- disks -------------------------------------------------------------------------------------------------------------


def test_a_full_disk_loses_nothing(session: Session) -> None:
    """What does not fit is not acknowledged: a clear line, the fight as it was, and the next try succeeds."""
    before = session.dispatch(strike())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    wal = session.journal.path.with_name("fights.db-wal")
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size + 100, limits[1]))
    try:
        model = session.dispatch(thrown(15))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert "not saved, nothing has changed" in model.problem
    assert bare(model) == bare(before)
    assert session.dispatch(thrown(15)).problem == ""
    assert play(session, 4).state["thug"].hp == 6


def test_a_fight_that_cannot_be_written_does_not_start(journal: Journal) -> None:
    """A new fight on a full disk raises, and leaves neither fight nor lock behind."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))
    try:
        with pytest.raises(TrackerError, match="not saved"):
            Session.start(journal, DUEL, encounter())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert journal.fights() == ()
    with Session.start(journal, DUEL, encounter()) as session:
        assert session.model.fight == "the-duel-at-dawn"


class Failing:
    """A connection whose commits fail."""

    def __init__(self, connection: sqlite3.Connection, error: sqlite3.Error) -> None:
        self.connection, self.error = connection, error

    def execute(self, statement: str, *values: object) -> object:
        if statement == "COMMIT":
            raise self.error
        return self.connection.execute(statement, *values)

    def __getattr__(self, name: str) -> object:
        return getattr(self.connection, name)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_FULL, "full"),
        (sqlite3.SQLITE_IOERR, "cannot be written"),
        (sqlite3.SQLITE_READONLY, "cannot be written"),
        (sqlite3.SQLITE_BUSY, "another program"),
        (sqlite3.SQLITE_CORRUPT, "damaged"),
        (sqlite3.SQLITE_ERROR, "not saved"),
    ],
)
def test_a_commit_that_fails(session: Session, code: int, words: str) -> None:
    """Whatever SQLite complains about: one line in words, nothing changed, and going on works."""
    before = session.model
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode = code
    whole = session.journal._connection
    session.journal._connection = Failing(whole, error)  # type: ignore[assignment]  # stands for a failing disk
    model = session.dispatch(strike())
    session.journal._connection = whole

    assert words in model.problem
    assert bare(model) == bare(before)
    assert session.dispatch(strike()).pending is not None


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder in which nothing can be written, for root as little as for others: root plays as nobody there."""
    folder = Path(tempfile.mkdtemp())
    root = os.geteuid() == 0
    folder.chmod(0o755)
    yield folder
    if root:
        os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_folder_that_cannot_be_written(as_nobody: Path) -> None:
    """A journal in a read-only folder is shown, and says that nothing can be written."""
    path = as_nobody / "fights.db"
    with Journal.open(path) as journal, Session.start(journal, DUEL, encounter(), Settings(clock=clock())) as session:
        before = play(session, 5, 2)
    path.chmod(0o444)
    as_nobody.chmod(0o555)
    if os.geteuid() == 0:
        os.seteuid(65534)

    with Journal.open(path) as journal, Session.resume(journal, before.fight, find) as second:
        assert bare(replace(second.model, read_only=False)) == replace(bare(before), can_undo=False)
        assert second.model.read_only
        assert "can only be read" in second.model.notice


def test_a_journal_opened_for_reading(session: Session) -> None:
    """Whoever only reads takes no lock and writes nothing."""
    with Journal.open(session.journal.path, read_only=True) as journal:
        assert [summary.id for summary in journal.fights()] == [session.model.fight]
        with Session.resume(journal, session.model.fight, find) as second:
            assert second.dispatch(strike()).refusal is not None
        with pytest.raises(TrackerError, match="reading only"):
            journal.discard(session.model.fight)


# -- damage ------------------------------------------------------------------------------------------------------------


def test_a_damaged_journal_is_set_aside(session: Session) -> None:
    """The file is renamed, the newest backup takes its place, and a line says so."""
    session.journal.backups.wait()
    assert session.journal.backups.make() is not None
    before = session.model
    session.close()
    session.journal.close()
    path = session.journal.path
    damaged = b"no database " * 1000
    path.write_bytes(damaged)
    with Journal.open(path) as journal:
        aside = list(path.parent.glob("fights-damaged-*.db"))
        assert [file.read_bytes() for file in aside] == [damaged]
        assert aside[0].name in journal.notice
        with Session.resume(journal, before.fight, find) as second:
            assert bare(second.model) == bare(before)


def test_a_damaged_journal_without_a_backup(tmp_path: Path) -> None:
    """Without a backup a new journal is made, beside the damaged one."""
    path = tmp_path / "fights.db"
    path.write_bytes(b"no database " * 1000)
    with Journal.open(path) as journal:
        assert journal.fights() == ()
        assert "no backup" in journal.notice
    assert len(list(tmp_path.glob("fights-damaged-*.db"))) == 1


def test_a_damaged_journal_is_not_set_aside_for_reading(tmp_path: Path) -> None:
    """Whoever only reads moves nothing."""
    path = tmp_path / "fights.db"
    path.write_bytes(b"no database " * 1000)

    with pytest.raises(CorruptJournal, match="damaged"):
        Journal.open(path, read_only=True)

    assert path.exists()


def test_a_journal_of_a_newer_program(journal: Journal) -> None:
    """It is left alone, with a line that says what is needed."""
    journal._connection.execute(f"PRAGMA user_version = {schema.FORMAT + 1}")

    with pytest.raises(TrackerError, match="newer version"):
        Journal.open(journal.path)


def test_a_database_of_another_program(tmp_path: Path) -> None:
    """A file that is no journal is not written into."""
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()

    with pytest.raises(TrackerError, match="another program"):
        Journal.open(path)


def test_a_fight_that_is_not_there(journal: Journal) -> None:
    """An unknown id raises, and makes no file, whatever it looks like."""
    with pytest.raises(TrackerError, match="no fight"):
        Session.resume(journal, "../elsewhere", find)

    assert not (journal.path.parent / "locks").exists()


# -- backups -----------------------------------------------------------------------------------------------------------


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


def test_backups_are_made_while_playing(session: Session) -> None:
    """Every hundred commits a copy is made."""
    session.journal.backups.wait()
    for _ in range(100):
        session.dispatch(do("wait", "ansa"))
    session.journal.backups.wait()

    assert len(session.journal.backups.listed()) == 2


def test_a_damaged_journal_drives_out_no_backup(session: Session) -> None:
    """A copy that fails its check takes no place among the ten, and the screen says so."""
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
    """A folder that is in the way costs the backup, not the fight; the screen says so."""
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


# -- states ------------------------------------------------------------------------------------------------------------


def test_cached_states_are_only_a_cache(journal: Journal) -> None:
    """Damaged or foreign cached states are folded anew."""
    with Session.start(journal, DUEL, encounter(), Settings(clock=clock())) as session:
        play(session, 5, 2)
        for _ in range(130):
            session.dispatch(Advance())
        before = session.model
    assert journal._connection.execute("SELECT count(*) FROM state").fetchone()[0] == 2
    for statement in ("UPDATE state SET text = x'7b'", "UPDATE state SET code = 'older'", "DELETE FROM state"):
        journal._connection.execute(statement)
        with Session.resume(journal, before.fight, find) as again:
            assert bare(again.model) == bare(before)
    with Session.resume(journal, before.fight, lambda key: replace(DUEL, version=3)) as newer:
        assert newer.model.state == before.state


def test_states_are_cached_when_there_is_time(journal: Journal) -> None:
    """A step does not wait for that; where nothing can be written, nothing is said and nothing is missing."""
    with Session.start(journal, DUEL, encounter(), Settings(clock=clock())) as session:
        play(session, 5, 2)
        for _ in range(EVERY):
            session.dispatch(Advance())
        cached = "SELECT count(*) FROM state"
        assert journal._connection.execute(cached).fetchone()[0] == 0
        journal._connection.execute("PRAGMA query_only = ON")
        session.tidy()
        assert journal._connection.execute(cached).fetchone()[0] == 0
        journal._connection.execute("PRAGMA query_only = OFF")
        for _ in range(EVERY):
            session.dispatch(Advance())
        session.tidy()
        session.tidy()
        assert journal._connection.execute(cached).fetchone()[0] == 1
        assert session.model.problem == ""


def test_cached_states_stay_within_bounds(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the fight, the cache takes no more room than it may; the newest state stays, older ones lie further and further apart."""
    with Session.start(journal, DUEL, encounter(), Settings(clock=clock())) as session:
        play(session, 5, 2)
        for _ in range(70):
            session.dispatch(Advance())
        session.tidy()
        (room,) = journal._connection.execute("SELECT sum(length(text)) FROM state").fetchone()
        monkeypatch.setattr(statements, "MOST_CACHED", 8 * room)
        for _ in range(30 * EVERY):
            session.dispatch(Advance())
        before = session.model
    kept = [seq for (seq,) in journal._connection.execute("SELECT seq FROM state ORDER BY seq DESC")]
    gaps = [later - earlier for later, earlier in pairwise(kept)]

    assert 4 <= len(kept) <= 8
    assert before.head is not None
    assert before.head - kept[0] < EVERY
    assert sorted(gaps) == gaps
    assert gaps[-1] > gaps[0]
    with Session.resume(journal, before.fight, find) as again:
        assert bare(again.model) == bare(before)
