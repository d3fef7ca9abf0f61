"""The server: one address, one token, one process."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import re
import secrets
import signal
import socket
import sqlite3
import stat
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import uvicorn
from msgspec import Struct
from msgspec.structs import replace

from tracker.core.terms.errors import TrackerError
from tracker.library.private_files import private
from tracker.serve.app import application
from tracker.serve.feed import Feed
from tracker.serve.security import HEAD, Clients, ConnectionLimiter, SecurityMiddleware
from tracker.session.store.dice_box import DiceBox, box_of
from tracker.session.store.locks import Lock, LockHeld, LockUnavailable
from tracker.session.store.player_view_reader import PlayerViewReader

LOOPBACK = "127.0.0.1"
QUIET_ZONE = 4
"""Width of the light margin of a QR code, in modules."""
_OUTSIDE = ("203.0.113.1", 9)
"""An address for documents: nothing is sent there, but the system tells the network to it."""


def network_address() -> str:
    """Return this computer's address in its network, or raise TrackerError if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUTSIDE)
            address = str(probe.getsockname()[0])
        except OSError:
            address = LOOPBACK
    if ipaddress.ip_address(address).is_loopback or ipaddress.ip_address(address).is_unspecified:
        raise TrackerError("this computer is in no network: join one, or name its address with --bind", "no_network")
    return address


def bound(typed: str) -> str:
    """Return the typed address to bind to.

    Raises:
        TrackerError: if it is no address, or means every network at once.
    """
    try:
        address = ipaddress.ip_address(typed)
    except ValueError as error:
        why = f"--bind {typed}: give an address in numbers, such as 192.168.1.20"
        raise TrackerError(why, "no_address") from error
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    if address.is_unspecified or (mapped is not None and mapped.is_unspecified):
        raise TrackerError(f"--bind {typed} means every network at once: name the one address", "every_address")
    return str(address)


