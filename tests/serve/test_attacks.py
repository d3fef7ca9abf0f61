"""Attacks by bytes on what a page can send and fetch, each over a socket of its own, and what is left afterwards."""

from __future__ import annotations

import json
import socket
import time
from contextlib import closing, suppress

import pytest
from playwright.sync_api import Browser, Error

from tests.serve.browser import NEEDS_CHROMIUM
from tests.serve.site import PATIENCE, Site
from tests.serve.test_feed import DEVICE, OTHER, person, view
from tracker.library.pictures import Picture
from tracker.serve.app import EACH, OFTEN, WITHIN
from tracker.session.session import Session
from tracker.session.store.dice_box import DiceBox, box_of

SENDS = ("claim", "roll", "say", "ping")
PIECE = b"400\r\n" + b"x" * 0x400 + b"\r\n0\r\n\r\n"
DEEP = b'{"who":' + b"[" * 200 + b"]" * 200 + b"}"


def exchanged(site: Site, sent: bytes) -> bytes:
    """Send bytes as they are, and return what comes until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        found = b""
        try:
            while part := connection.recv(65536):
                found += part
        except ConnectionError:
            pass
    return found


def request(
    site: Site, path: str, body: bytes = b"", method: str = "POST", token: str | None = None, **headers: str
) -> bytes:
    """Return the bytes of a request as the page would send it, but for what is given."""
    lines = {"Host": site.host, "Origin": f"http://{site.host}", "Content-Type": "application/json"}
    lines |= {"Content-Length": str(len(body))} | {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
    where = f"/{site.token if token is None else token}/{path}"
    return f"{method} {where} HTTP/1.1\r\n{head}\r\n".encode() + body


def status_of(answer: bytes) -> int:
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0


ATTACKS: dict[str, tuple[dict[str, str], bytes, str, tuple[int, ...]]] = {
    "a foreign page": ({"Origin": "http://evil.example"}, b"{}", "POST", (403,)),
    "a page from a file": ({"Origin": "null"}, b"{}", "POST", (403,)),
    "no page at all": ({"Origin": ""}, b"{}", "POST", (403,)),
    "another name for this address": ({"Host": "evil.example"}, b"{}", "POST", (421,)),
    "a wrong token": ({"token": "A" * 20}, b"{}", "POST", (404, 429)),
    "a form": ({"Content_Type": "application/x-www-form-urlencoded"}, b"who=1", "POST", (415,)),
    "JSON without end": ({}, b'{"who":', "POST", (422,)),
    "JSON that is deep": ({}, DEEP, "POST", (422,)),
    "bytes that are no text": ({}, b'{"who":"\xff\xfe"}', "POST", (422,)),
    "a number without end": ({}, b'{"x":' + b"9" * 300 + b"}", "POST", (422,)),
    "more than is allowed": ({}, b" " * 513, "POST", (413,)),
    "more than is said": ({"Content_Length": "2"}, b"{}" + b"x" * 400, "POST", (400, 422)),
    "in pieces without a length": ({"Content_Length": "", "Transfer_Encoding": "chunked"}, PIECE, "POST", (413,)),
    "a length below zero": ({"Content_Length": "-1"}, b"", "POST", (0, 400, 413)),
    "fetched instead of sent": ({}, b"", "GET", (405,)),
    "put instead of sent": ({}, b"{}", "PUT", (405,)),
    "a road to elsewhere": ({"path": "../../etc/passwd"}, b"", "GET", (404,)),
    "the same, coded": ({"path": "%2e%2e%2f%2e%2e%2fetc/passwd"}, b"", "GET", (404,)),
    "behind a name": ({"path": "{where}/../../../etc/passwd"}, b"", "GET", (404,)),
    "a long head in one piece": ({"X": "x" * 17_000}, b"{}", "POST", (431,)),
    "a foreign page beside this one": (
        {"Origin": "http://{host}\r\nOrigin: http://evil.example"},
        b"{}",
        "POST",
        (403,),
    ),
    "an address with a slash at its end": ({"path": "{where}/"}, b"{}", "POST", (404,)),
    "a second name": ({"Host": "{host}\r\nHost: evil.example"}, b"{}", "POST", (400, 421)),
}


@pytest.mark.parametrize("where", [*SENDS, "picture", "view"])
def test_what_no_page_sends_is_refused(session: Session, site: Site, where: str) -> None:
    """At each address; nothing is kept, nothing of the computer is told, and the next page is answered."""
    for attack in ATTACKS:
        refuse(session, site, where, attack)


def refuse(session: Session, site: Site, where: str, attack: str) -> None:
    changes, body, method, allowed = ATTACKS[attack]
    changes = {name: value.format(where=where, host=site.host) for name, value in changes.items()}
    path = changes.pop("path", where)
    fetched = where in ("picture", "view")
    if fetched and method == "POST" and set(allowed) <= {400, 413, 415, 422, 0}:
        allowed = (*allowed, 405)  # these take no body at all
    if fetched and attack == "fetched instead of sent":
        allowed = (200, 404)
    answer = exchanged(site, request(site, path, body, method, **changes))
    assert status_of(answer) in allowed, (attack, answer[:200])
    assert not [word for word in (b"root:", b"Traceback", b"fights.db", b"/home", b"/tmp") if word in answer]
    with closing(DiceBox(box_of(session.journal.path))) as box:
        fight = session.model.fight
        assert (box.requests(fight), box.arrived(fight), box.pings(fight, 0), box.claims(fight)) == ((),) * 4, attack
    assert site.ask("").status == 200


FOREIGN = """async ([url, who]) => {
  const json = JSON.stringify({ who, device: 'e'.repeat(32) }), found = {};
  const headers = type => ({ 'Content-Type': type });
  const post = (mode, type) => fetch(url + 'claim', { method: 'POST', mode, headers: headers(type), body: json });
  const part = (name, more) => new Promise(done => {
    const ends = { onload: () => done('shown'), onerror: () => done('refused') };
    document.body.append(Object.assign(document.createElement(name), more, ends));
  });
  const ways = {
    read: async () => (await fetch(url + 'view')).text(),
    blindly: async () => (await fetch(url + 'view', { mode: 'no-cors' })).type,
    json: async () => (await post('cors', 'application/json')).status,
    text: async () => (await post('no-cors', 'text/plain')).type,
    script: () => part('script', { src: url + 'page.js' }),
    image: () => part('img', { src: url + 'picture' }),
    listen: () => new Promise(done => {
      const source = new EventSource(url + 'events');
      for (const kind of ['beat', 'view', 'claims']) source.addEventListener(kind, () => done(kind));
      source.onerror = () => done('refused');
    }),
  };
  for (const [name, way] of Object.entries(ways)) found[name] = await way().catch(() => 'refused');
  navigator.sendBeacon(url + 'claim', new Blob([json], { type: 'text/plain' }));
  await part('iframe', { src: url });
  return found;
}"""
"""What a page of another origin may try while a player has it open in the same browser."""


@pytest.mark.e2e
@NEEDS_CHROMIUM
def test_a_foreign_page_in_the_same_browser_gets_nothing(browser: Browser, session: Session, site: Site) -> None:
    """It reads, listens, sends, embeds; another name that leads to this computer is refused as well."""
    where, tavi = f"http://{site.host}/{site.token}/", person(site, "Tavi")["id"]
    page = browser.new_page()
    page.route("http://127.0.0.1:4999/**", lambda route: route.fulfill(body="<body></body>", content_type="text/html"))
    page.goto("http://127.0.0.1:4999/")
    assert set(page.evaluate(FOREIGN, [where, tavi]).values()) == {"refused"}
    assert [frame.locator(".one").count() for frame in page.frames] == [0, 0]
    statuses = list[int]()
    page.on("response", lambda response: statuses.append(response.status))
    with suppress(Error):
        page.goto(f"http://rebound.localhost:{site.port}/{site.token}/")
    assert statuses == [421]
    page.close()
    with closing(DiceBox(box_of(session.journal.path))) as box:
        assert box.claims(session.model.fight) == ()


def test_a_body_that_drips_is_given_up(standing: Site) -> None:
    """Its connection ends within the time a request has; others are answered meanwhile."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", standing.port), timeout=PATIENCE) as connection:
        connection.sendall(request(standing, "say", b"", Content_Length="40"))
        connection.sendall(b"{")
        assert standing.ask("").status == 200
        assert status_of(connection.recv(100)) == 408
    assert time.monotonic() - began < 15


