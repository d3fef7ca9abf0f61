"""The second keystroke budget, in every game that has the thing."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.ui.drive import SETTINGS, Table, opened
from tests.ui.games import GH, SJ, SV, SW, WN, action_pane, begun, low, phase, played, ready
from tracker.core.game.ruleset import status_of
from tracker.core.terms.actions import action
from tracker.core.terms.requests import Answer, ChoiceAnswer, DiceAnswer, Responded, Roll, Window
from tracker.session.intents import Advance, Do, Reply
from tracker.ui.modes.acting.batch import TurnBatch

EVENINGS = [
    (WN, "A⏎", "Ahors -i⏎⏎", "sh", "gone", "hriwu", "y⏎"),
    (SW, "A⏎", "Auwzm -a⏎⏎", "su", "fled", "tuzag", "n⏎"),
    (SV, "A⏎⏎", "Adyem -f⏎⏎⏎", "sd", "gone", "defgrwx", "n⏎"),
    (GH, "A⏎", "Agbhk -i⏎⏎", "sg", "gone", "ghijald", "y⏎"),
]


async def to_rest(table: Table) -> None:
    """Close the next sheet, which opens by itself within a round once a side is done."""
    if isinstance(table.showing.mode, TurnBatch):
        await table.press("escape")


@pytest.mark.parametrize(("game", "plain", "aimed", "flees", "word", "foes", "end"), EVENINGS)
async def test_an_evening_in_keys(
    game: str, plain: str, aimed: str, flees: str, word: str, foes: str, end: str, tmp_path: Path
) -> None:
    """Budgets 14, 15, 18, 21: a side acts, as told too, one flees, the end."""
    settings = replace(SETTINGS, by_side=True, windows="nobody", roller=low)
    session = ready(tmp_path, game, settings)
    for side in session.model.state.sides:
        settings = replace(settings, auto_sides=(*settings.auto_sides, side.id))
    session.settings = settings
    async with opened(session) as table:
        began = len(table.model.steps)

        async def counted(keys: str) -> int:
            before = table.pressed
            await table.type(keys)
            return table.pressed - before

        assert await counted(plain) <= 3
        many = len(table.model.steps) - began
        assert many >= 4
        assert isinstance(table.showing.mode, TurnBatch) or "all have acted" in action_pane(table)
        await to_rest(table)
        while len(table.model.steps) > began:
            await table.type("u")
        assert await counted(aimed) <= 11
        assert table.model.pending is None
        await to_rest(table)
        words = [one.key for one in table.showing.context.ruleset.statuses]
        assert await counted(f"{flees}{words.index(word) + 1}⏎") == 4
        gone = next(person for person in table.state.combatants if person.label == flees[-1])
        assert gone.status == word
        standing = "".join(person.label for person in table.state.combatants if person.label in foes)
        await table.type(f"s{standing}{words.index(word) + 1}⏎")
        assert await counted(end) == 2
        assert table.state.clock.over
        assert status_of(table.showing.context.ruleset, word).word in table.text()


async def test_flight_and_end_of_a_declared_fight(tmp_path: Path) -> None:
    """Budgets 18 and 21, Spelljammer: its sheet declares (24)."""
    async with opened(begun(tmp_path, SJ, "archers_into_melee", replace(SETTINGS, by_side=True, roller=low))) as table:
        await table.type("sg4⏎")
        assert (table.pressed, table.state["gale-hawk-1"].status) == (4, "gone")
        await table.type("sochr4⏎")
        before = table.pressed
        await table.type("n⏎")
        assert (table.pressed - before, table.state.clock.over) == (2, True)
        assert "Hill folk is left standing" in table.text()


REACTIONS = [(WN, "A-riwu ho⏎⏎", "o"), (SV, "A-efr dm⏎⏎", "m")]
"""Total Defense and the like, before the damage (WN-C39, SV-059)."""


def high(request: Roll) -> DiceAnswer:
    faces = tuple(17 if sides == 20 else 1 for sides in request.dice.sides)
    return DiceAnswer(sum(faces), faces)


@pytest.mark.parametrize(("game", "plan", "who"), REACTIONS)
async def test_a_reaction_while_the_sheet_runs(game: str, plan: str, who: str, tmp_path: Path) -> None:
    """Budget 23: the label of the one who reacts, and Enter."""
    async with opened(ready(tmp_path, game, replace(SETTINGS, by_side=True, roller=high))) as table:
        await table.type(plan)
        assert isinstance(table.question, Window)
        await reacts(table, f"{who}⏎")
        assert any(isinstance(answer, Responded) for answer in answers(table))


def answers(table: Table) -> list[Answer]:
    """Return what has been answered in this fight and in the step that waits."""
    given = [answer for step in table.model.steps for _, answer in step.answers]
    return given + ([] if table.model.pending is None else [answer for _, answer in table.model.pending.answers])


async def reacts(table: Table, keys: str) -> None:
    before, asked = table.pressed, table.model.pending
    await table.type(keys)
    assert table.pressed - before == 2
    assert asked is not None
    assert table.model.pending is None or table.question.key != asked.request.key


async def test_a_defender_strikes_while_the_monsters_sheet_runs(tmp_path: Path) -> None:
    """Budget 23, GitHack: what is done in a monster's turn is the strike (GH-210)."""
    settings = replace(SETTINGS, by_side=True, roller=low)
    session = begun(tmp_path, GH, "dragon", settings)
    played(session, phase("initiative"))
    for intent in (
        Advance(),
        *(Reply(DiceAnswer(2)),) * 4,
        Do((action("stance", "kerrow", stance="defend", ward="mother-ade"),)),
    ):
        assert session.dispatch(intent).refusal is None
    played(session, phase("monsters"))
    async with opened(session) as table:
        await table.type("A-ui hm⏎⏎⏎")
        assert "⚡ k Kerrow" in table.pane("console")
        await reacts(table, "k⏎")
        assert any(isinstance(answer, Responded) for answer in answers(table))


async def test_a_brawl_against_who_comes_while_the_sheet_runs(tmp_path: Path) -> None:
    """Budget 23, Sword World: only a brawl interrupts another's turn (SW-068, SW-083)."""
    session = begun(tmp_path, SW, "forest_ambush", replace(SETTINGS, by_side=True, roller=low))
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "goblins")
    async with opened(session) as table:
        await table.type("Ag move⇥⇥⇥s⏎⏎")
        assert "start a brawl with Goblin 1?" in table.pane("console")
        await reacts(table, "b⏎")
        assert ChoiceAnswer("brawl") in answers(table)


async def test_another_target_while_the_acts_run(tmp_path: Path) -> None:
    """Budget 23, Spelljammer: a defence is declared with the round (SJ-113, SJ-120, SJ-124)."""
    session = begun(tmp_path, SJ, "archers_into_melee", replace(SETTINGS, by_side=True, roller=low))
    async with opened(session) as table:
        await table.type("A⏎⏎⎋-99g⏎A⏎")  # the sheet of the acts has opened by itself
        while "at whom?" not in table.pane("console"):
            await table.type("⏎")
        await reacts(table, "o⏎")
        assert ChoiceAnswer("ogre-mauler") in answers(table)
