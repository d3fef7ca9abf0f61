"""The words of a sheet's lines, and the dice typed for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.ui.drive import SETTINGS, opened, resume
from tests.ui.fight.test_sheet import typed_totals
from tests.ui.games import GH, SJ, SV, SW, WN, action_pane, begun, low, phase, played, ready
from tracker.core.terms.actions import action
from tracker.session.intents import Do
from tracker.session.session import Session
from tracker.ui.fight import keyboard
from tracker.ui.modes.acting.batch import TurnBatch
from tracker.ui.modes.acting.turn_plan import next_line
from tracker.ui.typing.mode import ModeContext

BY_SIDE = replace(SETTINGS, by_side=True, windows="nobody")


def rows_of(session: Session) -> str:
    """Return what the sheet of the moment shows, whole."""
    scene = ModeContext(session.ruleset, session.model, session)
    return "\n".join(row.text for row in TurnBatch.open(scene).filled(scene).rows(scene, 200, 40))


def test_a_line_names_its_action_and_whom_it_helps(tmp_path: Path) -> None:
    session = begun(tmp_path, GH, "goblin_waves", BY_SIDE)
    played(session, phase("fast"))
    ended = session.dispatch(Do((action("add_effect", None, name="dying", targets=("ysolt",)),)))
    assert ended.refusal is None
    assert "m Mother Ade → y Ysolt · stabilise WIS" in rows_of(session)


def test_a_line_names_what_is_repeated_and_given_up(tmp_path: Path) -> None:
    """The form puts back what was declared the round before, so the line says so."""
    session = begun(tmp_path, SJ, "archers_into_melee", replace(BY_SIDE, roller=low))
    told = action("declare", "isaude", main="attack", target="gale-hawk-1", careful_aim=True)
    assert session.dispatch(Do((told,))).refusal is None
    played(session, lambda state: state.clock.round == 2 and state.clock.phase == "declare")
    line = next_line(session.ruleset, session.model.state, (), "isaude")
    assert line is not None
    assert line.outlook is not None
    assert line.outlook.words == "longbow ×2, careful aim"


async def test_each_chance_has_its_noun(tmp_path: Path) -> None:
    async with opened(ready(tmp_path, WN, BY_SIDE)) as table:
        await table.type("OA")
        await table.until("w Wick → s Sefa · small bow     hits 40%")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_names_are_whole_where_lines_are_empty(tmp_path: Path, size: tuple[int, int]) -> None:
    """A line that is too long takes two, the second with what is done."""
    async with opened(begun(tmp_path, GH, "dragon"), size) as table:
        while table.state.clock.phase != "fast":
            await table.type("*" if table.model.pending is not None else "n")
        await table.type("A")
        await table.until("take up a stance")
        first = table.state.combatants[2].name
        shown = table.pane("console")
        assert "…" not in shown.partition("up")[0]
        assert f"{first} → " in shown


async def test_why_a_line_is_refused_is_whole_where_lines_are_empty(tmp_path: Path) -> None:
    """In as many lines as it takes, with its rule."""
    session = begun(tmp_path, SW, "two_brawls")
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session, (120, 40)) as table:
        await table.type("A")
        assert "✗ brawl 1 in between covers the target; only Hawkeye sees past it SW-115" in table.pane("console")


async def test_only_the_chosen_line_has_two_where_there_is_no_room_for_all(tmp_path: Path) -> None:
    """In a low pane the others are cut as before, and the chosen one is whole."""
    async with opened(begun(tmp_path, SV, "gate_brawl"), (80, 24)) as table:
        while table.model.pending is not None or table.state.clock.round < 1:
            await table.type("*" if table.model.pending is not None else "n")
        await table.type("A")
        await table.until("Sling")
        lines = [line[2:38].strip() for line in table.text().splitlines()[-8:]]
        at = next(place for place, line in enumerate(lines) if line.startswith("▸"))
        assert "…" not in lines[at] + lines[at + 1]
        assert any("…" in line for line in lines[at + 2 :])


NARROW = {
    WN: ("hand axe            hits 35%", "  u → s Sefa · great club hits 50%"),
    SW: ("Rusty sword         hits 44%", "  a · join a brawl → m · Grasp"),
    SV: ("  f → c Corvin · Crossbow hits 45%", "  r Red… → h Hobb · Sword hits 70%"),
    GH: ("1d6                 hits 50%", "  h → m Mother Ade · 1d6  hits 50%"),
}


@pytest.mark.parametrize("game", NARROW)
async def test_a_narrow_sheet_says_what_is_done_at_whom(game: str, tmp_path: Path) -> None:
    """At 80x24 names give way, the actor's before the target's, then the chance: never the weapon or spell."""
    async with opened(ready(tmp_path, game, BY_SIDE), size=(80, 24)) as table:
        await table.type("OA")
        for line in NARROW[game]:
            await table.until(line)
        table.showing.odds.stop()


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (60, "▸ y Ysolt  take up a stance pursuit, STR"),
        (34, "▸ y  take up a stance pursuit, STR"),
        (24, "▸ y Ysolt  pursuit, STR"),
    ],
)
def test_a_narrow_sheet_says_what_is_chosen(width: int, line: str, tmp_path: Path) -> None:
    """Where the action's name has no room either, what is chosen replaces it."""
    session = begun(tmp_path, GH, "dragon", BY_SIDE)
    played(session, phase("fast"))
    scene = ModeContext(session.ruleset, session.model, session)

    sheet = TurnBatch.open(scene).filled(scene)
    assert sheet.rows(scene, width, 1 + len(sheet.lines))[1].text.strip() == line  # no line is empty


