"""Opening the journal's file: for writing where that is possible, else for reading."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from tracker.core.terms.errors import TrackerError
from tracker.library.private import hold_file
from tracker.session.database import is_read_only, opened
from tracker.session.store import schema

__all__ = ["connect"]


def connect(path: Path, read_only: bool) -> tuple[sqlite3.Connection, bool]:
    """Open the file for writing if that is possible, else for reading.

    Return whether it can be written.

    Raises:
        sqlite3.Error: where that fails.
        TrackerError: where there is no file that could be opened, or it is no journal.
    """
    if path.exists() and not path.is_file():
        raise TrackerError(f"the journal {path} cannot be opened: {path.name} is not a file", "journal_unreadable")
    if path.is_symlink() and not path.exists():  # it would decide where the journal lies
        raise TrackerError(f"the journal {path} is a link to a file that is not there", "journal_unreadable")
    if not read_only:
        with contextlib.suppress(OSError):  # what is wrong with its place is said when it is opened
            hold_file(path)
        try:
            return _set_up(opened(path), writable=True), True
        except sqlite3.DatabaseError as error:
            if not is_read_only(error) or not path.exists():
                raise
    try:
        return _set_up(opened(path, "mode=ro"), writable=False), False
    except sqlite3.OperationalError:  # without its side files, a journal that nobody writes can be read as it lies
        return _set_up(opened(path, "immutable=1"), writable=False), False


def _set_up(connection: sqlite3.Connection, writable: bool) -> sqlite3.Connection:
    try:
        if why := schema.foreign(connection):
            raise TrackerError(f"this is no journal of this program: {why}", "no_journal")
        if writable:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            # Takes the writer's lock once: a file or folder that cannot be written shows now, not at the first step.
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            schema.prepare(connection)
        connection.execute("SELECT count(*) FROM fight JOIN head ON head.fight = fight.number").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection
