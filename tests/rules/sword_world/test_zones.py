"""Brawl zones: size, capacity, center, passing, fusing, and what follows from who is able."""

from __future__ import annotations

import pytest

from rulesets.sword_world import RULESET
from rulesets.sword_world.order import zones
from rulesets.sword_world.stat_blocks.models import Setup, ZoneSetup
from rulesets.sword_world.stat_blocks.shorthand import zone_capacity, zone_radius
from tests.rules.sword_world.fights import Fight, member
from tests.support.tables import for_each, rows
from tracker.core.run import Step
from tracker.core.terms.actions import Action


def crowd(allies: int, enemies: int, capacity: int = 20) -> Fight:
    """Return a fight with a zone, and Finn outside it; in the zone are so many of Finn's allies and enemies."""
    pcs = [member(f"Ally {number}", "character") for number in range(allies)]
    foes = [member(f"Enemy {number}", "monster") for number in range(enemies)]
    names = tuple(one.name for one in (*pcs, *foes))
    return Fight(
        [*pcs, member("Finn", "character")], foes, Setup(zones=(ZoneSetup(names, capacity=capacity),))
    ).to_round()


@pytest.mark.parametrize(
    ("allies", "enemies", "expected"),
    [(5, 2, "passes"), (4, 2, "choice"), (3, 1, "passes"), (2, 1, "choice"), (1, 1, "choice"), (18, 2, "full")],
)
def test_passing_through(allies: int, enemies: int, expected: str) -> None:
    """E18, E19, SW-082, SW-085, SW-R17: who gets through a zone."""
    assert zones.passing(crowd(allies, enemies).state, "finn", "zone:1") == expected


@pytest.mark.parametrize(("allies", "enemies", "expected"), [(12, 6, "no_room"), (13, 5, "passes")])
def test_a_big_body_passing(allies: int, enemies: int, expected: str) -> None:
    """E39, SW-R18: a body of four sections and a zone of 18 of 20."""
    pcs = [member("Ally", "character", sections=allies), member("Giant", "character", sections=4)]
    fight = Fight(pcs, [member("Enemy", "monster", sections=enemies)], Setup(zones=(ZoneSetup(("Ally", "Enemy")),)))

    assert zones.passing(fight.state, "giant", "zone:1") == expected


@for_each(("fighters", "open_radius", "indoors", "printed"), rows(__file__, "size_guide"))
def test_size_guide(fighters: int, open_radius: float, indoors: float, printed: float) -> None:
    """SW-078, SW-R20: radius by sections, in the open, indoors, and indoors as printed."""
    assert (zone_radius(fighters), zone_radius(fighters, True), zone_radius(fighters, True, True)) == (
        open_radius,
        indoors,
        printed,
    )


@for_each(
    ("width", "expected"),
    [(None, 20), (2.9, 1), (3, 2), (4.9, 2), (5, 5), (7, 10), (8, 15), (9.9, 15), (10, 20), (40, 20)],
)
def test_capacity_of_a_field(width: float | None, expected: int) -> None:
    """SW-079: the largest row whose square fits."""
    assert zone_capacity(width) == expected


def test_touching_zones_are_offered_for_fusing() -> None:
    """SW-092: the game is asked about zones of which one covers the other's center."""
    pcs = [member("A", "character", pos=0), member("B", "character", pos=2)]
    foes = [member("C", "monster", pos=0), member("D", "monster", pos=2)]
    fight = Fight(pcs, foes, Setup(zones=(ZoneSetup(("A", "C")), ZoneSetup(("B", "D"))))).to_round()

    assert "fuse:zone:1:zone:2" in [reminder.key for reminder in RULESET.pending(fight.state)]


def test_the_generic_form_still_knows_a_brawl_by_number() -> None:
    """SW-076: the form offers every brawl, those out of reach refused with their distance."""
    pcs = [member("Wolf", "character", pos=19), member("Mira", "character", pos=1)]
    fight = Fight(pcs, [member("Goblin", "monster", pos=20)]).to_round()
    fight.do("start_turn", "wolf").do("declare_brawl", "wolf", enemy="goblin").do("end_turn", "wolf")
    fight.do("start_turn", "mira")
    spec = RULESET.form(fight.state, Action("join_brawl", "mira"))
    field = spec.field("zone") if spec else None

    assert field is not None
    assert [option.refusal.rule if option.refusal else "" for option in field.options] == ["SW-076"]
    fight.take(Step("do", (Action("join_brawl", "mira", (("zone", "zone:1"),)),), forced=True))
