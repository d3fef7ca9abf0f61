"""Coroutines as tests, a fight on the screen for those that want a `table`, and the fixtures of the start screen."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from inspect import iscoroutinefunction
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli import driver
from tests.support.pictures import AsText
from tests.ui.drive import SETTINGS, Table, fight, opened
from tests.ui.hall import SHIPPED, Hall
from tracker.core.terms.actions import action
from tracker.library.content import samples
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Do, RollRest
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.journal import Journal


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine, in the contexts that its fixtures are."""
    if not iscoroutinefunction(test := pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}

    async def run() -> None:
        async with AsyncExitStack() as stack:
            for name, value in given.items():
                if isinstance(value, AbstractAsyncContextManager):
                    given[name] = await stack.enter_async_context(value)
            await test(**given)

    asyncio.run(run())
    return True


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """The fight of the small game; a module that opens another one has a fixture of this name."""
    return fight(tmp_path)


@pytest.fixture
def table(session: Session) -> AbstractAsyncContextManager[Table]:
    """The app on this fight, opened for the test."""
    return opened(session)


@pytest.fixture
def screen(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(AsText)


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr(registry, "find", driver.find)
    monkeypatch.setattr(registry, "rulesets", driver.rulesets)
    monkeypatch.setattr("tracker.cli.improvising.samples", lambda: None)  # first: importing it copies the name
    monkeypatch.setattr(samples, "samples", lambda: None)
    monkeypatch.delenv("TRACKER_LIBRARY", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Hall(folder)


@pytest.fixture
def shipped(hall: Hall) -> Hall:
    """The encounters of Worlds Without Number, and the first of them played.

    One hero is hurt, one poisoned, one dying, one dead.
    """
    shutil.copytree(SHIPPED, hall.folder / "encounters")
    loaded = load_encounter(hall.folder / "encounters" / "first_fight.yaml", registry.find)
    assert loaded.encounter is not None
    assert loaded.ruleset is not None
    with (
        Journal.open(hall.journal) as journal,
        Session.start(journal, loaded.ruleset, loaded.encounter, SETTINGS) as session,
    ):
        for done in (
            action("damage", amount=5, targets=("sefa",)),
            action("damage", amount=50, targets=("tavi",)),
            action("add_effect", name="poisoned", targets=("ordwen",), until="until removed"),
            action("status", targets=("nele",), status="dead"),
        ):
            while session.model.pending is not None:
                session.dispatch(RollRest())
            assert session.dispatch(Do((done,))).refusal is None
    return hall
