"""Every question of a turn, when its subject is gone, down, elsewhere or changes sides."""

from __future__ import annotations

import pytest

from rulesets.sword_world import RULESET
from rulesets.sword_world.stat_blocks.models import HouseRules, Setup, ZoneSetup
from tests.rules.sword_world.fights import Fight, member
from tests.rules.sword_world.interrupted.meddling import down, elsewhere, gone, kinds, turned
from tracker.core.fight.events import Checked, Rolled, Skipped
from tracker.core.run import Done, Interruption, Step, run
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import Answer, Request
from tracker.testing.table import plain

BOW = [{"name": "bow", "mode": "ranged", "accuracy": 9, "impact": 10, "bonus": 5, "range": 30}]
SWORD = [{"name": "sword", "accuracy": 9, "impact": 10, "bonus": 5}]
BLESSED = action("add_effect", name="blessed", targets=("finn",), modifiers=((("amount", 5), ("stat", "accuracy")),))


def skirmish(**keys: object) -> Fight:
    """Return a fight with Finn apart from a brawl of Ally against two enemies."""
    pcs = [member("Ally", "character", pos=10), member("Finn", "character", pos=0, **keys)]
    foes = [member(name, "monster", pos=10) for name in ("Cid", "Dee")]
    fight = Fight(pcs, foes, Setup(zones=(ZoneSetup(("Ally", "Cid", "Dee")),)))
    return fight.to_round().do("start_turn", "finn")


# -- moving ------------------------------------------------------------------------------------------------------------


def approach(*put: tuple[str, Action], answers: tuple[str, ...] = ()) -> Fight:
    """Let Ada move past Cid and Dee, with what is put before the questions."""
    pcs, foes = [member("Ada", "character")], [member("Cid", "monster"), member("Dee", "monster")]
    fight = Fight(pcs, foes).to_round().do("start_turn", "ada")
    return fight.interrupted(put, "move", "ada", *answers, kind="normal", metres=9, approaches=("cid", "dee"))


@pytest.mark.parametrize(
    "put", [gone("cid"), down("cid"), down("cid", "fled"), turned("cid", "party")], ids=lambda put: put.key
)
def test_an_enemy_that_cannot_stop_the_mover_any_more_is_not_asked(put: Action) -> None:
    """SW-068: the question goes with the enemy, and the next one is asked."""
    fight = approach(("brawl:cid", put), answers=("brawl",))

    held = fight.zone()
    assert kinds(fight) == ["brawl:dee"]
    assert held is not None
    assert held.participants == ("dee", "ada")


@pytest.mark.parametrize("put", [gone("dee"), down("dee", "dead")], ids=lambda put: put.key)
def test_the_next_enemy_is_not_asked_either(put: Action) -> None:
    """SW-068: who falls while another one is asked is not asked."""
    assert kinds(approach(("brawl:cid", put), answers=("no_brawl",))) == ["brawl:cid"]


@pytest.mark.parametrize("put", [gone("ada"), down("ada")], ids=lambda put: put.key)
def test_a_mover_that_is_out_is_not_stopped(put: Action) -> None:
    """SW-068: a mover who falls or leaves ends the movement."""
    fight = approach(("brawl:cid", put))

    assert kinds(fight) == []
    assert len(fight.stopped) == 1
    assert fight.zone() is None


def test_a_mover_held_meanwhile_is_held_once() -> None:
    """SW-084: drawn into a brawl by the game master, the mover goes no farther."""
    fight = approach(("brawl:cid", action("set_zone", participants=("ada", "dee"))))

    assert kinds(fight) == []
    assert fight.zone("zone:2") is None


@pytest.mark.parametrize(
    "put",
    [action("end_zone", zone="zone:1"), action("move_participant", who="finn", zone="zone:1"), down("cid", "dead")],
    ids=lambda put: put.key,
)
def test_passing_a_brawl_that_has_changed(put: Action) -> None:
    """SW-081 to SW-083: who holds a mover is looked at when it is asked."""
    fight = skirmish()
    if put.key == "status":
        fight.do("status", targets=("dee",), status="fled")

    fight.interrupted((("pass:zone:1", put),), "move", "finn", kind="normal", metres=9, passes_through="zone:1")

    assert kinds(fight) == []


