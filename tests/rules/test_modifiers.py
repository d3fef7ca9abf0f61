"""The game master's own effects change what they say they change, in every game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.games import begun
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.session.intents import Do, Interrupt
from tracker.session.rulesets.registry import find
from tracker.session.session import Session

FIGHTS = (
    ("worlds_without_number", "first_fight"),
    ("sword_world", "forest_ambush"),
    ("sovereign", "night_road"),
    ("spelljammer", "archers_into_melee"),
    ("githack", "goblin_waves"),
)


def blessed(session: Session, who: str, stat: str, amount: int) -> State:
    """Let an effect change a number, in front of whatever is asked."""
    given = action("add_effect", name="blessed", targets=(who,), modifiers=((("stat", stat), ("amount", amount)),))
    model = session.dispatch(Do((given,)) if session.model.pending is None else Interrupt(given))
    assert model.refusal is None
    return model.state


@pytest.mark.parametrize(("game", "name"), FIGHTS)
def test_every_number_on_offer_can_be_changed(game: str, name: str, tmp_path: Path) -> None:
    """An effect of +1 raises a derived number by 1, as one of its parts."""
    ruleset = find(game)
    session = begun(tmp_path, game, name)
    with session:
        before = session.model.state
        hero = before.combatants[0].id

        for stat in ruleset.schema.derived:
            was = ruleset.derived(session.model.state, hero, stat)
            now = ruleset.derived(blessed(session, hero, stat, 1), hero, stat)
            assert (stat, now.value) == (stat, was.value + 1)
            assert "blessed" in [part.label for part in now.parts], stat


def test_effect_on_armour_counts_against_the_die(tmp_path: Path) -> None:
    """GitHack: the AC an effect raises is the AC a monster's die is held against; what is worn stays as it was."""
    ruleset = find("githack")
    with begun(tmp_path, "githack", "goblin_waves") as session:
        state = blessed(session, "brannoc", "ac", 2)

        assert ruleset.derived(state, "brannoc", "ac").value == 5
        assert state["brannoc"].fact("ac") == 3
