"""Reads the players' view of a fight while another program writes it.

It has a read-only connection of its own; to poll without a change takes microseconds. It imports little, so that a
players' screen starts fast.
"""

from __future__ import annotations

import contextlib
import sqlite3
import stat
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tracker.core.terms.values import decode
from tracker.session.store.database import open_to_read
from tracker.views.public.schema import VERSION, Public, Table

_FIGHTS = "SELECT fight.number, fight.id, fight.title FROM fight JOIN head ON head.fight = fight.number"
_NEWEST = f"{_FIGHTS} WHERE discarded IS NULL ORDER BY head.at DESC, fight.number DESC LIMIT 1"
_NAMED = f"{_FIGHTS} WHERE fight.id = ?"
_KEPT = f"{_NAMED} AND discarded IS NULL"
_SHOWN = "SELECT view, at_table FROM shown WHERE fight = ?"
NOTHING = "no fight yet: the GM starts one with tracker"
OLDER = "this fight was last played by an older program: the GM has to open it once"


class _Version(Struct, frozen=True):
    """The version of a view, without the rest of it."""

    version: int


class PlayerViewReader:
    """A fight of a journal as players see it.

    Attributes:
        fight: the id of the fight that is shown; "": there is none.
        view: the players' view; None: there is none, and `problem` says why.
        problem: one line for people; "": there is none.
    """

    def __init__(self, path: Path | str, fight: str = "") -> None:
        """Show a fight by its id; without an id the fight played last, and no other while that is open."""
        self.path, self._wanted = Path(path), fight
        self.fight, self.problem = "", NOTHING
        self.view: Public | None = None
        self._connection: sqlite3.Connection | None = None
        self._version = -1
        self._stamp: tuple[int, int] | None = None

    def poll(self) -> bool:
        """Read what has changed, and tell whether fight, view or problem did."""
        before = (self.fight, self.view, self.problem)
        try:
            if not self._moved():
                return False
            self._read()
        except (sqlite3.Error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self.problem = f"the journal {self.path} cannot be read: {' '.join(str(error).split())}"
            self.close()
        return before != (self.fight, self.view, self.problem)

    def follow(self, fight: str) -> None:
        """Show another fight from the next poll on; another thread may call this."""
        self._wanted = fight
        self._version = -1

    def close(self) -> None:
        """Close the connection; the next poll opens another one."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
        self._connection, self._version, self._stamp = None, -1, None

    def _moved(self) -> bool:
        """Tell whether the journal has changed since the last poll."""
        stamp = self._inode()
        if stamp is None:
            self.close()
            self.view, self.fight, self.problem = None, "", NOTHING
            return True
        if self._connection is None or stamp != self._stamp:  # a backup may have been put in its place
            self.close()
            self._connection, self._stamp = open_to_read(self.path, timeout=0.5), stamp
        version = int(self._connection.execute("PRAGMA data_version").fetchone()[0])
        if version == self._version:
            return False
        self._version = version
        return True

    def _inode(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        # To open a pipe would wait without end.
        return (status.st_dev, status.st_ino) if status.st_size and stat.S_ISREG(status.st_mode) else None

    def _read(self) -> None:
        connection = self._connection
        if connection is None:
            return
        connection.execute("BEGIN")  # both rows are of one moment
        try:
            wanted = self._wanted
            row = connection.execute(*((_NAMED, (wanted,)) if wanted else (_NEWEST, ()))).fetchone()
            if not wanted and row is not None and self.fight not in ("", row[1]) and self._is_open(self.fight):
                row = connection.execute(_KEPT, (self.fight,)).fetchone() or row
            shown = None if row is None else connection.execute(_SHOWN, (row[0],)).fetchone()
        finally:
            connection.execute("COMMIT")
        if row is None:
            missing = f'there is no fight "{wanted}" in {self.path}' if wanted else NOTHING
            self.view, self.fight, self.problem = None, "", missing
            return
        self.fight = str(row[1])
        self._take(*(shown or (None, None)))

    def _is_open(self, fight: str) -> bool:
        """Tell whether a program plays a fight: its players are then not shown another program's fight."""
        from tracker.session.store.locks import Lock, LockHeld, LockUnavailable, place_of  # only if there are two

        place = place_of(self.path, fight)
        try:
            if place.exists():
                Lock(place).release()
        except LockHeld:
            return True
        except LockUnavailable:
            pass
        return False

    def _take(self, text: object, table: object) -> None:
        if not isinstance(text, bytes | None) or not isinstance(table, bytes | None):
            raise sqlite3.DatabaseError("the players' view is damaged")
        version = 0 if text is None else decode(text, _Version).version
        if text is None or version != VERSION:
            self.view, self.problem = None, OLDER
            return
        view, self.problem = decode(text, Public), ""
        if table is not None:
            view = replace(view, table=decode(table, Table))
        self.view = view
