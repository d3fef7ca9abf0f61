"""The guard: each attack on the page, and the answer it gets."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.serve.site import Site
from tracker.serve import guard
from tracker.serve.guard import BODY, MOST, MOST_EACH, TRIES, Door, Guests
from tracker.serve.server import USUAL_PORT
from tracker.session.session import Session

OURS = "http://{host}"


@pytest.mark.parametrize(
    ("what", "path", "method", "headers", "body", "status"),
    [
        ("the page", "", "GET", {}, None, 200),
        ("the page's own origin", "", "GET", {"Origin": OURS}, None, 200),
        ("another name, rebound to this address", "", "GET", {"Host": "evil.example"}, None, 421),
        ("the right name with another port", "", "GET", {"Host": "127.0.0.1:1"}, None, 421),
        ("no name", "", "GET", {"Host": ""}, None, 421),
        ("a foreign page that reads", "view", "GET", {"Origin": "http://evil.example"}, None, 403),
        ("a foreign page that listens", "events", "GET", {"Origin": "null"}, None, 403),
        ("a foreign page that sends", "roll", "POST", {"Origin": "http://evil.example"}, b"{}", 403),
        ("a program that sends", "roll", "POST", {}, b"{}", 403),
        ("no token", "/", "GET", {}, None, 404),
        ("a wrong token", "/AAAAAAAAAAAAAAAAAAAA/", "GET", {}, None, 404),
        ("a token that is no text", "/%ff%fe/", "GET", {}, None, 404),
        ("a file of the computer", "../../../../etc/passwd", "GET", {}, None, 404),
        ("the same, coded", "%2e%2e/%2e%2e/etc/passwd", "GET", {}, None, 404),
        ("the page's own source", "app.py", "GET", {}, None, 404),
        ("a long body", "roll", "POST", {"Origin": OURS}, b" " * (BODY + 1), 413),
        ("a body of unsaid length", "roll", "POST", {"Origin": OURS, "Content-Length": "many"}, None, 400),
        ("a form instead of JSON", "roll", "POST", {"Origin": OURS, "Content-Type": "text/plain"}, b"{}", 415),
        ("no JSON", "roll", "POST", {"Origin": OURS, "Content-Type": "application/json"}, b"{", 422),
        ("JSON of another kind", "roll", "POST", {"Origin": OURS, "Content-Type": "application/json"}, b"[1]", 422),
        ("another method", "view", "DELETE", {"Origin": OURS}, None, 405),
    ],
)
def test_each_attack_has_its_answer(
    standing: Site, what: str, path: str, method: str, headers: dict[str, str], body: bytes | None, status: int
) -> None:
    """What does not come from the page itself is refused.

    With the status that says why.
    """
    asked = {name: value.replace("{host}", standing.host) for name, value in headers.items()}

    answer = standing.ask(path, method, body, asked)

    assert answer.status == status, what


def test_every_answer_forbids_what_the_page_does_not_need(standing: Site) -> None:
    """No inline code, no frames, no copies, no address passed on: refusals too."""
    for path in ("", "view", "/wrong/"):
        headers = standing.ask(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


def test_guessing_ends_after_twenty_wrong_tokens(site: Site) -> None:
    """Then everything from there is refused for a minute.

    Icons a browser asks for are no guesses.
    """
    for _ in range(TRIES + 5):
        assert site.ask("/favicon.ico").status == 404
    for _ in range(TRIES):
        assert site.ask("/guess/").status == 404
    assert site.ask("/guess/").status == 429
    assert site.ask("").status == 429


def test_a_guest_may_try_again_after_a_minute() -> None:
    """Tries count for a minute, for their own address alone."""
    now = 0.0
    guests = Guests(lambda: now)
    for _ in range(TRIES):
        assert not guests.is_guessing("10.0.0.7")
        guests.guessed("10.0.0.7")
    assert guests.is_guessing("10.0.0.7")
    assert not guests.is_guessing("10.0.0.8")
    now = 60.0
    assert not guests.is_guessing("10.0.0.7")


def test_connections_are_bounded() -> None:
    """Twelve from one address, sixty-four in all.

    One that leaves makes room.
    """
    guests = Guests()
    assert [guests.enter("10.0.0.7") for _ in range(MOST_EACH + 1)] == [True] * MOST_EACH + [False]
    guests.leave("10.0.0.7")
    assert guests.enter("10.0.0.7")
    assert [guests.enter("127.0.0.1") for _ in range(MOST - MOST_EACH + 1)] == [True] * (MOST - MOST_EACH) + [False]


def test_one_connection_too_many_is_refused(site: Site) -> None:
    """It gets its answer at once, and the page is there again when others leave."""
    held = [socket.create_connection(("127.0.0.1", site.port)) for _ in range(MOST)]
    assert site.ask("").status == 503
    for one in held:
        one.close()
    until = time.monotonic() + 5
    while (status := site.ask("").status) != 200 and time.monotonic() < until:
        time.sleep(0.02)
    assert status == 200


def test_a_connection_that_says_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is one that drips its request.

    One whose request has come stays.
    """
    monkeypatch.setattr(guard, "PATIENCE", 0.2)

    async def page(scope: object, receive: object, send: object) -> None:
        await asyncio.sleep(0.6)

    async def visit(said: bytes, wait: float = 5) -> bool:
        import uvicorn

        config = uvicorn.Config(page, log_config=None, lifespan="off")
        state = uvicorn.server.ServerState()
        kind = type("Tried", (Door,), {"guests": Guests()})
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: kind(config, state, {}), "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(said)
            try:
                await asyncio.wait_for(reader.read(), wait)
            except TimeoutError:
                return True
            finally:
                writer.close()
            return False

    assert not asyncio.run(visit(b""))
    assert not asyncio.run(visit(b"GET / HTTP/1.1\r\nHost: "))
    assert asyncio.run(visit(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n", 0.4))


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x00" * 5000,
        b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000,
        b"GET /{token}/ HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n",
        b"POST /{token}/roll HTTP/1.1\r\nHost: {host}\r\n"
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /{token}/events HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    ],
    ids=["TLS", "a version to come", "zeros", "a head without end", "two names", "two lengths", "a web socket"],
)
def test_bytes_that_are_no_request_harm_nothing(standing: Site, sent: bytes) -> None:
    """The connection ends, or is answered as any other.

    The page is there for the next.
    """
    with socket.create_connection(("127.0.0.1", standing.port), timeout=5) as connection:
        connection.sendall(sent.replace(b"{token}", standing.token.encode()).replace(b"{host}", standing.host.encode()))
        status = connection.recv(100)[:12]
    assert status in (b"", b"HTTP/1.1 400", b"HTTP/1.1 421", b"HTTP/1.1 403", b"HTTP/1.1 200")
    assert status != b"HTTP/1.1 200" or b"websocket" in sent
    assert standing.ask("").status == 200


