"""Names, moments and questions in words, and names in the colours of their sides."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.views.toy import changed, fight
from tracker.core.fight.settings import NEEDED, SCREEN
from tracker.core.fight.state import State
from tracker.core.terms.dice import Dice
from tracker.core.terms.moments import Boundary
from tracker.core.terms.requests import Roll
from tracker.views.words.moments import boundary_words
from tracker.views.words.prompts import prompt_title
from tracker.views.words.sides import Colours, names_of
from tracker.views.words.spans import Span


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("magic", "start of Party's magic phase"),
        ("side:party", "start of Party's phase"),
        ("", "start of Party's turn"),
    ],
)
def test_a_phase_named_by_its_side_has_no_second_name(phase: str, words: str) -> None:
    """A phase called like the anchor of its side is told by its owner only."""
    boundary = Boundary("phase_start", 2, phase, sides=("party",))

    assert boundary_words(fight(), boundary) == words


def test_the_same_names_are_the_same_tuple() -> None:
    """A wound or a state that is only equal changes nothing; a new name, a newcomer or a leaver does."""
    state = fight()
    names = names_of(state)

    assert names == tuple(one.name for one in state.combatants)
    assert names_of(changed(state, "ava", status="down")) is names
    assert names_of(replace(state)) is names
    renamed = names_of(changed(state, "wolf", name="Grey"))
    assert (renamed[1], renamed[0], renamed[2:]) == ("Grey", names[0], names[2:])
    assert names_of(state) == names
    assert names_of(replace(state, combatants=state.combatants[1:])) == names[1:]


ROLL = Roll("attack", Dice.of(1, 20), "ava", "player", "Ava attacks Wick", needed="+6 vs AC 12 · 6 or more hits")


def title(state: State) -> str:
    """Return the question as it is read."""
    return "".join(span.text for span in prompt_title(state, ROLL))


def test_a_question_says_what_the_roll_needs() -> None:
    """Unless the GM keeps it secret."""
    state = State()

    assert title(state).endswith("Ava attacks Wick · +6 vs AC 12 · 6 or more hits")
    assert title(State(facts=((SCREEN, NEEDED, False),))).endswith("Ava attacks Wick")


COLOURS = Colours(
    {"Goblin 1": "gm", "Goblin 12": "gm", "Ava": "players", "Old Ava's Hound": "ally", "Party": "players"}
)


def test_names_stand_in_their_colours() -> None:
    """The longest whole name has the colour of its side, the rest its own style."""
    assert COLOURS.spans("Goblin 12 hits Ava.", "bad") == (
        Span("Goblin 12", "gm"),
        Span(" hits ", "bad"),
        Span("Ava", "players"),
        Span(".", "bad"),
    )
    assert COLOURS.spans("Old Ava's Hound") == (Span("Old Ava's Hound", "ally"),)
    assert COLOURS.spans("Goblin 123 and Avas Partyhat") == (Span("Goblin 123 and Avas Partyhat"),)
    assert COLOURS.spans("") == (Span(""),)
    assert [COLOURS.of(name, "dim").style for name in ("Ava", "Bero")] == ["players", "dim"]
