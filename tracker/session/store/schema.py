"""The tables of the journal.

Steps are only ever added. `head` says where each fight stands, with what a list of fights shows, and the what-if that
is open (`sandbox`);
`redo` holds the positions that `Redo` leads to.
`branch` holds the names people gave to branches, by a step on each; `shown` the players' view, in parts.
`state` is a cache of folded states and may be emptied at any time. Large columns come last, so that reading the small
ones leaves them alone. The texts of a step (`step`, `answers`, `entries`) and of a state may be packed.

A step's key is its fight's number and its own in one (`step_key`), so that each step costs one page of one tree: an
index of two columns costs a second.
"""

from __future__ import annotations

import sqlite3
from functools import cache

from tracker.core.terms.errors import TrackerError
from tracker.session.gate.opening import columns, difference

__all__ = ["FORMAT", "compare", "keys_of", "migrate", "outdated", "prepare", "step_key"]

FORMAT = 4
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
_STATE = """
CREATE TABLE state (
    fight INTEGER NOT NULL REFERENCES fight (number), seq INTEGER NOT NULL, code TEXT NOT NULL, text BLOB NOT NULL,
    PRIMARY KEY (fight, seq)
) WITHOUT ROWID
"""
_TABLES = (_FIGHT, _STEP, _HEAD, _REDO, _STATE, _BRANCH, _SHOWN)
_OLD_HEAD = _HEAD.replace(", sandbox BLOB", ", public BLOB NOT NULL, sandbox BLOB")
_OLD_TABLES = {
    1: (_FIGHT, _STEP, _OLD_HEAD.replace(", sandbox BLOB", ""), _REDO, _STATE),
    2: (_FIGHT, _STEP, _OLD_HEAD, _REDO, _STATE, _BRANCH),
}
_COPIED = "fight, seq, at, round, up, steps, over, pending, draft, sandbox"
_MIGRATIONS = {
    1: ("ALTER TABLE head ADD COLUMN sandbox BLOB", _BRANCH),
    2: (
        _SHOWN,
        "INSERT INTO shown SELECT fight, 'fight', 0, public FROM head",
        "ALTER TABLE head RENAME TO older",
        _HEAD,
        f"INSERT INTO head SELECT {_COPIED} FROM older",
        "DROP TABLE older",
    ),
    3: (),  # texts may be packed from then on
}
"""What leads from each older format to the next."""
_BRIDGES = {
    1: (
        "CREATE TEMP VIEW head AS SELECT *, NULL AS sandbox FROM main.head",
        _BRANCH.replace("CREATE TABLE", "CREATE TEMP TABLE"),
    ),
    2: ("CREATE TEMP VIEW shown AS SELECT fight, 'fight' AS kind, 0 AS place, public AS text FROM main.head",),
    3: (),
}
"""What lets a journal of an older format be read only: names of temporary tables come before its own."""


def step_key(fight: int, seq: int) -> int:
    """Return the key of a step."""
    return fight * MOST_STEPS + seq


def keys_of(fight: int) -> tuple[int, int]:
    """Return the first and the last key a fight's steps can have."""
    return step_key(fight, 0), step_key(fight, MOST_STEPS - 1)


@cache
def _wanted(version: int) -> dict[tuple[str, str], str]:
    return dict(columns(_OLD_TABLES.get(version, _TABLES)))


def compare(connection: sqlite3.Connection) -> str:
    """Say how the tables differ from those of their format, or "".

    To be asked before anything is read from them. A new file has none; that of a newer program is not looked into.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    return difference(connection, _wanted(version)) if 0 < version <= FORMAT else ""


def prepare(connection: sqlite3.Connection, writable: bool) -> None:
    """Make the tables in a new journal.

    One of an older format that can only be read is bridged, another one waits for `migrate`.

    Raises:
        TrackerError: where the file is a newer program's, or no journal at all.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > FORMAT:
        raise TrackerError(
            f"the journal was written by a newer version of the program (format {version}, this one knows {FORMAT})",
            "journal_too_new",
        )
    if version == FORMAT:
        return
    if version in _MIGRATIONS:
        if not writable:
            connection.execute("PRAGMA temp_store = MEMORY")
            for older in range(version, FORMAT):
                for statement in _BRIDGES[older]:
                    connection.execute(statement)
        return
    if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        raise TrackerError("the file is a database of another program", "no_journal")
    if writable:
        connection.executescript(
            f"BEGIN IMMEDIATE;{';'.join(_TABLES)}; "
            f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; COMMIT;"
        )


def outdated(connection: sqlite3.Connection) -> bool:
    """Tell whether a journal is of an older format."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0]) in _MIGRATIONS


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a journal of an older format to this one, whole or not at all.

    Raises:
        sqlite3.Error:  the transaction still open, where that fails.
    """
    connection.execute("BEGIN IMMEDIATE")
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])  # another program may have been first
    for older in range(version, FORMAT):
        for statement in _MIGRATIONS[older]:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("COMMIT")
