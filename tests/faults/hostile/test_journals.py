"""Databases of other programs in the place of a journal or beside it."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.faults.harness.foreign import (
    DAMAGED,
    ENDLESS,
    FILES,
    SCHEMAS,
    alone,
    copied,
    made_foreign,
    spoil_rows,
)
from tests.faults.harness.games import FIGHTS, GAMES
from tests.faults.harness.killing import SETTINGS, Game, game
from tests.faults.harness.mutants import one_line, played_on, said
from tracker.cli.commands import screen, serve  # noqa: F401 - imported here, not in each child
from tracker.cli.repertoire import Repertoire
from tracker.core.terms.errors import TrackerError
from tracker.session.dice_box import DiceBox, box_of
from tracker.session.gate.opening import Bounded
from tracker.session.session import Session
from tracker.session.store.backups import Backups
from tracker.session.store.journal import Journal
from tracker.session.store.locks import Lock, LockUnavailable
from tracker.session.store.watching import Watch

SPOILED = int(os.environ.get("TRACKER_ROWS", "2000"))
IN_EVERY_RUN = 6
KEY = GAMES[0]
LONGEST = 5.0


class Played:
    """A journal with one fight that was played for a while."""

    def __init__(self, path: Path) -> None:
        self.path, self.game = path, game(KEY)
        with (
            Journal.open(path) as journal,
            Session.start(journal, self.game.ruleset, self.game.encounter, SETTINGS) as session,
        ):
            self.fight = session.model.fight
            for number in range(1, 12):
                session.dispatch(self.game.intent_of(number, session.model))
            session.warm()
            journal.backups.wait()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("played") / "fights.db")


def every_command(path: Path, fight: str) -> None:
    """Run every command on what lies in a journal's place."""
    encounter = FIGHTS[KEY][0]
    export = path.with_name("export.jsonl")
    export.write_text("{}", encoding="utf-8")
    for words in (
        ("fights",),
        *((name, fight) for name in ("state", "log", "export", "serve")),
        ("doctor",),
        ("import", export),
        ("run", encounter, "--seed", "1"),
    ):
        began = time.monotonic()
        status, _, err = said(*words, "--db", path)
        assert time.monotonic() - began < LONGEST, words
        assert status in (1, 2), (words, err)
        assert words == ("doctor",) or (err.startswith("tracker: ") and err.count("\n") == 1), (words, err)
    for opened in (lambda: screen._named(path, fight), Repertoire(path).fights):  # a terminal comes after these
        with pytest.raises(TrackerError) as refused:
            opened()
        one_line(refused.value.message)
    shown(path)


def shown(path: Path) -> None:
    """Look at it as the players' screen and page do."""
    watch, began = Watch(path), time.monotonic()
    for _ in range(3):
        watch.look()
        assert watch.view is None
        one_line(watch.problem)
    watch.close()
    assert time.monotonic() - began < LONGEST


REFUSED = ("no journal of this program", "newer version of the program", "database of another program")


def looked_at(path: Path) -> None:
    """Look at it as most do."""
    for words in (("fights",), ("doctor",)):
        status, out, err = said(*words, "--db", path)
        assert status == 1, words
        assert any(words in f"{out}{err}" for words in REFUSED), (out, err)
    shown(path)


def refused(folder: Path, played: Played, look: Callable[[Path], None], every: int = 1) -> str:
    """Look at foreign databases and return what went wrong, or ""."""

    def work() -> None:
        for number, (name, statements) in enumerate(list(SCHEMAS.items())[::every]):
            path = copied(played.path, folder / str(number))
            made_foreign(path, statements)
            before = path.read_bytes()
            try:
                look(path)
                assert path.read_bytes() == before
            except BaseException as error:
                error.add_note(name)
                raise

    return alone(work, 200)


def test_foreign_databases_are_refused(tmp_path: Path, played: Played) -> None:
    """Nothing is read from other tables, and the file stays as it was."""
    assert refused(tmp_path, played, looked_at, 2) == ""


@pytest.mark.long
def test_foreign_databases_are_refused_by_every_command(tmp_path: Path, played: Played) -> None:
    """The same, whatever the program was asked for."""
    assert refused(tmp_path, played, lambda path: every_command(path, played.fight)) == ""


@pytest.mark.parametrize("name", ["a view for step", "a trigger on head"])
def test_every_command_refuses_a_foreign_database(tmp_path: Path, played: Played, name: str) -> None:
    """One of views, one with a trigger."""
    path = copied(played.path, tmp_path / "journal")
    made_foreign(path, SCHEMAS[name])

    assert alone(lambda: every_command(path, played.fight)) == ""


def test_damaged_tables_are_set_aside(tmp_path: Path, played: Played) -> None:
    """What SQLite cannot read is treated as a damaged journal."""
    for number, statements in enumerate(DAMAGED.values()):
        path = copied(played.path, tmp_path / str(number))
        made_foreign(path, statements)

        with Journal.open(path) as journal:
            assert "was damaged and is set aside" in journal.notice


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
def test_what_is_no_file_is_not_opened(tmp_path: Path, played: Played, ending: str) -> None:
    """A pipe, a folder, a socket, a device, in a journal's place or beside it."""
    for number, make in enumerate(list(FILES.values())[: 2 if ending else None]):
        path = copied(played.path, tmp_path / str(number))
        place = path.with_name(path.name + ending)
        place.unlink(missing_ok=True)
        make(place)

        look = looked_at_file if number else lambda path: every_command(path, played.fight)
        assert alone(lambda look=look, path=path: look(path)) == ""  # type: ignore[misc]  # bound at once


