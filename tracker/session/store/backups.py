"""Backups: the ten newest copies of the journal, made in the background.

A copy is checked before it counts, so that copies of a damaged journal never replace good ones.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tracker.library.private_files import create_file, make_folder, private
from tracker.session.store.database import is_damage, open_database, open_to_read

KEPT = 10
CALM = 2.0
"""Seconds until a copy is made: a program that starts, and the key that asked for it, come first."""
_STAMP = "%Y%m%d-%H%M%S-%f"


class Backups:
    """The copies of one journal in the folder `backups` beside it."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self.folder = journal.parent / "backups"
        self.problem = ""
        self._thread: threading.Thread | None = None
        self._now = threading.Event()

    def listed(self) -> tuple[Path, ...]:
        """Return the copies, the newest first."""
        try:
            return tuple(sorted(self.folder.glob(f"{self._journal.stem}-*.db"), reverse=True))
        except OSError:  # the folder is being deleted
            return ()

    def soon(self) -> None:
        """Make a copy in the background, unless one is being made or the newest is up to date."""
        if self._thread is None or not self._thread.is_alive():
            self._now.clear()
            self._thread = threading.Thread(target=self._make_if_changed, name="backup")
            self._thread.start()

    def wait(self) -> None:
        """Make a copy that is due at once, and wait for it."""
        if self._thread is not None:
            self._now.set()
            self._thread.join()
            self._thread = None

    def make(self) -> Path | None:
        """Make a copy now and return its path, or None, with `problem` saying why."""
        name = f"{self._journal.stem}-{self._stamp()}"
        copy, unfinished = self.folder / f"{name}.db", self.folder / f".{name}.part"
        try:
            make_folder(self.folder)
            create_file(unfinished)
            if not _copy(self._journal, unfinished):
                self.problem = f"the journal seems to be damaged; the copies in {self.folder} are kept as they are"
                return None
            os.replace(unfinished, copy)
            for old in self.listed()[KEPT:]:
                old.unlink()
        except (OSError, UnicodeDecodeError, sqlite3.Error) as error:
            self.problem = f"no backup was made: {error}"
            return None
        finally:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)
        self.problem = ""
        return copy

    def _stamp(self) -> str:
        """Return the time for a copy's name, later than that of every other copy even if the clock was set back."""
        stamp = datetime.now(UTC)
        if copies := self.listed():
            newest = copies[0].stem.removeprefix(f"{self._journal.stem}-")
            with contextlib.suppress(ValueError, OverflowError):  # another program's name
                next_free = datetime.strptime(f"{newest} +0000", f"{_STAMP} %z") + timedelta(microseconds=1)
                stamp = max(stamp, next_free)
        return stamp.strftime(_STAMP)

    def _make_if_changed(self) -> None:
        self._now.wait(CALM)
        newest = next(iter(self.listed()), None)
        try:
            same = newest is not None and _fingerprint(newest) == _fingerprint(self._journal)
        except (OSError, UnicodeDecodeError, sqlite3.Error):
            same = False  # the new copy is checked
        if not same:
            self.make()


def _fingerprint(path: Path) -> list[tuple[object, ...]]:
    """Return rows of a journal that differ after any change of a fight."""
    with closing(open_to_read(path)) as connection:
        return _rows_of(connection)


def _rows_of(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    heads = connection.execute(
        "SELECT fight, seq, at, pending, draft, discarded"
        " FROM head JOIN fight ON fight.number = head.fight ORDER BY fight"
    ).fetchall()
    return [*heads, connection.execute("SELECT count(*), max(key) FROM step").fetchone()]


def _copy(journal: Path, copy: Path) -> bool:
    """Copy a journal and tell whether the copy is sound."""
    with closing(open_to_read(journal)) as source, closing(open_database(copy)) as target:
        try:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
            return _passes_check(target)
        except sqlite3.DatabaseError as error:
            if is_damage(error):
                return False
            raise


def _passes_check(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")


def set_aside(journal: Path) -> str:
    """Rename a damaged journal, restore the newest sound copy, and return one line about it."""
    stamp = datetime.now(UTC).strftime(_STAMP)
    copies = Backups(journal).listed()
    copy = next(filter(_is_sound, copies), None)
    unfinished = beside(journal, ".part")
    if copy is not None:
        with copy.open("rb") as source, open(unfinished, "wb", opener=private) as target:
            shutil.copyfileobj(source, target)
    aside = rename_journal(journal, f"damaged-{stamp}")
    message = f"the journal {journal.name} was damaged and is set aside as {aside.name}"
    if copy is None:
        why = "no backup is sound" if copies else "there is no backup"
        return f"{message}; {why}, so this one is new"
    os.replace(unfinished, journal)
    return f"{message}; the backup {copy.name} is in its place"


def _is_sound(copy: Path) -> bool:
    try:
        with closing(open_to_read(copy)) as connection:
            return _passes_check(connection) and bool(_rows_of(connection))
    except (sqlite3.Error, UnicodeDecodeError):
        return False


def rename_journal(journal: Path, why: str) -> Path:
    """Give a journal another name, with its side files, and return its new path."""
    aside = journal.with_name(f"{journal.stem}-{why}{journal.suffix}")
    for ending in ("-wal", "-shm", ""):
        if beside(journal, ending).exists():
            os.rename(beside(journal, ending), beside(aside, ending))
    return aside


def missing(journal: Path) -> str:
    """Return a line that names the newest backup of a missing or empty journal, "" if there is none."""
    copies = Backups(journal).listed()
    return f"the journal {journal.name} was not there or empty; its newest backup is {copies[0]}" if copies else ""


def beside(journal: Path, ending: str) -> Path:
    """Return the file beside a journal that has its name and this ending."""
    return journal.with_name(journal.name + ending)
