"""A fight that is played, and the server of its players' page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve import browser
from tests.serve.site import Site
from tracker.library.shelves.encounters import load_encounter
from tracker.session.intents import RollRest
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal

FIGHT = Path(__file__).parents[2] / "encounters" / "worlds_without_number" / "first_fight.yaml"


def pytest_collection_finish(session: pytest.Session) -> None:
    """Have the browser read from the disk while other tests compute.

    A first start would wait twenty seconds for it.
    """
    if any(item.path.name == "test_page.py" for item in session.items):
        threading.Thread(target=browser.warm, daemon=True).start()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "fights.db") as opened:
        yield opened


@pytest.fixture
def session(journal: Journal) -> Iterator[Session]:
    """The first fight of Worlds Without Number, at the first side's turn."""
    loaded = load_encounter(FIGHT, registry.find)
    assert loaded.encounter is not None
    assert loaded.ruleset is not None
    with Session.start(journal, loaded.ruleset, loaded.encounter, Settings(roller=dice_roller(1))) as opened:
        while opened.model.pending is not None:
            opened.dispatch(RollRest())
        yield opened


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server for tests that leave it as it was.

    Its journal holds no fight.
    """
    path = tmp_path_factory.mktemp("standing") / "fights.db"
    Journal.open(path).close()
    running = Site(path, "--rolls")
    yield running
    running.close()


@pytest.fixture
def site(session: Session) -> Iterator[Site]:
    running = Site(session.journal.path, "--rolls")
    yield running
    running.close()
