"""The command line: who, what, on whom, dice in hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import SETTINGS, Table, fight, opened
from tests.ui.skirmish import House, encounter
from tracker.core.fight.events import Forced
from tracker.core.terms.actions import action
from tracker.core.terms.requests import DiceAnswer
from tracker.session.intents import Advance, Do
from tracker.session.session import Session
from tracker.ui.app import TrackerApp
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.command_line import CommandLine
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.platform.settings import MOST_LINES, UiState


def wolfs_turn(folder: Path, **rules: bool) -> Session:
    session = fight(folder, encounter(rules=House(**rules)))
    session.dispatch(Advance())
    return session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return wolfs_turn(tmp_path)


def line_of(table: Table) -> CommandLine:
    mode = table.mode
    assert isinstance(mode, CommandLine)
    return mode


ATTACKS = (
    *("w att g 14 5 ", "W attack g 14 5", "wolf att goblin-1 14 5", "w att 14 g 5", "att g 14 5"),
    *("w attack target=g 14 5", "w att sword g 14 5"),
)


async def test_attack_with_its_dice_in_one_line(table: Table) -> None:
    """Who, what, on whom, then the dice; all of it is done with one Enter, the dice as typed ones."""
    before = table.model
    for line in ATTACKS:
        await table.type(f":{line}⏎")
        assert (table.hp("goblin-1"), table.model.pending, table.mode) == (2, None, None)
        assert dict(table.model.steps[-1].answers) == {
            "attack": DiceAnswer(14, (14,), typed=True),
            "damage": DiceAnswer(5, (5,), typed=True),
        }
        await table.take_back(before)


async def test_line_is_shown_as_it_is_understood(table: Table) -> None:
    """Before Enter it says who does what on whom, with which dice."""
    await table.type(":w att bow g 14")
    shown = table.pane("console")
    assert "w Wolf Attack → g Goblin 1 weapon bow" in shown
    assert "14 1d20 attack on Goblin 1" in shown
    assert "then asked: 1d6 damage" in shown
    await table.type(" 5 3")
    assert "5 1d6 damage" in table.pane("console")
    assert "3 is not asked for" in table.pane("console")
    assert (len(table.model.steps), table.model.pending) == (2, None)
    await table.press("escape")
    assert (len(table.model.steps), table.model.pending, table.mode) == (2, None, None)


async def test_dice_that_are_missing_are_asked_for(table: Table) -> None:
    """With one die in hand the prompt for the other opens."""
    await table.type(":w att g 14⏎")
    assert isinstance(table.mode, Prompt)
    assert table.model.pending is not None
    assert [key for key, _ in table.model.pending.answers] == ["attack"]
    await table.type("5⏎")
    assert table.hp("goblin-1") == 2


async def test_impossible_face_behind_the_programs_dice_opens_the_prompt(tmp_path: Path) -> None:
    """Answers given stay given where a later one is wrong, and the prompt says so."""
    session = wolfs_turn(tmp_path)
    session.settings = SETTINGS
    session.dispatch(Do((action("roll", dice="1d20"),)))  # while it waits, an action is an interruption
    async with opened(session) as table:
        await table.press("escape")
        await table.type(":w att g 14 9⏎")
        assert isinstance(table.mode, Prompt)
        assert "9 is not on a d6; 14 is given: type the rest here" in table.pane("console")
        assert table.hp("goblin-1") == 7
        await table.type("5⏎")
        assert table.hp("goblin-1") == 2
        assert table.question.key == "roll"


async def test_miss_leaves_the_damage_unused(table: Table) -> None:
    """Dice nobody asked for are named, and harm nothing."""
    await table.type(":w att g 2 5⏎")
    assert (table.hp("goblin-1"), table.model.pending) == (7, None)
    assert "5 was not asked for" in table.pane("console")
    await table.type("n")
    assert "not asked for" not in table.pane("console")


async def test_window_is_passed_by_the_next_die(tmp_path: Path) -> None:
    """A target that may parry does not, if the next die is in hand; without one the window stands in the prompt."""
    async with opened(wolfs_turn(tmp_path, parries=True)) as table:
        await table.type(":w att g 14⏎")
        assert "Parry" in table.text()
        await table.type("u")
        await table.press("escape")
        await table.press("ctrl+z", "ctrl+z")
        await table.type(":w att g 14 5⏎")
        assert (table.hp("goblin-1"), table.model.pending) == (2, None)


async def test_star_lets_the_program_roll_the_rest(table: Table) -> None:
    """`*` in the hand: from there on the program rolls; its dice show five here."""
    await table.type(":w att g 14 *⏎")
    assert (table.hp("goblin-1"), table.model.pending) == (2, None)


async def test_choices_take_words_and_their_usual_answer(table: Table) -> None:
    """The weather asks for a sky, for whom, and for a number."""
    await table.type(":weather⏎")
    assert isinstance(table.mode, Prompt)
    await table.press("ctrl+z", "ctrl+z")
    await table.type(":weather 3⏎")
    assert "sun not used" not in table.pane("console")
    assert table.question.key == "wet"


VERBS = (
    *(("damage 7 g", 0, "down"), ("dam 3 g", 4, "up"), ("damage 3g", 4, "up"), ("damage 6G", 4, "up")),
    *(("status g fled", 7, "fled"), ("set g 5", 5, "up")),
)


async def test_verbs_of_the_game_master(table: Table) -> None:
    """The commands behind the single keys are there by name, with the same small language."""
    before = table.model
    for line, hp, status in VERBS:
        await table.type(f":{line}⏎")
        assert (table.hp("goblin-1"), table.state["goblin-1"].status) == (hp, status)
        await table.take_back(before)


async def test_more_verbs(table: Table) -> None:
    """Effects, newcomers, notes and the order, each by name."""
    await table.type(":effect prone g 3⏎")
    assert table.state["goblin-1"].effects[0].name == "prone"
    await table.type(":end_effect g⏎")
    assert table.state["goblin-1"].effects == ()
    await table.type(":end effect g")
    assert "nobody" not in table.pane("console")
    await table.press("escape")
    await table.type(":insert 2 gob⏎")
    assert [person.name for person in table.state.combatants[-2:]] == ["Goblin 4", "Goblin 5"]
    await table.type(":note g: afraid of fire⏎")
    assert table.state["goblin-1"].notes == ("afraid of fire",)
    await table.type(":move cb⏎")
    assert [slot.members[0] for slot in table.state.clock.slots[:4]] == ["ava", "wolf", "col", "brin"]
    await table.type(":rename who=g name=Snag⏎")
    assert table.state["goblin-1"].name == "Snag"


async def test_commands_of_the_table_by_name(table: Table) -> None:
    """Every command that has a key is there by its word."""
    await table.type(":damage 7 g⏎:undo⏎")
    assert table.hp("goblin-1") == 7
    await table.type(":redo⏎")
    assert table.hp("goblin-1") == 0
    await table.type(":next⏎")
    assert table.state.clock.current is not None
    assert table.state.clock.current.members == ("brin",)
    await table.type(":log⏎")
    assert table.panes.chosen.number == 3
    await table.type(":undo now⏎")
    assert 'takes no more words: leave out "now"' in table.pane("console")


async def test_burst_of_lines_stays_in_order(table: Table) -> None:
    """Lines typed faster than they are handled are done one after the other."""
    await table.hurry(":w att g 14 5\r:next\r:damage 3 h\r:undo\r:redo\r:b att h 15 4\r")

    assert [table.hp(who) for who in ("goblin-1", "goblin-2")] == [2, 0]


async def test_what_the_rules_refuse_says_why_and_can_be_forced(tmp_path: Path) -> None:
    """Reason and rule stand there while it is typed; Enter refuses; `!` forces it, with its dice."""
    session = wolfs_turn(tmp_path)
    session.dispatch(Do((action("brawl", "wolf"),)))
    async with opened(session) as table:
        before = table.model.head
        await table.type(":w att g 14 5")
        assert "Wolf has acted already S-2" in table.pane("console")
        await table.press("enter")
        assert "forces it" in table.pane("console")
        assert (table.model.head, line_of(table).entry.text) == (before, "w att g 14 5")
        await table.type("!")
        assert table.hp("goblin-1") == 2
        assert any(isinstance(entry.event, Forced) for entry in table.model.steps[-1].entries)


WRONG = (
    ("xyz", 'there is no "xyz"'),
    ("w xyz", 'Wolf has no action "xyz"'),
    ("w", "what does Wolf do?"),
    ("w att", "whom? labels or names"),
    ("w att xyz", '"xyz" is no label, name or option here'),
    ("w att w", "not on offer"),
    ("w att g range=4", 'Attack has no "range" (target, weapon)'),
    ("damage g", "how much? type a number"),
    ("w att g weapon=spoon", '"spoon" is not on offer'),
    ("w att g 21", "21 is not on a d20"),
    ("w att g 14 7", "7 is not on a d6"),
    ("w att g 14 4+2", "1d6"),
)


async def test_what_cannot_be_is_said(table: Table) -> None:
    """While it is typed, and Enter does nothing but say so; the line stays."""
    before = (table.model.head, table.model.pending, table.state)
    for line, said in WRONG:
        await table.type(f":{line}")
        assert said in table.pane("console") or "14" not in line
        await table.press("enter")
        assert said in table.pane("console")
        assert (table.model.head, table.model.pending, table.state) == before
        assert line_of(table).entry.text == line
        await table.press("escape")


async def test_text_of_an_action_is_taken_as_it_is(table: Table) -> None:
    """An action that takes only words gets the rest of the line."""
    await table.type(":w shout Run, Ava! 14⏎")
    assert "shouts Run, Ava! 14" in table.text()
    await table.type(":w shout⏎")
    assert isinstance(table.mode, Form)


async def test_tab_completes_names_options_and_fields(table: Table) -> None:
    """The first of the list, or the marked one, replaces the word begun."""
    await table.type(":w at")
    await table.press("tab")
    assert line_of(table).entry.text == "w attack "
    assert "Goblin 1" in table.pane("console")
    await table.press("down", "down", "tab")
    assert line_of(table).entry.text == "w attack h "
    await table.type("bo")
    await table.press("tab")
    assert line_of(table).entry.text == "w attack h bow "
    await table.type("wea")
    await table.press("tab")
    assert line_of(table).entry.text == "w attack h bow weapon="
    await table.press("escape")
    await table.type(":eff")
    await table.press("tab")
    await table.type("pro")
    await table.press("down", "tab")
    assert line_of(table).entry.text in ("effect prone ", "effect protected ")


async def test_earlier_lines_come_back(tmp_path: Path) -> None:
    """Up and down go through the lines while nothing else is typed; the newest is first."""
    async with opened(wolfs_turn(tmp_path)) as table:
        await table.type(":damage 1 g⏎:damage 2 h⏎:")
        await table.press("up")
        assert line_of(table).entry.text == "damage 2 h"
        await table.press("up", "up")
        assert line_of(table).entry.text == "damage 1 g"
        await table.press("down")
        assert line_of(table).entry.text == "damage 2 h"
        await table.press("down")
        assert line_of(table).entry.text == ""
        await table.press("up", "enter")
        assert table.hp("goblin-2") == 3


def test_lines_are_kept_across_starts(tmp_path: Path) -> None:
    """Two hundred lines, each once, the newest last; a folder that cannot be written is no trouble."""
    memory = UiState(lambda: tmp_path / "state")
    for number in range(250):
        memory.add(f"damage {number} g")
    memory.add("damage 249 g")

    again = UiState(lambda: tmp_path / "state").lines
    assert (len(again), again[0], again[-1]) == (MOST_LINES, "damage 50 g", "damage 249 g")
    assert sorted(path.name for path in (tmp_path / "state").iterdir()) == ["lines.txt"]


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x1b[31mred\x1b[0m\n\n  \n", b"x" * 3_000_000, None])
def test_broken_memory_is_no_failure(tmp_path: Path, content: bytes | None) -> None:
    """Whatever the file holds, the lines are text and new ones can be added."""
    folder = tmp_path / "state"
    if content is None:
        folder.write_text("a file, no folder")
    else:
        folder.mkdir()
        (folder / "lines.txt").write_bytes(content)
    memory = UiState(lambda: folder)

    memory.add("undo")

    assert memory.lines[-1] == "undo"
    assert all("\x1b" not in line and len(line) <= 2000 for line in memory.lines)


def test_theme_is_remembered(tmp_path: Path) -> None:
    """The theme chosen last is there at the next start; one that is gone is forgotten."""
    memory = UiState(lambda: tmp_path)
    memory.theme = "tracker-light"
    session = fight(tmp_path)
    assert TrackerApp(session, memory=UiState(lambda: tmp_path)).theme == "tracker-light"
    memory.theme = "no such theme"
    assert TrackerApp(session, memory=UiState(lambda: tmp_path)).theme in ("tracker-dark", "ansi-dark")
    session.close()
