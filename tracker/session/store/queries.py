"""The SQL statements of the journal: its rows read and written over an open connection.

The journal makes the transactions and handles errors. A row of the wrong types raises msgspec.ValidationError.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import chain, count
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, astuple

from tracker.core.clock.joining import slug
from tracker.core.terms.values import build_type
from tracker.session.rows import Commit, FightSummary, Head, NewFight, PlayerViewRow, StepRow, Stored
from tracker.session.rulesets.registry import app_version
from tracker.session.settings import just_after, now
from tracker.session.store import database

_T = TypeVar("_T")
_Row = TypeVar("_Row", bound=Struct)

LONGEST_ID = 40
_FLAGS = ("over", "trying")

_NEW_FIGHT = "title, ruleset, ruleset_version AS version, encounter, source, created"
_SUMMARY = "id, title, ruleset, round, up, at, steps, over, pending, created, discarded, sandbox IS NOT NULL AS trying"
_HEAD = Head.__struct_fields__
_HEAD_ADDED = f"INSERT INTO head (fight, {', '.join(_HEAD)}) VALUES (:fight, {', '.join(f':{name}' for name in _HEAD)})"
_HEAD_MOVED = f"UPDATE head SET {', '.join(f'{name} = :{name}' for name in _HEAD)} WHERE fight = :fight"
_STEP = ", ".join(StepRow.__struct_fields__[1:])  # the first is in the key
_STEP_ADDED = f"INSERT INTO step (key, {_STEP}) VALUES (?{', ?' * (len(StepRow.__struct_fields__) - 1)})"


# -- reading -----------------------------------------------------------------------------------------------------------


def summaries(connection: sqlite3.Connection, discarded: bool) -> tuple[FightSummary, ...]:
    """Return the fights, or the discarded ones, the one played last first."""
    found = connection.execute(
        f"SELECT {_SUMMARY} FROM fight JOIN head ON head.fight = fight.number"
        " WHERE (discarded IS NOT NULL) = ? ORDER BY at DESC, number DESC",
        (discarded,),
    )
    return tuple(_named(found, FightSummary))


def prepared(connection: sqlite3.Connection, fight: str) -> NewFight | None:
    """Return a fight without its steps, or None if there is no such fight."""
    found = connection.execute(f"SELECT {_NEW_FIGHT} FROM fight WHERE id = ?", (fight,))
    return next(_named(found, NewFight), None)


def stored(connection: sqlite3.Connection, fight: str) -> Stored | None:
    """Return a whole fight, or None if there is no such fight."""
    number, fight_row = number_of(connection, fight), prepared(connection, fight)
    if number is None or fight_row is None:
        return None
    execute = connection.execute
    heads = execute(f"SELECT {', '.join(_HEAD)} FROM head WHERE fight = ?", (number,))
    steps = execute(
        f"SELECT key & ?, {_STEP} FROM step WHERE key BETWEEN ? AND ? ORDER BY key",
        (database.MOST_STEPS - 1, *database.keys_of(number)),
    )
    redo = execute("SELECT position FROM redo WHERE fight = ? ORDER BY place", (number,))
    names = execute("SELECT seq, name FROM branch WHERE fight = ? ORDER BY seq", (number,))
    shown = execute("SELECT salt, view, at_table AS 'table' FROM shown WHERE fight = ?", (number,))
    return Stored(
        number=number,
        id=fight,
        fight=fight_row,
        head=next(_named(heads, Head), None) or _converted({}, Head),
        steps=_converted(steps.fetchall(), tuple[StepRow, ...]),
        redo=_converted([text for (text,) in redo], tuple[bytes, ...]),
        names=_converted(names.fetchall(), tuple[tuple[int, str], ...]),
        shown=next(_named(shown, PlayerViewRow), None),
    )


def time_elsewhere(connection: sqlite3.Connection, number: int) -> str | None:
    """Return when any other fight was played last."""
    latest = connection.execute("SELECT max(at) FROM head WHERE fight <> ?", (number,)).fetchone()[0]
    return latest if isinstance(latest, str) else None


def free_id(connection: sqlite3.Connection, title: str) -> str:
    """Return an id for a new fight of this title."""
    wanted = slug(title)[:LONGEST_ID].strip("-")
    used = {key for (key,) in connection.execute("SELECT id FROM fight")}
    return next(key for key in chain([wanted], (f"{wanted}-{number}" for number in count(2))) if key not in used)


def number_of(connection: sqlite3.Connection, fight: str) -> int | None:
    """Return the number of the fight of this id, or None."""
    found = connection.execute("SELECT number FROM fight WHERE id = ?", (fight,)).fetchone()
    return None if found is None else int(found[0])


def _named(rows: sqlite3.Cursor, kind: type[_Row]) -> Iterator[_Row]:
    """Yield rows as Structs whose fields have the names of the columns."""
    columns = [column[0] for column in rows.description]
    for row in rows:
        values = dict(zip(columns, row, strict=True))
        yield _converted(values | {flag: bool(values[flag]) for flag in _FLAGS if flag in values}, kind)


def _converted(values: object, kind: type[_T]) -> _T:
    build_type(kind)
    return msgspec.convert(values, kind, builtin_types=(bytes,))


# -- writing -----------------------------------------------------------------------------------------------------------


def add_fight(connection: sqlite3.Connection, key: str, fight: NewFight) -> int:
    """Add a fight without its head and its steps and return its number."""
    values = {
        "id": key,
        "title": fight.title,
        "ruleset": fight.ruleset,
        "ruleset_version": fight.version,
        "app": app_version(),
        "format": database.FORMAT,
        "created": fight.created or now(),
        "encounter": fight.encounter,
        "source": fight.source,
    }
    marks = ", ".join(f":{name}" for name in values)
    return connection.execute(f"INSERT INTO fight ({', '.join(values)}) VALUES ({marks})", values).lastrowid or 0


def add_commit(connection: sqlite3.Connection, number: int, change: Commit, new: bool = False) -> None:
    """Write the changes of an intent; `new`: the fight has no head yet."""
    for step in change.steps:
        seq, *values = astuple(step)
        connection.execute(_STEP_ADDED, (database.step_key(number, seq), *values))
    connection.execute(_HEAD_ADDED if new else _HEAD_MOVED, asdict(change.head) | {"fight": number})
    if change.shown is not None:
        show(connection, number, change.shown)
    _redo(connection, number, change)
    for seq, name in change.names:
        if name:
            connection.execute("INSERT OR REPLACE INTO branch VALUES (?, ?, ?)", (number, seq, name))
        else:
            connection.execute("DELETE FROM branch WHERE fight = ? AND seq = ?", (number, seq))


def show(connection: sqlite3.Connection, number: int, row: PlayerViewRow) -> None:
    """Write the players' view."""
    connection.execute("INSERT OR REPLACE INTO shown VALUES (?, ?, ?, ?)", (number, row.salt, row.view, row.table))


