"""Corrections of earlier dice in a fight of GitHack: later steps keep to what they were meant for."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesets.githack.stats import stats
from tests.ui.drive import fight
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import DiceAnswer
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Advance, Amend, Do, Reply
from tracker.session.rulesets.registry import find
from tracker.session.session import Session

TOLL_HOUSE = """\
ruleset: githack
party: [{name: Aubrey, dex: 10, con: 9}, {name: Jenna, dex: 10}]
monsters: [{name: Goblin, ac: 3, hp: 5, damage: 1d6}]
"""


def phases(folder: Path, *rest: Action) -> Session:
    """Return a fight in which Aubrey was fast and the Goblin has hit her, with what came then."""
    (folder / "toll_house.yaml").write_text(TOLL_HOUSE, encoding="utf-8")
    encounter = load_encounter(folder / "toll_house.yaml", find).encounter
    assert encounter is not None
    session = fight(folder, encounter, find("githack"))
    session.dispatch(Advance())
    taken = (
        (Action("roll_initiative"), 4, 18),
        (Action("end_phase"),),
        (action("attack", "goblin", targets=("aubrey",)), 20, 6),
        *((wanted,) for wanted in rest),
    )
    for wanted, *dice in taken:
        model = session.dispatch(Do((wanted,)))
        for die in dice:
            model = session.dispatch(Reply(DiceAnswer(die)))
        assert (model.refusal, model.pending) == (None, None)
    return session


@pytest.mark.parametrize("rest", [(), (Action("end_phase"),)], ids=["in the monsters' phase", "in the slow phase"])
def test_a_corrected_initiative_ends_no_other_phase(rest: tuple[Action, ...], tmp_path: Path) -> None:
    """GH-001, GH-013: with nobody fast, the end of that phase is not the end of the monsters'."""
    session = phases(tmp_path, *rest)
    at = session.model.state.clock.at

    model = session.dispatch(Amend(3, (("initiative:aubrey", DiceAnswer(15)),)))

    assert stats.harm(model.state["aubrey"]) == "x........"
    assert model.state.clock.at == at


def test_a_corrected_initiative_leaves_the_phases_that_are_there(tmp_path: Path) -> None:
    """GH-001: with the fast phase still there, each phase ends where it ended."""
    session = phases(tmp_path, Action("end_phase"))

    model = session.dispatch(Amend(3, (("initiative:aubrey", DiceAnswer(5)),)))

    assert stats.harm(model.state["aubrey"]) == "x........"
    assert model.state.clock.phase == "slow"


def test_a_phase_that_a_correction_brings_ends_too(tmp_path: Path) -> None:
    """GH-001, GH-013: with nobody fast at first, the monsters' phase is ended as it was."""
    session = phases(tmp_path, Action("end_phase"))
    session.dispatch(Amend(3, (("initiative:aubrey", DiceAnswer(15)),)))
    corrected = next(step.seq for step in session.model.steps if dict(step.answers).get("initiative:aubrey"))

    model = session.dispatch(Amend(corrected, (("initiative:aubrey", DiceAnswer(5)),)))

    assert model.state.clock.phase == "slow"


def test_a_corrected_count_is_another_roster(tmp_path: Path) -> None:
    """GH-052: of two monsters one is left, which has no number and rolls its hit points anew."""
    text = "ruleset: githack\nparty: [{name: Aubrey}]\nmonsters: [{name: Rat, hd: 1d8, count: 1d2}]\n"
    (tmp_path / "den.yaml").write_text(text, encoding="utf-8")
    encounter = load_encounter(tmp_path / "den.yaml", find).encounter
    assert encounter is not None
    session = fight(tmp_path, encounter, find("githack"))
    assert [key for key, _ in session.model.steps[0].answers] == ["count:rat", "hp:rat-1", "hp:rat-2"]

    model = session.dispatch(Amend(1, (("count:rat", DiceAnswer(1)),)))

    assert [key for key, _ in model.steps[-1].answers] == ["count:rat", "hp:rat"]
    assert [one.id for one in model.state.combatants] == ["aubrey", "rat"]
