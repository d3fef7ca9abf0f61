"""Damaged, cut, replaced and unwritable journals. A clear line, a way on, and nothing lost that was acknowledged."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from tests.faults.harness.killing import SETTINGS, digest, duellist
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tests.windows.systems import NEEDS_LINKS
from tracker.cli.main import main
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import action
from tracker.core.terms.errors import CorruptJournal, TrackerError
from tracker.core.terms.requests import DiceAnswer
from tracker.session.intents import Advance, Amend, Do, RollRest, Undo
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.store import backups
from tracker.session.store.journal import Journal
from tracker.ui.modes.history.inputs import recorded_inputs

FIGHT = "the-duel"
DAMAGES = int(os.environ.get("TRACKER_DAMAGES", "2000"))
IN_EVERY_RUN = 15


def find(key: str) -> Ruleset:
    return DUEL


class Kept:
    """A closed journal of some steps with one backup. It comes with what its fight looked like after each intent."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "kept" / "fights.db"
        with Journal.open(self.path) as journal, Session.start(journal, DUEL, encounter(1000), SETTINGS) as session:
            self.fight = session.model.fight
            self.digests = [digest(DUEL, session.model)]
            for number in range(1, 40):
                self.digests.append(digest(DUEL, session.dispatch(duellist(number, session.model))))
            journal.backups.wait()
            assert journal.backups.make() is not None
        self.data = self.path.read_bytes()
        self.copy = next(iter(journal.backups.listed())).read_bytes()

    def spoiled(self, folder: Path, data: bytes, wal: bytes = b"") -> Path:
        """Lay out a journal with this content and the backup."""
        path = folder / "fights.db"
        (folder / "backups").mkdir(parents=True)
        (folder / "backups" / "fights-20310501-100000-000000.db").write_bytes(self.copy)
        path.write_bytes(data)
        if wal:
            path.with_name("fights.db-wal").write_bytes(wal)
        return path


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return Kept(tmp_path_factory.mktemp("kept"))


def is_one_line(error: TrackerError) -> None:
    assert error.message
    assert "\n" not in error.message


def opens_or_says_why(kept: Kept, path: Path, data: bytes) -> None:
    """Open a damaged journal.

    What was played is there, or a line names what was set aside; in any case the damaged bytes are still on the disk.
    """
    try:
        journal = Journal.open(path)
    except TrackerError as error:
        is_one_line(error)
        assert path.read_bytes() == data, "a journal that cannot be opened is left alone"
        return
    with journal:
        aside = list(path.parent.glob("fights-damaged-*.db"))
        assert bool(aside) == ("set aside" in journal.notice)
        assert [file.read_bytes() for file in aside] in ([], [data])
        try:
            with Session.resume(journal, kept.fight, find, SETTINGS) as session:
                shown = digest(DUEL, session.model)
                if aside:
                    assert shown == kept.digests[-1], "the backup holds all of it"
                session.dispatch(duellist(41, session.model))
        except TrackerError as error:
            is_one_line(error)
            assert not aside, "the backup is sound"


def cuts(kept: Kept, many: int) -> list[int]:
    chance = Random(many)
    size = len(kept.data)
    return sorted({0, 1, 15, 16, 99, 100, 4095, 4096, size - 1, *(chance.randrange(size) for _ in range(many))})


def cut_at_any_byte(kept: Kept, folder: Path, many: int) -> None:
    for place in cuts(kept, many):
        data = kept.data[:place]
        opens_or_says_why(kept, kept.spoiled(folder / str(place), data), data)


def spoil_any_byte(kept: Kept, folder: Path, many: int) -> None:
    chance = Random(many)
    for number in range(many):
        data = bytearray(kept.data)
        for _ in range(chance.choice((1, 1, 4, 64))):
            place = chance.randrange(len(data))
            length = chance.choice((1, 1, 8, 512, 4096))
            data[place : place + length] = chance.randbytes(min(length, len(data) - place))
        opens_or_says_why(kept, kept.spoiled(folder / str(number), bytes(data)), bytes(data))


def test_a_journal_cut_at_any_byte(kept: Kept, tmp_path: Path) -> None:
    """What is left of it is set aside, and the newest backup is played on."""
    cut_at_any_byte(kept, tmp_path, IN_EVERY_RUN)


def test_a_journal_with_garbage_in_it(kept: Kept, tmp_path: Path) -> None:
    """Bytes overwritten anywhere are found, or touch nothing that is read."""
    spoil_any_byte(kept, tmp_path, IN_EVERY_RUN)


