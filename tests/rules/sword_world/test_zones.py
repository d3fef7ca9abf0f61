"""Brawl zones: size, capacity, center, passing, fusing, and what follows from who is able."""

from __future__ import annotations

import pytest

from rulesets.sword_world import RULESET
from rulesets.sword_world.order import zones
from rulesets.sword_world.stat_blocks.models import HouseRules, Setup, Zone, ZoneSetup
from rulesets.sword_world.stat_blocks.shorthand import zone_capacity, zone_radius
from tests.rules.sword_world.fights import Fight, member
from tracker.core.run import Done, Interruption, Pending, Step, run
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import Choice, ChoiceAnswer


def crowd(allies: int, enemies: int, capacity: int = 20) -> Fight:
    """Return a fight with a zone, and Finn outside it.

    In the zone are so many of Finn's allies and enemies.
    """
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


@pytest.mark.parametrize(
    ("fighters", "open_radius", "indoors", "printed"),
    [
        (2, 2, 1.5, 2.5),
        (3, 3, 2.5, 1.5),
        (5, 3, 2.5, 1.5),
        (6, 4, 3.5, 3.5),
        (10, 4, 3.5, 3.5),
        (11, 5, 4, 4),
        (15, 5, 4, 4),
        (16, 6, 5, 5),
        (20, 6, 5, 5),
    ],
)
def test_size_guide(fighters: int, open_radius: float, indoors: float, printed: float) -> None:
    """SW-078, SW-R20: radius by sections, in the open, indoors, and indoors as printed."""
    assert (zone_radius(fighters), zone_radius(fighters, True), zone_radius(fighters, True, True)) == (
        open_radius,
        indoors,
        printed,
    )


@pytest.mark.parametrize(
    ("width", "expected"),
    [(None, 20), (2.9, 1), (3, 2), (4.9, 2), (5, 5), (7, 10), (8, 15), (9.9, 15), (10, 20), (40, 20)],
)
def test_capacity_of_a_field(width: float | None, expected: int) -> None:
    """SW-079: the largest row whose square fits."""
    assert zone_capacity(width) == expected


def test_a_zone_grows_and_shrinks() -> None:
    """SW-077: the size follows who takes part."""
    fight = crowd(1, 1)
    before = fight.zone()
    fight.do("start_turn", "finn").do("join_brawl", "finn", zone="zone:1")
    grown = fight.zone()
    fight.do("status", targets=("finn",), status="dead")
    shrunk = fight.zone()

    assert before is not None
    assert grown is not None
    assert shrunk is not None
    assert (before.radius, grown.radius, shrunk.radius) == (2, 3, 2)
    assert grown.participants == ("ally-0", "enemy-0", "finn")


def test_a_typed_size_stays() -> None:
    """SW-077: what the game master typed is kept until it is changed."""
    fight = crowd(1, 1)
    fight.do("set_zone", zone="zone:1", radius=7).do("start_turn", "finn").do("join_brawl", "finn", zone="zone:1")
    held = fight.zone()

    assert held is not None
    assert (held.radius, held.typed) == (7, True)


def test_center_is_where_the_starter_stands() -> None:
    """SW-071, SW-098: the zone is centered on its starter and draws participants in."""
    fight = Fight([member("Wolf", "character", pos=3)], [member("Goblin", "monster", pos=5)]).to_round()

    fight.do("start_turn", "wolf").do("declare_brawl", "wolf", enemy="goblin")

    held = fight.zone()
    assert held is not None
    assert held.center == 3
    assert fight.state["goblin"].position == (3,)


def test_fusing_takes_the_mean_and_keeps_the_order() -> None:
    """SW-093, SW-R54: the new center lies between the old ones.

    Participants of the first zone come first.
    """
    pcs = [member("A", "character", pos=0), member("B", "character", pos=4)]
    foes = [member("C", "monster", pos=0), member("D", "monster", pos=4)]
    fight = Fight(pcs, foes, Setup(zones=(ZoneSetup(("A", "C")), ZoneSetup(("B", "D"))))).to_round()

    fight.do("fuse_zones", zones=("zone:1", "zone:2"))

    assert fight.zone() == Zone(("a", "c", "b", "d"), radius=3, center=2)
    assert fight.zone("zone:2") is None


def test_touching_zones_are_offered_for_fusing() -> None:
    """SW-092: the game is asked about zones of which one covers the other's center."""
    pcs = [member("A", "character", pos=0), member("B", "character", pos=2)]
    foes = [member("C", "monster", pos=0), member("D", "monster", pos=2)]
    fight = Fight(pcs, foes, Setup(zones=(ZoneSetup(("A", "C")), ZoneSetup(("B", "D"))))).to_round()

    assert "fuse:zone:1:zone:2" in [reminder.key for reminder in RULESET.pending(fight.state)]


