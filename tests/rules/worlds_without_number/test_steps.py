"""Steps that a vector cannot write down: interruptions, overrides, simultaneous answers, newcomers, forced actions."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rulesets.worlds_without_number import RULESET
from tests.rules.worlds_without_number.fights import CAST, act, done, play, refusal, scene
from tracker.core.fight.events import BoundaryCrossed, Entry, StatusChanged
from tracker.core.fight.state import State
from tracker.core.run import Done, Pending, Step, run
from tracker.core.step.ctx import Interruption
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Wave
from tracker.core.terms.requests import Answer, DiceAnswer, Passed, Request, Responded, Roll, Window

ATTACK = act("melee_attack", "veteran", target="ansa")


def test_the_game_master_overrules_a_miss_and_the_damage() -> None:
    """Given overrides of hit and damage, they replace what was computed."""
    state = scene("ambushed").state
    step = Step("do", (ATTACK,), overrides=(("hit", True), ("damage", 2)))

    outcome = done(state, step, [2, 8])

    assert outcome.state["ansa"].hp == 10


def test_an_overruled_hit_is_not_compared_again() -> None:
    """Given a hit overruled by the GM, armour that comes before the damage does not take it back."""
    state = scene("ambushed").state
    ward = act("total_defense", "ansa")
    step = Step("do", (ATTACK,), interrupts=(Interruption("damage", ward),), overrides=(("hit", True),))

    outcome = done(state, step, [2, 3])

    assert outcome.state["ansa"].hp == 8


def test_answers_declared_together_are_judged_on_the_same_state() -> None:
    """WN-040: two Snap Attacks declared together both happen, even if the first drops the attacker."""
    table = scene("foes_first", sides={"party": ["ansa", "cadmon"], "foes": [{"ref": "veteran", "hp": 9}]})
    asked: list[str] = []
    dice = [2, 19, 8, 19, 6]

    def answer(request: Request) -> Answer | None:
        asked.append(request.key)
        if isinstance(request, Roll):
            return DiceAnswer(dice.pop(0))
        if isinstance(request, Window) and request.key == "after_roll":
            snaps = (act("snap_attack", "ansa", target="veteran"), act("snap_attack", "cadmon", target="veteran"))
            return Responded(snaps, together=True)
        return Passed() if isinstance(request, Window) else request.default_answer

    outcome = run(RULESET, table.state, Step("do", (ATTACK,)), (), answer)

    assert isinstance(outcome, Done)
    assert asked == [
        "attack",
        "after_roll",
        "after_roll/snap_attack:ansa/attack",
        "after_roll/snap_attack:ansa/damage",
        "after_roll/snap_attack:cadmon/attack",
        "after_roll/snap_attack:cadmon/damage",
        "end_combat",
    ]
    assert outcome.state["veteran"].status == "dead"
    assert outcome.state["ansa"].left("main") == outcome.state["cadmon"].left("main") == 0


def test_the_window_shows_what_may_be_answered() -> None:
    """R21: Total Defense, each PC's Snap Attack and the GM's stop are offered."""
    state = scene("foes_first").state

    outcome = run(
        RULESET, state, Step("do", (act("melee_attack", "raider-1", target="ansa"),)), (("attack", DiceAnswer(14)),)
    )

    assert isinstance(outcome, Pending)
    assert isinstance(outcome.request, Window)
    assert [(spec.key, spec.by) for spec in outcome.request.offers] == [
        ("total_defense", "ansa"),
        ("snap_attack", "ansa"),
        ("snap_attack", "bero"),
        ("snap_attack", "cadmon"),
        ("interrupted", None),
    ]
    snap = outcome.request.offers[1]
    assert snap.fields[0].default == "raider-1"
    assert outcome.request.why == "15 against AC 15: hit"


@pytest.mark.parametrize(
    ("hp", "does", "moot"), [(9, "Veteran may drop first", ""), (10, "", "its 9 at most leave Veteran standing")]
)
def test_a_snap_attack_is_asked_for_if_it_may_fell_the_attacker(hp: int, does: str, moot: str) -> None:
    """Ansa's sword takes 1d8+1, so 9 at most."""
    state = scene("duel", sides={"party": ["ansa"], "foes": [{"ref": "veteran", "hp": hp}]}, start=[1, 8]).state

    outcome = run(RULESET, state, Step("do", (ATTACK,)), (("attack", DiceAnswer(20)),))

    assert isinstance(outcome, Pending)
    assert isinstance(outcome.request, Window)
    assert [(spec.does, spec.moot) for spec in outcome.request.offers if spec.key == "snap_attack"] == [(does, moot)]


