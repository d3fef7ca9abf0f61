"""The guard: each attack on the page, and the answer it gets."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import os
import socket
import time
from pathlib import Path

import pytest

from tests.serve.site import ENDED, Site
from tests.windows.systems import NEEDS_LINKS
from tracker.cli.main import main
from tracker.serve import security
from tracker.serve.security import MOST, MOST_EACH, TRIES, Clients, ConnectionLimiter
from tracker.serve.server import LASTS, USUAL_PORT, _address
from tracker.session.session import Session
from tracker.session.store.journal import Journal

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
        ("no token", "/", "GET", {}, None, 404),
        ("a wrong token", "/AAAAAAAAAAAAAAAAAAAA/", "GET", {}, None, 404),
        ("a token that is no text", "/%ff%fe/", "GET", {}, None, 404),
        ("the page's own source", "app.py", "GET", {}, None, 404),
        ("a body of unsaid length", "roll", "POST", {"Origin": OURS, "Content-Length": "many"}, None, 400),
        ("JSON of another kind", "roll", "POST", {"Origin": OURS, "Content-Type": "application/json"}, b"[1]", 422),
        ("another method", "view", "DELETE", {"Origin": OURS}, None, 405),
    ],
)
def test_each_attack_has_its_answer(
    standing: Site, what: str, path: str, method: str, headers: dict[str, str], body: bytes | None, status: int
) -> None:
    """What does not come from the page itself is refused, with the status that says why. More: `test_attacks`."""
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


def test_guessing_ends_after_twenty_wrong_tokens(own_site: Site) -> None:
    """Then other wrong ones from there are refused for a minute; icons a browser asks for are no guesses."""
    for _ in range(TRIES + 5):
        assert own_site.ask("/favicon.ico").status == 404
    for _ in range(TRIES):
        assert own_site.ask("/guess/").status == 404
    assert own_site.ask("/guess/").status == 429
    assert own_site.ask("").status == 200, "guesses of another program keep no player out"


def test_a_client_may_try_again_after_a_minute() -> None:
    """Tries count for a minute, for their own address alone."""
    now = 0.0
    clients = Clients(lambda: now)
    for _ in range(TRIES):
        assert not clients.is_guessing("10.0.0.7")
        clients.guessed("10.0.0.7")
    assert clients.is_guessing("10.0.0.7")
    assert not clients.is_guessing("10.0.0.8")
    now = 60.0
    assert not clients.is_guessing("10.0.0.7")


def test_connections_are_bounded() -> None:
    """Twelve from one address, sixty-four in all; one that leaves makes room."""
    clients = Clients()
    assert [clients.enter("10.0.0.7") for _ in range(MOST_EACH + 1)] == [True] * MOST_EACH + [False]
    clients.leave("10.0.0.7")
    assert clients.enter("10.0.0.7")
    assert [clients.enter("127.0.0.1") for _ in range(MOST - MOST_EACH + 1)] == [True] * (MOST - MOST_EACH) + [False]


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
    """So is one that drips its request; one whose request has come stays."""
    monkeypatch.setattr(security, "PATIENCE", 0.2)

    async def page(scope: object, receive: object, send: object) -> None:
        await asyncio.sleep(0.6)

    async def visit(said: bytes, wait: float = 5) -> bool:
        import uvicorn

        config = uvicorn.Config(page, log_config=None, lifespan="off")
        state = uvicorn.server.ServerState()
        kind = type("Tried", (ConnectionLimiter,), {"clients": Clients()})
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
    """The connection ends, or is answered as any other; the page is there for the next."""
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
        ("::ffff:0.0.0.0", "means every network at once"),
        ("my-laptop", "give an address in numbers"),
        ("203.0.113.9", "cannot be used"),
    ],
)
def test_an_address_that_cannot_be_meant_is_refused(
    evening: Journal, capsys: pytest.CaptureFixture[str], option: str, reason: str
) -> None:
    """All networks at once are never served; one line says what to give instead."""
    assert main(["serve", "--db", str(evening.path), "--bind", option]) == 1
    told = capsys.readouterr().err
    assert (reason in told, len(told.splitlines())) == (True, 1)


def test_a_port_in_use_is_told(standing: Site, evening: Journal, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, with the way on."""
    assert main(["serve", "--db", str(evening.path), "--port", str(standing.port)]) == 1
    told = capsys.readouterr().err
    assert ("another --port may be free" in told, len(told.splitlines())) == (True, 1)
    assert main(["serve", "--db", str(evening.path), "--port", "70000"]) == 2


