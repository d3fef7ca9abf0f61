"""Nothing by accident: Enter opens, and a question's last answer is taken back."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.ui.drive import SETTINGS, fight, opened
from tests.ui.games import WN, action_pane, ready
from tracker.core.terms.actions import action
from tracker.session.intents import Do
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
    """Budget 20: Backspace in an empty prompt, and `u`.

    A Backspace held down does no more than wipe.
    """
    session = fight(tmp_path)
    session.dispatch(Do((action("attack", "ava", target="goblin-1"),)))
    async with opened(session) as table:
        for key in ("backspace", "u"):
            await table.type("14⏎")
            assert table.model.pending is not None
            assert table.model.pending.request.key == "damage"
            await table.press(key)
            assert table.model.pending.request.key == "attack"
            assert isinstance(table.mode, Prompt)
        await table.type("14⏎5")
        await table.press("backspace", "backspace")
        assert table.model.pending is not None
        assert table.model.pending.request.key == "damage"


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
