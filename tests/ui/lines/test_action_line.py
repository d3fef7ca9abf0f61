"""The line of the action picker: words name the action, its options and targets; numbers are squares and dice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.ui.drive import SIZES, opened
from tests.ui.games import SV, SW, WN, action_pane, begun, played
from tests.ui.keys.test_five_games import heroes
from tracker.core.terms.actions import action
from tracker.session.intents import Do
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.picker import Picker


@pytest.mark.parametrize("size", SIZES)
async def test_a_run_goes_to_the_square_that_is_typed(size: tuple[int, int], tmp_path: Path) -> None:
    """Budget 26: a named action is never replaced by the line of a number, and `x,y` is a square."""
    session = begun(tmp_path, SV, "first_fight")
    played(session, heroes)
    async with opened(session, size=size) as table:
        before = table.model
        await table.type("arun 6,9")
        assert re.search(r"▸ \d Run", action_pane(table))
        assert "✗ 6,9 is occupied" in table.pane("console")
        await table.type("⏎")
        assert table.model.state is before.state
        await table.press("escape")
        await table.type("arun 5,8⏎")
        assert table.mode is None
        assert table.state["ysolde"].position == (5, 8)
        assert [entry for entry in table.model.steps[-1].entries if "total_defense" in str(entry)] == []


async def test_what_an_action_does_not_take_is_said(tmp_path: Path) -> None:
    """A number, a label or a word that is left over stops Enter; nothing else is done in its place."""
    session = begun(tmp_path, WN, "first_fight")
    played(session, heroes)
    async with opened(session) as table:
        before = table.model
        for typed, said in (
            ("total 6", "6 is left over"),
            ("total hr", "Hedge Robber 1, Hedge Robber 2 are left over: Total Defense has no target"),
            ("melee hr", "Hedge Robber 2 is left over: Melee Attack has one target"),
            ("melee h spear", '"spear" is no label, name or option here'),
            ("melee robber", '"robber" is h Hedge Robber 1, r Hedge Robber 2, i Hedge Robber 3: which?'),
            ("99", "there is no 99: 1 to"),
            ("run 6,9", "6,9 is left over"),
        ):
            await table.type("a" + typed)
            assert said in table.pane("console")
            await table.type("⏎⏎")
            assert isinstance(table.mode, Picker)
            assert table.model is before
            await table.press("escape")
        await table.type("a99⏎")
        await table.press("backspace", "backspace")
        await table.type("h melee⏎")
        assert table.question.key == "hit" or table.model.pending is not None


async def test_dice_thrown_together_are_taken_though_one_cannot_matter(tmp_path: Path) -> None:
    """Any damage fells the robber: its die is named as not asked for, and Enter strikes all the same."""
    session = begun(tmp_path, WN, "first_fight")
    played(session, heroes)
    async with opened(session) as table:
        await table.type("'oah 19 8")
        assert "8 is not asked for" in table.pane("console")
        await table.type("⏎")
        assert "5→0, dead" in table.text()
        assert table.model.pending is None


async def test_the_picker_takes_names_options_and_dice_in_any_order(tmp_path: Path) -> None:
    """Each line is the same attack, and shows how it is understood."""
    session = begun(tmp_path, WN, "first_fight")
    played(session, heroes)
    async with opened(session) as table:
        for typed in ("axe robber 2 14 5", "robber 2 14 5 axe", "r axe 14 5", "14 axe r 5 melee"):
            before = table.model
            await table.type("'oa" + typed)
            shown = table.pane("console")
            assert "target r Hedge Robber 2 weapon hand axe" in shown.replace("Hedge Robber 2 (r)", "r Hedge Robber 2")
            assert "14 " in shown
            await table.type("⏎")
            assert table.model.pending is None
            assert table.state["hedge-robber-2"] != before.state["hedge-robber-2"]
            await table.take_back(before)


async def test_the_odds_follow_each_key(tmp_path: Path) -> None:
    """What Enter would do is known after each key that completes an action."""
    session = begun(tmp_path, WN, "first_fight")
    played(session, heroes)
    async with opened(session) as table:
        await table.type("a")
        aims = []
        for key in "r axe":
            await table.type(key)
            assert table.mode is not None
            aims.append(table.mode.aim(table.showing.context))
        sword = action("melee_attack", "ordwen", target="hedge-robber-2")
        axe = sword.put(weapon="hand axe")
        assert aims == [sword, sword, None, axe, axe]


async def test_another_choice_gets_its_own_usual_target(tmp_path: Path) -> None:
    """A spell that is changed in the form does not keep the target of the one before; what is typed is kept."""
    session = begun(tmp_path, SW, "two_brawls")
    played(session, heroes)
    session.dispatch(Do((action("start_turn", "mira"),)))
    async with opened(session) as table:
        await table.type("'ma⇥")
        assert isinstance(table.mode, Form)
        usual = table.mode.action
        assert (usual.get("spell"), usual.get("targets")) == ("Force", ("grave-shade",))
        await table.type("cure⇥")
        assert "spell Cure Wounds ▸ targets m Mira" in table.pane("console")
        await table.press("up")
        await table.type("force⇥")
        assert "targets g Grave Shade" in table.pane("console")
        await table.type("t⇥")
        await table.press("up", "up")
        await table.type("cure⇥")
        assert "targets t Skeleton 1" in table.pane("console")
