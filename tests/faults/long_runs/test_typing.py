"""Floods of text: pasted into every field, and typed as fast as a held key.

Nothing is lost, nothing comes in another order, and the answer comes soon.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from textual import events

from tests.e2e.line import Line, shelf
from tests.faults.harness.games import GAMES, fight_of
from tests.faults.harness.killing import SETTINGS
from tests.support.quick import settled
from tests.ui.drive import NAMED, Table, drive
from tracker.cli.main import main
from tracker.core.fight.events import Noted
from tracker.session.intents import WhatIf
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.journal import Journal

MANY = 10_000
WORDS = " ".join(f"word{number}" for number in range(MANY))[:MANY].strip()
WIDE = "漢" * MANY
SOON = 2.0
FIELDS = ("o", "e", "/", ":", "'")
MORE = (
    *((key,) for key in ("i", "f", "minus", "plus", "equals_sign", "s", "m", "x", "ctrl+p", "a", "r", "?", "A", "n")),
    *(("a", "enter"), ("3", "up", "up", "c"), ("w", "o")),
)
"""What else takes text: commands of the GM, the palette, actions, their forms, look-ups, the sheet, answers again."""
EVERY, HELD = 1 / 60, 30.0


def notes(session: Session) -> list[str]:
    """Return what was noted, the newest last."""
    return [
        entry.event.text for step in session.model.steps for entry in step.entries if isinstance(entry.event, Noted)
    ]


@pytest.mark.parametrize(
    ("text", "more"),
    [pytest.param(WORDS, (), id="words"), pytest.param(WIDE, MORE, id="wide", marks=pytest.mark.long)],
)
def test_a_flood_pasted_into_any_field_is_answered_soon(
    tmp_path: Path, text: str, more: tuple[tuple[str, ...], ...]
) -> None:
    """Ten thousand characters, a key behind them, and Enter. The note has them all."""
    ruleset, encounter = fight_of(GAMES[0])
    session = Session.start(Journal.open(tmp_path / "fights.db"), ruleset, encounter, SETTINGS)

    async def paste(table: Table) -> None:
        assert table.app._driver is not None
        table.app._driver.send_message(events.Paste(text))
        await settled(table.app)

    async def journey(table: Table) -> None:
        while table.model.pending is not None:
            await table.type("*")
        for field in (*((NAMED.get(one, one),) for one in FIELDS), *more):
            await table.press("escape", "escape")
            await table.press(*field)
            begun = time.thread_time()
            await paste(table)
            await table.press("x", "enter")
            assert time.thread_time() - begun < SOON, field
        await table.press("escape", "escape", "escape")
        if session.model.trial is not None:
            session.dispatch(WhatIf("drop"))
            table.showing.show(session.model, None)
        while table.model.pending is not None:
            await table.press("escape", "u")
        await table.type("o")
        await paste(table)
        await table.press("enter")
        assert notes(session)[-1] == text
        await table.type("o")
        table.app._driver.send_message(events.Paste(text * 3))  # type: ignore[union-attr]  # it runs
        await settled(table.app)
        assert "20,000 characters fit" in table.text()

    drive(session, journey)


@pytest.mark.long
def test_a_key_held_for_half_a_minute_loses_nothing(tmp_path: Path) -> None:
    """Sixty signs a second typed into a note, in the real program."""
    path = tmp_path / "fights.db"
    file = shelf("worlds_without_number") / "first_fight.yaml"
    line = Line(lambda: main(["play", str(file), "--db", str(path)]))
    try:
        line.until("is a side caught")
        line.write(b"*")
        line.until("Round 1")
        line.write(b"o")
        line.until("note")
        text, begun = "", time.monotonic()
        while time.monotonic() - begun < HELD:
            sign = "0123456789"[len(text) % 10]
            line.write(sign.encode())
            text += sign
            while (left := begun + len(text) * EVERY - time.monotonic()) > 0:
                line.read(left)
        released, here = time.monotonic(), len(line.said)
        line.write(b"\r")
        line.until("0123456789", here)
        assert time.monotonic() - released < SOON
        line.write(b"\x11")
        assert line.ended() == 0
    finally:
        line.close()
    with Journal.open(path) as journal, Session.resume(journal, journal.fights()[0].id, registry.find) as session:
        assert notes(session)[-1] == text
