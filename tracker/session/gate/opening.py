"""Databases opened with care, for a file may have been made by another program.

* What is no regular file is not opened: a pipe would be waited for without end.
* The tables are compared with those this program makes, before anything is read from them.
* No query lasts longer than its time, whatever is in the file.
"""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

__all__ = ["CHECKING", "PATIENCE", "Bounded", "columns", "difference", "not_regular", "opened"]

PATIENCE = 10.0
"""Seconds after which a query is given up."""
CHECKING = 60.0
"""The same for a check of the whole file."""
STEPS = 20_000
"""Steps of SQLite between two looks at the clock."""
MOST_NAMED = 40
_BESIDE = ("", "-wal", "-shm", "-journal")
_SCHEMA = f"SELECT type, name, rootpage, sql FROM sqlite_schema LIMIT {MOST_NAMED}"


class Bounded(sqlite3.Connection):
    """A connection that gives up a query when its time is over."""

    patience = PATIENCE
    _until = 0.0

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._until = monotonic() + self.patience
        self.set_progress_handler(self._too_long, STEPS)

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Begin a query and its time."""
        self._until = monotonic() + self.patience
        return super().execute(*arguments)

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        """Begin queries and their time."""
        self._until = monotonic() + self.patience
        return super().executemany(*arguments)

    def executescript(self, *arguments: Any) -> sqlite3.Cursor:
        """Begin a script and its time."""
        self._until = monotonic() + self.patience
        return super().executescript(*arguments)

    def _too_long(self) -> bool:
        return monotonic() > self._until


def not_regular(path: Path) -> str:
    """Return the name of what is no regular file: a database, its side files.

    "": all are.
    """
    for ending in _BESIDE:
        place = path.with_name(path.name + ending)
        try:
            mode = place.stat().st_mode
        except (OSError, ValueError):
            continue  # not there, or opening it says why not
        if not stat.S_ISREG(mode):
            return place.name
    return ""


def opened(path: Path, how: str = "", *, timeout: float = 5.0, patience: float = PATIENCE) -> Bounded:
    """Open a database.

    `how` is "mode=ro" and the like.

    Raises:
        sqlite3.Error: where that fails.
    """
    if name := not_regular(path):
        raise sqlite3.OperationalError(f"{name} is not a file")
    where = f"{path.absolute().as_uri()}?{how}" if how else str(path)
    connection = sqlite3.connect(where, uri=bool(how), timeout=timeout, isolation_level=None, factory=Bounded)
    connection.patience = patience
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def columns(statements: Iterable[str]) -> Mapping[tuple[str, str], str]:
    """Return tables and indices as `difference` compares them, from what makes them.

    White space does not count: it was laid out differently once.
    """
    found: dict[tuple[str, str], str] = {}
    for statement in statements:
        plain = "".join(statement.split()).removesuffix(";")
        name = statement.split("(", 1)[0].split()[-1]
        found["table", name] = plain.replace("IFNOTEXISTS", "", 1)
        if "UNIQUE" in plain:
            found["index", f"sqlite_autoindex_{name}_1"] = ""
    return found


def difference(connection: sqlite3.Connection, wanted: Mapping[tuple[str, str], str]) -> str:
    """Say how the tables of a database differ from those wanted, or "".

    Raises:
        sqlite3.Error: where they cannot be read.
    """
    rows = connection.execute(_SCHEMA).fetchall()
    found = {(str(kind), str(name)): "".join(str(sql or "").split()) for kind, name, _, sql in rows}
    for kind, name in found:
        if (kind, name) not in wanted:
            return f"its {kind} {name[:60]} is none this program makes"
    for kind, name in wanted:
        if (kind, name) not in found:
            return f"its {kind} {name} is missing"
        if found[kind, name] != wanted[kind, name]:
            return f"its {kind} {name} is not as this program makes it"
    return "" if len(rows) == len({row[2] for row in rows}) == len(wanted) else "two of its tables are one"
