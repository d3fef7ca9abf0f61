"""What the program keeps is for the user alone, and made through no link."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.session.conftest import find
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tracker.cli.main import main
from tracker.core.game.schema import codec_of
from tracker.core.run import Step
from tracker.core.terms.errors import TrackerError
from tracker.library.ruleset_errors import write_crash_report
from tracker.session.repair import restore
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.step.runner import StepError
from tracker.session.store.dice_box import DiceBox, box_of
from tracker.session.store.exchange import write_replay
from tracker.session.store.journal import Journal
from tracker.session.store.locks import Lock, LockUnavailable
from tracker.ui.platform.settings import UiState

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions and links of this kind are POSIX's")


@pytest.fixture(autouse=True)
def _careless() -> Iterator[None]:
    """A user whose new files everybody may write."""
    before = os.umask(0)
    yield
    os.umask(before)


def journal_in(folder: Path) -> Path:
    """Return a journal with a fight, a backup and a backup put in its place."""
    path = folder / "own" / "fights.db"
    with Journal.open(path) as journal:
        Session.start(journal, DUEL, encounter(), Settings()).close()
        copy = journal.backups.make()
    assert copy is not None
    restore(path, copy)
    Journal.open(path).close()
    return path


def modes(folder: Path) -> dict[str, int]:
    """Return the permissions in a folder that are not the user's alone. The folder itself is among them."""
    found = {path: path.lstat().st_mode for path in (folder, *folder.rglob("*"))}
    wanted = {path: 0o700 if stat.S_ISDIR(mode) else 0o600 for path, mode in found.items()}
    return {str(path): mode & 0o777 for path, mode in found.items() if mode & 0o777 != wanted[path]}


def test_all_that_is_kept_is_for_the_user_alone(tmp_path: Path) -> None:
    """Journal, backups, locks, dice, problem files, exports, copies of files, and what was typed."""
    own = tmp_path / "own"
    path = journal_in(tmp_path)
    with Journal.open(path) as journal:
        fight = journal.fights()[0].id
        with Session.resume(journal, fight, find):
            kept = {one.name for one in own.iterdir()}
    box = DiceBox(box_of(path))
    box.claim(fight, "ansa", "a" * 32)
    box.close()
    assert main(["export", fight, "--db", str(path), "-o", str(own / "fight.jsonl")]) == 0
    failed = StepError.__new__(StepError)
    failed.message, failed.details, failed.step, failed.answers = "it failed", "", Step("advance"), ()
    write_replay(own / "state" / "problems", "fight", failed, stored=None, codec=codec_of(DUEL.schema))
    write_crash_report("it failed", "where", own / "more" / "problems")
    UiState(lambda: own / "config").add("w att g")

    assert kept >= {"fights.db", "backups", "locks"}
    made = {one.relative_to(own).parts[0] for one in own.rglob("*")}
    assert made >= {"fights.db", "backups", "locks", "fights.db.dice", "fight.jsonl", "state", "more", "config"}
    assert modes(own) == {}


def box(link: Path) -> None:
    DiceBox(link)


def journal_at(link: Path) -> None:
    Journal.open(link)


def lock(link: Path) -> None:
    Lock(link)


@pytest.mark.parametrize(
    ("make", "error", "there"),
    [
        (box, OSError, True),
        (box, OSError, False),
        (lock, LockUnavailable, True),
        (lock, LockUnavailable, False),
        (journal_at, TrackerError, False),
    ],
)
def test_no_link_says_where_a_file_lies(
    tmp_path: Path, make: Callable[[Path], None], error: type[Exception], there: bool
) -> None:
    """Neither a file of another is written, nor one made where the link leads."""
    other, link = tmp_path / "precious", tmp_path / "fights.db"
    if there:
        other.write_bytes(b"")
    link.symlink_to(other)

    with pytest.raises(error):
        make(link)

    assert other.exists() == there
    assert not there or other.read_bytes() == b""


def test_an_export_takes_the_place_of_a_link(tmp_path: Path) -> None:
    """What the link led to stays as it is."""
    path, other, link = journal_in(tmp_path), tmp_path / "precious", tmp_path / "fight.jsonl"
    other.write_text("precious")
    link.symlink_to(other)
    with Journal.open(path) as journal:
        fight = journal.fights()[0].id

    assert main(["export", fight, "--db", str(path), "-o", str(link)]) == 0

    assert other.read_text() == "precious"
    assert not link.is_symlink()


def loosened(folder: Path) -> None:
    """Let everybody read a folder and all that is in it."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def test_what_others_could_read_is_taken_from_them_and_said_once(tmp_path: Path) -> None:
    """The journal and its copies; what a link or a second name leads to never is, nor are other files."""
    path, precious = journal_in(tmp_path), tmp_path / "precious"
    precious.write_text("precious")
    loosened(tmp_path)
    (path.parent / "backups" / "fights-1.db").symlink_to(precious)
    (path.parent / "backups" / "fights-2.db").hardlink_to(precious)
    (path.parent / "notes.db").write_text("mine")

    with Journal.open(path) as journal:
        assert "files of fights.db; now only you can" in journal.notice
    with Journal.open(path) as journal:
        assert journal.notice == ""

    open_to_others = {one.removeprefix(f"{path.parent}/") for one in modes(path.parent)}
    assert {"notes.db", "backups/fights-2.db"} <= open_to_others
    assert not [name for name in open_to_others if "damaged" in name or "replaced" in name or name == "fights.db"]
    assert precious.stat().st_mode & 0o777 == 0o644


def test_nothing_is_taken_where_others_could_exchange_it(tmp_path: Path) -> None:
    """What is in a folder that all may write may soon be another's."""
    path = journal_in(tmp_path)
    path.chmod(0o644)
    path.parent.chmod(0o777)

    Journal.open(path).close()

    assert path.stat().st_mode & 0o777 == 0o644
