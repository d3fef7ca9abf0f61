"""The server as people start it: a process of its own, beside a session that plays."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

__all__ = ["ENDED", "Answer", "Site", "events"]

PATIENCE = 120.0
ENDED = 0 if os.name == "posix" else 1
"""The status of a server that is told to end: Windows does not ask, it ends it."""


class Answer(NamedTuple):
    """What the server said."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def told(self) -> Any:
        return json.loads(self.body)


class Site:
    """A running server."""

    def __init__(self, journal: Path, *options: str, port: int | None = 0) -> None:
        words = [sys.executable, "-m", "tracker", "serve", "--db", str(journal), *options]
        words += [] if port is None else ["--port", str(port)]
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        where = urlsplit(self.url)
        assert where.port is not None, self.process.stderr and self.process.stderr.read()
        self.port, self.token, self.host = where.port, where.path.strip("/"), where.netloc
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def ask(
        self,
        path: str = "",
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        source: str = "127.0.0.1",
    ) -> Answer:
        """Ask for a path behind the token, from one of this computer's addresses.

        One that begins with / is taken as it is.
        """
        connection = http.client.HTTPConnection("127.0.0.1", self.port, PATIENCE, (source, 0))
        try:
            whole = path if path.startswith("/") else f"/{self.token}/{path}"
            connection.request(method, whole, body, {"Host": self.host, **(headers or {})})
            answer = connection.getresponse()
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def post(self, path: str, said: object, **headers: str) -> Answer:
        """Send JSON as the page would."""
        sent = {"Content-Type": "application/json", "Origin": f"http://{self.host}"} | headers
        return self.ask(path, "POST", json.dumps(said).encode(), sent)

    def close(self) -> None:
        """End the server as Ctrl+C or a closed terminal would."""
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)


@contextmanager
def events(site: Site, query: str = "") -> Iterator[Iterator[tuple[str, str]]]:
    """Yield the events of a page that has just been opened, each with its kind."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    connection.request("GET", f"/{site.token}/events{query and f'?{query}'}", headers={"Host": site.host})
    answer = connection.getresponse()
    assert answer.status == 200, answer.status

    def told() -> Iterator[tuple[str, str]]:
        kind, until = "", time.monotonic() + PATIENCE
        while (line := answer.readline()) and time.monotonic() < until:
            name, _, value = line.decode().rstrip("\r\n").partition(": ")
            if name == "event":
                kind = value
            elif name == "data" and kind:
                yield kind, value
                kind = ""
        raise AssertionError("the server told nothing more in time")

    try:
        yield told()
    finally:
        connection.close()