# -- attacks -----------------------------------------------------------------------------------------------------------


def shoot(*put: tuple[str, Action], dice: tuple[int, ...] = ()) -> Fight:
    """Let Finn shoot at Cid in the brawl, with what is put before the questions."""
    return skirmish(attacks=BOW).interrupted(put, "attack", "finn", *dice, weapon="bow", target="cid")


@pytest.mark.parametrize("put", [gone("ally"), down("ally"), elsewhere("ally")], ids=lambda put: put.key)
def test_the_die_of_crossfire_names_who_is_there(put: Action) -> None:
    """SW-166: who has left the brawl is no candidate when the die falls."""
    fight = shoot(("crossfire", put), dice=(2, 7))

    assert "crossfire" not in kinds(fight)


@pytest.mark.parametrize("put", [gone("dee"), down("dee", "fled"), elsewhere("dee")], ids=lambda put: put.key)
def test_the_die_of_crossfire_has_as_many_faces_as_candidates(put: Action) -> None:
    """SW-166: with one fewer in the brawl the die has one face fewer."""
    fight = shoot(("crossfire", put), dice=(2, 2, 7))

    rolled = next(entry.event for entry in fight.entries if isinstance(entry.event, Rolled))
    assert (rolled.key, str(rolled.dice), rolled.why) == ("crossfire", "1d2", "crossfire: 1 Ally, 2 Cid")


@pytest.mark.parametrize("key", ["crossfire", "accuracy", "impact"])
@pytest.mark.parametrize("put", [gone("cid"), down("cid", "dead"), down("cid", "surrendered")], ids=lambda put: put.key)
def test_an_attack_ends_with_its_target(key: str, put: Action) -> None:
    """SW-054: with the target gone the attack is over, its cost spent."""
    fight = shoot((key, put), dice={"crossfire": (), "accuracy": (2,), "impact": (2, 7)}[key])

    assert fight.stopped == ["Cid is no longer there"]
    assert fight.state["finn"].left("standard") == 0


@pytest.mark.parametrize(
    ("key", "put"),
    [
        *((key, gone("finn")) for key in ("crossfire", "accuracy", "impact")),
        *((key, down("finn")) for key in ("crossfire", "accuracy")),
    ],
)
def test_an_attack_ends_with_its_attacker(key: str, put: Action) -> None:
    """SW-054: an attacker who leaves, or falls before the Accuracy roll, does not go on attacking."""
    fight = shoot((key, put), dice={"crossfire": (), "accuracy": (2,), "impact": (2, 7)}[key])

    assert fight.stopped == ["Finn has left the fight" if put.key == "remove" else "Finn is no longer able"]
    assert fight.state["cid"].hp == 20


def test_a_target_that_falls_cannot_dodge() -> None:
    """SW-R52: unconscious before the Accuracy roll, the target is hit without one."""
    fight = shoot(("accuracy", down("cid")), dice=(2, 7))

    assert kinds(fight) == ["crossfire", "impact"]


def test_a_target_out_of_range_is_not_hit() -> None:
    """SW-112: moved out of range by the game master, the target is missed."""
    fight = skirmish(attacks=BOW).do("end_zone", zone="zone:1")

    fight.interrupted((("accuracy", elsewhere("cid")),), "attack", "finn", weapon="bow", target="cid")

    assert fight.stopped == ["Cid is out of range"]


def test_a_target_out_of_the_brawl_is_out_of_reach() -> None:
    """SW-R25: a melee attack reaches nobody who has been put elsewhere."""
    setup = Setup(zones=(ZoneSetup(("Ada", "Bo", "Cid", "Dee")),))
    people = [member(name, "character", attacks=SWORD, pos=0) for name in ("Ada", "Bo")]
    for put in (elsewhere("cid"), action("move_participant", who="cid", zone="none")):
        fight = Fight(people, [member("Cid", "monster", pos=0), member("Dee", "monster", pos=0)], setup)
        fight.to_round().do("start_turn", "ada")

        fight.interrupted((("impact", put),), "attack", "ada", 7, weapon="sword", target="cid")

        assert fight.stopped == ["Cid is out of reach"]


