"""The players' phones: the server that shows them the fight, and the dice they send.

The dice of a phone only fill the GM's prompt; Enter takes them. The server is a process of its own that ends with this
process.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from msgspec import Struct

from tracker.core.fight.board import Square
from tracker.core.terms.errors import TrackerError
from tracker.core.terms.requests import Request
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.store.player_view import ask_mark
from tracker.views.public.build import ask_of
from tracker.views.public.redaction import public_id
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.session.store.dice_box import Claim as StoredClaim
    from tracker.session.store.dice_box import DiceBox, PlayerRequest
    from tracker.session.store.dice_box import SubmittedRoll as Rolled

PATIENCE = 1.0
PING_SECONDS = 2.0
"""Seconds for which the GM sees a player's ping."""
LONGEST = 40
MOST_HEARD = 65_536
"""Most bytes kept of a server's output."""


class ServingOption(Struct, frozen=True):
    """A way to serve: its description, and the options of the command."""

    words: str
    options: tuple[str, ...]


SERVING_OPTIONS = (
    ServingOption("phones in this network, with their dice", ("--lan", "--rolls")),
    ServingOption("phones in this network, to look only", ("--lan",)),
    ServingOption("this computer only", ("--rolls",)),
)
"""The ways to serve that the GM can choose."""


class SubmittedRoll(Struct, frozen=True):
    """The dice that a phone has sent for the open question, as typed text, and the owner of the phone."""

    text: str
    whose: str


class Claim(Struct, frozen=True):
    """A character that a player has taken on a phone: its public id, its name, and the tag of the phone."""

    who: str
    name: str
    tag: str


