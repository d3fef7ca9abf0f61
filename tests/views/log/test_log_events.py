"""The log: every event in words, those of newcomers and slots among them."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tests.support.tables import for_each
from tests.views.log.logging_support import log_lines, told
from tests.views.toy import CHARGING, CLOCK, PARTY, RULESET, combatant, fight
from tracker.core.fight import events as ev
from tracker.core.fight.events import Entry, Event
from tracker.core.fight.slots import Clock, Slot
from tracker.core.fight.state import Pool, Side
from tracker.core.terms.actions import action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member
from tracker.core.terms.moments import At, Boundary
from tracker.core.terms.values import Data
from tracker.views.log.steps import tell


class Switches(Struct, Data, frozen=True, tag=True):
    initiative: str = "side"
    screens: bool = True


def test_ends_are_said_as_of_their_birth() -> None:
    """An effect that began before the round turned says the round it ends in."""
    state = fight(clock=replace(CLOCK, round=3))
    later = replace(CHARGING, until=(At("round_end", count=2),))
    found = told(
        ev.BoundaryCrossed(Boundary("turn_end", 2)),
        ev.EffectAdded(later),
        ev.BoundaryCrossed(Boundary("round_start", 3)),
        state=state,
    )

    assert found[0] == "Wolf: charging −2 AC, until end of round 3"


@for_each(
    ("event", "line"),
    [
        (ev.Noted("the ford rises"), "the ford rises"),
        (ev.Noted("limps", "wolf", True), "note on Wolf: limps"),
        (ev.Noted("ask Bea", None, True), "note: ask Bea"),
        (ev.Noted("bleeds", "wolf"), "Wolf: bleeds"),
        (ev.Forced("wolf", "Charge", "no Main left"), "forced, although no Main left"),
        (ev.Overruled("attack/hit", False, True), "✎ overruled: hit yes instead of no"),
        (ev.Skipped("attack", "stunned", "wolf"), "Wolf: attack skipped: stunned"),
        (ev.Skipped("Wolf: bite at Ava", "stunned", "wolf"), "Wolf: bite at Ava skipped: stunned"),
        (ev.Skipped("Wolf", "Wolf cannot act", "wolf"), "Wolf's turn skipped: Wolf cannot act"),
        (ev.ActionStopped("wolf", "Charge", "Wolf is down"), "Wolf: Charge is interrupted: Wolf is down"),
        (ev.CombatantLeft(fight().combatants[1], "flees"), "Wolf leaves the fight (flees)"),
        (ev.SideChanged("wolf", "party", "goblins"), "Wolf changes sides: Goblins"),
        (ev.SideJoined(Side("orcs", "Orcs", "gm")), "a new side: Orcs"),
        (ev.Renamed("wolf", "Wolf", "Big Wolf"), "Wolf is now called Big Wolf"),
        (ev.HouseRulesChanged(Switches(), Switches("each")), "house rule: initiative side → each"),
        (ev.TimePassed(600, "searching"), "10 min pass: searching"),
        (ev.Moved("wolf", (3, 4), (5, 4)), "Wolf moves 3,4 → 5,4"),
        (ev.Moved("wolf", None, (5, 4)), "Wolf stands at 5,4"),
        (ev.PoolSet("wolf", Pool("mp", 3, 5), Pool("mp", 3, 9)), "Wolf: mp 3/5 → 3/9"),
        (ev.PoolChanged("wolf", "spell_points", 3, 1, source="ava"), "Wolf spell points 3→1 by Ava"),
        (ev.EffectUsed("wolf", 2, "next_attack"), "Wolf: charging is used (next attack)"),
        (
            ev.EffectChanged(CHARGING, replace(CHARGING, until=(At("round_end", count=2),)), "slower"),
            "Wolf: charging, now until end of round 3 (slower)",
        ),
        (ev.Decided("morale/total_defense", "no", "brin", "total defense?"), "Brin: total defense? no"),
        (ev.TurnOpened(None, "wolf"), "Wolf's turn"),
        (
            ev.FightOpened("toy", 1, "Ambush", None, None, (), notes="They want the mule."),
            "Ambush: They want the mule.",
        ),
        (ev.FightEnded("the goblins flee"), "the fight is over: the goblins flee"),
        (
            ev.ActionTaken(
                action("damage", amount=7, targets=("goblin-1", "goblin-2"), pool="hp", halved=()), "Damage"
            ),
            "GM: Damage → Goblin 1 and Goblin 2 (amount 7, hp)",
        ),
        (
            ev.ActionTaken(
                action(
                    "insert",
                    members=(Member(fight().combatants[1].block, "Worg", "beast", Dice.parse("1d4")),),
                    side="goblins",
                ),
                "Insert",
            ),
            "GM: Insert (1d4 × Worg, goblins)",
        ),
        (ev.ActionTaken(action("next"), "Next"), None),
        (ev.FactSet("wolf", "shoved", None, True), None),
        (ev.OrderSet((), (PARTY,)), None),
    ],
)
def test_events_in_words(event: Event, line: str | None) -> None:
    """Everything that happens has its words; bookkeeping stays out of the story."""
    assert told(event) == ([] if line is None else [line])


def test_the_full_account_has_the_bookkeeping() -> None:
    """Asked for everything, facts, budgets, edges and orders are told too."""
    found = told(
        ev.FactSet("wolf", "shoved_by", None, "goblin 1"),
        ev.BudgetsChanged((ev.BudgetChange("wolf", (("main", 1),), (("main", 0),)),)),
        ev.BoundaryCrossed(Boundary("turn_end", 2, "party", None, "r2/party", ("wolf",))),
        ev.OrderSet((), CLOCK.slots),
        ev.ReminderDismissed("x"),
        full=True,
    )

    assert found == [
        "Wolf: shoved by goblin 1",
        "left of the turn: Wolf main 0",
        "end of Wolf's turn",
        "order: Party 7 and Goblins 4",
        "a reminder is dismissed",
    ]


def test_points_of_newcomers_are_told_together() -> None:
    """Points without dice share a line."""
    found = told(
        ev.PoolSet("ava", None, Pool("hp", 9, 20)),
        ev.PoolSet("wolf", None, Pool("hp", 28, 28)),
        ev.PoolSet("ava", None, Pool("spell_points", 3, 3)),
    )

    assert found == ["hp: Ava 9/20, Wolf 28", "spell points: Ava 3"]


def test_many_join() -> None:
    """Newcomers are told side by side in one line each."""
    people = (
        combatant("a", "Ann", "a", "party", 1, 1),
        combatant("o", "Orc", "o", "goblins", 1, 1),
        combatant("b", "Bob", "b", "party", 1, 1),
    )
    found = told(*(ev.CombatantJoined(one) for one in people), state=fight(combatants=people))

    assert found == ["Ann (a) and Bob (b) join Party", "Orc (o) joins Goblins"]


ACTS = (
    Slot("r2/wolf/bite-1", "Wolf: bite at Ava", "act", 3, ("wolf",), turns="none"),
    Slot("r2/s-5", "a spell is due", "act", -5, stop=False, turns="none"),
    Slot("r2/ava/bow-1", "Ava: bow at Wolf", "act", -6, ("ava",), turns="none"),
)


LAST_ACTS = (
    ev.SlotReached(None, "r2/wolf/bite-1"),
    ev.Skipped("Wolf: bite at Ava", "stunned", "wolf"),
    ev.SlotReached("r2/wolf/bite-1", None),
    ev.SlotReached(None, "r2/s-5"),
    ev.SlotReached("r2/s-5", None),
    ev.SlotReached(None, "r2/ava/bow-1"),
)


def test_slots_of_a_round_that_is_over_keep_their_titles() -> None:
    """Slots that are gone after the step are taken from the schedule before it."""
    after = fight(clock=Clock(3, 18, ()))
    entries = tuple(Entry(event) for event in LAST_ACTS)

    found = log_lines(RULESET, after, entries, before=fight(clock=Clock(2, 12, ACTS, None, (), True)))

    assert found == ("Wolf: bite at Ava skipped: stunned", "−6: Ava: bow at Wolf")


def test_slots_made_in_the_step_keep_their_titles() -> None:
    """An order that was set within the step knows them too."""
    assert told(ev.OrderSet((), ACTS), *LAST_ACTS[-1:], state=fight(clock=Clock(3, 18, ()))) == ["−6: Ava: bow at Wolf"]


def test_slots_nobody_knows_say_whose_they_are() -> None:
    """Without any schedule the id tells whose moment it is; a bare number tells nothing."""
    others = (ev.SlotReached(None, "r2/goblins"), ev.SlotReached(None, "r2/declare"))

    found = told(*LAST_ACTS, *others, state=fight(clock=Clock(3, 18, ())))

    assert found == ["Wolf: bite at Ava skipped: stunned", "Ava: bow 1", "Goblins' turn", "declare"]


def test_a_state_the_entries_do_not_follow_is_left_aside() -> None:
    """Forms are then told from the state after the step."""
    entries = (
        Entry(ev.StatusChanged("goblin-1", "fled", "up")),
        Entry(ev.ActionTaken(action("strike", "wolf", hard=True), "Strike")),
    )

    assert log_lines(RULESET, fight(), entries, before=fight()) == ("Goblin 1 is up", "Wolf: Strike (hard)")


def test_newcomers_are_placed_in_one_line() -> None:
    """The places at the opening share a line, with all its rules."""
    entries = (
        Entry(ev.Moved("ava", None, (5, 9)), ("T-1",)),
        Entry(ev.FactSet("ava", "seen", None, True)),
        Entry(ev.Moved("wolf", None, (6, 9)), ("T-2",)),
        Entry(ev.Moved("wolf", (6, 9), (6, 8))),
    )

    assert log_lines(RULESET, fight(), entries) == (
        "Ava stands at 5,9 and Wolf at 6,9  [T-1, T-2]",
        "Wolf moves 6,9 → 6,8",
    )


def test_what_happens_between_two_stands_in_one_line() -> None:
    """Notes about the actor and the only target join the line of the action, each with its name."""
    found = told(
        ev.ActionTaken(action("charge", "wolf", target="goblin-1"), "Charges"),
        ev.Noted("growls", "wolf"),
        ev.Noted("is afraid", "goblin-1"),
    )

    assert found == ["Wolf: Charges → Goblin 1: growls; Goblin 1: is afraid"]


def test_a_heading_that_names_the_act_is_enough() -> None:
    """Under `Initiative` no line says that the GM rolls it."""
    slot = Slot("r1/first", "Initiative", "initiative", turns="none")
    state = fight(clock=Clock(round=1, slots=(slot,), at=slot.id, begun=(slot.id,), in_round=True))
    rolls = Entry(ev.ActionTaken(action("roll_initiative"), "Roll initiative"))
    says = Entry(ev.Noted("Ava is fast"))

    assert log_lines(RULESET, state, (rolls, says), before=state) == ("Ava is fast",)

    everybody = tuple(one.id for one in state.combatants)
    rolls = Entry(ev.ActionTaken(action("roll_initiative", targets=everybody), "Roll initiative"))
    some = Entry(ev.ActionTaken(action("roll_initiative", targets=everybody[:2]), "Roll initiative"))

    assert log_lines(RULESET, state, (rolls, says), before=state) == ("Ava is fast",)
    assert "Roll initiative → " in log_lines(RULESET, state, (some, says), before=state)[0]


def test_losses_of_one_moment_share_a_line() -> None:
    """Without an action or dice: two combatants bleed at the end of a round."""
    losses = (
        ev.PoolChanged("wolf", "hp", 22, 20, (), "bleeding"),
        ev.PoolChanged("goblin-1", "hp", 7, 6, (), "bleeding"),
    )

    found = told(ev.BoundaryCrossed(Boundary("round_end", 1)), *losses)

    assert found == ["Wolf 22→20 (bleeding); Goblin 1 7→6 (bleeding)"]


def test_the_key_of_a_reminder_is_nobody_elses_business() -> None:
    """Dismissing one names no key of the program's, and is no line of the story."""
    dismissed = action("dismiss", key="main:r1/party:ilse")
    events = (ev.ActionTaken(dismissed, "Dismiss a reminder"), ev.ReminderDismissed("main:r1/party:ilse"))

    assert told(*events) == []
    assert told(*events, full=True)[-1] == "  a reminder is dismissed"


