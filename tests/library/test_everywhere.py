"""Every stat block of every game may have an id, a name and notes."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct

from tests.support.common import Fighter
from tests.support.sides import RULESET as DUEL
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.values import Data
from tracker.library.content.encounters import Loaded, load_encounter
from tracker.session.rulesets import registry
from tracker.testing.table import Table
from tracker.views.panes.blocks import block_rows

ENCOUNTER = """\
ruleset: sides
title: The ford
sides:
  - {name: Party, control: players, members: [{name: Ansa, to_hit: 4}]}
  - name: Foes
    members:
      - {ref: troll, name: The old troll}
"""
BEASTS = """\
ruleset: sides
monsters:
  - {id: troll, name: Troll, hp: 9, notes: "under the bridge;\\n  asks a riddle"}
"""


def loaded(folder: Path, beasts: str = BEASTS) -> Loaded:
    (folder / "beasts.yaml").write_text(beasts, encoding="utf-8")
    (folder / "ford.yaml").write_text(ENCOUNTER, encoding="utf-8")
    return load_encounter(folder / "ford.yaml", lambda key: DUEL)


def members(found: Loaded) -> tuple[Member, ...]:
    assert found.encounter is not None
    return found.encounter.sides[1].members


def test_a_block_without_such_fields_has_them(tmp_path: Path) -> None:
    """It is found by its id and has its notes, without fields for them."""
    found = loaded(tmp_path)

    assert found.problems == ()
    assert members(found) == (
        Member(
            Fighter("The old troll", Dice(plus=9)),
            "The old troll",
            "monster",
            id="troll",
            ref="troll",
            notes="under the bridge;\n  asks a riddle",
        ),
    )


def test_notes_are_shown_in_the_panel(tmp_path: Path) -> None:
    """The combatant keeps them, and the stat-block panel shows them."""
    found = loaded(tmp_path)
    assert found.encounter is not None
    table = Table(DUEL, found.encounter)

    shown = " ".join(" ".join(row.text.split()) for row in block_rows(DUEL, table.state, "troll", 60))

    assert "note under the bridge; asks a riddle" in shown


def test_what_is_no_text_is_said(tmp_path: Path) -> None:
    """A wrong value costs that key, at its place in the file."""
    found = loaded(tmp_path, BEASTS.replace('"under the bridge;\\n  asks a riddle"', "[1, 2]"))

    assert [problem.render() for problem in found.problems] == [
        "beasts.yaml:3:44: monsters[0].notes: should be text, not a list"
    ]
    assert "should be text" in members(found)[0].notes


def test_a_key_the_game_does_not_know_is_still_said(tmp_path: Path) -> None:
    """Only those keys are everybody's."""
    found = loaded(tmp_path, BEASTS.replace("notes:", "note:"))

    assert ["note" in problem.render() for problem in found.problems] == [True]


def test_a_field_called_type_is_refused_where_it_is_declared() -> None:
    """The reason says what the journal keeps there, and the way round."""
    with pytest.raises(RulesBug, match="the journal keeps the Struct's name under `type`") as raised:

        class Beast(Struct, Data, frozen=True, tag=True):
            name: str
            type: str = "beast"

    assert raised.value.message.startswith("Beast: ")


def test_an_article_is_not_inherited_with_a_name_of_its_own(tmp_path: Path) -> None:
    """The story says "the Troll", and "Grum" of a troll that the encounter names."""
    fight = """\
ruleset: sovereign
title: The ford
sides:
  - {name: Party, control: players, members: [{name: Ansa, hd: 1}]}
  - name: Foes
    control: gm
    members: [troll, {ref: troll, name: Grum}, {ref: troll, name: Cook, article: true}]
"""
    (tmp_path / "beasts.yaml").write_text(
        "ruleset: sovereign\nmonsters:\n  - {id: troll, name: Troll, hd: 3, article: true}\n", encoding="utf-8"
    )
    (tmp_path / "ford.yaml").write_text(fight, encoding="utf-8")

    encounter = load_encounter(tmp_path / "ford.yaml", registry.find).encounter

    assert encounter is not None
    found = {member.name: getattr(member.block, "article", None) is True for member in encounter.sides[1].members}
    assert found == {"Troll": True, "Grum": False, "Cook": True}
