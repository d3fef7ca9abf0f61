"""The last corners of the rules: lines, double dice, budgets, Death Checks, distances."""

from __future__ import annotations

import pytest

from rulesets.sword_world import RULESET
from rulesets.sword_world.stat_blocks.models import HouseRules, Setup, ZoneSetup
from tests.rules.sword_world.fights import Fight, member
from tests.support.tables import rows
from tests.views.log.logging_support import log_lines
from tracker.core.fight.events import Checked
from tracker.core.run import Step
from tracker.core.terms.actions import Action

BEAM = {"name": "Beam", "area": "line", "impact": 20, "bonus": 1, "resist": "none"}
SWORD = [{"name": "sword", "accuracy": 2, "impact": 10}]
DOUBLES = HouseRules(automatic_results=True)


def two_brawls(**keys: object) -> Fight:
    """Return a fight with Finn apart from two brawls of two against one."""
    names = [("A", "B", "C"), ("D", "E", "F")]
    pcs = [member(name, "character") for one in names for name in one[:2]]
    foes = [member(one[2], "monster") for one in names]
    setup = Setup(zones=tuple(ZoneSetup(one) for one in names))
    return Fight([*pcs, member("Finn", "character", spells=[BEAM], **keys)], foes, setup).to_round()


def results(fight: Fight, what: str) -> list[tuple[str | None, str]]:
    """Return who was compared in the last step, and with what result."""
    checked = [entry.event for entry in fight.entries if isinstance(entry.event, Checked)]
    return [(event.who, event.result) for event in checked if event.what == what]


# -- lines -------------------------------------------------------------------------------------------------------------


def test_one_target_of_a_line_in_each_brawl() -> None:
    """SW-091: a line's user chooses one target in a brawl, not two."""
    fight = two_brawls().do("start_turn", "finn")

    refusal = fight.refused("cast", "finn", spell="Beam", targets=("c", "a"))

    assert (refusal.rule, refusal.field) == ("SW-091", "targets")


def test_a_line_through_two_brawls() -> None:
    """SW-091: in every brawl the line touches, each of the others rolls a die."""
    fight = two_brawls().do("start_turn", "finn")

    fight.do("cast", "finn", 3, 4, 6, 1, 7, 7, 7, 7, spell="Beam", targets=("c", "f"))

    assert fight.asked[:4] == ["line:a", "line:b", "line:d", "line:e"]
    assert fight.asked[4:] == ["impact:c", "impact:a", "impact:f", "impact:e"]


def test_a_line_through_a_brawl_and_the_open() -> None:
    """SW-091, SW-R23: a target in no brawl is hit without dice for others."""
    fight = two_brawls().do("move_participant", who="f", zone="none").do("start_turn", "finn")

    fight.do("cast", "finn", 5, 5, 7, 7, spell="Beam", targets=("f", "c"))

    assert fight.asked == ["line:a", "line:b", "impact:f", "impact:c"]


# -- brawls ------------------------------------------------------------------------------------------------------------


def test_a_forced_joining_leaves_the_old_brawl() -> None:
    """SW-073, SW-076: nobody fights in two brawls at once."""
    fight = two_brawls().do("start_turn", "a").force("join_brawl", "a", zone="zone:2")

    first, second = fight.zone(), fight.zone("zone:2")
    assert first is not None
    assert second is not None
    assert (first.participants, second.participants) == (("b", "c"), ("d", "e", "f", "a"))


def test_a_forced_brawl_leaves_the_old_one() -> None:
    """SW-073: a brawl started by force takes its participants out of others."""
    fight = two_brawls().do("start_turn", "a").force("declare_brawl", "a", enemy="f")

    assert [held.participants if held else None for held in map(fight.zone, ("zone:1", "zone:2", "zone:3"))] == [
        ("b", "c"),
        None,  # no enemy is left in it
        ("a", "f"),
    ]


@pytest.mark.parametrize("fact", ["leaving", "leave_permission"])
def test_a_leaving_ends_with_the_brawl_it_is_for(fact: str) -> None:
    """SW-R14: out of the brawl in any way, the permission to leave it is gone."""
    fight = two_brawls().do("start_turn", "a").do("leave_brawl", "a").do("end_turn", "a")
    if fact == "leave_permission":
        fight.to_round(2).do("start_turn", "a")
    held = fight.state["a"].fact(fact)

    fight.do("move_participant", who="a", zone="none")

    assert held == "zone:1"
    assert fight.state["a"].fact(fact) is None


