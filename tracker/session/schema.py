"""The tables of the journal.

Steps are only ever added. `head` says where each fight stands, with what a list of fights shows; `redo` holds the positions that `Redo` leads to.
`state` is a cache of folded states and may be emptied at any time. Large columns come last, so that reading the small ones leaves them alone.

A step's key is its fight's number and its own in one (`step_key`), so that each step costs one page of one tree: an index of two columns costs a second.
"""

from __future__ import annotations

import sqlite3

from tracker.core.errors import TrackerError

__all__ = ["FORMAT", "keys_of", "prepare", "step_key"]

FORMAT = 1
MOST_STEPS = 1 << 32
APPLICATION = 0x454E4354  # marks the file as this program's for tools that look

_TABLES = """
CREATE TABLE fight (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, ruleset TEXT NOT NULL, ruleset_version INTEGER NOT NULL,
    app TEXT NOT NULL, format INTEGER NOT NULL, created TEXT NOT NULL, discarded TEXT, encounter BLOB NOT NULL, source TEXT NOT NULL
);
CREATE TABLE step (
    key INTEGER PRIMARY KEY, parent INTEGER, at TEXT NOT NULL, reached TEXT NOT NULL,
    step BLOB NOT NULL, answers BLOB NOT NULL, entries BLOB NOT NULL, back BLOB
);
CREATE TABLE head (
    fight INTEGER PRIMARY KEY REFERENCES fight (number), seq INTEGER, at TEXT NOT NULL, round INTEGER NOT NULL, up TEXT NOT NULL,
    steps INTEGER NOT NULL, over INTEGER NOT NULL, pending TEXT NOT NULL, draft BLOB, public BLOB NOT NULL
);
CREATE TABLE redo (
    fight INTEGER NOT NULL REFERENCES fight (number), place INTEGER NOT NULL, position BLOB NOT NULL,
    PRIMARY KEY (fight, place)
) WITHOUT ROWID;
CREATE TABLE state (
    fight INTEGER NOT NULL REFERENCES fight (number), seq INTEGER NOT NULL, code TEXT NOT NULL, text BLOB NOT NULL,
    PRIMARY KEY (fight, seq)
) WITHOUT ROWID;
"""


def step_key(fight: int, seq: int) -> int:
    """Return the key of a step."""
    return fight * MOST_STEPS + seq


def keys_of(fight: int) -> tuple[int, int]:
    """Return the first and the last key a fight's steps can have."""
    return step_key(fight, 0), step_key(fight, MOST_STEPS - 1)


def prepare(connection: sqlite3.Connection, writable: bool) -> None:
    """Make the tables in a new journal.

    Raises:
        TrackerError: where the file is a newer program's, or no journal at all.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > FORMAT:
        raise TrackerError(f"the journal was written by a newer version of the program (format {version}, this one knows {FORMAT})", "journal_too_new")
    if version == FORMAT:
        return
    if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        raise TrackerError("the file is a database of another program", "no_journal")
    if writable:
        connection.executescript(f"BEGIN IMMEDIATE;{_TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; COMMIT;")