def offered_to_cadmon(hp: int, **house: bool) -> str:
    """Return why Cadmon is not asked for Veteran's Luck after a miss of 1 Shock."""
    axe = {"name": "axe", "dmg": "1d6", "shock": "1/15", "trauma": {"die": "1d6", "rating": 2}, "attr": ["str"]}
    sides = {"party": [{"ref": "cadmon", "mods": {}, "weapons": [axe]}], "foes": [{"ref": "raider", "hp": hp}]}
    state = scene("duel", sides=sides, house_rules={"ask_instants": "all", **house}).state
    step = Step("do", (act("melee_attack", "cadmon", target="raider"),))
    outcome = run(RULESET, state, step, (("attack", DiceAnswer(2)),))
    assert isinstance(outcome, Pending)
    assert isinstance(outcome.request, Window)
    return next(spec.moot for spec in outcome.request.offers if spec.key == "use")


def test_a_power_is_not_asked_for_where_shock_fells_the_target_anyway() -> None:
    """A miss whose Shock fells is worth as much as the hit of Veteran's Luck."""
    assert offered_to_cadmon(1) == "Raider falls to the Shock of a miss as well"
    assert offered_to_cadmon(2) == ""
    assert offered_to_cadmon(1, trauma=True) == ""


@pytest.mark.parametrize(("hp", "moot"), [(20, ""), (2, ""), (1, "the attack does the same")])
def test_total_defense_is_not_asked_for_where_the_hit_fells_anyway(hp: int, moot: str) -> None:
    """WN-145: a hit does no less than Shock; that it may do less without it counts only where more is left."""
    axe = {"name": "axe", "dmg": "1d6", "shock": "3/15", "attr": ["str"]}
    sides = {"party": [{"ref": "cadmon", "mods": {}, "weapons": [axe]}], "foes": [{"ref": "raider", "hp": hp}]}
    state = scene("duel", sides=sides, house_rules={"ask_instants": "all"}).state
    step = Step("do", (act("melee_attack", "cadmon", target="raider"),))

    outcome = run(RULESET, state, step, (("attack", DiceAnswer(19)),))

    assert isinstance(outcome, Pending)
    assert isinstance(outcome.request, Window)
    assert [spec.moot for spec in outcome.request.offers if spec.key == "total_defense"] == [moot]


def test_the_player_is_asked_for_the_roll() -> None:
    """Given an attack of a character, its player rolls."""
    outcome = run(RULESET, scene("duel").state, Step("do", (act("melee_attack", "ansa", target="veteran"),)))

    assert isinstance(outcome, Pending)
    assert isinstance(outcome.request, Roll)
    assert outcome.request.to == "player"


def insert(state: State, plain: object, side: str, dice: tuple[int, ...] = ()) -> State:
    """Return the state after newcomers have joined."""
    member = CAST._member(plain, "gm")  # type: ignore[arg-type]  # a plain mapping
    return play(state, act("insert", members=(member,), side=side), dice)


def test_newcomers_are_not_checked_for_those_who_fell_before_them() -> None:
    """WN-C21: with no member left to check, what fell before is no reason; with one left, it still is."""
    state = scene("duel", sides={"party": ["ansa"], "foes": [{"ref": "raider", "count": 2}]}).state
    state = play(state, act("damage", amount=9, targets=("raider-1", "raider-2")))
    state = insert(state, {"ref": "raider"}, "foes")
    assert not [one for one in RULESET.pending(state) if one.key.startswith("morale")]
    state = insert(state, {"ref": "raider"}, "foes")

    state = insert(play(state, act("damage", amount=9, targets=("raider-3",))), {"ref": "raider"}, "foes")

    assert [one.text for one in RULESET.pending(state) if one.key.startswith("morale")] == []
    state = scene("duel", sides={"party": ["ansa"], "foes": [{"ref": "raider", "count": 2}]}).state
    state = insert(play(state, act("damage", amount=9, targets=("raider-1",))), {"ref": "raider"}, "foes")
    assert len([one for one in RULESET.pending(state) if one.key.startswith("morale")]) == 1


