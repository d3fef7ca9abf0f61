"""A fight that is played, and the server of its players' page.

Servers take a second to start: those that a test leaves as they were are shared. They follow the fight played last, and
every test opens its own in the same journal.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.serve.browser import CHROMIUM, OPTIONS, warm
from tests.serve.site import PATIENCE, Site
from tracker.cli.loading import playable
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import RollRest
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.dice_box import DiceBox, box_of
from tracker.session.store.journal import Journal
from tracker.session.store.player_view_reader import PlayerViewReader

FIGHTS = Path(__file__).parents[2] / "encounters"
FIGHT = FIGHTS / "worlds_without_number" / "first_fight.yaml"


def pytest_collection_finish(session: pytest.Session) -> None:
    """Have the browser read from the disk while other tests compute; a first start would wait twenty seconds for it."""
    if any(
        item.path.name in ("test_attacks.py", "test_page.py", "test_tv.py", "test_report_page.py")
        for item in session.items
    ):
        threading.Thread(target=warm, daemon=True).start()


def begun(journal: Journal, path: Path) -> Session:
    """Return a fight as it is when it has just been opened."""
    encounter, ruleset = playable(load_encounter(path, registry.find))
    return Session.start(journal, ruleset, encounter, Settings(roller=dice_roller(1)))


def played(journal: Journal) -> Session:
    """Return the first fight of Worlds Without Number, at the first side's turn."""
    session = begun(journal, FIGHT)
    while session.model.pending is not None:
        session.dispatch(RollRest())
    return session


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    """The journal of the tests that share a server."""
    with Journal.open(tmp_path_factory.mktemp("evening") / "fights.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def server(evening: Journal) -> Iterator[Site]:
    running = Site(evening.path, "--rolls")
    yield running
    running.close()


@pytest.fixture
def session(evening: Journal) -> Iterator[Session]:
    """A new fight in the journal of the evening; its characters are given back, for the next fight has others."""
    with played(evening) as opened:
        yield opened
        with contextlib.closing(DiceBox(box_of(evening.path))) as box:
            for claim in box.claims(opened.model.fight):
                box.release(opened.model.fight, claim.who)


def following(server: Site, session: Session) -> Site:
    """Return the shared server once it shows this fight."""
    with contextlib.closing(PlayerViewReader(session.journal.path, session.model.fight)) as watch:
        watch.poll()
        ids = [one.id for one in watch.view.combatants] if watch.view is not None else []
        moment = None if watch.view is None else watch.view.moment
    until = time.monotonic() + PATIENCE
    while True:
        told = server.ask("view").told
        if (ids, moment) == ([one["id"] for one in told.get("combatants", ())], told.get("moment")):
            break
        assert time.monotonic() < until, "the server does not follow the fight played last"
        time.sleep(0.01)
    return server


@pytest.fixture
def site(session: Session, server: Site) -> Site:
    """The shared server, once it shows the test's own fight."""
    return following(server, session)


@pytest.fixture
def own_journal(tmp_path: Path) -> Iterator[Journal]:
    """A journal for a test that starts servers of its own."""
    with Journal.open(tmp_path / "fights.db") as opened:
        yield opened


@pytest.fixture
def own_session(own_journal: Journal) -> Iterator[Session]:
    with played(own_journal) as opened:
        yield opened


@pytest.fixture
def own_site(own_session: Session) -> Iterator[Site]:
    """A server that the test may leave as it likes."""
    running = Site(own_session.journal.path, "--rolls")
    yield running
    running.close()


@pytest.fixture(scope="module")
def standing(server: Site) -> Site:
    """The shared server for tests that want no fight."""
    return server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
        yield opened
        opened.close()


@pytest.fixture
def complaints() -> list[str]:
    """What the page's console says."""
    return []
