"""Monkeys at the players' phones: they ask, claim, send dice and rubbish.

A stranger at another address guesses tokens meanwhile: he is made to wait, the players are not.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from tests.serve.site import Answer, Site, events
from tracker.serve.security import MINUTE, TRIES

__all__ = ["Phones", "phones"]

REFUSED = (400, 403, 404, 405, 408, 409, 411, 413, 414, 415, 421, 422, 431)
"""How the server says no to a player."""
WAITING = 429
"""How it says no to one who has guessed, asked or pointed too often."""
ELSEWHERE = "127.0.0.2"
"""Another address of this computer; not every system has it."""
DEVICES = tuple(letter * 32 for letter in "abc")
RUBBISH = (
    b"",
    b"{",
    b"null",
    b"[" * 2_000,
    b"\xff\xfe",
    b'{"who": 1}',
    b'{"ask": "x", "who": "x", "device": "x", "faces": [1e99]}',
    b'{"ask": "x", "who": "x", "device": "x", "total": 99999999999999999999999}',
    b"x" * 20_000,
)


class Phones:
    """What the phones of a table were told.

    Attributes:
        said: how often each status came.
        guessed: the same of the stranger.
        wrong: what should never come.
    """

    def __init__(self, site: Site, seed: int) -> None:
        self.said, self.wrong = Counter[int](), list[str]()
        self.guessed = Counter[int]()
        self._site, self._chance = site, Random(seed)
        self._view: dict[str, Any] = {}
        self._tag, self._stop = "", threading.Event()
        self._thread = threading.Thread(target=self._run, name="phones")

    def begin(self) -> None:
        """Let them loose."""
        self._thread.start()

    def end(self) -> None:
        """Have them stop."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        actions: list[Callable[[], Answer | None]] = [self._look] * 2 + [self._claim] * 2 + [self._roll] * 3
        actions += [self._say, self._ping, self._rubbish, self._listen, *([self._guess] if has_elsewhere() else ())]
        while not self._stop.wait(0.002):
            action = self._chance.choice(actions)
            try:
                self._heard(action.__name__, action())
            except Exception as error:  # noqa: BLE001 - the test fails on it
                self.wrong.append(f"{action.__name__}: {error!r}")
                return

    def _heard(self, action: str, answer: Answer | None) -> None:
        if answer is None:
            return
        self.said[answer.status] += 1
        waits = (WAITING,) if action in ("_say", "_ping", "_claim", "_roll", "claim") else ()
        if answer.status not in (200, 202, 304, *REFUSED, *waits):
            self.wrong.append(f"{action}: {answer.status} {answer.body[:200]!r}")

    def _look(self) -> Answer:
        known = {"If-None-Match": self._tag} if self._tag and self._chance.random() < 0.5 else {}
        answer = self._site.ask(self._chance.choice(("view", "view", "view", "", "page.js")), headers=known)
        if answer.status == 200 and answer.headers["content-type"].startswith("application/json"):
            self._tag = answer.headers["etag"]
            self._view = answer.told or {}
        return answer

    def _listen(self) -> None:
        with events(self._site) as told:
            next(told)

    def _who(self) -> str:
        """One of the characters shown, or one that is not there."""
        people = [one["id"] for one in self._view.get("combatants", ())]
        return str(self._chance.choice([*people, "x"]))

    def _claim(self) -> Answer:
        device, drop = self._chance.choice(DEVICES), self._chance.random() < 0.2
        return self._site.post("claim", {"who": self._who(), "device": device, "drop": drop})

    def _roll(self) -> Answer | None:
        asks = (self._view.get("table") or {}).get("asks")
        if not asks:
            return self._look()
        ask = self._chance.choice(asks)
        said: dict[str, Any] = {"ask": ask["key"], "who": ask["who"], "device": self._chance.choice(DEVICES)}
        if self._chance.random() < 0.7:
            self._heard("claim", self._site.post("claim", {"who": ask["who"], "device": said["device"]}))
        sides = list(ask["sides"])
        faces = [self._chance.randint(1, max(1, one)) for one in sides]
        bad = [self._chance.randint(-3, 99) for _ in range(self._chance.randint(0, 4))]
        fitting = {"faces": faces} if self._chance.random() < 0.7 else {"total": sum(faces)}
        return self._site.post("roll", said | (fitting if self._chance.random() < 0.8 else {"faces": bad}))

    def _say(self) -> Answer:
        text = self._chance.choice(("−5 me", "<b>charge</b>", "x" * 81, "\u202e", ""))
        return self._site.post("say", {"who": self._who(), "device": self._chance.choice(DEVICES), "text": text})

    def _ping(self) -> Answer:
        x, y = (self._chance.randint(-1, 30) for _ in range(2))
        return self._site.post("ping", {"who": self._who(), "device": self._chance.choice(DEVICES), "x": x, "y": y})

    def _rubbish(self) -> Answer:
        paths = ("claim", "roll", "say", "ping", "picture", "view", "events/x", "../view", "%00", "a" * 3_000)
        path = self._chance.choice(paths)
        method = self._chance.choice(("GET", "POST", "PUT", "DELETE"))
        kind = self._chance.choice(({"Content-Type": "application/json"}, {}, {"Origin": "http://elsewhere"}))
        return self._site.ask(path, method, self._chance.choice(RUBBISH), kind)

    def _guess(self) -> None:
        path = self._chance.choice(("/", "/x/view", "/x/roll", f"/{'x' * 20}/"))
        status = self._site.ask(path, self._chance.choice(("GET", "POST")), source=ELSEWHERE).status
        self.guessed[status] += 1
        if status not in (404, WAITING):
            self.wrong.append(f"guess {path}: {status}")


def has_elsewhere() -> bool:
    """Tell whether this system can ask from the other address."""
    with socket.socket() as tried:
        try:
            tried.bind((ELSEWHERE, 0))
        except OSError:
            return False
    return True


@contextmanager
def phones(journal: Path, seed: int) -> Iterator[Phones]:
    """Serve the page of a journal and let monkeys at it."""
    site = Site(journal, "--rolls")
    found, begun = Phones(site, seed), time.monotonic()
    found.begin()
    try:
        yield found
        found.end()
        assert found.wrong == [], found.wrong[:3]
        assert site.process.poll() is None, "the server has ended"
        assert found.guessed[404] <= TRIES * (1 + (time.monotonic() - begun) // MINUTE), (
            "the stranger has guessed too often"
        )
        assert json.loads(site.ask("view").body) is not None
    finally:
        found.end()
        site.close()
