"""Whose dice the program rolls: by side, as the fight says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.session.conftest import asked, refusal
from tests.ui.drive import SETTINGS, fight
from tests.ui.skirmish import SKIRMISH, House, encounter
from tracker.core.fight.settings import DICE, program_rolls
from tracker.core.terms.actions import action
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.requests import DiceAnswer, Window
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Advance, Do, Reply, RollRest, Undo
from tracker.session.session import Session

BY_SIDE = replace(SETTINGS, by_side=True)


@pytest.fixture(name="session")
def _session(tmp_path: Path) -> Iterator[Session]:
    with fight(tmp_path, settings=BY_SIDE) as session:
        yield session


def test_the_program_rolls_for_the_sides_of_the_gm(session: Session) -> None:
    """Players are asked, unless the GM says otherwise. A single combatant may differ from its side."""
    session.dispatch(Do((action("attack", "ava", target="goblin-1"),)))
    assert asked(session.model) == "attack"
    session.dispatch(Undo())

    for _ in range(4):
        session.dispatch(Advance())
    session.dispatch(Do((action("attack", "goblin-1", target="wolf"),)))
    assert asked(session.model) == ""
    session.dispatch(Undo())

    session.dispatch(Do((action("ask", sides=("foes",)),)))
    session.dispatch(Do((action("attack", "goblin-1", target="wolf"),)))
    assert asked(session.model) == "attack"
    session.dispatch(Undo())
    session.dispatch(Do((action("roll_for", targets=("goblin-1",)),)))
    session.dispatch(Do((action("attack", "goblin-1", target="wolf"),)))
    assert asked(session.model) == ""


def test_it_counts_at_once_and_is_taken_back_like_a_step(session: Session) -> None:
    """Set while dice are asked for, these are rolled as well."""
    session.dispatch(Do((action("attack", "ava", target="goblin-1"),)))
    session.dispatch(Do((action("roll_for", sides=("players",)),)))
    assert asked(session.model) == ""
    assert [fact[:2] for fact in session.model.state.facts if fact[0] == DICE] != []
    session.dispatch(Undo())
    assert [fact for fact in session.model.state.facts if fact[0] == DICE] == []


def test_without_that_setting_every_die_is_asked_for(tmp_path: Path) -> None:
    """Scripts and headless runs give all dice themselves, whatever the encounter says."""
    prepared = _diced(encounter(), "program")
    with fight(tmp_path, prepared) as session:
        session.dispatch(Do((action("attack", "ava", target="goblin-1"),)))
        assert asked(session.model) == "attack"


def _diced(prepared: Encounter, dice: str) -> Encounter:
    return replace(prepared, sides=tuple(replace(side, dice=dice) for side in prepared.sides))


def test_the_encounter_says_it(tmp_path: Path) -> None:
    """At its very first dice too, before anybody has joined."""
    prepared = _diced(encounter(rules=House(individual=True)), "program")
    with fight(tmp_path, prepared, settings=BY_SIDE) as session:
        assert asked(session.model) == ""
        assert session.model.state.clock.round == 1


def test_the_encounter_file(tmp_path: Path) -> None:
    """`dice` at a side, or for all that say nothing. A mistake is said with its line."""
    path = tmp_path / "fight.yaml"
    text = (
        "ruleset: skirmish\ntitle: T\ndice: program\nsides:\n"
        "  - {name: Party, control: players, members: [{name: Ada}]}\n"
        "  - {name: Thugs, dice: asked, members: [{name: Thug}]}\n"
    )
    path.write_text(text, encoding="utf-8")

    found = load_encounter(path, lambda key: SKIRMISH)
    assert found.encounter is not None
    assert [side.dice for side in found.encounter.sides] == ["program", "asked"]
    path.write_text(text.replace("dice: asked", "dice: never"), encoding="utf-8")
    found = load_encounter(path, lambda key: SKIRMISH)
    assert ["dice" in problem.render() and problem.line == 6 for problem in found.problems] == [True]


def test_the_rest_is_rolled_without_a_players_decision(tmp_path: Path) -> None:
    """A window for a player's character stands, and is no dice to be rolled away."""
    with fight(tmp_path, encounter(rules=House(parries=True))) as session:
        for _ in range(4):
            session.dispatch(Advance())
        session.dispatch(Do((action("attack", "goblin-1", target="wolf"),)))
        model = session.dispatch(RollRest(leave_player_choices=True))
        assert model.pending is not None
        assert isinstance(model.pending.request, Window)
        refused = session.dispatch(RollRest(leave_player_choices=True))
        assert refusal(refused) == "players_decision"
        session.dispatch(Reply())
        model = session.dispatch(RollRest(leave_player_choices=True))
        assert model.pending is None
        assert isinstance(dict(model.steps[-1].answers)["attack"], DiceAnswer)


def test_dice_of_nobody_belong_to_those_who_roll_them(session: Session) -> None:
    """Initiative of a side, or what the GM rolls for a player's character."""
    state = session.model.state

    assert (program_rolls(state, None, "gm"), program_rolls(state, None, "player")) == (True, False)
    assert (program_rolls(state, "ava", "gm"), program_rolls(state, "ava", "player")) == (True, False)