def test_a_leaving_ends_with_flight() -> None:
    """SW-R14: one who has fled has nothing to leave any more."""
    fight = two_brawls().do("start_turn", "a").do("leave_brawl", "a").do("end_turn", "a")

    fight.do("status", targets=("a",), status="fled")

    assert fight.state["a"].fact("leaving") is None


# -- automatic results -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "bonus", "result"), [(2, 30, "failed"), (12, -30, "known"), (11, 0, "known"), (3, 0, "failed")]
)
def test_double_dice_on_monster_knowledge(dice: int, bonus: int, result: str) -> None:
    """SW-R36: with the switch, double 1 knows nothing and double 6 knows the monster."""
    pcs = [member("Ada", "character", monster_knowledge=bonus)]
    fight = Fight(pcs, [member("Cid", "monster", knowledge_target=10)], house=DOUBLES).next()

    fight.do("monster_knowledge", None, dice, character="ada", monster="cid")

    assert results(fight, "Monster Knowledge check") == [("ada", result)]


@pytest.mark.parametrize(("dice", "answers", "result"), [(2, (), "failed"), (12, ("weakness",), "weakness")])
def test_double_dice_where_the_game_master_decides(dice: int, answers: tuple[str, ...], result: str) -> None:
    """SW-R36, SW-R47: what double dice settle is not asked."""
    fight = Fight([member("Ada", "character")], [member("Cid", "monster")], house=DOUBLES).next()

    fight.do("monster_knowledge", None, dice, *answers, character="ada", monster="cid")

    assert fight.state.fact("pair:ada|cid", "knowledge") == result


def test_what_the_game_master_decides_after_a_roll_is_told_once() -> None:
    """SW-R47: the roll with its sum, then the question with its answer."""
    fight = Fight([member("Ada", "character", monster_knowledge=3)], [member("Cid", "monster")]).next()
    fight.do("monster_knowledge", None, 7, "known", character="ada", monster="cid")

    told = [line.partition("  [")[0].strip() for line in log_lines(RULESET, fight.state, fight.entries)]

    assert "; ".join(told).count("2d6 7") == 1
    assert told[0].endswith("2d6 7 +3 bonus = 10")
    assert told[1].endswith("what does a total of 10 tell about Cid? known")


@pytest.mark.parametrize(("ada", "bo", "cid", "leader"), rows(__file__, "double_dice_on_initiative"))
def test_double_dice_on_initiative(ada: int, bo: int, cid: int, leader: str) -> None:
    """SW-R36: with the switch, double dice decide Initiative on either side."""
    pcs = [
        member("Ada", "character", initiative_fixed=None, initiative=30 if ada == 2 else -30),
        member("Bo", "character", initiative_fixed=None, initiative=3),
    ]
    foes = [member("Cid", "monster", initiative_fixed=None, initiative=10)]
    fight = Fight(pcs, foes, house=DOUBLES).next()
    if fight.state.clock.phase == "knowledge":
        fight.do("end_knowledge")

    fight.do("roll_initiative", None, ada, bo, cid)

    assert fight.state.fact("fight", "leading") == leader


@pytest.mark.parametrize(
    ("hide", "sense", "won"), [((2, 9), 3, False), ((12, 9), 12, False), ((12, 9), 11, True), ((9, 9), 2, True)]
)
def test_double_dice_in_a_surprise_attack(hide: tuple[int, int], sense: int, won: bool) -> None:
    """SW-R36, SW-R38: a double 1 betrays all movers, a double 6 hides or senses."""
    pcs = [member("Ada", "character", hide=20 if hide[0] == 2 else -20 if hide[0] == 12 else 5)]
    pcs.append(member("Bo", "character", hide=5))
    foes = [member("Cid", "character", danger_sense=30 if sense == 2 else 0)]
    fight = Fight(pcs, foes, house=DOUBLES)

    fight.do("surprise_attempt", None, *hide, sense, side="party")

    assert fight.state.fact("fight", "leading") == ("pcs" if won else None)


# -- the rest ----------------------------------------------------------------------------------------------------------