def test_a_newcomer_acts_in_its_sides_slot_of_this_round() -> None:
    """Section 4.2: a newcomer to a side in its phase acts in it at once."""
    state = insert(scene("ambushed").state, {"ref": "raider"}, "foes")

    state = play(state, act("melee_attack", "raider", target="ansa"), [20, 3])

    assert state["ansa"].hp == 9


def test_a_new_side_rolls_on_arrival_and_acts_from_the_next_round() -> None:
    """Section 4.2: a new side enters the order with the next round, by its roll."""
    state = insert(scene("duel").state, {"ref": "hound"}, "Pack", (7,))
    assert [slot.title for slot in state.clock.slots] == ["party", "foes"]

    state = done(done(state, Step("advance")).state, Step("advance")).state

    assert [slot.title for slot in state.clock.slots] == ["party", "Pack", "foes"]


def test_a_newcomer_with_automatic_initiative_waits_for_the_next_round() -> None:
    """Section 4.2: one alone needs no roll, and goes first from the next round on."""
    state = insert(scene("duel").state, {"ref": "raider", "auto_initiative": True}, "foes")
    assert refusal(state, act("run", "raider")).rule == "WN-006"

    state = done(done(state, Step("advance")).state, Step("advance")).state

    assert [slot.title for slot in state.clock.slots] == ["Raider", "party", "foes"]


def test_newcomers_roll_for_themselves_under_individual_initiative() -> None:
    """Section 4.2: with individual initiative every newcomer rolls and enters the order by it."""
    table = scene("duel", house_rules={"initiative": "individual"}, start=[5, 3])
    state = insert(table.state, {"ref": "raider"}, "foes", (4,))

    state = done(done(state, Step("advance")).state, Step("advance")).state

    assert [slot.title for slot in state.clock.slots] == ["Ansa", "Raider", "Veteran"]


def test_a_wave_joins_at_its_round() -> None:
    """Given a wave for round 2, its members have a place in that round."""
    table = scene("duel")
    wave = Wave("foes", (CAST._member({"ref": "raider", "hp": None}, "gm"),), "round 2")
    state = replace(table.state, waves=(wave,))

    outcome = done(done(state, Step("advance")).state, Step("advance"), [4])

    assert outcome.state["raider"].hp == 4
    assert outcome.state.clock.slots[1].members == ("veteran", "raider")


def died_in(entries: tuple[Entry, ...]) -> int | None:
    """Return the round whose end brought a combatant's death."""
    ended = 0
    for entry in entries:
        if isinstance(entry.event, BoundaryCrossed) and entry.event.boundary.edge == "round_end":
            ended = entry.event.boundary.round
        if isinstance(entry.event, StatusChanged) and entry.event.now == "dead":
            return ended
    return None


def test_the_dying_die_even_if_nobody_else_is_left() -> None:
    """WN-C12: where nobody can act the rounds pass, and the dying die."""
    state = play(scene("duel").state, act("damage", amount=12, targets=("ansa", "veteran")))
    died = None
    while died is None and state.clock.round < 20:
        outcome = done(state, Step("advance"))
        died, state = died_in(outcome.entries), outcome.state

    assert died == 7


def test_a_rolled_count_and_rolled_hit_points_are_dice_of_the_set_up() -> None:
    """WN-C09: hit points are rolled by the program unless asked for."""
    encounter = CAST.encounter({"sides": {"party": ["ansa"], "foes": [{"ref": "raider", "hp": None, "count": "1d4"}]}})

    outcome = run(RULESET, State(), Step("start", encounter=encounter), (("count:raider", DiceAnswer(2)),))

    assert isinstance(outcome, Pending)
    assert isinstance(outcome.request, Roll)
    assert (outcome.request.key, outcome.request.dice, outcome.request.setup) == ("hp:raider-1", Dice.of(1, 8), True)
