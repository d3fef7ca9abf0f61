"""What the page is told: the view, its changes, and what becomes of a player's dice."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from contextlib import ExitStack, closing
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.serve.conftest import FIGHT, begun, played
from tests.serve.site import PATIENCE, Site, events
from tracker.core.terms.actions import action
from tracker.serve.app import misfit
from tracker.session.intents import Advance, Do, Reply
from tracker.session.session import Session
from tracker.session.store.dice_box import DiceBox, SubmittedRoll, box_of
from tracker.session.store.journal import Journal
from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.views.public.schema import PublicAsk

DEVICE, OTHER = "a" * 32, "b" * 32


def view(site: Site) -> Any:
    return site.ask("view").told


def person(site: Site, name: str) -> Any:
    return next(one for one in view(site)["combatants"] if one["name"] == name)


def attack(session: Session) -> None:
    """Tavi attacks Wick, and the attack is asked for."""
    wick = next(one.id for one in session.model.state.combatants if one.name == "Wick")
    assert session.dispatch(Do((action("melee_attack", "tavi", target=wick),))).refusal is None
    assert session.model.pending is not None


@pytest.fixture
def asked(session: Session, site: Site) -> Any:
    """Tavi attacks: the player's d20 is asked for."""
    attack(session)
    with events(site) as told:
        for kind, text in told:
            if kind == "view" and (asks := json.loads(text)["table"]["asks"]):
                return asks[0]
    raise AssertionError


def test_the_view_is_the_players(session: Session, site: Site) -> None:
    """It is the view in the journal; the browser is told when it has it already."""
    watch = PlayerViewReader(session.journal.path)
    watch.poll()
    answer = site.ask("view")
    assert answer.told == json.loads(msgspec.json.encode(watch.view))
    watch.close()

    tag = answer.headers["etag"]
    again = site.ask("view", headers={"If-None-Match": tag})
    assert (again.status, again.body) == (304, b"")
    session.dispatch(Advance())
    with events(site) as told:
        assert next(told)[0] == "beat"
        assert any("Toll-takers" in json.loads(text)["moment"] for kind, text in told if kind == "view")
    assert site.ask("view", headers={"If-None-Match": tag}).status == 200


def test_each_step_is_told_to_every_page(session: Session, site: Site) -> None:
    """Twenty pages learn of a step, each with the whole view."""
    heard: list[str] = []
    ready, done = threading.Semaphore(0), threading.Semaphore(0)

    def listen() -> None:
        with events(site) as told:
            kinds = [next(told)[0] for _ in range(3)]
            ready.release()
            heard.append(next(text for kind, text in told if kind == "view"))
            assert set(kinds) == {"beat", "view", "claims"}
            done.release()

    pages = [threading.Thread(target=listen, daemon=True) for _ in range(20)]
    for page in pages:
        page.start()
    for _ in pages:
        assert ready.acquire(timeout=20)
    session.dispatch(Advance())
    for _ in pages:
        assert done.acquire(timeout=20)
    assert len(set(heard)) == 1
    assert json.loads(heard[0])["moment"] == "Round 1 · Toll-takers"


def test_a_cockpit_says_which_fight_its_page_shows(own_session: Session, own_journal: Journal) -> None:
    """Each line of the input names one; another terminal's fight changes nothing."""
    first = own_session.model.fight
    site = Site(own_journal.path, first, "--until-closed")
    try:
        with played(own_journal) as other, events(site) as told:
            own = [text for _, text in (next(told) for _ in range(2)) if "combatants" in text]
            other.dispatch(Advance())
            assert "Party" in view(site)["moment"]
            assert site.process.stdin is not None
            site.process.stdin.write(f"{other.model.fight}\n")
            site.process.stdin.flush()
            assert any("Toll-takers" in json.loads(text)["moment"] for kind, text in told if kind == "view")
            assert own
    finally:
        site.close()


def test_without_a_fight_the_page_says_so(site: Site, session: Session) -> None:
    """Nothing of the computer is told, where the journal cannot be read."""
    with sqlite3.connect(session.journal.path) as writer:
        writer.execute("UPDATE fight SET discarded = 'now'")
    writer.close()
    with events(site) as told:
        text = next(text for kind, text in told if kind == "view" and "problem" in text)
    assert json.loads(text) == {"problem": "There is no fight to show yet."}
    assert str(session.journal.path.parent) not in text


