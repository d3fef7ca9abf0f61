"""SQLite files: opening them, the journal's tables, and SQLite's errors in words."""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from functools import cache
from pathlib import Path

from tracker.core.terms.errors import CorruptJournal, TrackerError

_SCHEMA = "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema ORDER BY type, name LIMIT 40"


def open_database(path: Path, mode: str = "", *, timeout: float = 5.0) -> sqlite3.Connection:
    """Open a database in autocommit mode; its schema is not trusted, as another program may have written it.

    `mode` is "mode=ro" and the like.

    Raises:
        sqlite3.Error: if that fails.
    """
    if path.exists() and not path.is_file():  # a pipe would be waited for without end
        raise sqlite3.OperationalError(f"{path.name} is not a file")
    where = f"{path.absolute().as_uri()}?{mode}" if mode else str(path)
    connection = sqlite3.connect(where, uri=bool(mode), timeout=timeout, isolation_level=None)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        if sys.version_info >= (3, 12):
            connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    except BaseException:
        connection.close()
        raise
    return connection


def other_tables(connection: sqlite3.Connection, script: str) -> str:
    """Return the difference between a database's tables and those that a script makes, or "".

    A view, a trigger or a computed column in their place could run any statement when it is read.

    Raises:
        sqlite3.Error: if the schema cannot be read.
    """
    rows = connection.execute(_SCHEMA).fetchall()
    if [row[:4] for row in rows] != _made_by(script):
        return "its tables are not those of a journal"
    return "" if len({row[4] for row in rows}) == len(rows) else "two of its tables are one"


@cache
def _made_by(script: str) -> list[tuple[object, ...]]:
    """Return type, name, table and statement of each entry of the schema that a script makes."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(script)
        return [row[:4] for row in connection.execute(_SCHEMA)]


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def is_damage(error: Exception) -> bool:
    """Tell whether an error says that the file itself is broken."""
    return (
        isinstance(error, UnicodeDecodeError)
        or _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        or str(error).startswith("Could not decode")  # a column of text that is not UTF-8: SQLite gives it no code
    )


def is_read_only(error: Exception) -> bool:
    """Tell whether an error says that the file cannot be written."""
    return _code(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)


def one_line(error: Exception) -> str:
    """Return the message of an error on one line."""
    return " ".join(str(error).split())


def roll_back(connection: sqlite3.Connection) -> None:
    """Roll an open transaction back."""
    with contextlib.suppress(sqlite3.Error):  # SQLite has rolled back by itself after a severe error
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def not_saved(error: Exception, path: Path) -> TrackerError:
    """Return the error for people after a failed write."""
    message = "not saved, nothing has changed"
    if is_damage(error):
        return CorruptJournal(
            f"{message}: the journal {path} is damaged; open it again to put the newest backup in its place"
        )
    if is_read_only(error):
        return TrackerError(f"{message}: {path} cannot be written ({error})", "not_writable")
    if _code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return TrackerError(f"{message}: {path.parent} is full or cannot be written ({error})", "disk_full")
    if _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return TrackerError(f"{message}: another program is busy with the journal; try again", "journal_busy")
    return TrackerError(f"{message}: {one_line(error)}", "not_saved")


FORMAT = 5
MOST_STEPS = 1 << 32
APPLICATION = 0x454E4354  # marks the file as this program's for tools that look

_HEAD = """
CREATE TABLE head (
    fight INTEGER PRIMARY KEY REFERENCES fight (number), seq INTEGER, at TEXT NOT NULL, round INTEGER NOT NULL,
    up TEXT NOT NULL,
    steps INTEGER NOT NULL, over INTEGER NOT NULL, pending TEXT NOT NULL, draft BLOB, sandbox BLOB
)
"""
_BRANCH = """
CREATE TABLE branch (
    fight INTEGER NOT NULL REFERENCES fight (number), seq INTEGER NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (fight, seq)
) WITHOUT ROWID
"""
_SHOWN = """
CREATE TABLE shown (
    fight INTEGER PRIMARY KEY REFERENCES fight (number), salt TEXT NOT NULL, view BLOB, at_table BLOB
)
"""
_FIGHT = """
CREATE TABLE fight (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, ruleset TEXT NOT NULL,
    ruleset_version INTEGER NOT NULL, app TEXT NOT NULL, format INTEGER NOT NULL, created TEXT NOT NULL, discarded TEXT,
    encounter BLOB NOT NULL, source TEXT NOT NULL
)
"""
_STEP = """
CREATE TABLE step (
    key INTEGER PRIMARY KEY, parent INTEGER, at TEXT NOT NULL, reached TEXT NOT NULL,
    step BLOB NOT NULL, answers BLOB NOT NULL, entries BLOB NOT NULL, back BLOB
)
"""
_REDO = """
CREATE TABLE redo (
    fight INTEGER NOT NULL REFERENCES fight (number), place INTEGER NOT NULL, position BLOB NOT NULL,
    PRIMARY KEY (fight, place)
) WITHOUT ROWID
"""
_TABLES = ";".join((_FIGHT, _STEP, _HEAD, _REDO, _BRANCH, _SHOWN))


def step_key(fight: int, seq: int) -> int:
    """Return the key of a step."""
    return fight * MOST_STEPS + seq


def keys_of(fight: int) -> tuple[int, int]:
    """Return the first and the last key a fight's steps can have."""
    return step_key(fight, 0), step_key(fight, MOST_STEPS - 1)


def format_problem(connection: sqlite3.Connection) -> str:
    """Return why a file is no journal that this program reads, or ""; a new file is empty and unmarked."""
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if application != APPLICATION:
        empty = not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        return "" if empty else "the file is a database of another program"
    if version > FORMAT:
        return f"it was written by a newer version of the program (format {version}, this one knows {FORMAT})"
    if version < FORMAT:
        return (
            f"it was written by an older version of the program (format {version}, this one knows {FORMAT}): write its"
            ' fights out with that version ("tracker export FIGHT -o FILE") and take them in ("tracker import FILE")'
        )
    return other_tables(connection, _TABLES)


def open_to_read(path: Path, *, timeout: float = 5.0) -> sqlite3.Connection:
    """Open a journal for reading.

    Raises:
        sqlite3.Error: if that fails, or the file is no journal that this program reads.
    """
    connection = open_database(path, "mode=ro", timeout=timeout)
    try:
        if why := format_problem(connection):
            raise sqlite3.DatabaseError(f"it is no journal of this program: {why}")
    except BaseException:
        connection.close()
        raise
    return connection


def prepare(connection: sqlite3.Connection) -> None:
    """Make the tables in a new journal."""
    if not connection.execute("PRAGMA application_id").fetchone()[0]:
        connection.executescript(
            f"BEGIN IMMEDIATE;{_TABLES}; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; COMMIT;"
        )