@pytest.mark.parametrize("dice", ["20 3 1 4 5", "20314 5"])
async def test_dice_behind_those_of_a_row_stand_on_the_same_line(dice: str, tmp_path: Path) -> None:
    """Those that hit are asked for their damage at once; the rest of the row is the row as before."""
    session = begun(tmp_path, WN, "first_fight", BY_SIDE)
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session) as table:
        since = len(table.model.steps)
        await table.type(f"Aou⏎⏎{dice[:-2]}")
        assert "behind these: 1d" in table.pane("console")
        await table.type(f"{dice[-2:]}")
        assert "Enter takes all" in table.pane("console")
        await table.type("⏎")
        assert table.model.pending is None
        assert sorted(typed_totals(table, since)) == [1, 3, 4, 5, 20]


async def test_digits_that_can_be_a_row_and_what_follows_in_two_ways_ask_for_blanks(tmp_path: Path) -> None:
    """Nothing is taken that could be meant otherwise."""
    session = begun(tmp_path, WN, "first_fight", BY_SIDE)
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session) as table:
        since = len(table.model.steps)
        await table.type("Aou⏎⏎1919115")
        assert "type blanks between" in table.pane("console")
        await table.type("⏎")
        assert "type blanks between" in table.pane("console")
        assert typed_totals(table, since) == []


async def test_the_next_start_says_whose_turns_a_left_sheet_had_still_to_do(tmp_path: Path) -> None:
    """The question waits as it was; the others of the side are named beside it."""
    session = begun(tmp_path, WN, "first_fight", BY_SIDE)
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session) as table:
        await table.type("Aou⏎⏎20⏎")
        assert table.model.pending is not None
    async with opened(resume(session, BY_SIDE)) as table:
        assert "still to act after this: Sefa" in table.pane("console")
        assert "Ordwen," not in table.pane("console").partition("still to act")[2]


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_dice_typed_on_a_sheet_answer_what_it_asks_first(size: tuple[int, int], tmp_path: Path) -> None:
    """The sheet says which dice those are. What is no answer stays in the line of the question."""
    async with opened(ready(tmp_path, GH, BY_SIDE), size=size) as table:
        since = len(table.model.steps)
        await table.type("A")
        assert "Mother Ade: 7 d20 for defence" in table.pane("console")
        await table.type("21 1")
        assert "Enter: all, these dice first" in table.pane("console")
        await table.type("⏎")
        assert "defence" in table.question.key
        assert "21 is not on a d20" in table.pane("console")
        await table.press(*["backspace"] * 4)
        await table.type("2193 20452⏎")
        assert typed_totals(table, since) == [2, 19, 3, 20, 4, 5, 2]


async def test_the_next_sheet_opens_once_a_side_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sheet says which follows; Enter right behind the last answer is not for it, and A on it does nothing.

    The end of a round is left to its key, and the sheet of the next round opens behind the question on the way there.
    """
    monkeypatch.setattr(keyboard, "SOON", 600.0)
    async with opened(ready(tmp_path, GH, BY_SIDE)) as table:
        await table.type("A")
        assert "then → Brannoc" in table.pane("console")
        await table.type("2 2 2 2 2 2 2⏎")
        while table.model.pending is not None:
            await table.type("⏎")
        assert table.state.clock.phase == "slow"
        since = len(table.model.steps)
        await table.type("⏎")
        assert "Enter was not taken" in table.pane("console")
        await table.type("A")
        assert isinstance(table.showing.mode, TurnBatch)
        assert len(table.model.steps) == since
        await table.type("20⏎")
        assert "A all · n → Round end" in action_pane(table)
        await table.type("A")
        assert "The drum can be heard" in action_pane(table)
        await table.type("A")
        assert "initiative" in table.question.key
        await table.type("1 1 1 1⏎")
        assert table.state.clock.round == 2
        assert isinstance(table.showing.mode, TurnBatch)
