"""A journal in the test's own folder, and fights in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import DiceAnswer, Roll
from tracker.session.intents import Do, Reply
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal
from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.views.public.schema import Public


def clock() -> Callable[[], str]:
    """A clock that is a second later at each call."""
    seconds = count()
    return lambda: f"2031-05-01T10:{(second := next(seconds)) // 60:02}:{second % 60:02}+00:00"


def find(key: str) -> Ruleset:
    assert key == "sides"
    return DUEL


def roll_of(total: int) -> Reply:
    return Reply(DiceAnswer(total, (total,)))


def strike(by: str = "ansa", target: str = "thug") -> Do:
    return Do((action("attack", by, target=target),))


def do(key: str, by: str | None = None) -> Do:
    return Do((Action(key, by),))


def play(session: Session, *dice: int) -> Model:
    for total in dice:
        session.dispatch(roll_of(total))
    return session.model


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal" / "fights.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as opened:
        yield opened


@pytest.fixture
def settings() -> Settings:
    return Settings(clock=clock())


@pytest.fixture
def session(journal: Journal, settings: Settings) -> Iterator[Session]:
    """A duel in which the party goes first, at the party's slot in round 1."""
    with Session.start(journal, DUEL, encounter(), settings, source_text="title: The duel at dawn\n") as opened:
        play(opened, 5, 2)
        yield opened


def asked(model: Model) -> str:
    """The key of the pending request, "" for none."""
    return "" if model.pending is None else model.pending.request.key


def refusal(model: Model) -> str:
    """The reason of a refusal, "" for none."""
    return "" if model.refusal is None else model.refusal.reason


def six(request: Roll) -> DiceAnswer:
    """A roller whose dice all have their highest face."""
    return DiceAnswer(request.dice.maximum, request.dice.sides)


@pytest.fixture
def watch(session: Session) -> PlayerViewReader:
    """A reader of the players' view of the duel."""
    reader = PlayerViewReader(session.journal.path)
    assert reader.poll()
    return reader


def public_view(watch: PlayerViewReader) -> Public:
    watch.poll()
    assert watch.view is not None, watch.problem
    return watch.view


def reopened(session: Session, rules: Ruleset = DUEL, settings: Settings | None = None) -> Session:
    """The same fight after a restart of the program."""
    session.close()
    fresh = Journal.open(session.journal.path)
    return Session.resume(fresh, session.model.fight, lambda key: rules, settings or session.settings)


def comparable(model: Model) -> Model:
    """A model without the fields that differ after a restart."""
    return replace(model, resumed="", notice="", refusal=None, problem="")