def test_the_one_hit_by_crossfire_matters_not_the_one_meant() -> None:
    """SW-167: after the die the shot goes on at whom it names."""
    fight = shoot(("accuracy", gone("cid")), dice=(1, 12, 2, 7))

    assert fight.stopped == []
    assert fight.state["ally"].hp < 20


def test_an_effect_put_before_the_roll_counts() -> None:
    """SW-104: the numbers are those of the moment the dice fall, or of the comparison."""
    for key in ("accuracy", "evasion"):
        fight = skirmish(attacks=BOW).do("end_zone", zone="zone:1")
        dice = (2,) if key == "accuracy" else (2, 3, 7)
        fields = {"weapon": "bow", "target": "cid", "modifier": -6, "roll_fixed": key == "evasion"}
        fight.interrupted(((key, BLESSED),), "attack", "finn", *dice, **fields)  # type: ignore[arg-type]

        checked = next(entry.event for entry in fight.entries if isinstance(entry.event, Checked))
        assert (checked.total, checked.result) == (10, "hit" if key == "evasion" else "miss")


def test_armor_found_before_the_impact_counts() -> None:
    """SW-147: the crit rate is that of the moment the Impact is rolled."""
    sharp = action("add_effect", name="sharp", targets=("finn",), modifiers=((("amount", -2), ("stat", "crit")),))

    fight = skirmish(attacks=BOW).do("end_zone", zone="zone:1")
    fight.interrupted((("impact", sharp),), "attack", "finn", 7, 8, 2, weapon="bow", target="cid")

    assert kinds(fight) == ["accuracy", "impact", "impact:2"]


# -- spells ------------------------------------------------------------------------------------------------------------

BURST = {"name": "Burst", "area": "radius", "max_targets": 2, "impact": 10}
BEAM = {"name": "Beam", "area": "line", "impact": 10, "resist": "none"}
BOLT = {"name": "Bolt", "area": "target", "impact": 10, "range": 30}
TOUCH = {"name": "Cure", "area": "touch", "impact": 10, "heal": True}


def conjure(spell: dict[str, object], *put: tuple[str, Action], dice: tuple[int, ...] = (), **fields: object) -> Fight:
    """Let Finn cast a spell, with what is put before its questions."""
    fight = skirmish(spells=[spell], willpower=5)
    return fight.interrupted(put, "cast", "finn", *dice, spell=spell["name"], **fields)  # type: ignore[arg-type]


def test_random_targets_are_those_who_are_there() -> None:
    """SW-090: each die picks among those in the brawl when it falls."""
    fight = conjure(BURST, ("random:1", gone("dee")), dice=(7, 7, 7, 7), zone="zone:1")
    assert [key for key in kinds(fight) if key.startswith("random")] == []

    fight = conjure(BURST, ("random:2", gone("cid")), dice=(1, 7, 7, 7, 7), zone="zone:1")
    assert [key for key in kinds(fight) if key.startswith("random")] == ["random:1"]
    assert "impact:dee" in kinds(fight)


def test_nobody_rolls_for_a_line_who_is_gone() -> None:
    """SW-091: who has left the brawl is not in the line."""
    for put in (gone("dee"), down("dee", "fled"), elsewhere("dee")):
        fight = conjure(BEAM, ("line:dee", put), dice=(6, 7), targets=("cid",))
        assert kinds(fight) == ["line:ally", "impact:cid"]


@pytest.mark.parametrize("key", ["willpower:cid", "impact:cid"])
@pytest.mark.parametrize("put", [gone("cid"), down("cid", "dead"), elsewhere("cid")], ids=lambda put: put.key)
def test_a_spell_meets_the_targets_that_are_left(key: str, put: Action) -> None:
    """SW-R24: one target gone or out of range, the spell goes on with the others."""
    fight = conjure(BOLT, (key, put), dice=(10, 7), targets=("cid", "dee"))

    skipped = [entry.event.why for entry in fight.entries if isinstance(entry.event, Skipped)]
    assert skipped == ["Cid is out of reach" if put.key == "place" else "Cid is no longer there"]
    assert kinds(fight) == ["spellcasting", "impact:dee"]