def test_a_passed_death_check_is_not_the_last() -> None:
    """SW-160: an unconscious combatant below 0 HP begins to make Death Checks, not one."""
    fight = Fight([member("Ada", "character", fortitude=5)], [member("Cid", "monster")]).to_round()
    fight.do("damage", amount=30, targets=("ada",), **{"as": "direct"})

    fight.do("death_check", None, 7, who="ada", target_number=12).do(
        "death_check", None, 3, who="ada", target_number=12
    )

    assert fight.state["ada"].status == "dead"


def test_death_checks_of_others() -> None:
    """SW-R34: monsters and those not below 0 HP make none, unless forced."""
    fight = Fight([member("Ada", "character"), member("Bo", "character")], [member("Cid", "monster")]).to_round()
    fight.do("damage", amount=30, targets=("ada", "cid"), **{"as": "direct"})
    fight.do("damage", amount=20, targets=("bo",), **{"as": "direct"})

    refusals = [fight.refused("death_check", who=who, target_number=9) for who in ("bo", "cid")]

    assert [(refusal.rule, refusal.forcible) for refusal in refusals] == [("SW-160", True), ("SW-R34", True)]
    fight.force("death_check", None, 2, who="cid", target_number=20)
    assert fight.state["cid"].status == "dead"


def test_a_third_attack_needs_force_again() -> None:
    """SW-050: after a forced second standard action none is left, not less than none."""
    setup = Setup(zones=(ZoneSetup(("Ada", "Cid")),))
    fight = Fight([member("Ada", "character", attacks=SWORD)], [member("Cid", "monster")], setup).to_round()
    fight.do("start_turn", "ada").do("attack", "ada", 2, target="cid")
    fight.force("attack", "ada", 2, target="cid").force("move", "ada", kind="normal", metres=5)

    assert fight.refused("attack", "ada", target="cid").rule == "SW-050"
    assert [fight.state["ada"].left(part) for part in ("move", "standard", "feat")] == [0, 0, 1]


def test_less_than_nothing_is_nothing() -> None:
    """SW-050: a budget below 0, however it came about, pays for nothing."""
    fight = Fight([member("Ada", "character", attacks=SWORD)], [member("Cid", "monster")]).to_round()
    fight.do("start_turn", "ada")
    fight.do("set", who="ada", what="left_standard", value=0).do("set", who="ada", what="left_move", value=0)

    assert fight.refused("other_action", "ada", text="search").rule == "SW-050"
    assert fight.refused("move", "ada", kind="normal", metres=2).rule == "SW-039"


def test_a_negated_spell_asks_for_no_impact() -> None:
    """SW-R49: of a resisted spell of the negating kind nothing is rolled."""
    spell = {"name": "Curse", "impact": 10, "resist": "negate"}
    for house in (HouseRules(), HouseRules(impact_roll="per_cast")):
        fight = Fight([member("Ada", "character", spells=[spell])], [member("Cid", "monster")], house=house)
        fight.to_round().do("start_turn", "ada")

        fight.do("cast", "ada", 4, spell="Curse", targets=("cid",))

        assert fight.asked == ["spellcasting"]
        assert fight.state["cid"].hp == 20


# -- places ------------------------------------------------------------------------------------------------------------


def line(*, wolf: float = 0, goblin: float = 20) -> Fight:
    """Return a fight whose combatants have places on the line."""
    return Fight(
        [member("Wolf", "character", pos=wolf), member("Mira", "character", pos=1)],
        [member("Goblin", "monster", pos=goblin)],
    ).to_round()


def test_metres_are_no_less_than_the_way() -> None:
    """SW-047: a short move leads no farther than its metres."""
    fight = line().do("start_turn", "wolf")

    refusals = [fight.refused("move", "wolf", kind="short", metres=3, to=to) for to in (9, 4)]

    assert [(refusal.rule, refusal.field) for refusal in refusals] == [("SW-047", "metres")] * 2
    less = fight.refused("move", "wolf", kind="normal", metres=2, to=9)
    assert (less.rule, less.text) == ("SW-039", "the way there is 9 m, not 2 m")
    assert fight.do("move", "wolf", kind="short", metres=3, to=2).state["wolf"].position == (2,)


