"""`tracker doctor` finds what is damaged, and puts a backup back without overwriting anything."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.cli.conftest import program as program  # a fixture
from tracker.session.store.database import step_key
from tracker.session.store.journal import Journal


@pytest.fixture
def played(program: Program) -> Path:
    """A journal with a fight, a backup of its first steps, and one of all."""
    path = program.folder / "home" / "fights.db"
    program("run", program.encounter, "--seed", "1", "--db", path)
    with Journal.open(path) as journal:
        journal.backups.make()
        journal.discard("a-brawl")
        journal.discard("a-brawl", discarded=False)
        journal.backups.make()
    return path


def spoil(path: Path) -> bytes:
    """Overwrite a file's first pages, and return what it holds now."""
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    data = path.read_bytes()
    path.write_bytes(b"garbage " * 64 + data[512:])
    return path.read_bytes()


def test_all_is_well(program: Program, played: Path) -> None:
    """A sound journal is told fight by fight, with its backups, and nothing is written."""
    before = played.read_bytes()

    ran = program("doctor", "--db", played)

    assert (ran.status, ran.err) == (0, "")
    assert "sound, 1 fight, 1 step" in ran.out
    assert "  a-brawl  sound, 1 step" in ran.out
    assert ran.out.count("fights-2") == 3, "backups, the first made when the fight was opened"
    assert played.read_bytes() == before


def test_no_journal_yet(program: Program, tmp_path: Path) -> None:
    """Where nothing was played one line says so, and nothing is made."""
    ran = program("doctor", "--db", tmp_path / "none" / "fights.db")

    assert ran.status == 1
    assert "there is no such journal" in ran.out
    assert not (tmp_path / "none").exists()


def test_a_damaged_journal_is_named_and_left_alone(program: Program, played: Path) -> None:
    """Looking moves nothing. The way back is named."""
    garbage = spoil(played)

    ran = program("doctor", "--db", played)

    assert ran.status == 1
    assert "damaged" in ran.out
    assert "tracker doctor --restore 1" in ran.err
    assert played.read_bytes() == garbage


@pytest.mark.parametrize("words", [(), ("1",), ("2",)])
def test_a_backup_comes_back(program: Program, played: Path, words: tuple[str, ...]) -> None:
    """The earlier journal lies beside it, byte for byte, and the fight goes on."""
    garbage = spoil(played)

    ran = program("doctor", "--restore", *words, "--db", played)

    assert ran.status == 0, ran.err
    aside = next(played.parent.glob("fights-replaced-*.db"))
    assert aside.read_bytes() == garbage
    assert program("state", "a-brawl", "--db", played).status == 0
    assert program("doctor", "--db", played).status == 0


def test_a_damaged_backup_is_passed_over(program: Program, played: Path) -> None:
    """The newest sound backup is the one that comes back. A damaged one is refused by name."""
    newest, older = sorted((played.parent / "backups").glob("*.db"), reverse=True)[:2]
    spoil(newest)
    spoil(played)

    refused = program("doctor", "--restore", newest.name, "--db", played)
    ran = program("doctor", "--restore", "--db", played)

    assert refused.status == 1
    assert f"{newest.name} is itself damaged" in refused.err
    assert ran.status == 0
    assert f"{older.name} is the journal now" in ran.out


def test_opening_passes_over_a_damaged_backup(program: Program, played: Path) -> None:
    """Where the newest backup is damaged as well, the newest sound one replaces the journal."""
    newest, older = sorted((played.parent / "backups").glob("*.db"), reverse=True)[:2]
    spoil(newest)
    spoil(played)

    with Journal.open(played) as journal:
        assert f"the backup {older.name} is in its place" in journal.notice
        assert [fight.id for fight in journal.fights()] == ["a-brawl"]


def test_opening_without_a_sound_backup(program: Program, played: Path) -> None:
    """Where every backup is damaged too, a new journal is made."""
    for copy in (played.parent / "backups").glob("*.db"):
        spoil(copy)
    garbage = spoil(played)

    with Journal.open(played) as journal:
        assert "no backup is sound" in journal.notice
        assert journal.fights() == ()
    assert next(played.parent.glob("fights-damaged-*.db")).read_bytes() == garbage


def test_a_damaged_step_is_found(program: Program, played: Path) -> None:
    """A record that cannot be read is told with its fight."""
    with Journal.open(played) as journal:
        journal._connection.execute("UPDATE step SET entries = x'7b' WHERE key = ?", (step_key(1, 1),))

    ran = program("doctor", "--db", played)

    assert ran.status == 1
    assert "a-brawl  the record of step 1 is damaged" in ran.out or "a-brawl  step 1 does not fit" in ran.out


@pytest.mark.parametrize("wanted", ["99", "nothing.db", "../fights.db"])
def test_a_backup_that_is_not_there(program: Program, played: Path, wanted: str) -> None:
    """What is not among the backups is refused, and the journal stays."""
    before = played.read_bytes()

    ran = program("doctor", "--restore", wanted, "--db", played)

    assert ran.status == 1
    assert f'there is no sound backup "{wanted}"' in ran.err
    assert played.read_bytes() == before


def test_an_open_fight_is_not_replaced(program: Program, played: Path) -> None:
    """While a fight of the journal is open somewhere, nothing is restored."""
    with Journal.open(played) as journal:
        lock, _ = journal.lock("a-brawl")
        assert lock is not None

        ran = program("doctor", "--restore", "--db", played)
        lock.release()

    assert ran.status == 1
    assert f"open in process {os.getpid()}" in ran.err
    assert not list(played.parent.glob("fights-replaced-*"))


def test_a_journal_that_is_gone_comes_back(program: Program, played: Path) -> None:
    """With the file itself deleted, the newest backup takes its place."""
    for ending in ("", "-wal", "-shm"):
        played.with_name(played.name + ending).unlink(missing_ok=True)

    ran = program("doctor", "--restore", "--db", played)

    assert ran.status == 0, ran.err
    assert program("fights", "--db", played).out.startswith("a-brawl")


def test_a_restore_that_fails_loses_nothing(program: Program, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk while the backup is copied leaves the journal where it was."""
    before = played.read_bytes()

    def full(*files: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)

    ran = program("doctor", "--restore", "--db", played)

    assert ran.status == 1
    assert "cannot be put in its place" in ran.err
    assert played.read_bytes() == before
    assert not list(played.parent.glob("*.part"))