def qr_lines(url: str, quiet: int = QUIET_ZONE) -> tuple[str, ...]:
    """Return a QR code as lines of half blocks, to be drawn dark on light; () without the library for it.

    Many cameras cannot read it light on dark, and need `quiet` light modules around it.
    """
    try:
        import segno
    except ImportError:
        return ()
    rows = [list(row) for row in segno.make(url, error="l", micro=False).matrix_iter(border=quiet)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    signs = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}
    return tuple(
        "".join(signs[upper, lower] for upper, lower in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    )


def qr_ansi(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a code in black on white, two of the 256 colours that are the same in every theme."""
    return tuple([f"\x1b[38;5;16;48;5;231m{line}\x1b[0m" for line in lines])


GRACE = 1
"""Seconds until the server closes open pages at its end."""
TOKEN_BYTES, BACKLOG = 15, 64
USUAL_PORT = 8023


class Place(Struct, frozen=True):
    """The address and port to serve at; port 0 is any free one, None the usual one or any if that is in use."""

    address: str
    port: int | None = None

    @property
    def host(self) -> str:
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


def serve(
    journal: Path, fight: str, place: Place, *, dice: bool, until_closed: bool, new_address: bool = False
) -> None:
    """Serve a fight's page until the process is told to end.

    Args:
        journal: the journal; it is only read.
        fight: a fight's id; "": always the fight played last.
        place: the address and port to listen at.
        dice: players may send dice.
        until_closed: end with the standard input; each line of it names the fight to show from then on.
        new_address: the address of the last twelve hours is no longer valid.

    Raises:
        TrackerError: if the address cannot be used, or the dice cannot be stored.
    """
    with (
        contextlib.closing(PlayerViewReader(journal, fight)) as watch,
        contextlib.closing(_box(journal)) as box,
        _address(journal, new_address) as address,
    ):
        feed = Feed(watch, box, _tell, dice=dice)
        clients = Clients()
        box.note_pages({})
        listening = _listening(place, address.port)
        place = Place(place.address, listening.getsockname()[1])
        token = address.kept(place.port or 0)
        url = f"http://{place.host}/{token}/"
        hosts = {place.host} | ({f"localhost:{place.port}"} if place.address == "127.0.0.1" else set())
        config = uvicorn.Config(
            SecurityMiddleware(application(feed, box, dice=dice), token, frozenset(hosts), clients),
            http=type("Limiter", (ConnectionLimiter,), {"clients": clients}),
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE,
            h11_max_incomplete_event_size=HEAD,
        )
        server = uvicorn.Server(config)
        if until_closed:
            threading.Thread(target=_end_with_input, args=(watch,), daemon=True).start()
        _end_calmly(server)
        picture = qr_lines(url)
        if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
            picture = qr_ansi(picture)
        sys.stdout.write("\n".join((url, "", *picture, "")))
        sys.stdout.flush()
        asyncio.run(server.serve(sockets=[listening]))


def _listening(place: Place, last: int = 0) -> socket.socket:
    """Listen at a place; without a port at the `last` one, the usual one or any free one."""
    if place.port is None:
        for port in (last, USUAL_PORT) if last else (USUAL_PORT,):
            with contextlib.suppress(TrackerError):
                return _listening(replace(place, port=port))
        return _listening(replace(place, port=0))
    family = socket.AF_INET6 if ":" in place.address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # on Windows the option would let a second server take the same port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((place.address, place.port))
        listening.listen(BACKLOG)  # from here on clients wait until the server is ready
    except OSError as error:
        listening.close()
        why = f"{place.host} cannot be used: {error.strerror or error}; another --port may be free"
        raise TrackerError(why, "no_address") from error
    return listening


def _box(journal: Path) -> DiceBox:
    try:
        return DiceBox(box_of(journal))
    except (OSError, sqlite3.Error) as error:
        raise TrackerError(f"the players' dice cannot be kept in {box_of(journal)}: {error}", "no_dice") from error


LASTS = 12 * 3600.0
"""Seconds for which an address is valid: open pages connect again, and players need no new code."""


class _Address:
    """The token of a journal's page and the port it was last served at, in a file beside the journal."""

    def __init__(self, file: Path | None, token: str = "", port: int = 0) -> None:
        """Take an earlier token, or make one; without a file it is not stored."""
        self._file, self._token, self.port = file, token, port

    def kept(self, port: int) -> str:
        """Store the token with the port it is served at, and return it; the file's time is that of a new token."""
        token = self._token or secrets.token_urlsafe(TOKEN_BYTES)
        if self._file is None or (self._token and port == self.port):
            return token
        with contextlib.suppress(OSError):
            made_at = self._file.lstat().st_mtime if self._token else time.time()
            self._file.unlink(missing_ok=True)  # others could read an older file, or it is a link
            with open(self._file, "x", encoding="ascii", opener=private) as stream:
                stream.write(f"{token} {port}")
            os.utime(self._file, (made_at, made_at))
        return token


@contextlib.contextmanager
def _address(journal: Path, new: bool) -> Iterator[_Address]:
    """Yield the address of the last twelve hours, or a new one; of a second server a new one that is not stored."""
    file = journal.with_name(f"{journal.name}.token")
    try:
        lock = Lock(journal.parent / "locks" / f"{journal.name}.serve")
    except (LockHeld, LockUnavailable):
        yield _Address(None)
        return
    try:
        yield _Address(file) if new else _stored_address(file)
    finally:
        lock.release()


def _stored_address(file: Path) -> _Address:
    """Return the address of an earlier server, a new one if there is none or it is no longer valid."""
    try:
        status = file.lstat()
        secret = stat.S_ISREG(status.st_mode) and (os.name != "posix" or not status.st_mode & 0o077)
        fresh = 0 <= time.time() - status.st_mtime < LASTS
        text = file.read_bytes()[:100].decode("ascii") if secret and fresh else ""
    except (OSError, UnicodeDecodeError):
        return _Address(file)
    length = len(secrets.token_urlsafe(TOKEN_BYTES))
    match = re.fullmatch(f"([A-Za-z0-9_-]{{{length}}}) ([0-9]{{1,5}})", text)
    return _Address(file) if match is None else _Address(file, match[1], int(match[2]))


def _end_calmly(server: uvicorn.Server) -> None:
    """Handle every signal to end in the same way, also before uvicorn does.

    uvicorn sends itself its signal again after its end; that must not kill the program before it has cleaned up.
    """

    def end(*_: object) -> None:
        server.should_exit = True

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)


def _end_with_input(watch: PlayerViewReader) -> None:
    while line := sys.stdin.readline():
        if fight := line.strip():
            watch.follow(fight)
    signal.raise_signal(signal.SIGTERM)


def _tell(problem: str) -> None:
    if problem:
        sys.stderr.write(f"tracker: {problem}\n")
        sys.stderr.flush()
