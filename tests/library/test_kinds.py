"""Which kind of stat block a member is read as."""

from __future__ import annotations

from pathlib import Path

from tracker.library.content.encounters import load_encounter
from tracker.session.rulesets import registry

ENCOUNTER = """\
ruleset: worlds_without_number
sides:
  - name: Party
    control: players
    members:
      - {name: Ansa, hp: 12, ac: 15}
      - {name: Mule, hd: 1, ac: 10, atk: +0, ml: 4}
      - {name: Hired Bow, stat_line: "1  13  +1  1d6  None  30'  8  5  +1  15+"}
      - {name: Faulty, hd: 1, skils: {stab: 1}}
  - {name: Foes, control: gm, members: [{name: Wolf, hd: 1}]}
"""


def test_a_monster_in_place_needs_no_word_on_the_players_side(tmp_path: Path) -> None:
    """A block on the players' side with keys only monsters have is a monster."""
    (tmp_path / "ford.yaml").write_text(ENCOUNTER, encoding="utf-8")

    found = load_encounter(tmp_path / "ford.yaml", registry.find)

    assert found.encounter is not None
    party = found.encounter.sides[0].members
    assert [(member.name.partition(" (?)")[0], member.kind) for member in party] == [
        ("Ansa", "pc"),
        ("Mule", "monster"),
        ("Hired Bow", "monster"),
        ("Faulty", "monster"),
    ]
    assert len(found.problems) == 1
    assert "skils" in found.problems[0].render()
