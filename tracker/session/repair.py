"""Repair: examine a journal and its backups, and put a backup in its place; no file is overwritten."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from tracker.core.terms.errors import TrackerError
from tracker.library.private_files import private
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.backups import Backups, beside, rename_journal
from tracker.session.store.database import format_problem, open_database
from tracker.session.store.journal import Journal
from tracker.session.store.locks import Lock, LockHeld, LockUnavailable


class Examined(Struct, frozen=True):
    """The state of a journal or of a copy of it, in words."""

    path: Path
    sound: bool
    text: str


def examine(path: Path) -> Examined:
    """Examine a journal file without changing it."""
    if not path.exists():
        linked = "a link to a file that is not there" if path.is_symlink() else "there is no such journal"
        return Examined(path, False, linked)
    try:
        with closing(open_database(path, "mode=ro")) as connection:
            if why := format_problem(connection):
                return Examined(path, False, f"no journal of this program: {why}")
            wrong = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
            if wrong != "ok":
                return Examined(path, False, f"damaged: {' '.join(wrong.split())}")
            fights, steps, latest = connection.execute(
                "SELECT (SELECT count(*) FROM fight JOIN head ON head.fight = fight.number),"
                " (SELECT count(*) FROM step), (SELECT max(at) FROM head)"
            ).fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return Examined(path, False, f"damaged or unreadable: {error}")
    counts = f"{fights} fight{'' if fights == 1 else 's'}, {steps} step{'' if steps == 1 else 's'}"
    return Examined(path, True, f"sound, {counts}{f', last played {latest}' if latest else ''}")


def backups(journal: Path) -> tuple[Examined, ...]:
    """Return the backups, the newest first."""
    return tuple(examine(copy) for copy in Backups(journal).listed())


def quarantined(journal: Path) -> tuple[Path, ...]:
    """Return the journals that were set aside earlier, the newest first."""
    names = (f"{journal.stem}-{why}-*{journal.suffix}" for why in ("damaged", "replaced"))
    paths = (path for name in names for path in journal.parent.glob(name))
    return tuple(sorted(paths, key=lambda path: path.name.rpartition("-")[0], reverse=True))


def fight_problem(journal: Journal, fight: str) -> str:
    """Return what is wrong with the record of a fight, "" if its ruleset can read it to its end."""
    try:
        with Session.resume(journal, fight, registry.find) as session:
            return session.model.problem or (
                session.model.notice if session.model.head != journal.load(fight).head.seq else ""
            )
    except TrackerError as error:
        return error.message


def restore(journal: Path, copy: Path) -> Path | None:
    """Put a copy in the journal's place and return the new path of the previous journal, None if there was none.

    Raises:
        TrackerError: if a fight is open, or the files cannot be written.
    """
    locks = []
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    unfinished = beside(journal, ".part")
    try:
        for path in sorted((journal.parent / "locks").glob(f"{journal.stem}-*.lock")):
            locks.append(Lock(path))
        with copy.open("rb") as source, open(unfinished, "wb", opener=private) as target:
            shutil.copyfileobj(source, target)
            target.flush()
            os.fsync(target.fileno())
        aside = rename_journal(journal, f"replaced-{stamp}") if journal.exists() else None
        os.replace(unfinished, journal)
    except LockHeld as error:
        raise TrackerError(f"a fight of this journal is open in {error}: close it first", "journal_busy") from error
    except (LockUnavailable, OSError) as error:
        raise TrackerError(f"the backup cannot be put in its place: {error}", "not_writable") from error
    finally:
        for lock in locks:
            lock.release()
        unfinished.unlink(missing_ok=True)
    return aside