@pytest.mark.parametrize("put", [gone("cid"), down("cid", "dead")], ids=lambda put: put.key)
def test_one_chain_for_those_who_are_left(put: Action) -> None:
    """SW-R31: the one Impact roll meets those who are there when it falls."""
    pcs = [member("Finn", "character", spells=[BOLT])]
    foes = [member("Cid", "monster"), member("Dee", "monster")]
    for key in ("willpower:cid", "impact"):
        fight = Fight(pcs, foes, house=HouseRules(impact_roll="per_cast")).to_round().do("start_turn", "finn")
        fight.interrupted(((key, put),), "cast", "finn", 12, 7, spell="Bolt", targets=("cid", "dee"))

        assert fight.state["dee"].hp < 20


def test_a_touch_needs_the_target_at_hand() -> None:
    """SW-R25: one who is put into a brawl meanwhile is not touched any more."""
    pcs = [member(name, "character", spells=[TOUCH]) for name in ("Finn", "Ally", "Bo")]
    fight = Fight(pcs, [member("Cid", "monster")], Setup(zones=(ZoneSetup(("Bo", "Cid")),))).to_round()
    fight.do("damage", amount=5, targets=("ally",), **{"as": "direct"}).do("start_turn", "finn")
    into = action("move_participant", who="ally", zone="zone:1")

    fight.interrupted((("impact:ally", into),), "cast", "finn", spell="Cure", targets=("ally",))

    assert fight.state["ally"].hp == 15


@pytest.mark.parametrize("key", ["spellcasting", "impact:cid"])
def test_a_caster_that_falls(key: str) -> None:
    """SW-054: felled before the Spellcasting roll the spell is lost, after it the spell works."""
    fight = conjure(BOLT, (key, down("finn")), dice=(12, 7) if key != "spellcasting" else (), targets=("cid",))

    assert (fight.state["cid"].hp < 20) is (key != "spellcasting")
    assert fight.stopped == ([] if key != "spellcasting" else ["Finn is no longer able"])


def test_a_removed_caster_casts_no_more() -> None:
    """SW-054: one who is taken out of the fight does nothing in it."""
    for key in ("spellcasting", "impact:cid"):
        fight = conjure(BOLT, (key, gone("finn")), dice=(12,) if key != "spellcasting" else (), targets=("cid",))
        assert fight.stopped == ["Finn has left the fight"]


# -- everything, by the dozen ------------------------------------------------------------------------------------------

PUT = (
    *(gone(who) for who in ("ally", "finn", "cid", "dee")),
    *(down(who) for who in ("ally", "finn", "cid", "dee")),
    *(down(who, "dead") for who in ("ally", "finn", "cid")),
    *(elsewhere(who) for who in ("ally", "finn", "cid")),
    *(turned(who, side) for who, side in (("ally", "foes"), ("finn", "foes"), ("cid", "party"))),
    action("end_zone", zone="zone:1"),
    action("move_participant", who="cid", zone="none"),
    action("move_participant", who="finn", zone="zone:1"),
)
DEEDS = (
    action("attack", "finn", weapon="bow", target="cid", roll_fixed=True),
    action("cast", "finn", spell="Burst", zone="zone:1", roll_fixed=True),
    action("cast", "finn", spell="Beam", targets=("cid",)),
    action("cast", "finn", spell="Bolt", targets=("cid", "dee")),
    action("move", "finn", kind="normal", metres=9, passes_through="zone:1"),
)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: f"{deed.key}-{deed.get('spell') or ''}")
@pytest.mark.parametrize("put", PUT, ids=lambda put: f"{put.key}-{put.get('who') or put.get('targets') or ''}")
def test_any_interruption_at_any_question(deed: Action, put: Action) -> None:
    """Whatever is put before whichever question, the step comes to its end."""
    fight = skirmish(attacks=BOW, spells=[BURST, BEAM, BOLT])
    keys: list[str] = []

    def source(request: Request) -> Answer | None:
        keys.append(request.key)
        return plain(request)

    run(RULESET, fight.state, Step("do", (deed,)), (), source)
    assert keys
    for key in list(dict.fromkeys(keys)):
        outcome = run(RULESET, fight.state, Step("do", (deed,), interrupts=(Interruption(key, put),)), (), plain)
        assert isinstance(outcome, Done)
