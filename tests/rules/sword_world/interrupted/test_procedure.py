"""Every question of the game master's, when its subject is gone, down or elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulesets.sword_world.stat_blocks.models import HouseRules, Setup, ZoneSetup
from tests.rules.sword_world.fights import Fight, member
from tests.rules.sword_world.interrupted.meddling import down, gone, kinds, turned
from tracker.core.terms.actions import Action, action


def rollers(**keys: object) -> Fight:
    """Return a fight in which everybody rolls."""
    free: dict[str, object] = {"initiative_fixed": None, **keys}
    return Fight(
        [member("Ada", "character", **free), member("Bo", "character", **free)],
        [member("Cid", "character", **free), member("Dee", "character", **free)],
    )


@pytest.mark.parametrize("put", [gone("bo"), down("bo")], ids=lambda put: put.key)
@pytest.mark.parametrize("key", ["initiative:ada", "initiative:bo", "initiative:dee"])
def test_initiative_of_those_who_are_left(key: str, put: Action) -> None:
    """SW-011: a total of one who is out does not count, and is not rolled."""
    fight = rollers().next()
    dice = (3, 5, 5) if key != "initiative:dee" else (3, 12, 5, 5)

    fight.interrupted(((key, put),), "roll_initiative", None, *dice)

    assert fight.state.fact("fight", "leading") == "foes"


def test_initiative_by_side_at_the_end() -> None:
    """SW-014: a total counts for the side its owner is on at the end."""
    fight = rollers().next()

    fight.interrupted((("initiative:dee", turned("bo", "foes")),), "roll_initiative", None, 3, 12, 4, 4)

    assert fight.state.fact("fight", "leading") == "foes"


def test_the_tie_that_is_none_any_more() -> None:
    """SW-R02: with the best one gone there is no tie to settle."""
    free: dict[str, object] = {"initiative_fixed": None}
    fight = Fight(
        [member("Ada", "character", **free)],
        [member("Cid", "character", **free)],
        house=HouseRules(initiative_contest_tie="ask"),
    ).next()

    fight.interrupted((("tie", gone("cid")),), "roll_initiative", None, 7, 7)

    assert kinds(fight) == ["initiative:ada", "initiative:cid"]
    assert fight.state.fact("fight", "leading") == "pcs"


@pytest.mark.parametrize("put", [gone, down], ids=["remove", "status"])
def test_a_surprise_attack_by_those_who_are_left(put: Callable[[str], Action]) -> None:
    """SW-170: movers and defenders who are out do not count."""
    fight = rollers()
    fight.interrupted((("hide:bo", put("ada")), ("danger_sense:cid", put("cid"))), "surprise_attempt", None, 3, 9, 8)
    assert fight.state.fact("fight", "leading") == "pcs"

    fight = rollers()
    fight.interrupted((("hide:ada", put("ada")), ("hide:bo", put("bo"))), "surprise_attempt", None)
    assert fight.state.fact("fight", "leading") is None
    assert "nobody is left to attack: the surprise attack is given up" in fight.notes


@pytest.mark.parametrize("put", [gone("ada"), down("ada"), gone("cid")], ids=lambda put: put.key)
@pytest.mark.parametrize("key", ["knowledge", "result"])
def test_knowledge_of_what_is_not_there(key: str, put: Action) -> None:
    """SW-009: without the character or the monster there is nothing to know."""
    fight = Fight([member("Ada", "character"), member("Bo", "character")], [member("Cid", "monster")]).next()

    fight.interrupted(
        ((key, put),), "monster_knowledge", None, *((7,) if key == "result" else ()), character="ada", monster="cid"
    )

    assert len(fight.stopped) == 1


@pytest.mark.parametrize(
    "put", [gone("ada"), action("heal", amount=60, targets=("ada",)), down("ada", "dead")], ids=lambda put: put.key
)
def test_a_death_check_that_is_not_needed_any_more(put: Action) -> None:
    """SW-160: healed, dead or gone, nobody dies by the check."""
    fight = Fight([member("Ada", "character")], [member("Cid", "monster")]).to_round()
    fight.do("damage", amount=30, targets=("ada",), **{"as": "direct"})

    fight.interrupted((("death_check", put),), "death_check", None, who="ada", target_number=30)

    assert len(fight.stopped) == 1
    assert put.key == "status" or fight.state.get("ada") is None or fight.state["ada"].status == "up"


def test_a_check_of_one_who_is_gone() -> None:
    """SW-050: the check ends with its owner."""
    fight = Fight([member("Ada", "character"), member("Bo", "character")], [member("Cid", "monster")]).to_round()

    fight.interrupted((("check", gone("ada")),), "check", None, who="ada", which="fortitude")

    assert fight.stopped == ["Ada has left the fight"]


def test_spoils_of_the_defeated_who_are_left() -> None:
    """SW-034: nothing is found on those who are gone or on their feet again."""
    drops = [{"roll": "2-12", "item": "coin"}]
    foes = [member(name, "monster", drops=drops) for name in ("Cid", "Dee", "Eve")]
    fight = Fight([member("Ada", "character")], foes).to_round()
    fight.do("damage", amount=20, targets=("cid", "dee", "eve"), **{"as": "direct"}).next()
    heal = action("heal", amount=5, targets=("dee",))

    fight.interrupted((("spoils:cid", gone("cid")), ("spoils:dee", heal)), "collect_spoils", None, 7)

    assert kinds(fight) == ["spoils:eve"]


def crowd() -> Fight:
    """Return a full brawl in which Ally lies without room to come back."""
    pcs = [member(name, "character") for name in ("Ally", "Bo", "Finn")]
    fight = Fight(pcs, [member("Cid", "monster")], Setup(zones=(ZoneSetup(("Ally", "Bo", "Cid"), capacity=3),)))
    fight.to_round().do("damage", amount=20, targets=("ally",), **{"as": "direct"})
    return fight.do("move_participant", who="finn", zone="zone:1")


@pytest.mark.parametrize(
    "put",
    [gone("ally"), gone("finn"), down("finn"), action("end_zone", zone="zone:1"), down("ally", "dead")],
    ids=lambda put: put.key,
)
def test_room_for_one_that_wakes(put: Action) -> None:
    """SW-R16: whether there is room is looked at when it is asked."""
    fight = crowd().interrupted((("room:ally", put),), "heal", None, amount=5, targets=("ally",))

    held = fight.zone()
    left = {one.id for one in fight.state.combatants if one.status == "up"}
    assert kinds(fight) == []
    assert held is None or set(held.participants) == left


def test_healing_several_while_one_is_asked_about() -> None:
    """SW-R42: one removed during the healing of another is left out."""
    fight = crowd().do("damage", amount=5, targets=("cid",), **{"as": "direct"})

    fight.interrupted((("room:ally", gone("cid")),), "heal", None, amount=5, targets=("ally", "cid"))

    assert "cid" not in fight.state


def test_the_effects_to_keep_are_those_that_hold() -> None:
    """SW-032: what is ended meanwhile is not on offer."""
    fight = Fight([member("Ada", "character", prone=True)], [member("Cid", "monster")]).to_round()
    ended = action("end_effect", who="ada", effect="prone")

    fight.interrupted((("combat_end@r1/keep", ended),), "end_fight", None)

    assert kinds(fight) == []