def make_newest(connection: sqlite3.Connection, number: int, latest: str) -> None:
    """Make a fight the one played last; `latest`: when the last of the others was played."""
    connection.execute("UPDATE head SET at = ? WHERE fight = ? AND at <= ?", (just_after(latest), number, latest))


def _redo(connection: sqlite3.Connection, number: int, change: Commit) -> None:
    execute = connection.execute
    match change.redo:
        case "push":
            execute(
                "INSERT INTO redo SELECT ?, 1 + ifnull(max(place), 0), ? FROM redo WHERE fight = ?",
                (number, change.pushed, number),
            )
        case "pop":
            execute(
                "DELETE FROM redo WHERE fight = ? AND place = (SELECT max(place) FROM redo WHERE fight = ?)",
                (number, number),
            )
        case "clear" | "restore":  # `restored` is empty for "clear"
            execute("DELETE FROM redo WHERE fight = ?", (number,))
            rows = [(number, place, text) for place, text in enumerate(change.restored, start=1)]
            connection.executemany("INSERT INTO redo VALUES (?, ?, ?)", rows)


def put_away(connection: sqlite3.Connection, fight: str, at: str | None) -> None:
    """Note when a fight was put away, None: it is not."""
    connection.execute("UPDATE fight SET discarded = ? WHERE id = ?", (at, fight))
