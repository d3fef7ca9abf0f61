"""What is remembered of steps and answers goes when they are taken back, whatever takes them back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.ui.drive import SETTINGS, fight, opened
from tests.ui.games import WN, ready
from tests.ui.skirmish import House, encounter
from tracker.core.terms.actions import action
from tracker.session.intents import Amend, Branch, Do, LookAt, Redo, Undo, WhatIf
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.fight.controller import has_gone_back
from tracker.ui.modes.acting.batch import TurnBatch
from tracker.ui.modes.search.lookups import ReminderMode


def note(session: Session, text: str = "rain") -> Model:
    return session.dispatch(Do((action("note", text=text),)))


def undone(session: Session) -> tuple[Model, Model]:
    return note(session), session.dispatch(Undo())


def an_answer_less(session: Session) -> tuple[Model, Model]:
    was = session.dispatch(Do((action("attack", "ava", target="goblin"),)))
    assert was.pending is not None
    return was, session.dispatch(Undo())


def from_the_past(session: Session) -> tuple[Model, Model]:
    note(session)
    note(session, "wind")
    session.dispatch(LookAt(session.model.steps[-2].seq))
    return session.model, session.dispatch(Branch(session.model.steps[-2].seq))


def dropped(session: Session) -> tuple[Model, Model]:
    session.dispatch(WhatIf("begin"))
    return note(session), session.dispatch(WhatIf("drop"))


def corrected(session: Session) -> tuple[Model, Model]:
    note(session)
    was = note(session, "wind")
    return was, session.dispatch(Amend(was.steps[-2].seq, (), actions=(action("note", text="snow"),)))


def done(session: Session) -> tuple[Model, Model]:
    return note(session), note(session, "wind")


def redone(session: Session) -> tuple[Model, Model]:
    note(session)
    return session.dispatch(Undo()), session.dispatch(Redo())


def looked(session: Session) -> tuple[Model, Model]:
    note(session)
    return session.model, session.dispatch(LookAt(session.model.steps[-2].seq))


def tried(session: Session) -> tuple[Model, Model]:
    note(session)
    return session.model, session.dispatch(WhatIf("begin"))


@pytest.mark.parametrize(
    ("way", "back"),
    [
        (undone, True),
        (an_answer_less, True),
        (from_the_past, True),
        (dropped, True),
        (corrected, True),
        (done, False),
        (redone, False),
        (looked, False),
        (tried, False),
    ],
)
def test_each_way_back_is_known(tmp_path: Path, way: Callable[[Session], tuple[Model, Model]], back: bool) -> None:
    """Undo, a correction, Enter in the past and a dropped what-if go back; going on and looking do not."""
    was, now = way(fight(tmp_path, encounter(1)))

    assert now.refusal is None
    assert now.problem == ""
    assert has_gone_back(was, now) is back


async def test_a_reminder_is_shown_again_after_the_step_was_taken_back(tmp_path: Path) -> None:
    async with opened(fight(tmp_path, encounter(rules=House(owed=True)))) as table:
        await table.type("n")
        assert isinstance(table.mode, ReminderMode)
        await table.type("nu")
        assert table.mode is None
        await table.type("n")
        assert isinstance(table.mode, ReminderMode)


async def test_backspace_in_a_prompt_ends_the_sheet(tmp_path: Path) -> None:
    """The turns that were still to come are not done behind the one that was taken back."""
    async with opened(ready(tmp_path, WN, replace(SETTINGS, by_side=True, windows="nobody"))) as table:
        await table.type(":ask foes⏎")
        since = len(table.model.steps)
        await table.type("A⏎")
        assert table.model.pending is not None
        await table.press("backspace")
        assert table.model.pending is None
        assert len(table.model.steps) == since
        await table.type("A")
        assert isinstance(table.mode, TurnBatch)
