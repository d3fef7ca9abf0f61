"""The journal: every fight of a game master in one SQLite file.

What `commit` was given is on disk when it returns (WAL, `synchronous=FULL`); steps are only ever added.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tracker.core.clock.joining import slug
from tracker.core.terms.errors import CorruptJournal, TrackerError
from tracker.session.rows import Commit, FightSummary, Head, NewFight, ShownRow, StepRow, Stored
from tracker.session.rulesets.installed import app_version
from tracker.session.settings import just_after, now
from tracker.session.store import schema
from tracker.session.store.backups import Backups, missing, set_aside
from tracker.session.store.locks import Lock, LockHeld, LockUnavailable
from tracker.session.store.storage import connect, in_words, is_damage, not_saved, roll_back, unreadable

__all__ = ["Journal"]

_T = TypeVar("_T")
_Row = TypeVar("_Row", bound=Struct)
_Execute: TypeAlias = Callable[..., sqlite3.Cursor]
_BACKUP_EVERY = 100
_MOST_CACHED = 32_000_000


class Journal:
    """An open journal; `notice` is one line about it that people should read, `read_only` whether nothing can be written."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, read_only: bool, notice: str, without_locks: bool
    ) -> None:
        self.path, self._connection, self.read_only, self.notice, self._without_locks = (
            path,
            connection,
            read_only,
            notice,
            without_locks,
        )
        self.backups = Backups(path)
        self._commits = 0

    @staticmethod
    def default_path() -> Path:
        """Return where the journal is kept unless somebody says otherwise."""
        import platformdirs  # not needed when a path is given

        return platformdirs.user_data_path("encounter-tracker", appauthor=False) / "fights.db"

    @classmethod
    def open(cls, path: Path | str, read_only: bool = False, without_locks: bool = False) -> Journal:
        """Open a journal, or make it; a damaged one is set aside, and the newest backup put in its place.

        `without_locks`: where the file system has no locks, write nevertheless; then nothing keeps a second program
        from writing too.

        Raises:
            TrackerError: where it can be neither read nor made.
        """
        path = Path(path)
        notice = "" if path.exists() and path.stat().st_size else missing(path)
        with contextlib.suppress(OSError):
            if not read_only:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for _ in range(2):
            try:
                connection, writable = connect(path, read_only)
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise TrackerError(
                        f"the journal {path} cannot be opened: {in_words(error)}", "journal_unreadable"
                    ) from error
                if read_only:
                    raise CorruptJournal(f"the journal {path} is damaged: {in_words(error)}") from error
                try:
                    notice = set_aside(path)
                except OSError as failed:
                    raise CorruptJournal(f"the journal {path} is damaged and cannot be set aside: {failed}") from failed
            else:
                older = _brought_up(path, connection) if writable else ""
                if older:
                    connection.close()
                    connection, writable = connect(path, read_only=True)
                    notice = f"the journal {path} is of an older format and can only be read until it can be brought up to date: {older}"
                elif not writable and not read_only:
                    notice = f"the journal {path} can only be read: nothing can be written there{_unmerged(path)}"
                return cls(path, connection, not writable, notice, without_locks)
        raise CorruptJournal(f"the journal {path} is damaged, and so is its newest backup")

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
        """Return the fights, the one played last first; `discarded`: those put away instead."""
        with self._reading():
            rows = self._connection.execute(
                "SELECT id, title, ruleset, round, up, at, steps, over, pending, created, discarded, sandbox IS NOT NULL"
                " FROM fight JOIN head ON head.fight = fight.number WHERE (discarded IS NOT NULL) = ? ORDER BY at DESC, number DESC",
                (discarded,),
            ).fetchall()
        return tuple(self._sound(FightSummary, row) for row in rows)

    def check(self, fight: str) -> None:
        """Raise TrackerError where there is no such fight."""
        with self._reading():
            found = self._connection.execute("SELECT 1 FROM fight WHERE id = ?", (fight,)).fetchone()
        if found is None:
            raise TrackerError(f'there is no fight "{fight}" in {self.path}', "no_such_fight")

    def prepared(self, fight: str) -> NewFight:
        """Return what a fight was made of; raises TrackerError where there is none of that name."""
        with self._reading():
            row = self._connection.execute(
                "SELECT title, ruleset, ruleset_version, encounter, source, created FROM fight WHERE id = ?", (fight,)
            ).fetchone()  # fmt: skip - one question
        if row is None:
            raise TrackerError(f'there is no fight "{fight}" in {self.path}', "no_such_fight")
        return self._sound(NewFight, row)

    def load(self, fight: str) -> Stored:
        """Read a whole fight.

        Raises:
            TrackerError: where there is no such fight, or the file is damaged.
        """
        with self._reading():
            execute = self._connection.execute
            row = execute(
                "SELECT number, title, ruleset, ruleset_version, encounter, source, created FROM fight WHERE id = ?",
                (fight,),
            ).fetchone()
            if row is None:
                raise TrackerError(f'there is no fight "{fight}" in {self.path}', "no_such_fight")
            number = int(row[0])
            head = execute(
                "SELECT seq, at, round, up, steps, over, pending, draft, sandbox FROM head WHERE fight = ?", (number,)
            ).fetchone()
            chosen = "SELECT key & ?, parent, at, reached, step, answers, entries, back FROM step WHERE key BETWEEN ? AND ? ORDER BY key"
            steps = execute(chosen, (schema.MOST_STEPS - 1, *schema.keys_of(number))).fetchall()
            redo = execute("SELECT position FROM redo WHERE fight = ? ORDER BY place", (number,)).fetchall()
            names = execute("SELECT seq, name FROM branch WHERE fight = ? ORDER BY seq", (number,)).fetchall()
            shown = execute("SELECT kind, place, text FROM shown WHERE fight = ?", (number,)).fetchall()
        return Stored(
            number,
            fight,
            self._sound(NewFight, row[1:]),
            self._sound(Head, head),
            self._converted(steps, tuple[StepRow, ...]),
            self._converted([text for (text,) in redo], tuple[bytes, ...]),
            self._converted(names, tuple[tuple[int, str], ...]),
            self._converted(shown, tuple[ShownRow, ...]),
        )

    def _sound(self, kind: type[_Row], row: tuple[object, ...] | None) -> _Row:
        """Return a row as what it should be."""
        plain = dict(zip(kind.__struct_fields__, row or (), strict=False))
        return self._converted(plain | {flag: bool(plain[flag]) for flag in ("over", "trying") if flag in plain}, kind)

    def _converted(self, plain: object, kind: type[_T]) -> _T:
        try:
            return msgspec.convert(plain, kind, builtin_types=(bytes,))
        except msgspec.ValidationError as error:
            raise CorruptJournal(
                f"the journal {self.path} is damaged ({in_words(error)}); backups are in {self.backups.folder}"
            ) from error

    def state(self, number: int, seq: int, code: str) -> bytes | None:
        """Return a cached state, if this code wrote it."""
        with self._reading():
            row = self._connection.execute(
                "SELECT text FROM state WHERE fight = ? AND seq = ? AND code = ?", (number, seq, code)
            ).fetchone()
        return None if row is None else bytes(row[0])

    def version(self) -> int:
        """Return a number that changes when another program writes."""
        with self._reading():
            return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    # -- writing -------------------------------------------------------------------------------------------------------

    def create(self, fight: NewFight, first: Commit) -> tuple[int, str, Lock | None]:
        """Write a new fight with its first commit; return its number, its id and the lock on it.

        Raises:
            TrackerError: where that fails, or nothing may be written without a lock.
        """
        lock = None
        try:
            with self._writing():
                key = self._free_id(fight.title)
                lock, why = self.lock(key)
                if lock is None and why:
                    raise TrackerError(why, "read_only")
                number = self._add_fight(key, fight)
                self._add(number, self._last(number, first), new=True)
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        self.backups.soon()
        return number, key, lock

    def commit(self, number: int, change: Commit) -> None:
        """Write what an intent changed.

        Raises:
            TrackerError: where that fails; nothing of it is written then.
        """
        with self._writing():
            self._add(number, self._last(number, change))
        self._commits += 1
        if not self._commits % _BACKUP_EVERY:
            self.backups.soon()

    def cache(self, states: Sequence[tuple[int, int, str, bytes]]) -> None:
        """Keep folded states (fight, step, code, text), and merge the side file into the journal; raises TrackerError where that fails: nothing is lost."""
        with self._writing() as execute:
            for state in states:
                execute("INSERT OR REPLACE INTO state VALUES (?, ?, ?, ?)", state)
                number = state[0]
                if (
                    execute("SELECT sum(length(text)) FROM state WHERE fight = ?", (number,)).fetchone()[0]
                    > _MOST_CACHED
                ):
                    # Every second one goes, the newest stays: the further back, the longer the way from one to the
                    # next.
                    places = "SELECT seq, row_number() OVER (ORDER BY seq DESC) AS place FROM state WHERE fight = ?"
                    execute(
                        f"DELETE FROM state WHERE fight = ? AND seq IN (SELECT seq FROM ({places}) WHERE place % 2 = 0)",
                        (number, number),
                    )
        with self._reading():
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def import_fight(self, fight: NewFight, change: Commit, redo: Sequence[bytes]) -> str:
        """Write a whole fight that comes from a file; return its id."""
        with self._writing():
            key = self._free_id(fight.title)
            number = self._add_fight(key, fight)
            self._add(number, replace(change, redo="restore", restored=tuple(redo)), new=True)
        return key

    def discard(self, fight: str, discarded: bool = True) -> None:
        """Put a fight away, or take it out again; it stays in the journal."""
        with self._writing() as execute:
            execute("UPDATE fight SET discarded = ? WHERE id = ?", (now() if discarded else None, fight))

    def lock(self, fight: str) -> tuple[Lock | None, str]:
        """Take the right to write a fight; without it, return why not, or "" where writing without a lock was allowed."""
        if self.read_only:
            return None, self.notice or f"the journal {self.path} is open for reading only"
        try:
            return Lock(self.path.parent / "locks" / f"{self.path.stem}-{fight}.lock"), ""
        except LockHeld as held:
            return None, f"this fight is open in {held}: here it can only be read"
        except LockUnavailable as missing:
            if self._without_locks:
                return None, ""
            return (
                None,
                f"file locks do not work here ({missing}): the fight can only be read unless you allow writing without them",
            )

    def _free_id(self, title: str) -> str:
        wanted = slug(title)[:40].strip("-")
        used = {row[0] for row in self._connection.execute("SELECT id FROM fight")}
        key, number = wanted, 2
        while key in used:
            key, number = f"{wanted}-{number}", number + 1
        return key

    def _add_fight(self, key: str, fight: NewFight) -> int:
        row = (
            key,
            fight.title,
            fight.ruleset,
            fight.version,
            app_version(),
            schema.FORMAT,
            fight.created or now(),
            fight.encounter,
            fight.source,
        )
        names = "id, title, ruleset, ruleset_version, app, format, created, encounter, source"
        return int(
            self._connection.execute(f"INSERT INTO fight ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row).lastrowid
            or 0
        )

    def _last(self, number: int, change: Commit) -> Commit:
        """Return a change with a time behind that of every other fight, so that the one played last is known after the clock was set back."""
        latest = self._connection.execute("SELECT max(at) FROM head WHERE fight <> ?", (number,)).fetchone()[0]
        if latest is None or change.head.at > latest:
            return change
        return replace(change, head=replace(change.head, at=just_after(latest)))

    def _add(self, number: int, change: Commit, new: bool = False) -> None:
        execute, head = self._connection.execute, change.head
        for step in change.steps:
            execute("INSERT INTO step VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (schema.step_key(number, step[0]), *step[1:]))
        values = (head.seq, head.at, head.round, head.up, head.steps, head.over, head.pending, head.draft, head.sandbox)
        if new:
            execute("INSERT INTO head VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (number, *values))
        else:
            chosen = "seq = ?, at = ?, round = ?, up = ?, steps = ?, over = ?, pending = ?, draft = ?, sandbox = ?"
            execute(f"UPDATE head SET {chosen} WHERE fight = ?", (*values, number))
        if change.shown:
            many = self._connection.executemany
            many(
                "INSERT OR REPLACE INTO shown VALUES (?, ?, ?, ?)",
                [(number, *row) for row in change.shown if row[2] is not None],
            )
            many(
                "DELETE FROM shown WHERE fight = ? AND kind = ? AND place = ?",
                [(number, *row[:2]) for row in change.shown if row[2] is None],
            )
        match change.redo:
            case "clear":
                execute("DELETE FROM redo WHERE fight = ?", (number,))
            case "push":
                execute(
                    "INSERT INTO redo SELECT ?, 1 + ifnull(max(place), 0), ? FROM redo WHERE fight = ?",
                    (number, change.pushed, number),
                )
            case "pop":
                execute(
                    "DELETE FROM redo WHERE fight = ? AND place = (SELECT max(place) FROM redo WHERE fight = ?)",
                    (number, number),
                )
            case "restore":
                execute("DELETE FROM redo WHERE fight = ?", (number,))
                rows = [(number, place, text) for place, text in enumerate(change.restored, start=1)]
                self._connection.executemany("INSERT INTO redo VALUES (?, ?, ?)", rows)
        for seq, name in change.names:
            if name:
                execute("INSERT OR REPLACE INTO branch VALUES (?, ?, ?)", (number, seq, name))
            else:
                execute("DELETE FROM branch WHERE fight = ? AND seq = ?", (number, seq))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except UnicodeDecodeError as error:
            raise CorruptJournal(
                f"the journal {self.path} is damaged ({in_words(error)}); backups are in {self.backups.folder}"
            ) from error
        except sqlite3.DatabaseError as error:
            if is_damage(error):
                raise CorruptJournal(
                    f"the journal {self.path} is damaged ({in_words(error)}); backups are in {self.backups.folder}"
                ) from error
            raise TrackerError(
                f"the journal {self.path} cannot be read: {in_words(error)}", "journal_unreadable"
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[_Execute]:
        if self.read_only:
            raise TrackerError(self.notice or f"the journal {self.path} is open for reading only", "read_only")
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection.execute
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            roll_back(connection)
            raise not_saved(error, self.path) from error
        except UnicodeDecodeError as error:
            roll_back(connection)
            raise not_saved(unreadable(error), self.path) from error
        except BaseException:
            roll_back(connection)
            raise


def _brought_up(path: Path, connection: sqlite3.Connection) -> str:
    """Bring a journal of an older format up to date, once there is a backup of it; return why that failed, or ""."""
    if not schema.outdated(connection):
        return ""
    backups = Backups(path)
    if backups.make() is None:
        return backups.problem
    try:
        schema.migrate(connection)
    except sqlite3.Error as error:
        roll_back(connection)
        return in_words(error)
    return ""


def _unmerged(path: Path) -> str:
    """Say that the last steps lie in a side file, which cannot be read in a folder where nothing can be written."""
    ahead, shared = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
    with contextlib.suppress(OSError):
        if ahead.stat().st_size and not shared.exists():
            return f"; what was written last (in {ahead.name}) is not shown"
    return ""