@pytest.mark.long
def test_damaged_journals_in_the_long_run(kept: Kept, tmp_path: Path, record_property: Callable[..., None]) -> None:
    """Thousands of damaged journals."""
    record_property("cases", DAMAGES)
    cut_at_any_byte(kept, tmp_path / "cut", DAMAGES // 2)
    spoil_any_byte(kept, tmp_path / "spoiled", DAMAGES // 2)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 8192,
        b"not a database\n" * 600,
        b"SQLite format 3\0" + b"\xff" * 4080,
        '{"line":"fight"}\n'.encode("utf-16"),
    ],
)
def test_a_journal_replaced_by_something_else(kept: Kept, tmp_path: Path, data: bytes) -> None:
    """What lies there instead is kept, and a line tells of it."""
    path = kept.spoiled(tmp_path / "replaced", data)

    with Journal.open(path) as journal:
        assert "backup" in journal.notice
    if data:
        assert next(path.parent.glob("fights-damaged-*.db")).read_bytes() == data


def test_a_write_ahead_file_cut_at_any_byte(tmp_path: Path) -> None:
    """What was not merged yet counts commit by commit."""
    path = tmp_path / "live" / "fights.db"
    with Journal.open(path) as journal, Session.start(journal, DUEL, encounter(1000), SETTINGS) as session:
        journal._connection.execute("PRAGMA wal_autocheckpoint = 0")
        journal.backups.wait()
        journal._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        fight, digests = session.model.fight, [digest(DUEL, session.model)]
        for number in range(1, 12):
            digests.append(digest(DUEL, session.dispatch(duellist(number, session.model))))
        data, wal = path.read_bytes(), path.with_name("fights.db-wal").read_bytes()
    chance, found = Random(5), list[int]()
    for place in sorted({len(wal), len(wal) - 1, 0, 31, 32, 33, *(chance.randrange(len(wal)) for _ in range(20))}):
        folder = tmp_path / str(place)
        folder.mkdir()
        (folder / "fights.db").write_bytes(data)
        (folder / "fights.db-wal").write_bytes(wal[:place])
        for file in folder.iterdir():
            file.chmod(0o600)
        with Journal.open(folder / "fights.db") as cut, Session.resume(cut, fight, find, SETTINGS) as again:
            assert cut.notice == ""
            found.append(digests.index(digest(DUEL, again.model)))
    assert found == sorted(found)
    assert (found[0], found[-1]) == (0, len(digests) - 1)


