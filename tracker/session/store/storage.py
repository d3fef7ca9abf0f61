"""Storage: opening the SQLite file, and saying in words what it complains about."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tracker.core.terms.errors import CorruptJournal, TrackerError
from tracker.library.private import hold_file, tighten
from tracker.session.gate.opening import not_regular, opened
from tracker.session.store import schema

__all__ = ["connect", "in_words", "is_damage", "not_saved", "roll_back", "tightened", "unreadable"]


def is_damage(error: sqlite3.Error) -> bool:
    """Tell whether an error says that the file itself is broken."""
    # The second is the library's own, for text that is none; it has no code.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or str(
        error
    ).startswith("Could not decode")


def in_words(error: Exception) -> str:
    """Return what an error says, on one line."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_INTERRUPT:
        return "a look into it took too long"
    return " ".join(str(error).split())


FOLDER = "encounter-tracker"
"""The name of the program's own folder, wherever the system keeps what programs store."""
MOST_FILES = 1000
"""Files of a folder that are looked at when a journal is opened."""
_BESIDE = ("", "-wal", "-shm", "-journal", ".dice", ".dice-wal", ".dice-shm", ".token")
MOST_PAGES = 4000
"""Pages of the side file after which it is merged into the journal, even while people wait."""
CACHE = 512
"""Kilobytes of the journal that are held in memory: a step is added at its end and touches a few pages."""


def unreadable(error: UnicodeDecodeError) -> sqlite3.Error:
    """Return the damage behind a message of SQLite that cannot be read."""
    damage = sqlite3.DatabaseError(f"a text cannot be read: {error}")
    damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return damage


def connect(path: Path, read_only: bool) -> tuple[sqlite3.Connection, bool]:
    """Open the file for writing if that is possible, else for reading.

    Return whether it can be written.

    Raises:
        sqlite3.Error: where that fails.
        TrackerError: where there is no file that could be opened.
    """
    if name := not_regular(path):  # a pipe would be waited for without end
        raise TrackerError(f"the journal {path} cannot be opened: {name} is not a file", "journal_unreadable")
    if not read_only:
        connection: sqlite3.Connection | None = None
        if not path.exists():
            _make(path)
        try:
            connection = opened(path)
            _set_up(connection, writable=True)
            return connection, True
        except TrackerError:
            if connection is not None:
                connection.close()
            raise
        except UnicodeDecodeError as error:
            if connection is not None:
                connection.close()
            raise unreadable(error) from error
        except sqlite3.DatabaseError as error:
            if connection is not None:
                connection.close()
            if (
                getattr(error, "sqlite_errorcode", 0) & 0xFF
                not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
                or not path.exists()
            ):
                raise
    for how in (
        "mode=ro",
        "immutable=1",
    ):  # without its side files, a journal that nobody writes can still be read as it lies
        connection = opened(path, how)
        try:
            _set_up(connection, writable=False)
            return connection, False
        except TrackerError:
            connection.close()
            raise
        except UnicodeDecodeError as error:
            connection.close()
            raise unreadable(error) from error
        except sqlite3.DatabaseError:
            connection.close()
            if how == "immutable=1":
                raise
    raise TrackerError(f"the journal {path} cannot be opened", "journal_unreadable")


def tightened(journal: Path) -> str:
    """Take a journal, its copies and problem files from all other users, and say so.

    "" where they were the user's alone.
    """
    if found := sum([tighten(path) for path in _own(journal)]):
        files = "a file" if found == 1 else f"{found} files"
        return f"others on this computer could read {files} of {journal.name}; now only you can"
    return ""


def _own(journal: Path) -> Iterator[Path]:
    """Yield what the program has made beside a journal, and its own folders."""
    folder = journal.parent
    whole = folder.name == FOLDER
    beside = [folder / name for name in ("backups", "problems", "locks")]
    if whole:
        yield from (folder, *beside)
    yield from (journal.with_name(journal.name + ending) for ending in _BESIDE)
    named = f"{journal.stem}-"
    for place in (folder, *beside):
        with contextlib.suppress(OSError):
            for path in islice(place.iterdir(), MOST_FILES):
                ours = path.name.startswith(named) and path.suffix == journal.suffix
                if (whole and place is not folder) or (ours and place in (folder, beside[0])):
                    yield path


def _make(path: Path) -> None:
    """Make an empty journal for the user alone.

    What else is wrong with its place is said when it is opened.

    Raises:
        TrackerError: where a link lies there that leads nowhere: it would decide where the journal lies.
    """
    if path.is_symlink():
        raise TrackerError(f"the journal {path} is a link to a file that is not there", "journal_unreadable")
    with contextlib.suppress(OSError):
        hold_file(path)


def _set_up(connection: sqlite3.Connection, writable: bool) -> None:
    if why := schema.compare(connection):
        raise TrackerError(f"the file is no journal of this program: {why}", "no_journal")
    if writable:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {MOST_PAGES}")
        connection.execute(f"PRAGMA cache_size = -{CACHE}")
        # Takes the writer's lock once: a file or folder that cannot be written shows now, not at the first step.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
    schema.prepare(connection, writable)
    connection.execute("SELECT count(*) FROM fight JOIN head ON head.fight = fight.number").fetchone()


def roll_back(connection: sqlite3.Connection) -> None:
    """Drop what was not committed."""
    with contextlib.suppress(sqlite3.Error):  # SQLite has done so itself after the worst of them
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def not_saved(error: sqlite3.Error, path: Path) -> TrackerError:
    """Return what to tell people when nothing could be written."""
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return TrackerError(
                f"not saved, nothing has changed: {path.parent} is full or cannot be written ({error})", "disk_full"
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return TrackerError(f"not saved, nothing has changed: {path} cannot be written ({error})", "not_writable")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return TrackerError(
                "not saved, nothing has changed: another program is busy with the journal; try again", "journal_busy"
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return CorruptJournal(
                f"not saved, nothing has changed: the journal {path} is damaged; "
                "open it again to put the newest backup in its place"
            )
        case _:
            return TrackerError(f"not saved, nothing has changed: {in_words(error)}", "not_saved")
