"""The bundled party, bestiary and encounters load without a problem and hold what they promise."""

from __future__ import annotations

from pathlib import Path

from rulesets.sword_world import RULESET
from rulesets.sword_world.stat_blocks.models import StatBlock
from tests.rules.sword_world.fights import Fight
from tracker.core.run import Step
from tracker.core.terms.encounter import Encounter
from tracker.library.content.encounters import load_encounter
from tracker.library.content.library import Library

FOLDER = Path(__file__).parents[3] / "encounters" / "sword_world"


def loaded(name: str) -> Encounter:
    """Return a bundled encounter."""
    found = load_encounter(FOLDER / f"{name}.yaml", lambda key: RULESET if key == RULESET.key else None)
    assert found.encounter is not None
    return found.encounter


def opened(name: str) -> Fight:
    """Return a bundled encounter, opened."""
    fight = Fight.__new__(Fight)
    fight.state, fight.entries = type(Fight([], []).state)(), ()
    return fight.take(Step("start", encounter=loaded(name)))


def test_bestiary() -> None:
    """There are at least fifteen monsters, one with several sections, one of several entries."""
    blocks = [entry.plain for entry in Library(FOLDER, ()).blocks(FOLDER / "bestiary.yaml")]

    assert len(blocks) >= 15
    assert any(block.get("sections", 1) > 1 for block in blocks)
    assert sum(block.get("body") == "swamp drake" for block in blocks) == 2


def test_party() -> None:
    """A fighter, a priest, a gunner and a sorcerer."""
    blocks = [member.block for member in loaded("forest_ambush").sides[0].members]

    assert [block.name for block in blocks if isinstance(block, StatBlock)] == ["Wolf", "Mira", "Finn", "Sela"]
    assert any(spell.heal for spell in blocks[1].spells)  # type: ignore[attr-defined]  # stat blocks all
    assert blocks[2].attacks[0].mode == "gun"  # type: ignore[attr-defined]  # as above


def test_ambush_begins_with_a_surprise() -> None:
    """SW-168: the goblins may try to surprise the party."""
    fight = opened("forest_ambush").next()

    assert fight.state.clock.at == "r0/surprise"


def test_two_brawls_can_fuse() -> None:
    """SW-092: both brawls are there from the start and may be fused."""
    fight = opened("two_brawls")

    fight.do("fuse_zones", zones=("zone:1", "zone:2"))

    held = fight.zone()
    assert held is not None
    assert set(held.participants) == {"wolf", "skeleton-1", "skeleton-2", "mira", "zombie-1"}


def test_the_drake_is_too_big_for_three() -> None:
    """SW-088, SW-R43: head and trunk are four sections together."""
    fight = opened("swamp_drake").next(2).do("roll_initiative", None, 12, 12, 12, 12).do("start_turn", "wolf")

    assert (
        fight.refused("declare_brawl", "wolf", enemy="swamp-drake-head", together_with=("mira", "finn")).rule
        == "SW-088"
    )