@NEEDS_LINKS
@pytest.mark.parametrize(
    "make", [Path.mkdir, lambda at: at.symlink_to(at), lambda at: at.symlink_to("no/where"), lambda at: os.mkfifo(at)]
)
def test_something_that_is_no_file_at_all(
    tmp_path: Path, make: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder, a loop of links, a link to nowhere, a pipe. One line, and it stays what it is."""
    path = tmp_path / "fights.db"
    make(path)

    status = main(["fights", "--db", str(path)])
    said = capsys.readouterr().err

    assert status in (1, 2)
    assert said.startswith("tracker: ")
    assert said.count("\n") == 1
    with pytest.raises((TrackerError, OSError)):
        Journal.open(path)


def test_a_journal_of_an_older_or_unknown_format(kept: Kept, tmp_path: Path) -> None:
    """A file whose version says nothing known is not touched."""
    path = kept.spoiled(tmp_path / "old", kept.data)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 0")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(TrackerError):
        Journal.open(path)
    assert path.read_bytes() == before


def answered(session: Session) -> Model:
    """Play until no question is open."""
    for number in range(1000):
        if session.model.pending is None:
            break
        session.dispatch(duellist(number, session.model))
    assert session.model.pending is None
    return session.model


@pytest.mark.parametrize("part", ["step", "answers", "back"])
def test_a_step_whose_other_parts_are_damaged(tmp_path: Path, part: str) -> None:
    """What was asked for, its answers, or the way back from it."""
    path = tmp_path / "fights.db"
    with Journal.open(path) as journal, Session.start(journal, DUEL, encounter(1000), SETTINGS) as session:
        fight = session.model.fight
        for number in range(1, 30):
            session.dispatch(duellist(number, session.model))
        answered(session)
        last = session.model.steps[-1].seq
        journal._connection.execute(f"UPDATE step SET {part} = x'5b22fe' WHERE key & 4294967295 = ?", (last,))
    with Journal.open(path) as journal, Session.resume(journal, fight, find, SETTINGS) as again:
        state = again.model.state
        assert again.encounter == encounter(1000)
        (record,) = (record for record in again.model.steps if record.seq == last)
        if part == "back":
            after = again.dispatch(Undo())
            assert (after.head, after.problem) == (record.parent, "")
        else:
            amend = Amend(last, (("attack", DiceAnswer(1)),))
            problem = again.dispatch(amend).problem
            assert again.preview(amend).problem == problem
            assert [given for given in recorded_inputs(state, again.model.steps) if given.step == last] == []
            with pytest.raises(CorruptJournal):
                getattr(record, part)
            assert "damaged" in problem
            assert again.model.state == state
        assert again.dispatch(Advance()).problem == ""


def test_a_question_that_is_damaged_is_asked_anew(tmp_path: Path) -> None:
    """Where the pending step cannot be read, the fight stands before it and says so."""
    path = tmp_path / "fights.db"
    with Journal.open(path) as journal, Session.start(journal, DUEL, encounter(1000), SETTINGS) as session:
        fight, stands = session.model.fight, answered(session)
        session.dispatch(Do((action("attack", "ansa", target="thug"),)))
        assert session.model.pending is not None
        journal._connection.execute("UPDATE head SET draft = x'7b22fe'")
    with Journal.open(path) as journal, Session.resume(journal, fight, find, SETTINGS) as again:
        assert (again.model.state, again.model.pending, again.model.read_only) == (stands.state, None, False)
        assert "has to be done again" in again.model.notice
        assert again.dispatch(Do((action("attack", "ansa", target="thug"),))).pending is not None


@pytest.fixture
def limited() -> Iterator[Callable[[int], None]]:
    """Sets the size no file may outgrow, as a full disk would. Afterwards there is none."""
    resource = pytest.importorskip("resource", reason="no system call limits a file's size here")
    before, ignored = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, ignored)


def test_a_disk_that_fills_up(tmp_path: Path, limited: Callable[[int], None]) -> None:
    """The step that does not fit changes nothing and says so."""
    path = tmp_path / "fights.db"
    with Journal.open(path) as journal, Session.start(journal, DUEL, encounter(1000), SETTINGS) as session:
        journal.backups.wait()
        limited(path.with_name("fights.db-wal").stat().st_size + 20_000)
        for number in range(1, 300):
            before = digest(DUEL, session.model)
            intent = duellist(number, session.model)
            if session.dispatch(intent).problem:
                break
        else:
            pytest.fail("the disk never was full")
        assert "not saved, nothing has changed" in session.model.problem
        assert digest(DUEL, session.model) == before
        limited(1 << 40)
        after = session.dispatch(intent)
        assert after.problem == ""
        shown, fight = digest(DUEL, after), after.fight
    with Journal.open(path) as journal, Session.resume(journal, fight, find, SETTINGS) as session:
        assert digest(DUEL, session.model) == shown


class Earlier(datetime):
    """A clock that goes back by a day whenever it is read."""

    looks = 0

    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # the one way it is called
        cls.looks += 1
        return datetime(2031, 5, 1, tzinfo=UTC) - timedelta(days=cls.looks)


def test_a_clock_that_is_set_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Order, undo and the newest backup do not depend on the clock."""
    monkeypatch.setattr(backups, "datetime", Earlier)
    times = iter(f"{2090 - number}-01-01T00:00:00+00:00" for number in range(60))
    with Journal.open(tmp_path / "fights.db") as journal:
        with Session.start(journal, DUEL, encounter(1000), SETTINGS) as session:
            session.settings = type(SETTINGS)(roller=SETTINGS.roller, clock=lambda: next(times))
            made = []
            for number in range(1, 15):
                session.dispatch(duellist(number, session.model))
                journal.backups.wait()
                made.append(journal.backups.make())
            shown = digest(DUEL, session.model)
        assert journal.backups.listed()[0] == made[-1]
        assert list(journal.backups.listed()) == list(reversed(made))[: backups.KEPT]
        with Session.resume(journal, session.model.fight, find, SETTINGS) as again:
            assert digest(DUEL, again.model) == shown


def test_the_fight_played_last_is_taken_up_after_the_clock_was_set_back(tmp_path: Path) -> None:
    """Of two fights the one played last comes first, whatever the clock says."""
    years = iter(range(2090, 2000, -1))
    settings = replace(SETTINGS, clock=lambda: f"{next(years)}-01-01T00:00:00+00:00")
    with Journal.open(tmp_path / "fights.db") as journal:
        first = Session.start(journal, DUEL, encounter(1000), settings)
        second = Session.start(journal, DUEL, encounter(1000), settings)
        for session in (first, second, first, first, second, first):
            assert session.dispatch(Advance() if session.model.pending is None else RollRest()).problem == ""
            assert journal.fights()[0].id == session.model.fight
        times = [fight.at for fight in journal.fights()]
        assert times == sorted(times, reverse=True)
        first.close()
        second.close()


def test_nothing_in_a_fight_is_overwritten(tmp_path: Path) -> None:
    """Starting an encounter again parks what was played under its own name."""
    with Journal.open(tmp_path / "fights.db") as journal:
        shown = {}
        for number in range(3):
            with Session.start(journal, DUEL, encounter(1000), SETTINGS) as session:
                for step in range(number * 10, number * 10 + 8):
                    session.dispatch(duellist(step, session.model))
                shown[session.model.fight] = digest(DUEL, session.model)
        assert len(shown) == 3
        for fight, before in shown.items():
            with Session.resume(journal, fight, find, SETTINGS) as session:
                assert digest(DUEL, session.model) == before