def test_the_usual_port_in_use_is_no_hindrance(own_session: Session) -> None:
    """Two evenings on one computer: the second takes any port that is free."""
    with socket.socket() as taken:
        if os.name != "nt":  # there it would let two listen
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # one that has just been left is free
        with contextlib.suppress(OSError):  # in use already
            taken.bind(("127.0.0.1", USUAL_PORT))
            taken.listen()
        site = Site(own_session.journal.path, port=None)
        try:
            assert site.port != USUAL_PORT
            assert site.ask("").status == 200
        finally:
            site.close()


def token_of(journal: Path, new: bool = False) -> str:
    """Return the token that a server of a journal gets which ends at once."""
    with _address(journal, new) as address:
        return address.kept(USUAL_PORT)


@NEEDS_LINKS
def test_an_address_is_good_for_twelve_hours(tmp_path: Path) -> None:
    """Not longer, nor where the GM wants a new one; neither is a link followed nor what is no token taken."""
    journal, precious = tmp_path / "fights.db", tmp_path / "precious"
    place = tmp_path / "fights.db.token"
    precious.write_text("precious")
    place.symlink_to(precious)
    token_of(journal)
    assert precious.read_text() == "precious"

    place.unlink(missing_ok=True)
    place.write_text("x" * 1000)
    first = token_of(journal)
    assert "xxx" not in first
    assert len(first) >= 20
    made = place.stat().st_mtime - LASTS / 2
    os.utime(place, (made, made))
    assert token_of(journal) == first
    assert place.stat().st_mtime == pytest.approx(made, abs=1), "serving again makes it last no longer"

    renewed = token_of(journal, new=True)
    assert renewed != first
    for age in (LASTS + 1, -60):
        os.utime(place, (time.time() - age, time.time() - age))
        assert token_of(journal) != renewed


def test_the_next_server_has_the_address(own_session: Session) -> None:
    """However the last one ended; a second one beside a running one has another, and so has one if the GM wants it."""
    first = Site(own_session.journal.path)
    assert token_of(own_session.journal.path) != first.token
    first.process.kill()
    first.process.communicate(timeout=20)

    again = Site(own_session.journal.path, "--until-closed", port=None)
    assert again.url == first.url, "at the same port, too"
    assert again.ask("").status == 200
    again.process.communicate(timeout=10)  # closes the input, with which it ends
    assert again.process.returncode == 0

    renewed = Site(own_session.journal.path, "--new-address")
    assert renewed.token != first.token
    assert renewed.ask(f"/{first.token}/").status == 404
    renewed.close()


@pytest.mark.skipif(os.name != "posix", reason="permissions of this kind are POSIX's")
def test_an_address_that_others_could_read_is_not_taken(tmp_path: Path) -> None:
    """It is made anew, for this user alone."""
    journal, place = tmp_path / "fights.db", tmp_path / "fights.db.token"
    first = token_of(journal)
    assert os.stat(place).st_mode & 0o777 == 0o600
    place.chmod(0o644)
    assert token_of(journal) != first
    assert os.stat(place).st_mode & 0o777 == 0o600


def test_open_pages_do_not_hold_up_the_end(own_site: Site) -> None:
    """A page that listens is let go within the grace of a second."""
    connection = http.client.HTTPConnection("127.0.0.1", own_site.port)
    connection.request("GET", f"/{own_site.token}/events", headers={"Host": own_site.host})
    assert connection.getresponse().status == 200
    began = time.monotonic()
    own_site.close()
    assert own_site.process.returncode == ENDED
    assert time.monotonic() - began < 4
    connection.close()