def test_a_brawl_begins_within_its_radius() -> None:
    """SW-067: with places known, the enemy has to be near."""
    fight = line().do("start_turn", "wolf")

    refusal = fight.refused("declare_brawl", "wolf", enemy="goblin")

    assert (refusal.rule, refusal.forcible, refusal.text) == (
        "SW-067",
        True,
        "Goblin is 20 m away: move up to it first",
    )
    fight.do("move", "wolf", kind="full", metres=20, to=19).do("declare_brawl", "wolf", enemy="goblin")
    assert fight.zone() is not None


def test_a_brawl_is_joined_from_nearby() -> None:
    """SW-076: with places known, one joins at the brawl, not from afar."""
    fight = line(wolf=19).do("start_turn", "wolf").do("declare_brawl", "wolf", enemy="goblin").do("end_turn", "wolf")
    fight.do("start_turn", "mira")

    refusal = fight.refused("join_brawl", "mira", zone="zone:1")

    assert (refusal.rule, refusal.text) == ("SW-076", "brawl 1 is 18 m away: move up to it first")
    fight.do("move", "mira", kind="full", metres=18, to=19).do("join_brawl", "mira", zone="zone:1")


def test_helpers_of_a_brawl_stand_near() -> None:
    """SW-R19: own characters named have to be beside that enemy, too."""
    fight = line(wolf=19).do("start_turn", "wolf")

    refusal = fight.refused("declare_brawl", "wolf", enemy="goblin", together_with=("mira",))

    assert (refusal.rule, refusal.text) == ("SW-R19", "Mira is 18 m away from Wolf")


def test_a_move_up_to_an_enemy_ends_beside_it() -> None:
    """SW-039: with places known, coming next to an enemy leads to where it stands."""
    fight = line().do("start_turn", "wolf")

    fight.do("move", "wolf", "no_brawl", kind="full", approaches=("goblin",))

    assert fight.state["wolf"].position == (20,)
    fight.do("declare_brawl", "wolf", enemy="goblin")


def test_the_generic_form_still_knows_a_brawl_by_number() -> None:
    """SW-076: the form offers every brawl, those out of reach refused with their distance."""
    fight = line(wolf=19).do("start_turn", "wolf").do("declare_brawl", "wolf", enemy="goblin").do("end_turn", "wolf")
    fight.do("start_turn", "mira")
    spec = RULESET.form(fight.state, Action("join_brawl", "mira"))
    field = spec.field("zone") if spec else None

    assert field is not None
    assert [option.refusal.rule if option.refusal else "" for option in field.options] == ["SW-076"]
    fight.take(Step("do", (Action("join_brawl", "mira", (("zone", "zone:1"),)),), forced=True))


# -- effects by hand ---------------------------------------------------------------------------------------------------


def test_damage_of_a_type_by_hand() -> None:
    """SW-134, SW-R30: an enchanted weapon adds damage of its own type, which Defense leaves alone."""
    foes = [member("Cid", "monster", defense=30)]
    fight = Fight([member("Ada", "character", attacks=SWORD)], foes, Setup(zones=(ZoneSetup(("Ada", "Cid")),)))
    row = (("amount", 3), ("kind", "magical"), ("stat", "damage"))
    fight.to_round().do("add_effect", name="Enchant Weapon", targets=("ada",), modifiers=(row,)).do("start_turn", "ada")

    fight.do("attack", "ada", 12, 7, target="cid")

    assert fight.state["cid"].hp == 17


@pytest.mark.parametrize(("name", "stat", "change"), [("surprised", "willpower", -2), ("full movement", "evasion", -4)])
def test_effects_by_name(name: str, stat: str, change: int) -> None:
    """SW-042, SW-173: what the game knows by name changes the same numbers by hand."""
    fight = Fight([member("Ada", "character")], [member("Cid", "monster")]).to_round()
    before = RULESET.derived(fight.state, "ada", stat).value

    fight.do("add_effect", name=name, targets=("ada",))

    assert RULESET.derived(fight.state, "ada", stat).value == before + change


def test_one_moved_along_the_line_rolls_once() -> None:
    """SW-091: put into the next brawl meanwhile, a combatant is in the way once."""
    fight = two_brawls().do("start_turn", "finn")
    put = (("line:b", Action("move_participant", None, (("who", "a"), ("zone", "zone:2")))),)

    fight.interrupted(put, "cast", "finn", 6, 6, 6, 6, 7, 7, spell="Beam", targets=("c", "f"))

    assert fight.asked == ["line:a", "line:b", "line:d", "line:e", "impact:c", "impact:f"]
