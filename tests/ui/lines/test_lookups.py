"""Reminders, rules, filters, the log and the help."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import Table, fight, opened
from tests.ui.skirmish import House, encounter
from tracker.core.terms.actions import action
from tracker.session.intents import Do
from tracker.ui.keys.table import FOOTERS, KEYS, footer, on, remapped


async def test_reminders_are_shown_once_before_time_goes_on(tmp_path: Path) -> None:
    """The first `n` shows what may have been missed, later ones go on."""
    async with opened(fight(tmp_path, encounter(rules=House(owed=True)))) as table:
        await table.type("n")
        assert "the goblins owe a morale check" in table.text()
        assert "Before going on" in table.text()
        await table.type("n")
        assert table.state.clock.current is not None
        assert table.state.clock.current.members == ("wolf",)
        await table.type("n")
        assert table.state.clock.current.members == ("brin",)


async def test_rule_behind_a_log_line(tmp_path: Path) -> None:
    """Enter on a line of the log opens its rule; any key closes it."""
    session = fight(tmp_path)
    async with opened(session) as table:
        await table.type("ag⏎14⏎5⏎3")
        await table.press("up", "enter")
        assert "A die of twenty and the skill" in table.text()

        await table.press("escape")
        assert "2 Combatants" in table.text()


async def test_rules_are_looked_up_by_words(table: Table) -> None:
    """`r` finds rules by their words."""
    await table.type("rparry⏎")

    assert "The target may parry" in table.text()


async def test_log_is_walked_and_returns_to_its_end(tmp_path: Path) -> None:
    """Home shows the first line, End the newest; a new step returns to the newest."""
    session = fight(tmp_path)
    for _ in range(30):
        session.dispatch(Do((action("damage", amount=1, targets=("ava",)),)))
        session.dispatch(Do((action("heal", amount=1, targets=("ava",)),)))
    async with opened(session) as table:
        await table.type("3")
        await table.press("home")
        assert "join Party" in table.text()
        await table.press("pagedown", "pageup")
        assert "Goblin ambush" in table.text().split("3 Log")[1]
        await table.press("end")
        assert "join Party" not in table.text()
        await table.press("home")
        await table.type("-2w⏎")
        assert "20→18" in table.text()


def test_help_and_footers_come_from_the_table() -> None:
    """Every command is in the help, every footer ends in a way out, remappings show."""
    assert all(key.description and key.group for key in KEYS)
    assert all(footer(place) for place in FOOTERS)
    assert ("y", "act") in footer("fight", remapped({"act": "y"}))


async def test_help_lists_every_key(table: Table) -> None:
    """`?` shows the table."""
    await table.type("?")
    seen = table.text()
    for _ in range(12):
        await table.press("pagedown")
        seen += table.text()

    assert [key.id for key in on("fight") if key.description.split()[0] not in seen] == []
    assert "Start screen" not in seen


@pytest.mark.parametrize(
    ("pane", "name", "word", "gone"),
    [("1", "order", "wolf", "Brin"), ("2", "roster", "gob", "Brin"), ("3", "log", "wolf", "20→17")],
)
async def test_every_list_is_filtered(tmp_path: Path, pane: str, name: str, word: str, gone: str) -> None:
    """`/` keeps the lines of the chosen pane that hold a word."""
    session = fight(tmp_path)
    session.dispatch(Do((action("damage", amount=2, targets=("wolf",)),)))
    session.dispatch(Do((action("damage", amount=3, targets=("brin",)),)))
    async with opened(session) as table:
        assert gone in table.pane(name)
        await table.type(f"{pane}/{word}⏎")
        shown = table.pane(name)
        assert (word in shown.casefold(), gone in shown, f"/{word}" in table.text()) == (True, False, True)
        await table.press("down", "down", "down", "up")
        assert table.pane(name) == shown
        await table.press("escape")
        assert gone in table.pane(name)


async def test_what_is_no_list_is_not_filtered(table: Table) -> None:
    """The action pane says that there is nothing to filter."""
    await table.type("4/")
    assert (table.mode, "cannot be filtered" in table.pane("console")) == (None, True)
