"""Questions in words."""

from __future__ import annotations

from tracker.core.fight.settings import NEEDED, SCREEN
from tracker.core.fight.state import State
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import Roll
from tracker.views.words.prompts import prompt_title

ROLL = Roll("attack", Dice.of(1, 20), "ava", "player", "Ava attacks Wick", needed="+6 vs AC 12 · 6 or more hits")


def title(state: State) -> str:
    """Return the question as it is read."""
    return "".join(span.text for span in prompt_title(state, ROLL))


def test_a_question_says_what_the_roll_needs() -> None:
    """Unless the GM keeps it secret."""
    state = State()

    assert title(state).endswith("Ava attacks Wick · +6 vs AC 12 · 6 or more hits")
    assert title(State(facts=((SCREEN, NEEDED, False),))).endswith("Ava attacks Wick")
