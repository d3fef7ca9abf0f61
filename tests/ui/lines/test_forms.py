"""Refusals and forms."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import Table, fight, opened
from tests.ui.games import WN, ready
from tests.ui.skirmish import encounter
from tracker.core.fight.events import Forced
from tracker.core.terms.actions import action
from tracker.session.intents import Do
from tracker.ui.modes.acting.action_form import Form


async def test_refused_action_says_why_and_can_be_forced(tmp_path: Path) -> None:
    """A second attack is refused with reason and rule; `!` forces it and the log records the override."""
    session = fight(tmp_path)
    session.dispatch(Do((action("brawl", "ava"),)))
    async with opened(session) as table:
        assert "✗" not in table.pane("console")
        await table.type("a")
        assert "✗ 3 more: Ava has acted already" in table.text()
        await table.press("up")  # opens what is folded
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


async def test_senseless_action_cannot_be_forced(table: Table) -> None:
    """A target that is none is refused, and no key forces it."""
    await table.type("aw⏎")
    assert "not on offer" in table.text()
    assert "forces it" not in table.text()

    await table.type("!")
    assert len(table.model.steps) == 1


async def test_form_is_filled_in_and_done(table: Table) -> None:
    """Tab opens every field; words, arrows and rows fill them in; Enter does it."""
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


async def test_missing_field_opens_the_form(table: Table) -> None:
    """An action that lacks something asks for it instead of refusing."""
    await table.type("a3⏎")
    assert isinstance(table.mode, Form)
    await table.type("run!⏎")

    assert "shouts run!" in table.text()


async def test_the_name_of_an_action_is_no_run_of_labels(tmp_path: Path) -> None:
    """`aim` is Aim, though there are an a, an i and an m."""
    async with opened(fight(tmp_path, encounter(7))) as table:
        await table.type("aaim")

        assert "▸ " in table.text()
        chosen = next(line for line in table.text().split("\n") if "▸" in line)
        assert "Aim" in chosen


async def test_the_list_of_a_fighter_holds_its_own_deeds(table: Table) -> None:
    """The GM's tools stand to the right of it."""
    await table.type("a")
    assert "Attack" in table.pane("console")
    assert "Weather" not in table.pane("console")

    await table.press("right")
    assert "Weather" in table.pane("console")


async def test_a_refusal_in_a_form_follows_what_is_typed(tmp_path: Path) -> None:
    """It appears with the word that makes the action impossible, before the field is left."""
    async with opened(ready(tmp_path, WN)) as table:
        await table.type("aranged")
        await table.press("tab")
        for _ in range(20):
            if "▸ range " in table.text():
                break
            await table.press("down")
        assert "✗" not in table.pane("console")
        await table.type("beyond")

        assert "✗" in table.pane("console")
