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
"""Modules of light that a QR code wants around it."""
_OUTSIDE = ("203.0.113.1", 9)
"""An address for documents: nothing is sent there, but the system says by which network it would go."""


def network_address() -> str:
    """Return this computer's address in its network.

    Raises:
        TrackerError: it is in no network.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(_OUTSIDE)
            found = str(way.getsockname()[0])
        except OSError:
            found = LOOPBACK
    if ipaddress.ip_address(found).is_loopback or ipaddress.ip_address(found).is_unspecified:
        raise TrackerError("this computer is in no network: join one, or name its address with --bind", "no_network")
    return found


def bound(address: str) -> str:
    """Return an address to bind to, as it was typed.

    Raises:
        TrackerError: it is no address, or means every network at once.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError as error:
        raise TrackerError(
            f"--bind {address}: give an address in numbers, such as 192.168.1.20", "no_address"
        ) from error
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    if found.is_unspecified or (mapped is not None and mapped.is_unspecified):
        raise TrackerError(f"--bind {address} means every network at once: name the one address", "every_address")
    return str(found)


def qr_lines(url: str, quiet: int = QUIET_ZONE) -> tuple[str, ...]:
    """Return a QR code as lines of half blocks, to be drawn dark on light.

    Cameras dislike it the other way round, and want `quiet` modules of light around it. Without the library for it
    there are no lines.
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
"""Seconds that open pages get when the server ends."""
TOKEN_BYTES, BACKLOG = 15, 64


USUAL_PORT = 8023


class Place(Struct, frozen=True):
    """Where to serve: an address, and a port; 0 is any free one, None the usual one or any if that is in use."""

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
        fight: a fight's id; "": the one played last is followed.
        place: where to listen.
        dice: players may send dice.
        until_closed: end with the standard input, each line of which names the fight to show from now on.
        new_address: an address of earlier today is good no more.

    Raises:
        TrackerError: where the address cannot be used, or the dice not be kept.
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
    """Listen at a place; where no port is named at the `last` one, the usual one or any that is free."""
    if place.port is None:
        for port in (last, USUAL_PORT) if last else (USUAL_PORT,):
            with contextlib.suppress(TrackerError):
                return _listening(replace(place, port=port))
        return _listening(replace(place, port=0))
    family = socket.AF_INET6 if ":" in place.address else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere the option would let a second server take the same port
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((place.address, place.port))
        found.listen(BACKLOG)  # from here on guests are kept until the server is ready
    except OSError as error:
        found.close()
        raise TrackerError(
            f"{place.host} cannot be used: {error.strerror or error}; another --port may be free", "no_address"
        ) from error
    return found


def _box(journal: Path) -> DiceBox:
    try:
        return DiceBox(box_of(journal))
    except (OSError, sqlite3.Error) as error:
        raise TrackerError(f"the players' dice cannot be kept in {box_of(journal)}: {error}", "no_dice") from error


LASTS = 12 * 3600.0
"""Seconds for which an address is good: open pages stay connected, and players need no new code."""


class _Address:
    """The token of a journal's page and the port it was last served at, in a file beside the journal."""

    def __init__(self, place: Path | None, token: str = "", port: int = 0) -> None:
        """Take an earlier token, or make one; without a `place` nothing is kept."""
        self._place, self._token, self.port = place, token, port

    def kept(self, port: int) -> str:
        """Return the token, after it was written with the port it is served at; its time is that of its making."""
        token = self._token or secrets.token_urlsafe(TOKEN_BYTES)
        if self._place is None or (self._token and port == self.port):
            return token
        with contextlib.suppress(OSError):
            made = self._place.lstat().st_mtime if self._token else time.time()
            self._place.unlink(missing_ok=True)  # others could read an older one, or a link lies there
            with open(self._place, "x", encoding="ascii", opener=private) as file:
                file.write(f"{token} {port}")
            os.utime(self._place, (made, made))
        return token


@contextlib.contextmanager
def _address(journal: Path, new: bool) -> Iterator[_Address]:
    """Return the address of the last twelve hours, or a new one.

    A second server of the same journal has an address of its own, which is not kept.
    """
    place = journal.with_name(f"{journal.name}.token")
    try:
        lock = Lock(journal.parent / "locks" / f"{journal.name}.serve")
    except (LockHeld, LockUnavailable):
        yield _Address(None)
        return
    try:
        yield _Address(place) if new else _left(place)
    finally:
        lock.release()


def _left(place: Path) -> _Address:
    """Return the address that an earlier server has left, a new one if there is none or its time is over."""
    try:
        about = place.lstat()
        secret = stat.S_ISREG(about.st_mode) and (os.name != "posix" or not about.st_mode & 0o077)
        fresh = 0 <= time.time() - about.st_mtime < LASTS
        text = place.read_bytes()[:100].decode("ascii") if secret and fresh else ""
    except (OSError, UnicodeDecodeError):
        return _Address(place)
    length = len(secrets.token_urlsafe(TOKEN_BYTES))
    found = re.fullmatch(f"([A-Za-z0-9_-]{{{length}}}) ([0-9]{{1,5}})", text)
    return _Address(place) if found is None else _Address(place, found[1], int(found[2]))


def _end_calmly(server: uvicorn.Server) -> None:
    """Let every signal to end lead to the one end.

    One may come before the library listens for it. What it was sent it sends itself again once it has ended; that must
    not kill what is tidied up then.
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