def test_the_fallen_take_no_room_and_come_back_last() -> None:
    """SW-R16: the unconscious take no part, and awake again come last."""
    fight = crowd(2, 1)
    fight.do("damage", amount=20, targets=("ally-0",), **{"as": "direct"})
    lying = fight.zone()
    fight.do("heal", amount=5, targets=("ally-0",))
    back = fight.zone()

    assert lying is not None
    assert back is not None
    assert (lying.participants, lying.fallen) == (("ally-1", "enemy-0"), ("ally-0",))
    assert (back.participants, back.fallen) == (("ally-1", "enemy-0", "ally-0"), ())


@pytest.mark.parametrize(("answer", "inside"), [("outside", False), ("inside", True)])
def test_waking_up_in_a_full_zone(answer: str, inside: bool) -> None:
    """SW-R16: without room the game master decides."""
    fight = crowd(2, 1, capacity=3)
    fight.do("damage", amount=20, targets=("ally-0",), **{"as": "direct"}).do("start_turn", "finn").do(
        "join_brawl", "finn", zone="zone:1"
    )

    fight.do("heal", None, answer, amount=5, targets=("ally-0",))

    held = fight.zone()
    assert held is not None
    assert ("ally-0" in held.participants) is inside


def test_a_zone_without_one_side_ends() -> None:
    """SW-100, SW-R15: a side without anybody able in it ends the brawl."""
    fight = crowd(2, 1)

    fight.do("damage", amount=20, targets=("enemy-0",), **{"as": "direct"})

    assert fight.zone() is None


def test_with_the_switch_it_lasts_until_all_are_down() -> None:
    """SW-R15: with `all_down` the brawl goes on over the fallen."""
    fight = Fight(
        [member("A", "character")],
        [member("B", "monster")],
        Setup(zones=(ZoneSetup(("A", "B")),)),
        HouseRules(brawl_end="all_down"),
    ).to_round()
    fight.do("damage", amount=20, targets=("b",), **{"as": "direct"})
    still = fight.zone()
    fight.do("status", targets=("b",), status="dead")

    assert still is not None
    assert fight.zone() is None


def test_several_hold_a_big_body_in_the_order_typed() -> None:
    """SW-R19: where the declarer alone is too small, all those named take part.

    They come before the mover, and the center is the declarer's.
    """
    pcs = [
        member("A", "character", pos=1, initiative_fixed=1),
        member("B", "character", pos=2),
        member("C", "character", pos=3),
    ]
    fight = Fight(pcs, [member("Ogre", "monster", sections=3, initiative_fixed=20, pos=9)]).to_round()
    fight.do("start_turn", "ogre")

    fight.do("move", "ogre", "no_brawl", "brawl", kind="normal", metres=8, approaches=("b",), passes=("a", "c"))

    held = fight.zone()
    assert held is not None
    assert (held.participants, held.center) == (("b", "a", "c", "ogre"), 1)


def test_sections_of_one_body_add_up() -> None:
    """SW-R43: entries with the same body count together where size matters."""
    parts = [member("Head", "monster", body="drake"), member("Trunk", "monster", body="drake", sections=3)]
    fight = Fight([member("Wolf", "character")], parts).to_round().do("start_turn", "wolf")

    assert fight.refused("declare_brawl", "wolf", enemy="head").rule == "SW-088"


def test_an_enemy_is_asked_only_where_it_can_act() -> None:
    """SW-068: the unconscious and those in a brawl cannot stop anybody."""
    pcs = [member("A", "character"), member("B", "character")]
    foes = [member("C", "monster"), member("D", "monster"), member("E", "monster")]
    fight = Fight(pcs, foes, Setup(zones=(ZoneSetup(("B", "C")),))).to_round()
    fight.do("status", targets=("d",), status="unconscious").do("start_turn", "a")

    outcome = run(
        RULESET, fight.state, Step("do", (action("move", "a", kind="normal", metres=5, approaches=("d", "e")),))
    )

    assert isinstance(outcome, Pending)
    assert isinstance(outcome.request, Choice)
    assert outcome.request.key == "brawl:e"


def test_whoever_is_made_to_join_twice_takes_part_once() -> None:
    """SW-076: joining one's own brawl on the GM's word counts once, as the last."""
    fight = crowd(1, 1)
    fight.do("start_turn", "finn").do("join_brawl", "finn", zone="zone:1")
    again = Action("join_brawl", "ally-0", (("zone", "zone:1"),))
    fight.take(Step("do", (again,), forced=True))
    held = fight.zone()

    assert held is not None
    assert held.participants == ("enemy-0", "finn", "ally-0")


def test_nobody_is_held_in_a_brawl_that_has_ended() -> None:
    """SW-083: a zone whose participants all fall meanwhile holds no mover."""
    fight = crowd(1, 1).do("start_turn", "finn")
    fields = (("kind", "normal"), ("metres", 3), ("passes_through", "zone:1"))
    fell = Action("status", None, (("status", "dead"), ("targets", ("ally-0", "enemy-0"))))
    through = Step("do", (Action("move", "finn", fields),), interrupts=(Interruption("pass:zone:1", fell),))
    outcome = run(RULESET, fight.state, through, (("pass:zone:1", ChoiceAnswer("brawl")),))

    assert isinstance(outcome, Done)
    assert outcome.state.fact("zone:1", "zone") is None
