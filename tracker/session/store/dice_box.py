"""The dice box: claims, dice and requests from players' phones, in a file of its own beside the journal.

The server writes it, the GM's program reads it; it changes no fight.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from tracker.library.pictures import Picture
from tracker.library.private_files import create_file
from tracker.session.store.database import open_database, other_tables

KEPT = 200
"""Answers, and requests, that are kept; older ones are deleted."""
CARRIED = 12 * 3600.0
"""Seconds for which a device keeps its characters from fight to fight, and the program serves the page again."""
SHOWN = 24
"""Answers that pages show as received, and requests that are shown."""
_FORMAT = 2
_TABLES = """
CREATE TABLE IF NOT EXISTS claim (
    fight TEXT NOT NULL, who TEXT NOT NULL, device TEXT NOT NULL, name TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (fight, who)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS carried (fight TEXT NOT NULL, who TEXT NOT NULL, PRIMARY KEY (fight, who)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rolled (
    number INTEGER PRIMARY KEY, fight TEXT NOT NULL, ask TEXT NOT NULL, who TEXT NOT NULL, faces TEXT NOT NULL,
    total INTEGER, tag TEXT NOT NULL, UNIQUE (fight, ask)
);
CREATE TABLE IF NOT EXISTS request (
    number INTEGER PRIMARY KEY, fight TEXT NOT NULL, who TEXT NOT NULL, tag TEXT NOT NULL, text TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS ping (
    who TEXT PRIMARY KEY, fight TEXT NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL, at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS picture (
    fight TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, tag TEXT NOT NULL, data BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_FIRST = "DROP TABLE rolled; DROP TABLE claim;"
"""Converts a file of the first format: characters have to be claimed and open dice rolled again."""


class Claim(Struct, frozen=True):
    """The device of a character: `who` is the character's opaque id, `tag` a short name that hides its key."""

    who: str
    tag: str


class SubmittedRoll(Struct, frozen=True):
    """Dice that a player has sent.

    Attributes:
        fight: the fight's id.
        ask: the key of the question in the players' view.
        who: the character's opaque id.
        faces: the natural faces in order; empty if a total was sent.
        total: the sum of the dice without fixed numbers; None if faces were sent.
        tag: the short name of the device that sent them.
    """

    fight: str
    ask: str
    who: str
    faces: tuple[int, ...] = ()
    total: int | None = None
    tag: str = ""


class PlayerRequest(Struct, frozen=True):
    """A player's request to the GM, in words; `who` is the character's opaque id."""

    number: int
    who: str
    text: str


class Ping(Struct, frozen=True):
    """A place a player points at: a square, or a distance on a line with `y` 0; `at` is the time in seconds."""

    fight: str
    who: str
    x: int
    y: int
    at: float


def box_of(journal: Path) -> Path:
    """Return the path of a journal's dice box."""
    return journal.with_name(f"{journal.name}.dice")


class DiceBox:
    """The players' dice and claims of one journal."""

    def __init__(self, path: Path) -> None:
        """Open the box, or make it, for the user alone.

        Raises:
            sqlite3.Error, OSError: if that is not possible.
        """
        if path.exists() and not path.is_file():
            raise OSError(f"{path} is not a file")
        create_file(path)
        self._connection = open_database(path, timeout=1.0)
        self._version = -1
        try:
            version = self._connection.execute("PRAGMA user_version").fetchone()[0]
            if not 0 <= version <= _FORMAT:
                raise sqlite3.DatabaseError(f"{path} was written by a newer version of the program")
            first = _FIRST if version == 1 else ""
            self._connection.executescript(f"{first} {_TABLES} PRAGMA user_version = {_FORMAT};")
            if other_tables(self._connection, _TABLES):
                raise sqlite3.DatabaseError(f"{path} is a database of another program")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the box."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def changed(self) -> bool:
        """Tell whether anything was written since the last call, by this program or another."""
        version = int(self._connection.execute("PRAGMA data_version").fetchone()[0]) + self._connection.total_changes
        same, self._version = version == self._version, version
        return not same

    def claims(self, fight: str) -> tuple[Claim, ...]:
        """Return the claimed characters of a fight with their devices."""
        rows = self._connection.execute("SELECT who, device FROM claim WHERE fight = ? ORDER BY who", (fight,))
        return tuple(Claim(who, _tag(device)) for who, device in rows)

    def claim(self, fight: str, who: str, device: str, name: str = "") -> str | None:
        """Claim a character for a device, and return the device's tag, None if another device has it.

        `name` is the character's name, by which `carry` finds it in other fights.
        """
        row = (fight, who, device, name, time.time())
        self._connection.execute("INSERT OR IGNORE INTO claim VALUES (?, ?, ?, ?, ?)", row)
        return _tag(device) if self.holds(fight, who, device) else None

    def holds(self, fight: str, who: str, device: str) -> bool:
        """Tell whether a device has a character."""
        row = self._connection.execute("SELECT device FROM claim WHERE fight = ? AND who = ?", (fight, who)).fetchone()
        return row is not None and row[0] == device

    def carry(self, fight: str, names: Mapping[str, str]) -> None:
        """Give the new characters of a fight to the devices that had characters of these names last.

        `names`: the name of each character by its id. A character that its player has given up in this fight stays
        free.
        """
        carried = {who for (who,) in self._connection.execute("SELECT who FROM carried WHERE fight = ?", (fight,))}
        for who, name in names.items():
            if who in carried:
                continue
            self._connection.execute("INSERT OR IGNORE INTO carried VALUES (?, ?)", (fight, who))
            row = self._connection.execute(
                "SELECT device FROM claim WHERE name = ? AND fight <> ? AND at > ? ORDER BY at DESC LIMIT 1",
                (name, fight, time.time() - CARRIED),
            ).fetchone()
            if name and row is not None:
                self.claim(fight, who, row[0], name)

    def note_pages(self, pages: Mapping[str, int]) -> None:
        """Store how many pages are open, by the tag of their device, `tv`, or "" for one without a character."""
        self._set("pages", " ".join(f"{tag}:{count}" for tag, count in sorted(pages.items()) if count))

    def pages(self) -> dict[str, int]:
        """Return how many pages are open, as `note_pages` stored them."""
        words = [word.rpartition(":") for word in self._setting("pages").split()]
        return {tag: int(count) for tag, _, count in words if count.isdigit()}

    def remember_serving(self, options: Sequence[str]) -> None:
        """Store the options of the served page, so that the next start serves it again; () if it is closed."""
        self._set("serving", " ".join((f"{time.time():.0f}", *options)) if options else "")

    def serving(self) -> tuple[str, ...]:
        """Return the options of the page if it was served within the last `CARRIED` seconds and not closed, else ()."""
        at, *options = self._setting("serving").split() or ("0",)
        return tuple(options) if at.isdigit() and 0 <= time.time() - int(at) < CARRIED else ()

    def may_roll(self, fight: str, who: str, device: str, *, shared: bool) -> bool:
        """Tell whether a device may roll for a combatant or side that it has claimed.

        `shared`: if no device has claimed it, each device that has a character of this fight may.
        """
        claims = dict(self._connection.execute("SELECT who, device FROM claim WHERE fight = ?", (fight,)))
        holder = claims.get(who)
        return holder == device or (shared and holder is None and device in claims.values())

    def release(self, fight: str, who: str, device: str | None = None) -> None:
        """Free a character: for the GM (None) from any device, else only from this one."""
        self._connection.execute(
            "DELETE FROM claim WHERE fight = ? AND who = ? AND device = ifnull(?, device)", (fight, who, device)
        )

    def put(self, rolled: SubmittedRoll, device: str) -> bool:
        """Store dice that a device has sent, and tell whether they count.

        A second answer of a device replaces its first. Another device's answer to a shared question stays.
        """
        tag, faces = _tag(device), " ".join(map(str, rolled.faces))
        earlier = self.rolled(rolled.fight, rolled.ask)
        others = earlier is not None and earlier.tag != tag and not self.holds(rolled.fight, rolled.who, device)
        if others and any(claim.tag == earlier.tag for claim in self.claims(rolled.fight) if earlier is not None):
            return False
        self._connection.execute(
            "INSERT OR REPLACE INTO rolled (fight, ask, who, faces, total, tag) VALUES (?, ?, ?, ?, ?, ?)",
            (rolled.fight, rolled.ask, rolled.who, faces, rolled.total, tag),
        )
        self._connection.execute("DELETE FROM rolled WHERE number <= (SELECT max(number) FROM rolled) - ?", (KEPT,))
        return True

    def rolled(self, fight: str, ask: str) -> SubmittedRoll | None:
        """Return the answer to a question, or None if there is none yet."""
        row = self._connection.execute(
            "SELECT who, faces, total, tag FROM rolled WHERE fight = ? AND ask = ?", (fight, ask)
        ).fetchone()
        if row is None:
            return None
        who, faces, total, tag = row
        return SubmittedRoll(fight, ask, who, tuple(int(face) for face in faces.split()), total, tag)

    def ask_gm(self, fight: str, who: str, device: str, text: str) -> None:
        """Store a request of a player; the oldest are deleted."""
        self._connection.execute(
            "INSERT INTO request (fight, who, tag, text) VALUES (?, ?, ?, ?)", (fight, who, _tag(device), text)
        )
        self._connection.execute("DELETE FROM request WHERE number <= (SELECT max(number) FROM request) - ?", (KEPT,))

    def requests(self, fight: str) -> tuple[PlayerRequest, ...]:
        """Return the requests of a fight, the newest first."""
        rows = self._connection.execute(
            "SELECT number, who, text FROM request WHERE fight = ? ORDER BY number DESC LIMIT ?", (fight, SHOWN)
        )
        return tuple(PlayerRequest(*row) for row in rows)

    def clear_requests(self, fight: str) -> None:
        """Delete the requests of a fight."""
        self._connection.execute("DELETE FROM request WHERE fight = ?", (fight,))

    def point(self, ping: Ping) -> None:
        """Store the place a player points at; it replaces the player's last one."""
        row = (ping.who, ping.fight, ping.x, ping.y, ping.at)
        self._connection.execute("INSERT OR REPLACE INTO ping VALUES (?, ?, ?, ?, ?)", row)

    def pings(self, fight: str, since: float) -> tuple[Ping, ...]:
        """Return the places that players of a fight have pointed at after a time, the newest last."""
        rows = self._connection.execute(
            "SELECT fight, who, x, y, at FROM ping WHERE fight = ? AND at > ? ORDER BY at", (fight, since)
        )
        return tuple(Ping(*row) for row in rows)

    def show_picture(self, fight: str, picture: Picture | None) -> None:
        """Show players of a fight a picture, or none."""
        self._connection.execute("DELETE FROM picture WHERE fight = ?", (fight,))
        if picture is not None:
            row = (fight, picture.name, picture.kind, picture.tag, picture.data)
            self._connection.execute("INSERT INTO picture VALUES (?, ?, ?, ?, ?)", row)

    def picture_shown(self, fight: str) -> tuple[str, str]:
        """Return name and tag of the picture that players of a fight see, both "" for none."""
        row = self._connection.execute("SELECT name, tag FROM picture WHERE fight = ?", (fight,)).fetchone()
        return ("", "") if row is None else (str(row[0]), str(row[1]))

    def picture(self, fight: str) -> Picture | None:
        """Return the picture that players of a fight see."""
        columns = "name, kind, tag, data"
        row = self._connection.execute(f"SELECT {columns} FROM picture WHERE fight = ?", (fight,)).fetchone()
        return None if row is None else Picture(*row)

    def remember_folder(self, fight: str, folder: Path) -> None:
        """Store the folder of a fight's encounter, for pictures in it."""
        self._set(f"folder:{fight}", str(folder))

    def folder(self, fight: str) -> Path | None:
        """Return the folder of a fight's encounter, None if it is unknown."""
        folder = self._setting(f"folder:{fight}")
        return Path(folder) if folder else None

    @property
    def muted(self) -> bool:
        """Whether the GM takes no requests."""
        return self._setting("muted") == "yes"

    def mute(self, on: bool) -> None:
        """Take no requests, or take them again."""
        self._set("muted", "yes" if on else "")

    def _setting(self, name: str) -> str:
        row = self._connection.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
        return "" if row is None else str(row[0])

    def _set(self, name: str, value: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, value))

    def arrived(self, fight: str) -> tuple[SubmittedRoll, ...]:
        """Return the newest answers of a fight, for pages that show which questions are answered."""
        rows = self._connection.execute(
            "SELECT ask, who, tag FROM rolled WHERE fight = ? ORDER BY number DESC LIMIT ?", (fight, SHOWN)
        )
        return tuple(SubmittedRoll(fight, ask, who, tag=tag) for ask, who, tag in rows)


def _tag(device: str) -> str:
    return hashlib.sha256(device.encode()).hexdigest()[:12]
