"""The bundled party, bestiary and encounters load without a problem and hold what they promise."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from rulesets.sword_world import RULESET
from rulesets.sword_world.actions.turns import begun
from rulesets.sword_world.ai import shots, spell_aims
from rulesets.sword_world.stat_blocks.models import MemberKeys, StatBlock
from rulesets.sword_world.stats import stats
from tests.rules.sword_world.fights import Fight
from tracker.core.fight.state import State
from tracker.core.run import Step
from tracker.core.step import fields
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


@pytest.mark.parametrize(("dice", "leader"), [(2, "foes"), (12, None)])
def test_the_ambush_can_succeed_and_fail(dice: int, leader: str | None) -> None:
    """SW-170, SW-R38: the ambush depends on what the party rolls."""
    fight = opened("forest_ambush").next().do("surprise_attempt", None, dice, dice, dice, dice)

    assert fight.state.fact("fight", "leading") == leader


@pytest.mark.parametrize(("spell", "helped"), [("Whisper Heal", "finn"), ("Field Protection", "sela")])
def test_spells_around_the_priest_reach_her_friends(spell: str, helped: str) -> None:
    """SW-116: with places known, they reach those near her and nobody far away."""
    sides = tuple(
        replace(side, members=tuple(replace(one, data=MemberKeys(pos=place)) for place, one in enumerate(side.members)))
        for side in loaded("forest_ambush").sides
    )
    fight = Fight.__new__(Fight)
    fight.state, fight.entries = State(), ()
    fight.take(Step("start", encounter=replace(loaded("forest_ambush"), sides=sides)))
    fight.do("start_combat").do("surprise_attempt", None, side="party", movers=()).do("end_knowledge")
    fight.do("roll_initiative", None, 12, 12, 12, 12).do("start_turn", "mira")
    fight.do("place", who="wolf", x=9)

    assert fight.refused("cast", "mira", spell=spell, targets=("wolf",)).rule == "SW-112"
    fight.do("cast", "mira", *((7, 7) if spell == "Whisper Heal" else ()), spell=spell, targets=("mira", helped))


def test_nobody_shoots_past_a_brawl_of_the_bridge() -> None:
    """SW-115: those the program plays on the bridge aim at what no brawl covers."""
    fight = opened("two_brawls").next().do("end_knowledge").do("roll_initiative", None, 12, 12, 12, 12)
    states = {who: begun(fight.state, who) for who in ("sela", "finn")}
    found = [(who, aim.action) for who, now in states.items() for aim in (*shots(now, who), *spell_aims(now, who))]

    aimed = [
        (who, str(one.get("zone") or one.get("target") or fields.texts(one.get("targets"))[0])) for who, one in found
    ]

    assert ("sela", "skeleton-1") in aimed
    assert all(stats.cover(fight.state, who, target) is None for who, target in aimed)


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