def looked_at_file(path: Path) -> None:
    """Look at what is no file."""
    for words in (("fights",), ("doctor",)):
        status, out, err = said(*words, "--db", path)
        assert (status, f"{out}{err}".count("is not a file")) == (1, 1), (out, err)
    shown(path)


def test_backups_locks_and_dice_that_are_no_files(tmp_path: Path, played: Played) -> None:
    """What lies beside a sound journal is not waited for either."""
    for number, make in enumerate(FILES.values()):
        path = copied(played.path, tmp_path / str(number))
        copy = path.parent / "backups" / "fights-20310501-100000-000000.db"
        copy.parent.mkdir()
        lock = path.parent / "locks" / f"fights-{played.fight}.lock"
        lock.parent.mkdir()
        for place in (copy, lock, box_of(path)):
            make(place)

        def work(path: Path = path, lock: Path = lock) -> None:
            assert said("doctor", "--db", path)[0] == 0
            assert said("state", played.fight, "--db", path)[0] == 0
            with pytest.raises(LockUnavailable):
                Lock(lock)
            with pytest.raises(OSError, match="is not a file"):
                DiceBox(box_of(path))
            with Journal.open(path) as journal, Session.resume(journal, played.fight, played.game.find) as session:
                assert session.model.read_only
            path.write_bytes(b"no database " * 1_000)
            with Journal.open(path) as journal:
                assert "no backup is sound" in journal.notice

        assert alone(work) == "", number


def test_foreign_backups_and_dice_boxes(tmp_path: Path, played: Played) -> None:
    """A copy with views is no backup, a box with views no dice box."""
    path = copied(played.path, tmp_path / "journal")
    (path.parent / "backups").mkdir()
    copy = path.parent / "backups" / "fights-20310501-100000-000000.db"
    copy.write_bytes(path.read_bytes())
    made_foreign(copy, SCHEMAS["a view for step"])
    DiceBox(box_of(path)).close()
    made_foreign(box_of(path), "DROP TABLE rolled; CREATE VIEW rolled AS SELECT 1 AS number")

    def work() -> None:
        _, out, _ = said("doctor", "--db", path)
        assert "no journal of this program: its view step is none this program makes" in out
        assert said("doctor", "--restore", "1", "--db", path)[0] == 1
        with pytest.raises(sqlite3.DatabaseError, match="no dice box"):
            DiceBox(box_of(path))
        with Journal.open(path) as journal:
            journal.backups.soon()
            journal.backups.wait()
            assert len(Backups(path).listed()) == 2

    assert alone(work) == ""


def test_no_query_lasts(tmp_path: Path, played: Played) -> None:
    """A query without end is given up, and the next one is answered."""
    path = copied(played.path, tmp_path / "journal")
    with Journal.open(path) as journal:
        connection = journal._connection
        assert isinstance(connection, Bounded)
        connection.patience = 0.1
        for doing in (journal._reading, journal._writing):
            with pytest.raises(TrackerError, match="took too long"), doing() as connection:
                connection.execute(f"{ENDLESS} SELECT count(*) FROM r")
        assert [summary.id for summary in journal.fights()] == [played.fight]


def test_a_fight_whose_id_is_a_path(tmp_path: Path, played: Played) -> None:
    """It can only be read, and no file lies elsewhere."""
    path = copied(played.path, tmp_path / "journal")
    made_foreign(path, "UPDATE fight SET id = '../../elsewhere'")
    with Journal.open(path) as journal, Session.resume(journal, "../../elsewhere", played.game.find) as session:
        assert session.model.read_only
        assert "is none this program gives" in session.model.notice
    assert not list(tmp_path.glob("**/elsewhere*"))


@pytest.mark.parametrize("number", [-(1 << 63), (1 << 63) - 1, 1 << 40])
def test_a_fight_whose_number_leads_nowhere(tmp_path: Path, played: Played, number: int) -> None:
    """Its steps have no keys: one line says that the journal is damaged."""
    path = copied(played.path, tmp_path / "journal")
    made_foreign(path, f"UPDATE fight SET number = {number}; UPDATE head SET fight = {number}")
    with Journal.open(path, read_only=True) as journal, pytest.raises(TrackerError, match="is damaged") as refused:
        journal.load(played.fight)

    one_line(refused.value.message)


def use(path: Path, fight: str, played: Game) -> None:
    """Do with a journal of odd rows what can be done."""
    for words in (("fights",), ("state", fight), ("log", fight), ("export", fight), ("doctor",)):
        began = time.monotonic()
        _, _, err = said(*words, "--db", path)
        assert time.monotonic() - began < LONGEST, words
        assert err.count("\n") <= 3, err[:300]
    watch = Watch(path)
    watch.look()
    one_line(watch.problem)
    watch.close()
    try:
        with Journal.open(path) as journal:
            played_on(journal, fight, played)
            journal.backups.wait()
    except TrackerError as error:
        one_line(error.message)


def spoiled(played: Played, folder: Path, many: int, seed: int) -> None:
    chance = Random(seed)
    for number in range(many):
        path = copied(played.path, folder / str(number))
        told = spoil_rows(path, chance)

        failed = alone(lambda path=path: use(path, played.fight, played.game))  # type: ignore[misc]  # bound at once

        assert failed == "", f"number {number} of seed {seed}: {told}"


def test_odd_rows_in_sound_tables(tmp_path: Path, played: Played) -> None:
    """Whatever a cell holds, every command says what it cannot read, and nothing hangs."""
    spoiled(played, tmp_path, IN_EVERY_RUN, 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 7))
def test_odd_rows_in_the_long_run(
    tmp_path: Path, played: Played, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Thousands of them."""
    record_property("cases", SPOILED // 5)
    spoiled(played, tmp_path, SPOILED // 5, seed)
