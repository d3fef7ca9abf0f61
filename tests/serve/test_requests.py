"""What players send that is no die: requests to the GM, and places they point at."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any

import pytest

from tests.serve.conftest import FIGHTS, begun
from tests.serve.site import Site
from tests.serve.test_feed import DEVICE, OTHER, person, view
from tracker.serve.app import ALL, EACH, WITHIN, Frequency
from tracker.session.session import Session
from tracker.session.store.dice_box import DiceBox, box_of
from tracker.session.store.journal import Journal

BONES = FIGHTS / "sovereign" / "first_fight.yaml"


@pytest.fixture
def tavi(session: Session, site: Site) -> Any:
    who = person(site, "Tavi")["id"]
    assert site.post("claim", {"who": who, "device": DEVICE}).status == 200
    return who


def asked(session: Session) -> list[str]:
    with closing(DiceBox(box_of(session.journal.path))) as box:
        return [request.text for request in box.requests(session.model.fight)]


def test_a_request_lies_in_the_box_and_does_nothing(session: Session, site: Site, tavi: str) -> None:
    """One line of plain text, whatever is in it."""
    before = session.model
    said = {"who": tavi, "device": DEVICE}
    assert site.post("say", said | {"text": "−5 me"}).status == 202
    assert site.post("say", said | {"text": "\u202eI charge\n\x1b[2J <b>"}).status == 202
    assert asked(session) == ["<U+202E>I charge ␛[2J <b>", "−5 me"]
    assert session.model == before


REFUSED: tuple[tuple[dict[str, object], int], ...] = (
    ({"text": ""}, 422),
    ({"text": " \n "}, 422),
    ({"text": "x" * 81}, 422),
    ({"text": 5}, 422),
    ({"text": "x" * 600}, 413),
    ({"device": OTHER}, 403),
    ({"device": "x" * 65}, 422),
    ({"who": "another"}, 403),
    ({"more": 1}, 422),
)


def test_requests_that_are_none_are_refused(session: Session, site: Site, tavi: str) -> None:
    """Nothing, too much, or in the name of another player's character."""
    right = {"who": tavi, "device": DEVICE, "text": "I charge the captain"}
    for change, status in REFUSED:
        assert site.post("say", right | change).status == status, change
    assert asked(session) == []
    assert site.post("say", right | {"text": "x" * 80}).status == 202


def test_the_gm_takes_no_requests(session: Session, site: Site, tavi: str) -> None:
    """They are refused until the GM takes them again."""
    said = {"who": tavi, "device": DEVICE, "text": "me!"}
    with closing(DiceBox(box_of(session.journal.path))) as box:
        box.mute(True)
        refused = site.post("say", said)
        assert (refused.status, refused.told["error"]) == (409, "The GM takes no requests just now.")
        box.mute(False)
        assert site.post("say", said).status == 202
        box.clear_requests(session.model.fight)
    assert asked(session) == []


def test_one_phone_cannot_flood_the_gm() -> None:
    """A few within a minute from each, more from all together; then it waits."""
    now = [0.0]
    frequency = Frequency(lambda: now[0])
    assert [frequency.allows("one") for _ in range(EACH + 2)] == [True] * EACH + [False] * 2
    assert frequency.allows("two")
    assert sum(frequency.allows(f"phone {number}") for number in range(2 * ALL)) == ALL - EACH - 1
    now[0] = WITHIN
    assert frequency.allows("one")


def test_only_so_many_requests_are_kept(tmp_path: Any) -> None:
    """The oldest go, and those of another fight are not listed."""
    with closing(DiceBox(tmp_path / "fights.db.dice")) as box:
        for number in range(300):
            box.ask_gm("one", "who", DEVICE, str(number))
        box.ask_gm("two", "who", DEVICE, "other")
        assert [request.text for request in box.requests("one")][:2] == ["299", "298"]
        assert [request.text for request in box.requests("two")] == ["other"]


POINTS: tuple[tuple[dict[str, object], int], ...] = (
    ({"x": -1}, 422),
    ({"x": 10**30}, 422),
    ({"y": 99}, 422),
    ({"x": 1.5}, 422),
    ({"who": "another"}, 403),
    ({"device": OTHER}, 403),
    ({"more": 1}, 422),
)


def test_a_player_points_at_the_map(own_journal: Journal) -> None:
    """A square of it, for the GM alone and for a moment; nothing else can be pointed at."""
    with begun(own_journal, BONES) as session, closing(Site(own_journal.path, "--rolls")) as site:
        maud = person(site, "Maud")["id"]
        site.post("claim", {"who": maud, "device": DEVICE})
        right = {"who": maud, "device": DEVICE, "x": 3, "y": 2}
        for change, status in POINTS:
            assert site.post("ping", right | change).status == status, change
        before = view(site)
        assert site.post("ping", right).status == 202
        assert view(site) == before
        with closing(DiceBox(box_of(own_journal.path))) as box:
            assert [(one.x, one.y) for one in box.pings(session.model.fight, 0)] == [(3, 2)]
            assert box.pings(session.model.fight, time.time()) == ()
            box.mute(True)
            assert site.post("ping", right).status == 409


def test_where_there_is_no_map_nothing_is_pointed_at(site: Site, tavi: str) -> None:
    """First fight of Worlds Without Number has none."""
    assert site.post("ping", {"who": tavi, "device": DEVICE, "x": 0, "y": 0}).status == 422