def test_it_listens_on_this_computer_alone(standing: Site) -> None:
    """Another address of this computer is not answered."""
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.2", standing.port), timeout=2)


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("0.0.0.0", "means every network at once"),
        ("::", "means every network at once"),
        ("my-laptop", "give an address in numbers"),
        ("203.0.113.9", "cannot be used"),
    ],
)
def test_an_address_that_cannot_be_meant_is_refused(session: Session, option: str, reason: str) -> None:
    """All networks at once are never served.

    One line says what to give instead.
    """
    found = started(session.journal.path, "--bind", option)
    assert found.returncode == 1
    assert reason in found.stderr
    assert len(found.stderr.splitlines()) == 1


def test_a_port_in_use_is_told(site: Site, session: Session) -> None:
    """In one line, with the way on."""
    found = started(session.journal.path, "--port", str(site.port))
    assert (found.returncode, len(found.stderr.splitlines())) == (1, 1)
    assert "another --port may be free" in found.stderr
    assert started(session.journal.path, "--port", "70000").returncode == 2


def test_the_usual_port_in_use_is_no_hindrance(session: Session) -> None:
    """Two evenings on one computer: the second takes any port that is free."""
    with socket.socket() as taken:
        with contextlib.suppress(OSError):
            taken.bind(("127.0.0.1", USUAL_PORT))
            taken.listen()
        site = Site(session.journal.path, port=None)
        try:
            assert site.port != USUAL_PORT
            assert site.ask("").status == 200
        finally:
            site.close()


def started(journal: Path, *options: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "tracker", "serve", "--db", str(journal), *options]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=30, stdin=subprocess.DEVNULL)


def test_each_start_has_a_token_of_its_own(session: Session) -> None:
    """After a clean end the old address is gone.

    Nothing is left beside the journal.
    """
    first = Site(session.journal.path)
    first.close()
    second = Site(session.journal.path)
    try:
        assert len(first.token) >= 20
        assert first.token != second.token
        assert second.ask(f"/{first.token}/").status == 404
    finally:
        second.close()
    assert not list(session.journal.path.parent.glob("*.token"))


def test_a_killed_server_comes_back_under_its_address(session: Session) -> None:
    """The pages that are open find it again.

    A second server beside a running one has a token of its own.
    """
    first = Site(session.journal.path)
    left = session.journal.path.with_name("fights.db.token")
    assert os.stat(left).st_mode & 0o777 == 0o600
    beside = Site(session.journal.path)
    assert beside.token != first.token
    beside.close()
    first.process.send_signal(signal.SIGKILL)
    first.process.communicate(timeout=20)
    second = Site(session.journal.path, port=first.port)
    try:
        assert second.url == first.url
    finally:
        second.close()


def test_a_token_file_of_another_hand_is_not_used(session: Session, tmp_path: Path) -> None:
    """Neither a link is followed nor what is no token taken."""
    place, elsewhere = session.journal.path.with_name("fights.db.token"), tmp_path / "precious"
    elsewhere.write_text("precious")
    place.symlink_to(elsewhere)
    site = Site(session.journal.path)
    site.close()
    assert elsewhere.read_text() == "precious"
    place.unlink(missing_ok=True)
    place.write_text("x" * 1000)
    site = Site(session.journal.path)
    assert "xxx" not in site.token
    site.close()


def test_it_ends_with_the_program_that_started_it(session: Session) -> None:
    """Where it is told to, the end of its input is its own."""
    site = Site(session.journal.path, "--until-closed")
    assert site.ask("").status == 200
    assert site.process.stdin is not None
    site.process.communicate(timeout=10)  # closes the input
    assert site.process.returncode == 0


def test_open_pages_do_not_hold_up_the_end(site: Site) -> None:
    """A page that listens is let go within the grace of a second."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port)
    connection.request("GET", f"/{site.token}/events", headers={"Host": site.host})
    assert connection.getresponse().status == 200
    began = time.monotonic()
    site.close()
    assert site.process.returncode == 0
    assert time.monotonic() - began < 4
    connection.close()