def test_a_note_put_before_a_roll_has_a_line_of_its_own() -> None:
    """It belongs to the GM, not to the deed it interrupts."""
    found = told(
        ev.ActionTaken(action("strike", "wolf", target="goblin-1"), "Strike"),
        ev.ActionTaken(action("note", text="A gull screams."), "Note"),
        ev.Noted("A gull screams.", None, True),
    )

    assert found == ["Wolf: Strike → Goblin 1", "  note: A gull screams."]


def test_an_effect_kept_for_the_rules_is_told_in_full_only() -> None:
    """A quiet effect has no line."""
    hurt = replace(CHARGING, name="hurt", title="hurt this round", modifiers=(), quiet=True)
    events = (ev.EffectAdded(hurt), ev.EffectEnded(hurt, "its time is up"))

    assert told(*events) == []
    assert told(*events, full=True) == [
        "Wolf: hurt this round, until end of round 2",
        "Wolf: hurt this round ends (its time is up)",
    ]


def test_what_ends_at_one_moment_is_told_in_one_line() -> None:
    """Each effect is shown once, with all its bearers."""
    prone = replace(CHARGING, name="prone", bearer="ava", id=9, modifiers=())
    found = told(
        ev.EffectEnded(CHARGING, "rained off"),
        ev.EffectEnded(replace(CHARGING, bearer="ava", id=8), "rained off"),
        ev.EffectEnded(prone, "rained off"),
        ev.EffectEnded(replace(prone, id=10), "stands up"),
    )

    assert found == ["charging ends for Wolf and Ava; prone ends for Ava (rained off)", "Ava: prone ends (stands up)"]


