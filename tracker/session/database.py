"""SQLite files: opening one, and saying in words what SQLite complains about."""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from functools import cache
from pathlib import Path

from tracker.core.terms.errors import CorruptJournal, TrackerError

_SCHEMA = "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema ORDER BY type, name LIMIT 40"


def opened(path: Path, mode: str = "", *, timeout: float = 5.0) -> sqlite3.Connection:
    """Open a database in autocommit mode; what its schema says is not trusted, as another program may have written it.

    `mode` is "mode=ro" and the like.

    Raises:
        sqlite3.Error: where that fails.
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
    """Return how the tables of a database differ from those a script makes, or "".

    A view, a trigger or a computed column in their place could do anything when it is read.

    Raises:
        sqlite3.Error: if they cannot be read.
    """
    *found, pages = _schema_of(connection)
    if found != list(_made_by(script)):
        return "its tables are not those of a journal"
    return "" if len(set(pages)) == len(pages) else "two of its tables are one"


def _schema_of(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Return type, name, table and statement of each entry of the schema, and last all root pages."""
    rows = connection.execute(_SCHEMA).fetchall()
    return [*(row[:4] for row in rows), tuple(row[4] for row in rows)]


@cache
def _made_by(script: str) -> tuple[tuple[object, ...], ...]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(script)
        return tuple(_schema_of(connection)[:-1])
    finally:
        connection.close()


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def is_damage(error: Exception) -> bool:
    """Tell whether an error says that the file itself is broken."""
    return (
        isinstance(error, UnicodeDecodeError)
        or _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        or str(error).startswith("Could not decode")  # a text that is none: SQLite gives it no code
    )


def is_read_only(error: Exception) -> bool:
    """Tell whether an error says that the file cannot be written."""
    return _code(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)


def in_words(error: Exception) -> str:
    """Return what an error says, on one line."""
    return " ".join(str(error).split())


def roll_back(connection: sqlite3.Connection) -> None:
    """Drop what was not committed."""
    with contextlib.suppress(sqlite3.Error):  # SQLite has done so itself after the worst of them
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def not_saved(error: Exception, path: Path) -> TrackerError:
    """Return what to tell people when nothing could be written."""
    said = "not saved, nothing has changed"
    if is_damage(error):
        return CorruptJournal(
            f"{said}: the journal {path} is damaged; open it again to put the newest backup in its place"
        )
    if is_read_only(error):
        return TrackerError(f"{said}: {path} cannot be written ({error})", "not_writable")
    if _code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return TrackerError(f"{said}: {path.parent} is full or cannot be written ({error})", "disk_full")
    if _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return TrackerError(f"{said}: another program is busy with the journal; try again", "journal_busy")
    return TrackerError(f"{said}: {in_words(error)}", "not_saved")
