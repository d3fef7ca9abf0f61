"""The journal: full disks, folders that cannot be written, damaged files, databases of other programs."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.session.conftest import clock, comparable, find, play, strike
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tracker.core.terms.errors import CorruptJournal, TrackerError
from tracker.session.repair import examine
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store import database
from tracker.session.store.dice_box import DiceBox, box_of
from tracker.session.store.journal import Journal
from tracker.session.store.player_view_reader import PlayerViewReader


def test_a_fight_that_cannot_be_written_does_not_start(journal: Journal) -> None:
    """A new fight on a full disk raises, and leaves neither fight nor lock behind."""
    resource = pytest.importorskip("resource", reason="no system call limits a file's size here")
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
    assert comparable(model) == comparable(before)
    assert session.dispatch(strike()).pending is not None


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder in which nothing can be written, for root as little as for others. Root plays as nobody there."""
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
        assert comparable(replace(second.model, read_only=False)) == replace(comparable(before), can_undo=False)
        assert second.model.read_only
        assert "can only be read" in second.model.notice


def test_a_journal_opened_for_reading(session: Session) -> None:
    """Reading takes no lock and writes nothing."""
    with Journal.open(session.journal.path, read_only=True) as journal:
        assert [summary.id for summary in journal.fights()] == [session.model.fight]
        with Session.resume(journal, session.model.fight, find) as second:
            assert second.dispatch(strike()).refusal is not None
        with pytest.raises(TrackerError, match="reading only"):
            journal.discard(session.model.fight)


def test_a_damaged_journal_without_a_backup(tmp_path: Path) -> None:
    """Without a backup a new journal is made, beside the damaged one."""
    path = tmp_path / "fights.db"
    path.write_bytes(b"no database " * 1000)
    with Journal.open(path) as journal:
        assert journal.fights() == ()
        assert "no backup" in journal.notice
    assert len(list(tmp_path.glob("fights-damaged-*.db"))) == 1


@pytest.mark.parametrize("place", [b"CREATE TABLE step", b"table"])
def test_a_damaged_table_is_set_aside(session: Session, place: bytes) -> None:
    """One whose text cannot even be read, too: SQLite has no code for that."""
    session.close()
    session.journal.close()
    path = session.journal.path
    data = path.read_bytes()
    path.write_bytes(data.replace(place, b"\xff" + place[1:], 1))

    assert not examine(path).sound
    with Journal.open(path) as journal:
        assert "is set aside" in journal.notice


def test_a_damaged_journal_is_not_set_aside_for_reading(tmp_path: Path) -> None:
    """Reading moves nothing."""
    path = tmp_path / "fights.db"
    path.write_bytes(b"no database " * 1000)

    with pytest.raises(CorruptJournal, match="damaged"):
        Journal.open(path, read_only=True)

    assert path.exists()


def test_a_journal_of_a_newer_program(journal: Journal) -> None:
    """It is left alone, with a line that says what is needed."""
    journal._connection.execute(f"PRAGMA user_version = {database.FORMAT + 1}")

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


ENDLESS = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"


def written(sql: str) -> str:
    """Return what changes the schema's own row of the table `shown`."""
    return f"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET {sql} WHERE name = 'shown'"


SCHEMAS = {
    "a view in a table's place": f"DROP TABLE redo; CREATE VIEW redo AS {ENDLESS} SELECT n AS fight FROM r",
    "a view more": f"CREATE VIEW more AS {ENDLESS} SELECT n FROM r",
    "a trigger": "CREATE TRIGGER t BEFORE UPDATE ON head BEGIN DELETE FROM step; END",
    "a table less": "DROP TABLE branch",
    "a table more": "CREATE TABLE recipes (name TEXT)",
    "an index of an expression": "CREATE INDEX often ON step (length(step) * 2)",
    "statistics": "ANALYZE",
    "a column more": "ALTER TABLE head ADD COLUMN public BLOB",
    "a computed column": "ALTER TABLE head ADD COLUMN more AS (length(at) * 2)",
    "a check": "DROP TABLE redo; CREATE TABLE redo (fight INTEGER, place INTEGER, position BLOB, CHECK (place > 0))",
    "a virtual table": "DROP TABLE redo; CREATE VIRTUAL TABLE redo USING fts5 (fight, place, position)",
    "a table that is a view": written("type = 'view', rootpage = 0, sql = 'CREATE VIEW shown AS SELECT 1 AS fight'"),
    "two tables in one": written("rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'step')"),
    "a long text": written("sql = sql || printf('--%.*c', 900000, 'x')"),
    "two thousand tables": ";".join(f"CREATE TABLE t{number} (a)" for number in range(2_000)),
}
"""Statements that make a foreign database of a sound journal, by what is foreign in it."""


def forge(path: Path, statements: str) -> bytes:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.executescript(statements)
    connection.close()
    return path.read_bytes()


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A journal with a fight in it, closed."""
    path = tmp_path / "fights.db"
    with Journal.open(path) as journal:
        Session.start(journal, DUEL, encounter()).close()
    return path


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_forged_journal_is_refused(closed: Path, name: str) -> None:
    """Nothing is read from its tables, and the file stays as it was."""
    before = forge(closed, SCHEMAS[name])

    for read_only in (False, True):
        with pytest.raises(TrackerError, match="no journal of this program") as refused:
            Journal.open(closed, read_only)
        assert "\n" not in refused.value.message
    assert "no journal of this program" in examine(closed).text
    watch = PlayerViewReader(closed)
    watch.poll()
    assert watch.view is None
    assert "no journal of this program" in watch.problem
    watch.close()
    assert closed.read_bytes() == before


def test_a_forged_dice_box_is_refused(closed: Path) -> None:
    """A view in the place of its rolls is no dice box."""
    DiceBox(box_of(closed)).close()
    forge(box_of(closed), "DROP TABLE rolled; CREATE VIEW rolled AS SELECT 1 AS number")

    with pytest.raises(sqlite3.DatabaseError, match="another program"):
        DiceBox(box_of(closed))


def test_what_is_refused_is_closed(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else holds a file that is no journal, or no dice box, of this program."""
    opened: list[sqlite3.Connection] = []

    def noted(where: str, **named: Any) -> sqlite3.Connection:
        opened.append(connect(where, **named))
        return opened[-1]

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", noted)
    closed.write_bytes(b"no database" * 1000)
    box_of(closed).write_bytes(b"no database" * 1000)
    for refused in (DiceBox, database.open_to_read, partial(Journal.open, read_only=True)):
        for path in (closed, box_of(closed)):
            with pytest.raises((sqlite3.Error, TrackerError)):
                refused(path)

    assert opened
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


def test_functions_of_a_schema_are_not_trusted(closed: Path) -> None:
    """What a schema calls has no side effects."""
    with Journal.open(closed) as journal:
        assert journal._connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
