"""What an encounter's file says of the players' screen."""

from __future__ import annotations

from pathlib import Path

from msgspec import UNSET

from tests.support import example_ruleset
from tracker.core.terms.encounter import ScreenSetup
from tracker.library.shelves.encounters import Loaded, load_encounter

TEXT = """
ruleset: example
title: The vampire's crypt
screen: {title: The old chapel, points: false, unseen: name}
sides:
  - {name: Party, control: players, members: [{kind: pc, name: Ada}]}
  - name: Vampires
    public: Strangers
    health: false
    hidden: true
    members: [{name: Vampire, public: Tall stranger}, {name: Bat}]
  - {name: Guards, members: [{name: Guard, hidden: true}, {name: Captain}]}
waves:
  - {side: Guards, hidden: true, members: [{name: Guard}]}
"""


def loaded(folder: Path, text: str) -> Loaded:
    path = folder / "fight.yaml"
    path.write_text(text, encoding="utf-8")
    return load_encounter(path, lambda key: example_ruleset.RULESET)


def test_what_is_hidden_is_read(tmp_path: Path) -> None:
    """Of members, of a whole side, of a wave, with names and settings."""
    encounter = loaded(tmp_path, TEXT).encounter
    assert encounter is not None
    party, vampires, guards = encounter.sides

    assert encounter.screen == ScreenSetup("The old chapel", points=False, unseen="name")
    assert (vampires.public, vampires.health, party.health, party.public) == ("Strangers", False, UNSET, UNSET)
    assert [member.hidden for side in encounter.sides for member in side.members] == [UNSET, True, True, True, UNSET]
    assert [member.public for member in vampires.members] == ["Tall stranger", UNSET]
    assert [wave.hidden for wave in encounter.waves] == [True]
    assert [member.hidden for member in guards.members] == [True, UNSET]


def test_mistakes_are_said_with_their_lines(tmp_path: Path) -> None:
    """The rest of the file stands."""
    text = (
        TEXT.replace("points: false", "pionts: false")
        .replace("health: false", "health: well")
        .replace("unseen: name", "unseen: x")
    )
    found = loaded(tmp_path, text)

    lines = [problem.line for problem in found.problems]
    assert found.encounter is not None
    assert lines == [4, 4, 9]
    assert "points" in found.problems[0].render() + found.problems[1].render()
