"""Nothing by accident: Enter opens, and a question's last answer is taken back."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.ui.drive import SETTINGS, Table, fight, opened
from tests.ui.games import WN, action_pane, ready
from tests.ui.skirmish import House, encounter
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.core.terms.requests import DiceAnswer
from tracker.session.intents import Advance, Do
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.modes.acting.prompt import Prompt

BY_SIDE = replace(SETTINGS, by_side=True, windows="nobody")


async def test_nothing_that_gives_something_up_is_marked(tmp_path: Path) -> None:
    """Once the usual action is spent, `a` Enter does nothing."""
    session = ready(tmp_path, WN, BY_SIDE)
    session.dispatch(Do((action("melee_attack", "hedge-robber-1", target="ordwen"),)))
    async with opened(session) as table:
        await table.type("'ha")
        before = table.model
        await table.type("⏎")
        assert table.model is before
        assert "which? a number, a name" in action_pane(table)
        await table.type("o⏎")
        assert table.model is before
        await table.press("backspace", "down", "up", "up")
        assert isinstance(table.mode, Picker)
        assert table.mode.chosen is not None
        await table.press("escape")

        await table.type("'oa")  # one that is not up has its own list, with the refusal and its force
        assert "o Ordwen out of turn" in action_pane(table)
        await table.type("mel⏎")
        assert "! forces it" in action_pane(table)
        await table.press("escape")

        await table.type("/wick⏎a")
        assert "w Wick acts" in action_pane(table)


async def test_an_answer_is_taken_back_at_the_next_question(tmp_path: Path) -> None:
    """Budget 20: Backspace in an empty prompt, and `u`. A Backspace held down does no more than wipe."""
    session = fight(tmp_path)
    session.dispatch(Do((action("attack", "ava", target="goblin-1"),)))
    async with opened(session) as table:
        for key in ("backspace", "u"):
            await table.type("14⏎")
            assert table.question.key == "damage"
            await table.press(key)
            assert table.question.key == "attack"
            assert isinstance(table.mode, Prompt)
        await table.type("14⏎5")
        await table.press("backspace", "backspace")
        assert table.question.key == "damage"


async def test_enter_after_the_last_question_is_not_taken(tmp_path: Path) -> None:
    """A prompt that ended one Enter earlier than expected swallows the next, and says so."""
    session = fight(tmp_path)
    session.dispatch(Do((action("attack", "ava", target="goblin-1"),)))
    async with opened(session) as table:
        await table.hurry("14\r5\r\r")
        assert table.mode is None
        assert "Enter was not taken" in action_pane(table)
        await table.type("'a⏎")
        assert isinstance(table.mode, Picker)


async def test_dice_typed_while_a_question_is_open_stay_dice(tmp_path: Path) -> None:
    """They answer the interruption's own questions, and are no modifiers."""
    session = ready(tmp_path, WN, replace(SETTINGS, windows="nobody"))
    async with opened(session) as table:
        await table.type("ao⏎")
        await table.press("escape")
        await table.type(":r mel s 14 3")
        assert "hit mod 14" not in action_pane(table)
        assert "14 3 in hand" in action_pane(table)
        await table.type("⏎")
        assert table.model.pending is not None
        assert table.model.pending_step is not None
        done = table.model.pending_step.interrupts[-1].action
        assert (done.by, done.get("target"), done.get("hit_mod")) == ("hedge-robber-2", "sefa", None)


def acting(state: State) -> str:
    assert state.clock.current is not None
    return state.clock.current.members[0]


async def test_attack_with_typed_dice_through_a_window_is_eight_keys(tmp_path: Path) -> None:
    """Budget 5 holds where the target may parry; the window stands in the prompt of the damage."""
    session = fight(tmp_path, encounter(rules=House(parries=True)))
    for _ in range(4):
        session.dispatch(Advance())
    async with opened(session) as table:
        await table.type("aw⏎14⏎")
        assert "Parry" in table.text()
        await table.type("5⏎")

        assert (table.hp("wolf"), table.pressed, table.model.pending) == (15, 8, None)


async def test_rest_of_the_step_is_rolled_with_a_star(tmp_path: Path) -> None:
    """Budget 6 again: `*` answers this roll and the rest of the step."""
    session = fight(
        tmp_path,
        settings=replace(SETTINGS, roller=lambda request: DiceAnswer(request.dice.maximum, request.dice.sides)),
    )
    for _ in range(4):
        session.dispatch(Advance())
    async with opened(session) as table:
        await table.type("aw⏎*")

        assert (table.hp("wolf"), table.pressed, table.model.pending) == (14, 4, None)


async def test_what_enter_does_stays_beside_a_mistake(tmp_path: Path) -> None:
    """A mistake takes the room of the list, never that of the Enter line."""
    session = fight(tmp_path, encounter(rules=House(individual=True)))
    async with opened(session, (80, 24)) as table:
        await table.type("nonsense⏎")
        mode = table.mode
        assert mode is not None

        assert "Enter: all its" in table.pane("console")
        for height in range(3, 9):
            rows = mode.rows(table.showing.context, 24, height)
            assert [row.key for row in rows].count("hint") == 1, height
            assert len(rows) == height


async def test_keys_in_one_burst_are_all_taken_in_order(table: Table) -> None:
    """Keys that come faster than they are handled finish commands all the same."""
    await table.hurry("-7g\r-7h\rn-3w\ru'b")

    assert [table.hp(who) for who in ("goblin-1", "goblin-2", "wolf")] == [0, 0, 20]
    assert (acting(table.state), table.showing.selected) == ("wolf", "brin")
