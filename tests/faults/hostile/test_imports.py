"""Damaged exports, each taken in whole or refused at a line."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.harness.games import GAMES
from tests.faults.harness.mutants import Export, exported, run, run_main
from tracker.core.terms.errors import BadData, TrackerError
from tracker.session.rows import Commit, Head, NewFight
from tracker.session.store import exchange
from tracker.session.store.exchange import import_fight
from tracker.session.store.journal import Journal

MUTANTS = int(os.environ.get("TRACKER_MUTANTS", "10000"))
IN_EVERY_RUN = 40


@pytest.mark.parametrize("key", GAMES)
def test_damaged_exports_are_taken_in_or_refused(tmp_path: Path, key: str) -> None:
    """What can be taken in can be opened and played on."""
    many = IN_EVERY_RUN // len(GAMES)

    assert run(tmp_path, exported(tmp_path, key, 12), many, 1).total() == many


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_damaged_exports_in_the_long_run(
    tmp_path: Path, key: str, capsys: pytest.CaptureFixture[str], record_property: Callable[[str, object], None]
) -> None:
    """Thousands of them."""
    many = MUTANTS // len(GAMES)
    record_property("cases", many)

    found = run(tmp_path, exported(tmp_path, key), many, 2)

    assert found.total() == many
    assert found["played on"] >= (many - 100) // 20  # of a few none may be sound
    with capsys.disabled():
        print(f"\n{key}: {dict(found)}")


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Export:
    """A short fight of the first game."""
    return exported(tmp_path_factory.mktemp("export"), GAMES[0], 6)


def put(lines: tuple[bytes, ...], place: int, key: str, text: bytes) -> list[bytes]:
    """Return lines in which a key of one stands for something else."""
    found = list(lines)
    marked = b'"' + key.encode() + b'":'
    before, _, after = found[place].partition(marked)
    assert after
    found[place] = before + marked + text + b',"was":' + after
    return found


HUGE = str(1 << 70).encode()
HOSTILE: dict[str, tuple[int, str, bytes, str]] = {
    "a round beyond 64 bits": (0, "round", HUGE, "line 1: the number 11805916207174113034… has more than 64 bits"),
    "a round beyond a journal": (0, "round", b"9007199254740992", "line 1: Expected `int` <= 9007199254740991"),
    "a round before the first": (0, "round", b"-1", "line 1: Expected `int` >= 0"),
    "a step of another fight": (1, "seq", b"4294967296", "line 2: Expected `int` <"),
    "a parent beyond 64 bits": (1, "parent", HUGE, "line 2: the number"),
    "a number inside a step": (1, "step", b'{"x":[' + HUGE + b"]}", "line 2: the number"),
    "no number": (0, "version", b"NaN", "line 1: JSON is malformed"),
    "a number without end": (0, "steps", b"1e999", "line 1: Number out of range"),
    "half a letter": (0, "title", b'"\\ud800"', "line 1: JSON is malformed"),
    "half a letter inside": (1, "entries", b'["\xed\xa0\x80"]', "line 2: 'utf-8' codec can't decode"),
    "deep nesting": (1, "entries", b"[" * 30_000 + b"]" * 30_000, "line 2: nested deeper than 500 levels"),
    "nesting that can be read": (1, "entries", b"[" * 600 + b"]" * 600, "line 2: nested deeper than 500 levels"),
    "a text as a number": (0, "head", b'"1"', "line 1: Expected `int | null`, got `str`"),
    "an endless title": (0, "title", b'"' + b"x" * 200_000 + b'"', "line 1: Expected `str` of length <= 100000"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_no_journal_holds_is_refused_at_its_line(tmp_path: Path, export: Export, name: str) -> None:
    """Nothing of the file is kept."""
    place, key, text, words = HOSTILE[name]
    with Journal.open(tmp_path / "fights.db") as journal:
        with pytest.raises(BadData) as refused:
            import_fight(journal, put(export.lines, place, key, text))

        (problem,) = refused.value.problems
        assert str(problem).startswith(words)
        assert journal.fights() == ()


def test_a_line_without_end(tmp_path: Path, export: Export, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read only as far as is allowed, and so is the whole file."""
    path, database = tmp_path / "long.jsonl", tmp_path / "fights.db"
    monkeypatch.setattr(exchange, "LONGEST_LINE", 1024 * 1024)
    path.write_bytes(b"x" * (1024 * 1024 + 2) + b"".join(export.lines))
    long = run_main("import", path, "--db", database)
    monkeypatch.setattr(exchange, "LARGEST", 1024 * 1024)
    large = run_main("import", path, "--db", database)

    assert long == (2, "", f"{path}:1:1: the line is longer than 1 MB\n")
    assert large == (1, "", "tracker: the file is too large: at most 1 MB are read\n")


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    """A pipe, a device, a folder: one line each."""
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        status, _, err = run_main("import", place, "--db", tmp_path / "fights.db")

        assert (status, err) == (2, f"{place}: this is no ordinary file (- reads standard input)\n")


@pytest.mark.parametrize("head", [Head(1, "now", round=1 << 70), Head(1, "now", up="\ud800")])
def test_what_a_game_makes_is_checked_too(tmp_path: Path, head: Head) -> None:
    """A number or text that no database holds is not saved."""
    with Journal.open(tmp_path / "fights.db") as journal:
        with pytest.raises(TrackerError, match="not saved, nothing has changed") as refused:
            journal.import_fight(NewFight("A duel", "duel", 1, b"{}"), Commit(head), ())

        assert "\n" not in refused.value.message
        assert journal.fights() == ()