def test_claims_and_dice_cannot_be_hammered_in(own_session: Session, own_site: Site) -> None:
    """After six hundred within a minute an address claims nothing more; the page is there as before."""
    tavi = person(own_site, "Tavi")["id"]
    said = {"who": tavi, "device": DEVICE}
    began = time.monotonic()
    statuses = [own_site.post("claim", said | {"drop": bool(number % 2)}).status for number in range(EACH * OFTEN + 3)]
    if time.monotonic() - began > WITHIN:
        pytest.skip("this machine sends no six hundred requests within a minute")
    assert statuses == [200] * (EACH * OFTEN) + [429] * 3
    assert own_site.ask("").status == 200


def test_in_the_name_of_another_player_nothing_can_be_sent(session: Session, site: Site) -> None:
    """Neither by its id, which every page knows, nor by the short name of its phone, nor by a foe's id."""
    tavi, wick = person(site, "Tavi")["id"], person(site, "Wick")["id"]
    tag = site.post("claim", {"who": tavi, "device": DEVICE}).told["tag"]
    for device in (OTHER, tag, "", DEVICE.upper()):
        assert site.post("say", {"who": tavi, "device": device, "text": "me"}).status == 403, device
        assert site.post("claim", {"who": tavi, "device": device, "drop": True}).status == 200
    assert site.post("claim", {"who": wick, "device": OTHER}).status == 409
    assert site.post("say", {"who": wick, "device": OTHER, "text": "me"}).status == 403
    with closing(DiceBox(box_of(session.journal.path))) as box:
        assert [claim.who for claim in box.claims(session.model.fight)] == [tavi]
        assert box.requests(session.model.fight) == ()


def test_no_page_reads_what_others_have_sent(session: Session, site: Site) -> None:
    """Requests, dice and devices are for the GM; of a picture pages get the bytes alone."""
    tavi = person(site, "Tavi")["id"]
    site.post("claim", {"who": tavi, "device": DEVICE})
    site.post("say", {"who": tavi, "device": DEVICE, "text": "SECRETLY I FLEE"})
    with closing(DiceBox(box_of(session.journal.path))) as box:
        box.show_picture(session.model.fight, Picture("VILLAIN.png", "image/png", "1", b"\x89PNG\r\n\x1a\nDATA"))
        texts = [json.dumps(view(site)), site.ask("picture").body.decode("latin-1"), str(site.ask("picture").headers)]
        answer = b""
        with socket.create_connection(("127.0.0.1", site.port), timeout=5) as connection:
            connection.sendall(request(site, "events", method="GET"))
            while b"event: claims" not in answer or b'"picture":"1"' not in answer:
                answer += connection.recv(65536)
        box.show_picture(session.model.fight, None)
    found = " ".join((*texts, answer.decode()))
    assert not [word for word in ("SECRETLY", "VILLAIN", DEVICE) if word in found]