def test_what_ends_with_the_fight_is_not_told() -> None:
    """Everything does."""
    found = told(ev.FightEnded("the goblins flee"), ev.EffectEnded(CHARGING, "the fight is over"))

    assert found == ["the fight is over: the goblins flee"]


def test_a_note_that_begins_with_its_name_says_it_once() -> None:
    """The program puts the name before a note, unless it is there."""
    assert told(ev.Noted("Wolf flees", "wolf"), ev.Noted("Wolf: flees", "wolf")) == ["Wolf flees", "Wolf: flees"]


def test_an_act_that_only_moves_the_clock_has_no_line() -> None:
    """The heading says so."""
    found = told(
        ev.ActionTaken(action("start_turn", "wolf"), "Start the turn"),
        ev.TurnOpened(None, "wolf"),
        ev.BudgetsChanged(()),
        ev.ActionTaken(action("end_fight", reason="the goblins flee"), "End the fight"),
        ev.FightEnded("the goblins flee"),
    )

    assert found == ["Wolf's turn", "the fight is over: the goblins flee"]


def test_an_effect_by_hand_is_told_once() -> None:
    """Name and end of the effect are in the action's form and in its result."""
    entries = (
        Entry(
            ev.ActionTaken(action("add_effect", name="charging", targets=("wolf",), until="round end"), "Add an effect")
        ),
        Entry(ev.EffectAdded(CHARGING)),
    )

    assert log_lines(RULESET, fight(), entries) == ("GM: Add an effect → Wolf: charging −2 AC, until end of round 2",)


def test_points_that_stay_as_they_were_are_neither_good_nor_bad() -> None:
    lines = tell(RULESET, fight(), (Entry(ev.PoolChanged("wolf", "hp", 0, 0)),))
    styles = [span.style for line in lines for span in line.spans if "0→0" in span.text]

    assert styles == ["dim"]
