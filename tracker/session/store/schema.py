"""The tables of the journal.

Steps are only ever added. `head` says where each fight stands, with what a list of fights shows, and the what-if that
is open (`sandbox`);
`redo` holds the positions that `Redo` leads to.
`branch` holds the names people gave to branches, by a step on each; `shown` the players' view, in parts.
Large columns come last, so that reading the small ones leaves them alone.

A step's key is its fight's number and its own in one (`step_key`), so that each step costs one page of one tree: an
index of two columns costs a second.
"""

from __future__ import annotations

import sqlite3

from tracker.session.database import other_tables

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
    fight INTEGER NOT NULL REFERENCES fight (number), kind TEXT NOT NULL, place INTEGER NOT NULL, text BLOB NOT NULL,
    PRIMARY KEY (fight, kind, place)
) WITHOUT ROWID
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


def foreign(connection: sqlite3.Connection) -> str:
    """Say why a file is no journal that this program reads, or "".

    A new file has no tables and no mark of any program.
    """
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


def prepare(connection: sqlite3.Connection) -> None:
    """Make the tables in a new journal."""
    if not connection.execute("PRAGMA application_id").fetchone()[0]:
        connection.executescript(
            f"BEGIN IMMEDIATE;{_TABLES}; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; COMMIT;"
        )
