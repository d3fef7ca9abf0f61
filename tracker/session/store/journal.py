"""The journal: every fight of a game master in one SQLite file.

When `commit` returns, its changes are on disk (WAL, `synchronous=FULL`); steps are only ever added.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tracker.core.clock.joining import slug
from tracker.core.terms.errors import CorruptJournal, TrackerError
from tracker.library.private_files import create_file, make_folder, make_private
from tracker.session.rows import Commit, FightSummary, NewFight, PlayerViewRow, Stored
from tracker.session.settings import just_after, now
from tracker.session.store import database, queries
from tracker.session.store.backups import Backups, beside, missing, set_aside
from tracker.session.store.database import is_damage, is_read_only, not_saved, one_line, open_database, roll_back
from tracker.session.store.locks import Lock, LockHeld, LockUnavailable, network, place_of


def connect(path: Path, read_only: bool) -> tuple[sqlite3.Connection, bool]:
    """Open the file for writing if that is possible, else for reading; also return whether it can be written.

    Raises:
        sqlite3.Error: if that fails.
        TrackerError: if there is no file that could be opened, or it is no journal.
    """
    if path.exists() and not path.is_file():
        raise TrackerError(f"the journal {path} cannot be opened: {path.name} is not a file", "journal_unreadable")
    if path.is_symlink() and not path.exists():  # the link would choose the journal's folder
        raise TrackerError(f"the journal {path} is a link to a file that is not there", "journal_unreadable")
    if not read_only:
        with contextlib.suppress(OSError):  # opening it names the error
            create_file(path)
        try:
            return _set_up(open_database(path), writable=True), True
        except sqlite3.DatabaseError as error:
            if not is_read_only(error) or not path.exists():
                raise
    try:
        return _set_up(open_database(path, "mode=ro"), writable=False), False
    except sqlite3.OperationalError:  # without its side files, a journal that no program writes can be read as it is
        return _set_up(open_database(path, "immutable=1"), writable=False), False


def _set_up(connection: sqlite3.Connection, writable: bool) -> sqlite3.Connection:
    try:
        if why := database.format_problem(connection):
            raise TrackerError(f"this is no journal of this program: {why}", "no_journal")
        if writable:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            # Takes the writer's lock once: a file or folder that cannot be written shows now, not at the first step.
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            database.prepare(connection)
        connection.execute("SELECT count(*) FROM fight JOIN head ON head.fight = fight.number").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


_BACKUP_EVERY = 100
_T = TypeVar("_T")


class Created(Struct, frozen=True):
    """A new fight in the journal: its number and id, and the lock on it."""

    number: int
    fight: str
    lock: Lock | None


class Journal:
    """An open journal; `notice` is a line for people, `read_only` whether nothing can be written."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, *, read_only: bool, notice: str, without_locks: bool
    ) -> None:
        self.path, self.read_only, self.notice = path, read_only, notice
        self.backups = Backups(path)
        self._connection, self._without_locks = connection, without_locks
        self._commits = 0

    @staticmethod
    def default_path() -> Path:
        """Return the path of the user's own journal."""
        import platformdirs  # not needed when a path is given

        return platformdirs.user_data_path("encounter-tracker", appauthor=False) / "fights.db"

    @classmethod
    def open(cls, path: Path | str, read_only: bool = False, without_locks: bool = False) -> Journal:
        """Open a journal, or make it; the newest backup replaces a damaged one, which is set aside.

        `without_locks`: write also if the file system has no locks; a second program may then write too.

        Raises:
            TrackerError: if it can be neither read nor made.
        """
        path = Path(path)
        notice = "" if path.exists() and path.stat().st_size else missing(path)
        with contextlib.suppress(OSError):
            if not read_only:
                make_folder(path.parent)
        for _ in range(2):
            try:
                connection, writable = connect(path, read_only)
                break
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                message = f"the journal {path} is damaged: {one_line(error)}"
                if not is_damage(error):
                    why = f"the journal {path} cannot be opened: {one_line(error)}"
                    raise TrackerError(why, "journal_unreadable") from error
                if read_only:
                    raise CorruptJournal(message) from error
                try:
                    notice = set_aside(path)
                except OSError as failed:
                    raise CorruptJournal(f"{message}; it cannot be set aside: {failed}") from failed
        else:
            raise CorruptJournal(f"the journal {path} is damaged, and so is its newest backup")
        if not writable and not read_only:
            notice = f"the journal {path} can only be read: nothing can be written there{_unmerged(path)}"
        elif writable and (kind := network(path)):
            notice = notice or (
                f"the journal {path} lies on a network drive ({kind}), "
                "where a broken connection can damage it: keep it on this computer (--db FILE)"
            )
        if writable and (many := sum(map(make_private, _files_of(path)))):
            files = "a file" if many == 1 else f"{many} files"
            taken = f"others on this computer could read {files} of {path.name}; now only you can"
            notice = f"{notice}; {taken}" if notice else taken
        return cls(path, connection, read_only=not writable, notice=notice, without_locks=without_locks)

    def close(self) -> None:
        """Close the journal, after a copy that is being made."""
        self.backups.wait()
        self._connection.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # -- reading -------------------------------------------------------------------------------------------------------

    def fights(self, discarded: bool = False) -> tuple[FightSummary, ...]:
        """Return the fights, or the discarded ones, the one played last first."""
        with self._reading() as connection:
            return queries.summaries(connection, discarded)

    def check(self, fight: str) -> None:
        """Raise TrackerError if there is no such fight."""
        self._query(queries.number_of, fight)

    def prepared(self, fight: str) -> NewFight:
        """Return a fight without its steps, or raise TrackerError if there is no such fight."""
        return self._query(queries.prepared, fight)

    def load(self, fight: str) -> Stored:
        """Read a whole fight, or raise TrackerError if it is missing or the file is damaged."""
        return self._query(queries.stored, fight)

    def version(self) -> int:
        """Return a number that changes when another program writes."""
        with self._reading() as connection:
            return int(connection.execute("PRAGMA data_version").fetchone()[0])

    def _query(self, query: Callable[[sqlite3.Connection, str], _T | None], fight: str) -> _T:
        with self._reading() as connection:
            result = query(connection, fight)
        if result is None:
            raise TrackerError(f'there is no fight "{fight}" in {self.path}', "no_such_fight")
        return result

    # -- writing -------------------------------------------------------------------------------------------------------

    def create(self, fight: NewFight, first: Commit) -> Created:
        """Write a new fight with its first commit, or raise TrackerError, also if it cannot be locked."""
        lock = None
        try:
            with self._writing() as connection:
                key = queries.free_id(connection, fight.title)
                lock, why = self.lock(key)
                if lock is None and why:
                    raise TrackerError(why, "read_only")
                number = queries.add_fight(connection, key, fight)
                queries.add_commit(connection, number, self._last(number, first), new=True)
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        self.backups.soon()
        return Created(number, key, lock)

    def commit(self, number: int, change: Commit) -> None:
        """Write all changes of an intent, or raise TrackerError and write none."""
        with self._writing() as connection:
            queries.add_commit(connection, number, self._last(number, change))
        self._commits += 1
        if not self._commits % _BACKUP_EVERY:
            self.backups.soon()

    def show(self, number: int, row: PlayerViewRow, *, newest: bool = False) -> None:
        """Write the players' view alone, or raise TrackerError.

        `newest`: screens that follow the fight played last follow this one from now on.
        """
        with self._writing() as connection:
            queries.show(connection, number, row)
            latest = queries.time_elsewhere(connection, number) if newest else None
            if latest is not None:
                queries.make_newest(connection, number, latest)

    def import_fight(self, fight: NewFight, change: Commit, redo: Sequence[bytes]) -> str:
        """Write a whole fight from a file and return its id."""
        with self._writing() as connection:
            key = queries.free_id(connection, fight.title)
            number = queries.add_fight(connection, key, fight)
            change = replace(change, redo="restore", restored=tuple(redo))
            queries.add_commit(connection, number, change, new=True)
        return key

    def discard(self, fight: str, discarded: bool = True) -> None:
        """Discard a fight, or take that back; it stays in the journal."""
        with self._writing() as connection:
            queries.put_away(connection, fight, now() if discarded else None)

    def lock(self, fight: str) -> tuple[Lock | None, str]:
        """Lock a fight for writing, or return why that fails; "" also if it is written without a lock."""
        if self.read_only:
            return None, self._why_read_only
        if slug(fight) != fight:  # an id with a path in it would name a file in another folder
            return None, f"the id {fight[:40]!r} is none this program gives: the fight can only be read"
        try:
            return Lock(place_of(self.path, fight)), ""
        except LockHeld as held:
            return None, f"this fight is open in {held}: here it can only be read"
        except LockUnavailable as missing:
            if self._without_locks:
                return None, ""
            way_on = "the fight can only be read unless you allow writing without them"
            return None, f"file locks do not work here ({missing}): {way_on}"

    @property
    def _why_read_only(self) -> str:
        return self.notice or f"the journal {self.path} is open for reading only"

    def _last(self, number: int, change: Commit) -> Commit:
        """Return a change with a time later than that of all other fights, even if the clock was set back."""
        latest = queries.time_elsewhere(self._connection, number)
        if latest is None or change.head.at > latest:
            return change
        return replace(change, head=replace(change.head, at=just_after(latest)))

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._connection
        except (UnicodeDecodeError, msgspec.ValidationError, OverflowError) as error:
            raise self._damaged(error) from error
        except sqlite3.DatabaseError as error:
            if is_damage(error):
                raise self._damaged(error) from error
            why = f"the journal {self.path} cannot be read: {one_line(error)}"
            raise TrackerError(why, "journal_unreadable") from error

    def _damaged(self, error: Exception) -> CorruptJournal:
        return CorruptJournal(
            f"the journal {self.path} is damaged ({one_line(error)}); backups are in {self.backups.folder}"
        )

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        if self.read_only:
            raise TrackerError(self._why_read_only, "read_only")
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        except (sqlite3.Error, UnicodeError, OverflowError) as error:  # the last: a number that SQLite cannot store
            roll_back(connection)
            raise not_saved(error, self.path) from error
        except BaseException:
            roll_back(connection)
            raise


def _files_of(journal: Path) -> Iterator[Path]:
    """Yield the files of a journal and of its copies."""
    stem, ending = journal.stem, journal.suffix
    yield from (beside(journal, suffix) for suffix in ("", "-wal", "-shm", ".dice"))
    for pattern in (f"{stem}-damaged-*{ending}", f"{stem}-replaced-*{ending}", f"backups/{stem}-*.db"):
        yield from journal.parent.glob(pattern)


def _unmerged(path: Path) -> str:
    """Return a notice if the last steps are in a side file that cannot be read there, else ""."""
    log = beside(path, "-wal")
    with contextlib.suppress(OSError):
        if log.stat().st_size and not beside(path, "-shm").exists():
            return f"; what was written last (in {log.name}) is not shown"
    return ""