def test_dice_go_into_the_box_and_nowhere_else(session: Session, site: Site, asked: Any) -> None:
    """A claimed character's player answers; the fight is as it was until the GM takes the dice."""
    assert (asked["dice"], asked["what"]) == ("d20", "attack")
    assert site.post("claim", {"who": asked["who"], "device": DEVICE}).status == 200
    before = session.model

    sent = site.post("roll", {"ask": asked["key"], "who": asked["who"], "device": DEVICE, "faces": [17]})

    assert sent.status == 202
    box = DiceBox(box_of(session.journal.path))
    rolled = box.rolled(session.model.fight, asked["key"])
    assert rolled is not None
    assert replace(rolled, tag="") == SubmittedRoll(session.model.fight, asked["key"], asked["who"], (17,))
    box.close()
    assert session.model == before


IMPOSSIBLE: tuple[tuple[dict[str, object], int, str], ...] = (
    ({"faces": [21]}, 422, "21 is not on a d20"),
    ({"faces": [0]}, 422, "0 is not on a d20"),
    ({"faces": [3, 4]}, 422, "1 dice, not 2"),
    ({"faces": [], "total": 21}, 422, "21 cannot be rolled"),
    ({"faces": []}, 422, "Type what you have rolled"),
    ({"faces": [17], "total": 17}, 422, "not both"),
    ({"faces": ["17"]}, 422, "not an answer"),
    ({"faces": [1.5]}, 422, "not an answer"),
    ({"faces": [10**30]}, 422, "not"),
    ({"ask": "another"}, 409, "Nothing is asked"),
    ({"who": "another"}, 409, "Nothing is asked"),
    ({"device": OTHER}, 403, "not yours"),
    ({"device": "x" * 65}, 422, "not an answer"),
    ({"more": 1}, 422, "not an answer"),
)


def test_dice_that_cannot_be_are_refused(session: Session, site: Site, asked: Any) -> None:
    """An impossible face, another question, another player: one line says what is wrong."""
    site.post("claim", {"who": asked["who"], "device": DEVICE})
    right = {"ask": asked["key"], "who": asked["who"], "device": DEVICE, "faces": [17]}
    for change, status, reason in IMPOSSIBLE:
        answer = site.post("roll", right | change)
        assert (answer.status, reason in answer.told["error"]) == (status, True), (change, answer)

    box = DiceBox(box_of(session.journal.path))
    assert box.rolled(session.model.fight, asked["key"]) is None
    box.close()
    assert site.post("roll", right).status == 202


def test_a_die_of_the_party_is_rolled_once(own_journal: Journal) -> None:
    """Any phone with a character may roll it, the first counts, and all are told that it has come."""
    with begun(own_journal, FIGHT) as session, closing(Site(own_journal.path, "--rolls")) as site:
        while not session.player_view.asks:
            session.dispatch(Reply())
        until = time.monotonic() + PATIENCE
        while not view(site)["table"]["asks"]:  # the server reads the journal a moment later
            assert time.monotonic() < until
            time.sleep(0.01)
        (ask,) = view(site)["table"]["asks"]
        assert (ask["name"], ask["shared"]) == ("Party", True)
        sent = {"ask": ask["key"], "who": ask["who"], "device": DEVICE, "faces": [5]}
        assert site.post("roll", sent).status == 403
        site.post("claim", {"who": person(site, "Tavi")["id"], "device": DEVICE})
        site.post("claim", {"who": person(site, "Nele")["id"], "device": OTHER})
        assert site.post("roll", sent).status == 202
        refused = site.post("roll", sent | {"device": OTHER, "faces": [8]})
        assert (refused.status, refused.told["error"]) == (409, "Another phone has rolled this already.")
        assert site.post("roll", sent | {"faces": [6]}).status == 202
        with events(site) as told:
            assert any(ask["key"] in json.loads(text)["came"] for kind, text in told if kind == "claims")


def test_a_character_is_claimed_once(session: Session, site: Site) -> None:
    """Others are refused until the first gives it back or the GM takes it."""
    tavi, nele, wick = (person(site, name)["id"] for name in ("Tavi", "Nele", "Wick"))
    first = site.post("claim", {"who": tavi, "device": DEVICE})
    assert first.status == 200
    assert site.post("claim", {"who": tavi, "device": DEVICE}).told == first.told
    refused = site.post("claim", {"who": tavi, "device": OTHER})
    assert (refused.status, "GM can take it back" in refused.told["error"]) == (409, True)
    assert site.post("claim", {"who": nele, "device": OTHER}).status == 200
    assert site.post("claim", {"who": wick, "device": OTHER}).status == 409
    assert site.post("claim", {"who": tavi, "device": OTHER, "drop": True}).status == 200
    assert site.post("claim", {"who": tavi, "device": OTHER}).status == 409

    box = DiceBox(box_of(session.journal.path))
    with events(site) as told:
        assert any(tavi in text for kind, text in told if kind == "claims")
        box.release(session.model.fight, tavi)
        assert any(tavi not in text for kind, text in told if kind == "claims")
    box.close()
    assert site.post("claim", {"who": tavi, "device": OTHER}).status == 200


