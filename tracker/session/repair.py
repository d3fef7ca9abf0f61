"""Repair: the state of a journal and its backups, and how a backup replaces it.

Nothing is ever overwritten.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
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
    """What a look at a journal or a copy of it found."""

    path: Path
    sound: bool
    text: str


def examine(path: Path) -> Examined:
    """Examine a journal file without changing it."""
    if not path.exists():
        linked = "a link to a file that is not there" if path.is_symlink() else "there is no such journal"
        return Examined(path, False, linked)
    try:
        connection = open_database(path, "mode=ro")
        try:
            if why := format_problem(connection):
                return Examined(path, False, f"no journal of this program: {why}")
            wrong = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
            if wrong != "ok":
                return Examined(path, False, f"damaged: {' '.join(wrong.split())}")
            fights = int(
                connection.execute("SELECT count(*) FROM fight JOIN head ON head.fight = fight.number").fetchone()[0]
            )
            steps = int(connection.execute("SELECT count(*) FROM step").fetchone()[0])
            latest = connection.execute("SELECT max(at) FROM head").fetchone()[0]
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return Examined(path, False, f"damaged or unreadable: {error}")
    when = f", last played {latest}" if latest else ""
    return Examined(
        path, True, f"sound, {fights} fight{'' if fights == 1 else 's'}, {steps} step{'' if steps == 1 else 's'}{when}"
    )


def backups(journal: Path) -> tuple[Examined, ...]:
    """Return the backups, the newest first."""
    return tuple(examine(copy) for copy in Backups(journal).listed())


def quarantined(journal: Path) -> tuple[Path, ...]:
    """Return the journals that were set aside earlier, the newest first."""
    found = [
        *journal.parent.glob(f"{journal.stem}-damaged-*{journal.suffix}"),
        *journal.parent.glob(f"{journal.stem}-replaced-*{journal.suffix}"),
    ]
    return tuple(sorted(found, key=lambda path: path.name.rpartition("-")[0], reverse=True))


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
    """Put a copy in the journal's place.

    Return the path of the previous journal, None if there was none.

    Raises:
        TrackerError: where a fight is open, or the files cannot be written.
    """
    held = []
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    unfinished = beside(journal, ".part")
    try:
        for path in sorted((journal.parent / "locks").glob(f"{journal.stem}-*.lock")):
            held.append(Lock(path))
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
        for lock in held:
            lock.release()
        unfinished.unlink(missing_ok=True)
    return aside
