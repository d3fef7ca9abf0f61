"""Refusals and forms."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import Table, drive, fight
from tracker.core.fight.events import Forced
from tracker.core.terms.actions import action
from tracker.session.intents import Do
from tracker.ui.modes.acting.action_form import Form


def test_refused_action_says_why_and_can_be_forced(tmp_path: Path) -> None:
    """A second attack is refused with reason and rule.

    `!` forces it and the log records the override.
    """
    session = fight(tmp_path)
    session.dispatch(Do((action("brawl", "ava"),)))

    async def journey(table: Table) -> None:
        assert "Ava has acted already" in table.text()
        await table.type("a")
        spec = table.text().split("\n")
        place = next(line for line in spec if "Attack" in line and "acted already" in line)
        await table.type(place.split("Attack")[0].split()[-1] + "g⏎")
        assert "S-2" in table.text()
        assert "forces it" in table.text()
        assert len(table.model.steps) == 2

        await table.type("!")
        assert table.model.pending is not None
        await table.type("3⏎")
        assert any(isinstance(entry.event, Forced) for entry in table.model.steps[-1].entries)

    drive(session, journey)


def test_senseless_action_cannot_be_forced(tmp_path: Path) -> None:
    """A target that is none is refused, and no key forces it."""

    async def journey(table: Table) -> None:
        await table.type("aw⏎")
        assert "not on offer" in table.text()
        assert "forces it" not in table.text()

        await table.type("!")
        assert len(table.model.steps) == 1

    drive(fight(tmp_path), journey)


def test_form_is_filled_in_and_done(tmp_path: Path) -> None:
    """Tab opens every field.

    Words, arrows and rows fill them in; Enter does it.
    """

    async def journey(table: Table) -> None:
        await table.type("a2")
        await table.press("tab")
        assert isinstance(table.mode, Form)
        await table.press("right", "tab")
        await table.type("7")
        await table.press("tab")
        await table.type("head 2, body 1⏎")
        assert "bonus: 7 is outside" in table.text().replace("\n", " ")

        await table.press("tab", "tab", "backspace")
        await table.type("3⏎")
        assert "2 blows, bonus 3" in table.text()

    drive(fight(tmp_path), journey)


def test_missing_field_opens_the_form(tmp_path: Path) -> None:
    """An action that lacks something asks for it instead of refusing."""

    async def journey(table: Table) -> None:
        await table.type("a3⏎")
        assert isinstance(table.mode, Form)
        await table.type("run!⏎")

        assert "shouts run!" in table.text()

    drive(fight(tmp_path), journey)