class Server:
    """The process that serves the players' page; `url` is set when the process has printed it."""

    def __init__(self, command: Sequence[str]) -> None:
        self.url = self.problem = ""
        # The server ends at the end of this pipe, even if this program is killed.
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._said, self._complained = _Heard(self._process.stdout), _Heard(self._process.stderr)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def look(self) -> bool:
        before = (self.url, self.problem)
        if not self.url and b"\n" in self._said.text:
            self.url = clean(self._said.text.partition(b"\n")[0].decode("utf-8", "replace").strip())
        if not self.running:
            lines = self._complained.whole().decode("utf-8", "replace").strip().splitlines()
            self.problem = clean(lines[-1]) if lines else f"the server has ended with {self._process.returncode}"
        return before != (self.url, self.problem)

    def follow(self, fight: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # it has ended
            if self._process.stdin is not None:
                self._process.stdin.write(f"{fight}\n".encode())
                self._process.stdin.flush()

    def stop(self) -> None:
        with contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        if self.running:
            self._process.terminate()
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(PATIENCE)
        self._said.close()
        self._complained.close()


class _Heard:
    """The last bytes of a pipe, read by a thread: not every system can read a pipe without blocking."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        self.text = b""
        self._stream = stream
        self._thread = threading.Thread(target=self._read, name="server", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        if self._stream is None:
            return
        with self._stream, contextlib.suppress(OSError, ValueError):  # the pipe is broken
            while part := os.read(self._stream.fileno(), MOST_HEARD):
                self.text = (self.text + part)[-MOST_HEARD:]

    def whole(self) -> bytes:
        """Return the output, up to its end if the pipe ends within `PATIENCE`."""
        self._thread.join(PATIENCE)
        return self.text

    def close(self) -> None:
        """Wait up to `PATIENCE` for the end of the pipe; the thread closes it there."""
        self._thread.join(PATIENCE)


class HasServer(Protocol):
    """The owner of the server (the app): the server runs on while the GM changes fights."""

    server: Server | None


class Phones:
    """The players' phones in one fight."""

    def __init__(self, session: Session, home: HasServer) -> None:
        self._session, self._home = session, home
        self.problem = ""
        self._box: DiceBox | None = None
        self._claims: tuple[Claim, ...] | None = None
        self._handed: dict[str, SubmittedRoll | None] = {}
        self._requests: tuple[PlayerRequest, ...] = ()
        self.news = ""
        self.pinged: tuple[Square, str] | None = None
        self._pinged_at = time.time()
        if home.server is not None:
            home.server.follow(session.model.fight)

    # The server

    @property
    def server(self) -> Server | None:
        return self._home.server

    def start(self, way: ServingOption, *options: str) -> None:
        """Serve the page, and serve it again if the program restarts within the next hours."""
        self.stop()
        path = str(self._session.journal.path)
        program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "tracker"]
        command = [*program, "serve", self._session.model.fight, "--db", path, "--until-closed", *way.options, *options]
        try:
            self._home.server = Server(command)
            self.problem = ""
            self._make_box().remember_serving(way.options)
        except (OSError, sqlite3.Error) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            self.problem = f"the server cannot be started: {why}"

    def renew(self) -> None:
        """Serve at a new address; the old address becomes invalid."""
        options = self._make_box().serving()
        self.start(
            next((way for way in SERVING_OPTIONS if way.options == options), SERVING_OPTIONS[-1]), "--new-address"
        )

    def come_back(self) -> bool:
        """Serve again if the page was served when the program last ended, and tell whether it was."""
        if self.server is not None or self._box is None:
            return False
        way = next((way for way in SERVING_OPTIONS if way.options == self._box.serving()), None)
        if way is not None:
            self.start(way)
        return way is not None

    def end(self) -> None:
        """Stop serving, also after a restart."""
        self.stop()
        self._make_box().remember_serving(())

    def pages(self) -> dict[str, int]:
        """Return the number of open pages by the tag of their device, `tv`, or ""."""
        return {} if self._box is None or self.server is None else self._box.pages()

    def stop(self) -> None:
        if self.server is not None:
            self.server.stop()
            self._home.server = None

    # The dice

    def look(self) -> bool:
        changed = self.server.look() if self.server is not None else False
        try:
            self._box = self._box or _box(self._session.journal.path)
            if self._box is not None and self._box.changed():
                self._claims, self._handed, self.problem = None, {}, ""
                self._look_for_requests(self._box)
                changed = True
        except Exception as error:  # noqa: BLE001 - a file that phones write must not cost the fight
            changed, self.problem = not self.problem, f"dice of the phones cannot be read: {error}"
        return changed

    # The picture

    @property
    def folder(self) -> Path | None:
        """The folder of the encounter of this fight, None if it is unknown."""
        home = getattr(self._home, "home", None)
        box = self._make_box()
        if isinstance(home, Path):
            box.remember_folder(self._session.model.fight, home)
            return home
        return box.folder(self._session.model.fight)

    @property
    def picture(self) -> str:
        """The name of the picture shown to players, "" for none."""
        return "" if self._box is None else self._box.picture_shown(self._session.model.fight)[0]

    def show_picture(self, folder: Path, name: str) -> str:
        """Show players a picture, or return why it cannot be shown."""
        from tracker.library.pictures import read_picture

        try:
            self._make_box().show_picture(self._session.model.fight, read_picture(folder, name))
        except TrackerError as error:
            return error.message
        return ""

    def hide_picture(self) -> None:
        self._make_box().show_picture(self._session.model.fight, None)

    def show_handout(self, name: str) -> str:
        """Show the picture named in the encounter's file if the fight began from that file; return an error or ""."""
        home = getattr(self._home, "home", None)
        try:
            problem = self.show_picture(home, name) if isinstance(home, Path) and self.folder == home else ""
        except (OSError, sqlite3.Error) as error:
            problem = str(error)
        return problem and f"{name} is not shown to players: {problem}"

    def _make_box(self) -> DiceBox:
        if self._box is None:
            from tracker.session.store.dice_box import DiceBox, box_of

            self._box = DiceBox(box_of(self._session.journal.path))
        return self._box

    # Requests

    def _look_for_requests(self, box: DiceBox) -> None:
        model, before = self._session.model, {request.number for request in self._requests}
        self._requests = box.requests(model.fight)
        fresh = [request for request in self._requests if request.number not in before]
        pings = box.pings(model.fight, max(self._pinged_at, time.time() - PING_SECONDS))
        self.pinged = None
        if pings:
            last, self._pinged_at = pings[-1], pings[-1].at
            self.pinged = (last.x, last.y), self._names(model).get(last.who, "a player")
        self.news = f"{self.asker(model, fresh[0])}: {clean(fresh[0].text)} (S lists requests)" if fresh else ""

    def asker(self, model: Model, request: PlayerRequest) -> str:
        return self._names(model).get(request.who, "a player")

    @property
    def requests(self) -> tuple[PlayerRequest, ...]:
        """The requests of the players, the newest first."""
        return self._requests

    @property
    def muted(self) -> bool:
        return self._box is not None and self._box.muted

    def mute(self) -> None:
        """Stop accepting requests, or accept them again."""
        if self._box is not None:
            self._box.mute(not self._box.muted)

    def clear_requests(self) -> None:
        if self._box is not None:
            self._box.clear_requests(self._session.model.fight)
            self._requests = ()

    # Dice

    def handed(self, model: Model, request: Request) -> SubmittedRoll | None:
        """Return the dice that a phone has sent for a request."""
        asks = self._session.player_view.asks
        if not asks or model.pending_step is None or model.looking_at is not None or self._box is None:
            return None
        mark, salt = ask_mark(model.head, model.pending_step), self._session.player_view.salt
        found = ask_of(self._session.ruleset, model.state, request, mark, salt)
        ask = next((ask for ask in asks if found is not None and ask.key == found.key), None)
        if ask is None:
            return None
        if ask.key not in self._handed:
            try:
                self._handed[ask.key] = self._of(self._box.rolled(model.fight, ask.key), ask.name)
            except Exception as error:  # noqa: BLE001 - as above
                self.problem = f"dice of the phones cannot be read: {error}"
                return None
        return self._handed[ask.key]

    def _of(self, rolled: Rolled | None, name: str) -> SubmittedRoll | None:
        if rolled is None or not (rolled.faces or rolled.total is not None):
            return None
        text = " ".join(map(str, rolled.faces)) or str(rolled.total)
        return SubmittedRoll(text[:LONGEST], f"{clean(name)}'s phone")

    def claims(self, model: Model) -> tuple[Claim, ...]:
        if self._claims is None:
            stored: Sequence[StoredClaim] = ()
            try:
                stored = () if self._box is None else self._box.claims(model.fight)
            except Exception as error:  # noqa: BLE001 - as above
                self.problem = f"the phones' characters cannot be read: {error}"
            names = self._names(model)
            self._claims = tuple(
                Claim(claim.who, names.get(claim.who, "a character that has left"), clean(claim.tag)[:LONGEST])
                for claim in stored
            )
        return self._claims

    def release(self, model: Model, who: str) -> None:
        self._claims = None
        if self._box is not None:
            self._box.release(model.fight, who)

    def _names(self, model: Model) -> dict[str, str]:
        salt = self._session.player_view.salt
        return {public_id(salt, combatant.id): clean(combatant.name) for combatant in model.state.combatants}

    def close(self) -> None:
        if self._box is not None:
            self._box.close()
            self._box = None


def _box(journal: Path) -> DiceBox | None:
    if not journal.with_name(f"{journal.name}.dice").exists():
        return None
    from tracker.session.store.dice_box import DiceBox, box_of  # not needed for most fights

    return DiceBox(box_of(journal))
