"""Databases in a journal's place that another program made, to hurt or by mistake.

Each is made of a sound journal. What is done with one happens in a child that is killed when it hangs.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random

__all__ = ["DAMAGED", "ENDLESS", "FILES", "SCHEMAS", "alone", "copied", "made_foreign", "spoil_rows"]

ENDLESS = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
TABLES = ("fight", "step", "head", "redo", "state", "branch", "shown")
COLUMNS = {
    "fight": "number id title ruleset ruleset_version app format created discarded encounter source",
    "step": "key parent at reached step answers entries back",
    "head": "fight seq at round up steps over pending draft sandbox",
    "redo": "fight place position",
    "state": "fight seq code text",
    "branch": "fight seq name",
    "shown": "fight kind place text",
}


def endless(table: str) -> str:
    """Return what puts a view without end in a table's place."""
    cells = ", ".join(f"n AS {name}" for name in COLUMNS[table].split())
    return f"DROP TABLE {table}; CREATE VIEW {table} AS {ENDLESS} SELECT {cells} FROM r"


def written(sql: str, where: str = "name = 'shown'") -> str:
    """Return what changes the schema's own table."""
    return f"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET {sql} WHERE {where}; PRAGMA writable_schema = OFF"


SCHEMAS: dict[str, str] = {
    **{f"a view for {table}": endless(table) for table in TABLES},
    **{
        f"a trigger on {table}": f"CREATE TRIGGER t BEFORE {event} ON {table} BEGIN"
        f" INSERT OR REPLACE INTO redo SELECT n, n, 'x' FROM ({ENDLESS} SELECT n FROM r); END"
        for table, event in (("head", "UPDATE"), ("fight", "INSERT"), ("step", "INSERT"), ("shown", "DELETE"))
    },
    **{f"no table {table}": f"DROP TABLE {table}" for table in TABLES},
    "a table more": "CREATE TABLE recipes (name TEXT)",
    "an index more": "CREATE INDEX often ON step (at)",
    "an index of an expression": "CREATE INDEX often ON step (length(step) * 2)",
    "statistics": "ANALYZE",
    "a view more": f"CREATE VIEW more AS {ENDLESS} SELECT n FROM r",
    "a column more": "ALTER TABLE head ADD COLUMN public BLOB",
    "a column made up": "ALTER TABLE head ADD COLUMN more AS (length(at) * 2)",
    "a check": "DROP TABLE redo; CREATE TABLE redo (fight INTEGER, place INTEGER, position BLOB, CHECK (place > 0))",
    "a virtual table": "DROP TABLE redo; CREATE VIRTUAL TABLE redo USING fts5 (fight, place, position)",
    "a table that is a view": written("type = 'view', rootpage = 0, sql = 'CREATE VIEW shown AS SELECT 1 AS fight'"),
    "two tables in one": written("rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'step')"),
    "a long text": written("sql = sql || printf('--%.*c', 900000, 'x')"),
    "two thousand tables": ";".join(f"CREATE TABLE t{number} (a)" for number in range(2_000)),
    "an older format": "PRAGMA user_version = 1",
    "the format before": "PRAGMA user_version = 2",
    "an older format of views": f"{endless('step')}; PRAGMA user_version = 2",
    "no format": "PRAGMA user_version = 0",
    "a strange format": "PRAGMA user_version = -5",
    "a newer format": f"{endless('fight')}; PRAGMA user_version = 2147483647",
}
"""Statements that make a foreign database of a sound journal, by what is foreign in it."""


def _socket(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)  # the name of a socket may not be long
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


DAMAGED: dict[str, str] = {
    "no text of a table": written("sql = NULL"),
    "the text of another table": written("sql = 'CREATE TABLE shown (fight, kind, place, text) WITHOUT ROWID'"),
    "a table that is no page": written("rootpage = 99999"),
}
"""The same for what SQLite itself calls damaged: such a journal is set aside."""

FILES: dict[str, Callable[[Path], None]] = {
    "a pipe": lambda path: os.mkfifo(path),
    "a folder": lambda path: path.mkdir(),
    "a socket": _socket,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to a pipe": lambda path: (os.mkfifo(f"{path}.pipe"), path.symlink_to(f"{path}.pipe"))[1],
}
"""What is no regular file, and how it is made."""


def made_foreign(journal: Path, statements: str) -> None:
    """Change a journal by statements."""
    connection = sqlite3.connect(journal, isolation_level=None)
    try:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.executescript(statements)
    finally:
        connection.close()


CELLS: tuple[object, ...] = (
    *(0, -1, 1, 2, (1 << 63) - 1, -(1 << 63), 1 << 32, 0.5, float("inf"), None),
    *("", "x", "../../../tmp/elsewhere", "/etc/passwd", "a\x00b", "\x1b[2J", "9999-12-31T23:59:59+00:00", "[bold]"),
    *(b"", b"\xff\xfe", b"null", b"[]", b"{}", b"[" * 5_000, b"1e999", b'"\\ud800"', b"9" * 500),
    "x" * 100_000,
)


def spoil_rows(journal: Path, chance: Random) -> str:
    """Change some cells of a journal, and return what was changed."""
    told = []
    connection = sqlite3.connect(journal, isolation_level=None)
    try:
        for _ in range(chance.choice((1, 1, 2, 4))):
            table = chance.choice(TABLES)
            column = chance.choice(COLUMNS[table].split())
            key = COLUMNS[table].split()[0]
            rows = connection.execute(f"SELECT {key} FROM {table}").fetchall()
            if not rows:
                continue
            cell, row = chance.choice(CELLS), chance.choice(rows)[0]
            if chance.random() < 0.3:
                cell = connection.execute(f"SELECT {column} FROM {table}").fetchall()[-1][0]
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {key} = ?", (cell, row))
            told.append(f"{table}.{column} of {row} = {cell!r:.60}")
    except sqlite3.IntegrityError:
        told.append("(refused by the table)")
    finally:
        connection.close()
    return ", ".join(told)


def alone(work: Callable[[], None], seconds: int = 20) -> str:
    """Do something in a child and return what went wrong there, or "".

    The child is killed after a while.
    """
    end, out = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.close(end)
        status = 3
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(seconds)
            work()
            status = 0
        except BaseException:  # noqa: BLE001 - the parent tells it
            os.write(out, traceback.format_exc()[-4_000:].encode("utf-8", "replace"))
        finally:
            os._exit(status)
    os.close(out)
    with os.fdopen(end, "rb") as said:
        told = said.read().decode()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"hung for {seconds} seconds {told}"
    return told if status else ""


def copied(journal: Path, folder: Path) -> Path:
    """Lay out a copy of a journal in a folder of its own."""
    folder.mkdir(parents=True)
    return Path(shutil.copy(journal, folder / "fights.db"))
