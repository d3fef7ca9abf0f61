"""Databases in a journal's place that another program made, to hurt or by mistake."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tracker.core.terms.errors import TrackerError
from tracker.session.repair import examine
from tracker.session.session import Session
from tracker.session.store.dice_box import DiceBox, box_of
from tracker.session.store.journal import Journal
from tracker.session.store.player_view_reader import PlayerViewReader

ENDLESS = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"


def written(sql: str) -> str:
    """Return what changes the schema's own row of the table `shown`."""
    return f"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET {sql} WHERE name = 'shown'"


SCHEMAS = {
    "a view in a table's place": f"DROP TABLE redo; CREATE VIEW redo AS {ENDLESS} SELECT n AS fight FROM r",
    "a view more": f"CREATE VIEW more AS {ENDLESS} SELECT n FROM r",
    "a trigger": "CREATE TRIGGER t BEFORE UPDATE ON head BEGIN DELETE FROM step; END",
    "a table less": "DROP TABLE branch",
    "a table more": "CREATE TABLE recipes (name TEXT)",
    "an index of an expression": "CREATE INDEX often ON step (length(step) * 2)",
    "statistics": "ANALYZE",
    "a column more": "ALTER TABLE head ADD COLUMN public BLOB",
    "a computed column": "ALTER TABLE head ADD COLUMN more AS (length(at) * 2)",
    "a check": "DROP TABLE redo; CREATE TABLE redo (fight INTEGER, place INTEGER, position BLOB, CHECK (place > 0))",
    "a virtual table": "DROP TABLE redo; CREATE VIRTUAL TABLE redo USING fts5 (fight, place, position)",
    "a table that is a view": written("type = 'view', rootpage = 0, sql = 'CREATE VIEW shown AS SELECT 1 AS fight'"),
    "two tables in one": written("rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'step')"),
    "a long text": written("sql = sql || printf('--%.*c', 900000, 'x')"),
    "two thousand tables": ";".join(f"CREATE TABLE t{number} (a)" for number in range(2_000)),
}
"""Statements that make a foreign database of a sound journal, by what is foreign in it."""


def forge(path: Path, statements: str) -> bytes:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.executescript(statements)
    connection.close()
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with a fight in it, closed."""
    path = tmp_path / "fights.db"
    with Journal.open(path) as journal:
        Session.start(journal, DUEL, encounter()).close()
    return path


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_forged_journal_is_refused(path: Path, name: str) -> None:
    """Nothing is read from its tables, and the file stays as it was."""
    before = forge(path, SCHEMAS[name])

    for read_only in (False, True):
        with pytest.raises(TrackerError, match="no journal of this program") as refused:
            Journal.open(path, read_only)
        assert "\n" not in refused.value.message
    assert "no journal of this program" in examine(path).text
    watch = PlayerViewReader(path)
    watch.poll()
    assert watch.view is None
    assert "no journal of this program" in watch.problem
    watch.close()
    assert path.read_bytes() == before


def test_a_forged_dice_box_is_refused(path: Path) -> None:
    """A view in the place of its rolls is no dice box."""
    DiceBox(box_of(path)).close()
    forge(box_of(path), "DROP TABLE rolled; CREATE VIEW rolled AS SELECT 1 AS number")

    with pytest.raises(sqlite3.DatabaseError, match="another program"):
        DiceBox(box_of(path))


def test_functions_of_a_schema_are_not_trusted(path: Path) -> None:
    """What a schema calls has no side effects."""
    with Journal.open(path) as journal:
        assert journal._connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
