"""The mouse: what can be clicked does what one would expect."""

from __future__ import annotations

import re
from pathlib import Path

from tests.ui.drive import Table, fight, opened
from tests.ui.skirmish import House, encounter
from tracker.core.terms.requests import ChoiceAnswer
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.modes.acting.prompt import Prompt


async def click(table: Table, said: str, right: int = 0) -> None:
    """Click on the first place of the screen that says this, from below."""
    lines = table.text().splitlines()
    y = next(number for number in range(len(lines) - 1, -1, -1) if said in lines[number])
    await table.pilot.click(offset=(lines[y].index(said) + right, y))
    await table.pilot.pause()


async def test_a_hint_of_the_footer_is_its_key(table: Table) -> None:
    """A click on `damage` begins a command; a click on `leave` leaves it; nothing beside a hint does anything."""
    await click(table, "damage", 3)
    assert table.mode is not None
    assert table.mode.title == "Damage"
    await click(table, "esc leave", 1)
    assert table.mode is None
    await click(table, " " * 6, 3)
    assert table.mode is None


async def test_a_command_takes_the_people_clicked_on(table: Table) -> None:
    """`-7`, a click on each of two goblins, `enter do it`; both are down, and no pane has been left meanwhile."""
    await table.type("-7")
    await table.pilot.click("#roster", offset=(8, 6))
    await table.pilot.click("#order", offset=(8, 6))
    await click(table, "enter do it", 2)
    assert [table.hp(f"goblin-{number}") for number in (1, 2, 3)] == [0, 0, 7]


async def test_an_action_is_chosen_by_a_click_and_done_by_a_second(table: Table) -> None:
    """From the list of actions to the picker, then to the question of the dice."""
    await click(table, "Brawl")
    assert isinstance(table.mode, Picker)
    assert "▸  2 Brawl" in table.text()
    await click(table, "Attack  ")
    assert "▸  1 Attack" in table.text()
    await table.pilot.click("#roster", offset=(8, 6))
    await click(table, "Attack  ")
    assert isinstance(table.mode, Prompt)
    assert "roll d20" in table.text()


async def test_fields_and_options_of_a_form_are_clicked(table: Table) -> None:
    """The cursor goes to a field, a click on an option puts it there."""
    await table.type("a")
    await table.press("tab")
    form = table.mode
    assert isinstance(form, Form)
    await click(table, "h  Goblin 2")
    assert isinstance(table.mode, Form)
    assert table.mode.action.get("target") == "goblin-2"


async def test_a_question_is_answered_by_clicks(tmp_path: Path) -> None:
    """A click on the waiting question opens it again after looking around; options are chosen and taken."""
    session = fight(tmp_path, encounter(rules=House(parries=True)))
    async with opened(session) as table:
        await table.type("ag⏎")
        await table.press("escape")
        assert table.mode is None
        await click(table, "waits for an answer")
        assert isinstance(table.mode, Prompt)


async def test_a_second_click_on_somebody_acts(table: Table) -> None:
    """The first puts the cursor there, the second opens what they can do."""
    await table.pilot.click("#roster", offset=(8, 6))
    assert (table.showing.selected, table.mode) == ("goblin-1", None)
    await table.pilot.click("#roster", offset=(8, 6))
    assert isinstance(table.mode, Picker)
    assert table.mode.by == "goblin-1"


async def test_a_second_click_on_a_line_of_the_log_opens_its_rule(table: Table) -> None:
    """The first puts the cursor on the line."""
    await table.type("ag⏎2⏎")
    await click(table, "miss")
    assert table.panes.chosen.number == 3
    await click(table, "miss")
    assert "Rules" in table.text()


async def test_an_option_is_chosen_and_then_taken(table: Table) -> None:
    """The answer the cursor is on is given by a click, another one by two."""
    await table.type(":weather⏎")
    await click(table, "rain")
    assert re.search("▸ .*rain", table.text())
    await click(table, "rain")
    assert table.model.pending is not None
    assert table.model.pending.answers == (("sky", ChoiceAnswer("rain")),)
    for picked in (("goblin-2",), ()):
        await click(table, "h  Goblin 2")
        assert isinstance(table.mode, Prompt)
        assert table.mode.picked == picked


async def test_the_palette_is_clicked(table: Table) -> None:
    """What is found is marked by a click and done by a second."""
    await table.press("ctrl+p")
    await table.type("heal")
    await click(table, "heal ")
    assert table.mode is not None
    assert table.mode.title == "Heal"