def test_characters_stay_with_their_phones_from_fight_to_fight(own_journal: Journal) -> None:
    """By name; not what a player has given up since, nor what the GM has taken back."""
    with played(own_journal), closing(Site(own_journal.path, "--rolls")) as site:
        ids = {name: person(site, name)["id"] for name in ("Tavi", "Nele", "Sefa")}
        for name, device in (("Tavi", DEVICE), ("Nele", OTHER), ("Sefa", OTHER)):
            tag = site.post("claim", {"who": ids[name], "device": device}).told["tag"]
        with closing(DiceBox(box_of(own_journal.path))) as box:
            box.release(next(iter(own_journal.fights())).id, ids["Sefa"])
    with played(own_journal) as session, closing(Site(own_journal.path, "--rolls")) as site:
        again = {name: person(site, name)["id"] for name in ids}
        assert not set(again.values()) & set(ids.values())
        with closing(DiceBox(box_of(own_journal.path))) as box:
            claims = {claim.who: claim.tag for claim in box.claims(session.model.fight)}
            assert set(claims) == {again["Tavi"], again["Nele"]}
            assert claims[again["Nele"]] == tag
            site.post("claim", {"who": again["Tavi"], "device": DEVICE, "drop": True})
            session.dispatch(Advance())
            assert person(site, "Tavi")["id"] == again["Tavi"]
            assert {claim.who for claim in box.claims(session.model.fight)} == {again["Nele"]}


def test_the_gm_reads_which_pages_are_open(own_session: Session, own_site: Site) -> None:
    """By phone and TV; what no page would send counts as a page without a character."""
    tag = own_site.post("claim", {"who": person(own_site, "Tavi")["id"], "device": DEVICE}).told["tag"]
    with closing(DiceBox(box_of(own_session.journal.path))) as box:
        assert box.pages() == {}
        with ExitStack() as stack:
            for query in (tag, tag, "tv", "", "x" * 100, "tv:9"):
                told = stack.enter_context(events(own_site, query))
                assert [next(told)[0] for _ in range(2)] == ["beat", "view"]
                del told  # it holds the connection
            assert box.pages() == {tag: 2, "tv": 1, "": 3}
        until = time.monotonic() + 10
        while box.pages():
            own_session.dispatch(Advance())  # the server sees that a page is gone when it writes
            assert time.monotonic() < until, box.pages()
            time.sleep(0.1)


def test_no_device_is_told_to_another(session: Session, site: Site) -> None:
    """Pages learn a short name of the device, from which its key cannot be made."""
    site.post("claim", {"who": person(site, "Tavi")["id"], "device": DEVICE})
    with events(site) as told:
        texts = [next(told)[1] for _ in range(3)]
    assert not any(DEVICE in text for text in texts)


def test_without_dice_nothing_is_asked_of_players(own_session: Session) -> None:
    """A server without `--rolls` shows no question, and takes none of these addresses."""
    site = Site(own_session.journal.path)
    try:
        attack(own_session)
        with events(site) as told:
            next(told)
        assert view(site)["table"]["asks"] == []
        assert site.post("roll", {}).status == 404
        assert site.post("claim", {}).status == 404
    finally:
        site.close()


@pytest.mark.parametrize(
    ("sides", "counted", "faces", "total", "wrong"),
    [
        ((6, 6), False, (), 2, ""),
        ((6, 6), False, (), 12, ""),
        ((6, 6), False, (), 1, "1 cannot be rolled with 2d6."),
        ((6, 6), False, (), 13, "13 cannot be rolled with 2d6."),
        ((6, 6), True, (), 7, "2d6: each die counts, send them all."),
        ((6, 6), True, (1, 6), None, ""),
        ((100,), False, (100,), None, ""),
        ((4,), False, (5,), None, "5 is not on a d4."),
    ],
)
def test_what_fits_the_dice(
    sides: tuple[int, ...], counted: bool, faces: tuple[int, ...], total: int | None, wrong: str
) -> None:
    """Least and most of a total or a face are taken, one beyond is not."""
    dice = {1: f"d{sides[0]}", 2: "2d6"}[len(sides)]
    assert misfit(PublicAsk("key", "who", dice, sides, counted), faces, total) == wrong
