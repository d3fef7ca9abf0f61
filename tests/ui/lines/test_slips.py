"""Slips of a tired game master: each costs one line that says the way on, and nothing is done."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.events import Key

from tests.support.shares import every
from tests.ui.drive import SETTINGS, Table, opened
from tests.ui.games import FIGHTS, GH, SJ, SV, SW, WN, begun, low, played, ready
from tests.ui.keys.test_five_games import heroes
from tracker.ui.modes.acting.picker import Picker


@pytest.mark.parametrize("game", every(4, FIGHTS))
async def test_points_need_a_combatant(game: str, tmp_path: Path) -> None:
    """An amount alone harms, heals and sets nothing."""
    async with opened(ready(tmp_path, game)) as table:
        steps = len(table.model.steps)
        for verb in "-+=":
            await table.type(f"{verb}7⏎")
            assert "whom? labels or names" in table.pane("console")
            await table.press("escape")
        assert len(table.model.steps) == steps


HALE = {WN: "o", SW: "m", SV: "y", SJ: "i", GH: "g"}


@pytest.mark.parametrize("game", every(3, HALE))
async def test_a_preview_says_that_nothing_changes(game: str, tmp_path: Path) -> None:
    """Healing a combatant that is unhurt."""
    async with opened(ready(tmp_path, game)) as table:
        await table.type(f"+5{HALE[game]}")
        assert "→ nothing changes" in table.pane("console")


@pytest.mark.parametrize("game", FIGHTS)
async def test_the_resting_pane_lists_what_is_possible(game: str, tmp_path: Path) -> None:
    """What is refused has its reasons in the list of actions."""
    session = begun(tmp_path, game, FIGHTS[game][0])
    played(session, heroes)
    async with opened(session) as table:
        assert "✗" not in table.pane("console")


async def test_numbers_that_no_die_shows_are_said_while_they_are_typed(tmp_path: Path) -> None:
    """Of one die, of the damage behind it, and of what is no number."""
    session = begun(tmp_path, WN, FIGHTS[WN][0])
    played(session, heroes)
    async with opened(session) as table:
        await table.type("au⏎")
        for typed, said in (("25", "25 is not on a d20"), ("19 9", "9 is not on a d8"), ("x", "dice are numbers")):
            await table.type(typed)
            assert said in table.pane("console")
            assert "Enter" not in table.pane("console").partition(said)[0]
            await table.press(*["backspace"] * len(typed))


async def test_numbers_too_many_for_a_row_are_no_damage_of_its_first(tmp_path: Path) -> None:
    """Misses, and one number more: what the rows show is what Enter takes."""
    session = begun(tmp_path, WN, FIGHTS[WN][0], replace(SETTINGS, by_side=True, roller=low))
    played(session, heroes)
    async with opened(session) as table:
        await table.type("A⏎")
        many = table.pane("console").partition(" d20 in order")[0].rpartition(", ")[2]
        await table.type("2 " * int(many) + "7")
        said = f"{many} are asked for: 7 is too much"
        assert said in table.pane("console")
        asked = table.question
        await table.press("enter")
        assert (table.question, said in table.pane("console")) == (asked, True)


async def test_a_number_that_is_not_in_a_list_is_named(table: Table) -> None:
    """With the numbers there are."""
    await table.type(":weather⏎44⏎")
    assert "there is no 44: 1 to 2" in table.pane("console")


async def test_a_target_that_is_none_is_said_before_enter(tmp_path: Path) -> None:
    """In the list of actions as it is typed; a line of the sheet does not take it, and the sheet stays."""
    async with opened(ready(tmp_path, GH)) as table:
        await table.type("ah")
        assert "Goblin 2 is not on offer" in table.pane("console")
        await table.press("escape", "escape")
        await table.type("Agh⏎")
        assert "✗ Goblin 2 is no target of Attack" in table.pane("console")
        await table.press("escape")
        await table.type("gb⏎")
        assert "g Goblin 1 → b Brannoc" in table.pane("console")


async def test_points_below_nothing_have_a_minus(tmp_path: Path) -> None:
    """In the preview and in the roster."""
    async with opened(ready(tmp_path, SJ)) as table:
        await table.type("-99g")
        assert "g 19→−80" in table.pane("console")
        await table.press("enter")
        assert "−80/19" in table.pane("roster")
        assert "-80" not in table.text()


@pytest.mark.parametrize(("keys", "back"), [("A", "Sheet"), ("a", "Act"), ("-", "Damage"), ("'", "Go to")])
async def test_a_question_mark_opens_the_help_wherever_it_can_be_no_answer(
    keys: str, back: str, tmp_path: Path
) -> None:
    """Escape leads back to what was open."""
    session = begun(tmp_path, WN, FIGHTS[WN][0], replace(SETTINGS, by_side=True))
    played(session, heroes)
    async with opened(session) as table:
        await table.type(keys)
        before = table.mode
        assert before is not None
        assert before.title.startswith(back)
        await table.press("question_mark")
        assert table.mode is not None
        assert table.mode.title == "Keys"
        await table.press("escape")
        assert table.mode == before


async def test_a_number_glued_to_a_name_says_what_is_wrong_with_the_name(tmp_path: Path) -> None:
    """As if there were a blank between."""
    async with opened(ready(tmp_path, WN)) as table:
        await table.type("-7hedge")
        assert '"hedge" is' in table.pane("console")
        assert "which?" in table.pane("console")
        await table.press("escape")
        await table.type("-7sna")
        assert "Snag" in table.pane("console")


async def test_escape_with_a_sign_right_behind_it_is_both(tmp_path: Path) -> None:
    """Terminals send the two as one key with alt."""
    async with opened(ready(tmp_path, WN)) as table:
        await table.type("-7")
        table.app.post_message(Key("alt+a", "a"))
        await table.press("b")
        assert isinstance(table.mode, Picker)
        assert table.mode.entry.text == "b"


async def test_a_value_that_cannot_be_set_is_answered_by_those_that_can(tmp_path: Path) -> None:
    """Before Enter."""
    async with opened(ready(tmp_path, WN)) as table:
        await table.type("=s ac 15")
        assert "cannot be set; hp" in table.pane("console")
