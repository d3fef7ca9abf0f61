"""What vectors cannot say: bundled monsters, waves, forms, typed blocks, the screen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rulesets.githack import RULESET
from rulesets.githack.stat_blocks.models import PC, Monster
from tests.support.tables import read_block
from tracker.core import engine
from tracker.core.fight.state import State
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.encounter import Member
from tracker.library.content.library import Library
from tracker.testing.vectors import Table, VectorFile

FOLDER = Path(__file__).parent
ENCOUNTERS = Path(__file__).parents[3] / "encounters" / "githack"
CAST = VectorFile(RULESET, FOLDER / "vectors" / "cast.yaml")


def table(party: list[Any], monsters: list[Any], **house: Any) -> Table:
    scene = {"sides": {"Party": party, "Monsters": monsters}, "house_rules": {"initiative": "none", **house}}
    opened = Table(RULESET, CAST.encounter(scene))
    opened.start(None)
    return opened


def monster(plain: Mapping[str, object]) -> Monster:
    return read_block(RULESET, "monster", plain)


def pc(plain: Mapping[str, object]) -> PC:
    return read_block(RULESET, "pc", plain)


def insert(at: Table, name: str, count: int, side: str = "monsters") -> Done:
    block = pc(CAST.stat_blocks[name]) if side == "party" else monster(CAST.stat_blocks[name])
    members = tuple(Member(block, block.name, "pc" if side == "party" else "monster") for _ in range(count))
    outcome = run(RULESET, at.state, Step("do", (Action("insert", None, (("members", members), ("side", side))),)))
    assert isinstance(outcome, Done)
    at.state = outcome.state
    return outcome


def slot(state: State, phase: str) -> tuple[str, ...]:
    return next(slot.members for slot in state.clock.slots if slot.phase == phase)


@pytest.mark.parametrize(
    ("name", "ac", "hp", "dice", "special"),
    [
        ("goblin", 3, 5, [(6,)], ()),
        ("ghoul", 3, 15, [(4, 4, 4)], ("paralysis",)),
        ("dragon", 8, 40, [(6, 6), (12,)], ("corrosive breath",)),
        ("grey-jelly", 1, 20, [(8, 8)], ("sticks",)),
    ],
)
def test_the_four_monsters(name: str, ac: int, hp: int, dice: list[tuple[int, ...]], special: tuple[str, ...]) -> None:
    """GH-049, GH-064, GH-066, GH-068, GH-071: the bestiary holds the four as the rules print them."""
    entry = Library(ENCOUNTERS).find(name)
    assert entry is not None
    found = monster(entry.plain)

    assert (found.ac, found.hp) == (ac, hp)
    assert [part.dice.sides for mode in found.attacks for part in mode.parts] == dice
    assert tuple(each.name for each in found.specials) == special


def test_a_wave_before_the_monsters_acts_at_once() -> None:
    """E48, GH-065: goblins that come in the fast phase act in this round."""
    at = table(["aubrey"], ["giant"])
    at.play({"do": "start_round"})

    insert(at, "goblin", 2)

    assert slot(at.state, "monsters") == ("giant", "goblin-1", "goblin-2")


def test_a_wave_after_the_monsters_waits() -> None:
    """E48, GH-065: goblins that come later act from the next round on."""
    at = table(["aubrey", "jenna"], ["giant"], initiative="each_round")
    at.play({"do": "start_round"})
    at.play({"do": "roll_initiative", "dice": [11, 16]})
    at.play({"do": "end_phase"})
    at.play({"do": "end_phase"})

    insert(at, "goblin", 2)

    assert slot(at.state, "monsters") == ("giant",)
    at.play({"do": "end_phase"})
    at.play({"do": "start_round"})
    at.play({"do": "roll_initiative", "dice": [11, 16]})
    assert slot(at.state, "monsters") == ("giant", "goblin-1", "goblin-2")


def test_a_player_character_who_joins_is_slow_for_the_rest_of_the_round() -> None:
    """GH-A30, GH-014: where nobody rolls, too; from the next round on all are fast."""
    at = table(["aubrey"], ["giant"])
    at.play({"do": "start_round"})

    insert(at, "jenna", 1, "party")

    assert (slot(at.state, "fast"), slot(at.state, "slow")) == (("aubrey",), ("jenna",))
    at.play({"do": "end_phase"})
    at.play({"do": "end_phase"})
    at.play({"do": "attack", "by": "jenna", "target": "giant", "dice": [16]})
    at.play({"do": "end_phase"})
    at.play({"do": "start_round"})
    assert (slot(at.state, "fast"), slot(at.state, "slow")) == (("aubrey", "jenna"), ())


def test_the_end_is_asked_again_after_a_wave() -> None:
    """GH-010, 4.2: answered no, the question comes again when a side is finished anew."""
    at = table(["aubrey"], ["goblin"])
    at.play({"do": "start_round"})
    at.play({"do": "attack", "by": "aubrey", "target": "goblin", "dice": [14, "no"]})
    insert(at, "goblin", 1)

    at.play({"do": "set", "who": "goblin-2", "what": "hp", "value": 0, "dice": ["yes"]})

    assert at.state.clock.over
    assert at.state.clock.at == "end/after_combat"


def test_backgrounds_stand_beside_advantage() -> None:
    """GH-106: the attack form lists them."""
    at = table([{"ref": "aubrey", "backgrounds": ["pit fighter"]}], ["giant"])

    field = engine.spec_of(RULESET, at.state, Action("attack", "aubrey")).field("edge")

    assert field is not None
    assert "pit fighter" in field.note


def test_the_stance_comes_first_where_one_is_needed() -> None:
    """GH-204: the list begins with what the PC has to do first."""
    at = table(["aubrey"], ["giant"], stances=True)
    at.play({"do": "start_round"})
    before = engine.offers(RULESET, at.state, "aubrey")[0].key

    at.play({"do": "stance", "by": "aubrey", "stance": "pursuit"})

    assert (before, engine.offers(RULESET, at.state, "aubrey")[0].key) == ("stance", "attack")


def test_destroyed_armour_is_carried_once() -> None:
    """GH-074: what an effect takes for a while is not destroyed."""
    at = table(["skule"], ["jelly"])
    at.play({"do": "set_ac", "who": "skule", "value": 2})
    at.play(
        {
            "do": "add_effect",
            "fields": {"name": "torn", "targets": ["skule"], "modifiers": [{"stat": "ac", "amount": -1}]},
        }
    )

    member = at.encounter.sides[0].members[0]

    assert RULESET.carry is not None
    assert dict(RULESET.carry(at.state, "skule", member).facts)["ac"] == 2


def test_the_track_is_a_column() -> None:
    """AC and the Harm track itself stand in the combatants pane, hit points for monsters."""
    at = table([{"ref": "aubrey", "harm": "/x*"}], ["giant"])
    cell = RULESET.columns[0].cell

    assert (cell(at.state, "aubrey"), cell(at.state, "giant")) == ("/x*......", "40/40")


def test_a_long_track_fits() -> None:
    """A track longer than the column is written without its empty end."""
    at = table([{"ref": "aubrey", "con": 25, "harm": "/x*"}], ["giant"])

    assert RULESET.columns[0].cell(at.state, "aubrey") == "/x* +22"


def test_dying_is_a_reminder() -> None:
    """GH-123: at the round's end everybody who bleeds is named, with what settles it."""
    at = table([{"ref": "aubrey", "harm": "xxxxx////"}, "jenna"], ["goblin"])
    for entry in (
        {"do": "start_round"},
        {"do": "end_phase"},
        {"do": "attack", "by": "goblin", "fields": {"targets": ["aubrey"]}, "dice": [12, [6], 10]},
    ):
        at.play(entry)
    at.play({"do": "end_phase"})
    if at.state.clock.phase == "slow":
        at.play({"do": "end_phase"})

    reminders = RULESET.pending(at.state)

    assert [(each.about, each.settle.key) for each in reminders if each.settle] == [("aubrey", "bleed")]
