"""Folding: what each event changes, and that stale events are refused."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from tests.core.states import SIDES, after, boundary, effect, fighter, opened, scheduled
from tests.support.tables import for_each
from tracker.core.fight.events import (
    ActionStopped,
    ActionTaken,
    BudgetChange,
    BudgetsChanged,
    Checked,
    CombatantJoined,
    CombatantLeft,
    Decided,
    EffectAdded,
    EffectChanged,
    EffectEnded,
    EffectUsed,
    Event,
    FactSet,
    FightEnded,
    FightOpened,
    Forced,
    HouseRulesChanged,
    Moved,
    Noted,
    OrderSet,
    Overruled,
    PoolChanged,
    PoolSet,
    ReminderDismissed,
    Renamed,
    Rolled,
    SideChanged,
    SideJoined,
    Skipped,
    SlotReached,
    StatusChanged,
    TimePassed,
    TurnOpened,
    WaveArrived,
)
from tracker.core.fight.fold import CHANGES, MOST_NOTES, fold
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import Pool, Side, State
from tracker.core.terms.actions import action
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Wave
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.moments import At, OnUse, side_anchor, who_anchor

WORDS: tuple[Event, ...] = (
    Rolled("attack", Dice.of(1, 20), 7),
    Decided("go", "yes"),
    Checked("attack", "ada", 12, "hit"),
    ActionTaken(action("attack", "ada"), "Attack"),
    ActionStopped("ada", "Attack"),
    Skipped("attack", "down"),
    Noted("words"),
    Forced("ada", "Attack", "not now"),
    Overruled("hit", False, True),
)


@for_each("kind", get_args(Event))
def test_every_event_says_what_it_changes(kind: type) -> None:
    """Each event is in the table of changes, including words for the log."""
    assert kind in CHANGES


@for_each("event", WORDS)
def test_words_and_dice_change_nothing(event: Event) -> None:
    """Words and dice for the log do not change the state."""
    assert fold(opened(), event) == opened()


def test_opening_keeps_what_the_encounter_says() -> None:
    """A fight opens with its sides, waves and notes, without combatants."""
    wave = Wave("goblins", (), "round 3")

    state = fold(State(), FightOpened("toy", 1, "A fight", None, None, SIDES, (wave,), (), "mind the mule"))

    assert (state.ruleset, state.title, state.sides, state.waves, state.notes, state.combatants) == (
        "toy",
        "A fight",
        SIDES,
        (wave,),
        "mind the mule",
        (),
    )


def test_joining_and_leaving() -> None:
    """A combatant who leaves is out of the schedule, but keeps name and label."""
    state = scheduled(Slot("r1/all", "All", members=("ada", "bo")))
    state = after(state, SlotReached(None, "r1/all"), TurnOpened(None, "ada"))

    state = fold(state, CombatantLeft(state["ada"]))

    assert [combatant.id for combatant in state.combatants] == ["bo", "gog"]
    assert (state.clock.slots[0].members, state.clock.acting, state.gone, state.labels) == (
        ("bo",),
        None,
        (("ada", "Ada"),),
        ("a", "b", "g"),
    )


@for_each(
    ("event", "read", "expected"),
    [
        (PoolChanged("ada", "hp", 6, 4), lambda state: state["ada"].hp, 4),
        (PoolSet("ada", None, Pool("mp", 3, 3)), lambda state: state["ada"].pool("mp"), Pool("mp", 3, 3)),
        (PoolSet("ada", Pool("hp", 6, 6), Pool("hp", 6, 9)), lambda state: state["ada"].pools, (Pool("hp", 6, 9),)),
        (StatusChanged("ada", "up", "down"), lambda state: state["ada"].status, "down"),
        (SideChanged("ada", "party", "goblins"), lambda state: state["ada"].side, "goblins"),
        (Renamed("ada", "Ada", "Eve"), lambda state: state["ada"].name, "Eve"),
        (Moved("ada", None, (3, 4)), lambda state: state["ada"].position, (3, 4)),
        (FactSet("ada", "aim", None, 2), lambda state: state.fact("ada", "aim"), 2),
        (FactSet("fight", "leading", None, "party"), lambda state: state.fact("fight", "leading"), "party"),
        (
            BudgetsChanged((BudgetChange("bo", (("main", 1), ("move", 1)), (("main", 0),)),)),
            lambda state: state["bo"].left("main"),
            0,
        ),
        (Noted("limps", "ada", keep=True), lambda state: state["ada"].notes, ("limps",)),
        (Noted("rain", None, keep=True), lambda state: state.journal_notes, ("rain",)),
        (SideJoined(Side("wolves", "Wolves", "gm")), lambda state: len(state.sides), 3),
        (TimePassed(60), lambda state: state.clock.seconds, 60),
        (ReminderDismissed("owed"), lambda state: state.dismissed, ("owed",)),
        (FightEnded(), lambda state: state.clock.over, True),
        (EffectAdded(effect(1, "ada")), lambda state: state["ada"].effects, (effect(1, "ada"),)),
        (EffectAdded(effect(1, "zone:1")), lambda state: state.effects, (effect(1, "zone:1"),)),
    ],
)
def test_each_event_sets_what_it_says(event: Event, read: object, expected: object) -> None:
    """An event puts its new value in the place of the old one."""
    assert callable(read)

    assert read(fold(opened(), event)) == expected


STALE: tuple[Event, ...] = (
    PoolChanged("ada", "hp", 5, 4),
    PoolChanged("ada", "mp", 5, 4),
    PoolChanged("nobody", "hp", 6, 4),
    PoolSet("ada", Pool("hp", 1, 1), Pool("hp", 6, 9)),
    StatusChanged("ada", "down", "up"),
    StatusChanged("nobody", "up", "down"),
    SideChanged("ada", "goblins", "party"),
    SideChanged("ada", "party", "nowhere"),
    SideJoined(Side("party", "Again", "gm")),
    Renamed("ada", "Eve", "Eva"),
    Moved("ada", (1, 1), (2, 2)),
    FactSet("ada", "aim", 1, 2),
    FactSet("fight", "leading", "goblins", "party"),
    BudgetsChanged((BudgetChange("ada", (), (("main", 0),)),)),
    BudgetsChanged((BudgetChange("nobody", (), ()),)),
    EffectAdded(effect(0, "ada")),
    EffectChanged(effect(1, "ada"), effect(1, "ada", At("round_end"))),
    EffectUsed("ada", 1, "attack"),
    EffectEnded(effect(1, "ada"), "gone"),
    OrderSet((Slot("r1/x", "X"),), ()),
    OrderSet((), (Slot("r1/x", "X"), Slot("r1/x", "X"))),
    SlotReached("r1/x", "r1/y"),
    SlotReached(None, "r1/never-scheduled"),
    TurnOpened("bo", "ada"),
    HouseRulesChanged(fighter("ada").block, None),
    WaveArrived(Wave("goblins", ())),
    CombatantJoined(fighter("ada")),
    CombatantLeft(fighter("ada", hp=1)),
    CombatantLeft(fighter("nobody")),
)


@for_each("event", STALE)
def test_an_event_that_does_not_fit_is_refused(event: Event) -> None:
    """An event with another earlier value than the state is refused."""
    with pytest.raises(CorruptJournal):
        fold(opened(), event)


def test_a_slot_that_has_begun_stays_in_the_order() -> None:
    """A new order may not leave out a slot that has begun."""
    state = fold(scheduled(), SlotReached(None, "r1/party"))

    with pytest.raises(CorruptJournal, match="r1/party, which has begun"):
        fold(state, OrderSet(state.clock.slots, state.clock.slots[1:]))


def test_a_slot_is_not_reached_twice() -> None:
    """The clock enters a slot once."""
    state = after(scheduled(), SlotReached(None, "r1/party"), SlotReached("r1/party", None))

    with pytest.raises(CorruptJournal, match="not ahead"):
        fold(state, SlotReached(None, "r1/party"))


def test_a_new_round_starts_with_an_empty_order() -> None:
    """The start of a round clears the slots, the turns and the slots that have begun."""
    state = after(
        scheduled(),
        SlotReached(None, "r1/party"),
        boundary("turn_start", "ada"),
        boundary("turn_end", "ada"),
        SlotReached("r1/party", None),
    )
    assert (state.clock.turned, state.clock.acted) == (("ada",), ("ada",))

    clock = after(state, boundary("round_end"), boundary("round_start", number=2)).clock

    assert (clock.round, clock.slots, clock.begun, clock.turned, clock.acted, clock.in_round) == (
        2,
        (),
        (),
        (),
        (),
        True,
    )


@for_each(
    ("end", "edge", "count"),
    [
        (At("turn_start", who_anchor("ada")), boundary("turn_start", "ada"), 0),
        (At("turn_start", who_anchor("ada"), 2), boundary("turn_start", "ada"), 1),
        (At("turn_start", who_anchor("ada")), boundary("turn_end", "ada"), 1),
        (At("turn_start", who_anchor("ada")), boundary("turn_start", "bo"), 1),
        (At("turn_start", "any"), boundary("turn_start", "bo"), 0),
        (At("phase_start", side_anchor("party")), boundary("phase_start", sides=("party",)), 0),
        (At("phase_start", side_anchor("party")), boundary("phase_start", "ada", sides=("goblins",)), 1),
        (At("phase_start", "any", phase="fast"), boundary("phase_start", phase="slow"), 1),
        (At("phase_start", "any", phase="fast"), boundary("phase_start", phase="fast"), 0),
        (At("segment_start", "any", segment=4), boundary("segment_start", segment=5), 1),
        (At("segment_start", "any", segment=4), boundary("segment_start", segment=4), 0),
        (At("round_end"), boundary("round_end"), 0),
        (At("combat_end"), boundary("combat_end"), 0),
    ],
)
def test_a_boundary_counts_down_what_waits_for_it(end: At, edge: Event, count: int) -> None:
    """Only the edge of this kind, anchor, phase and segment counts."""
    state = fold(opened(), EffectAdded(effect(1, "bo", end)))

    state = fold(state, edge)

    assert state["bo"].effects[0].until == (replace(end, count=count),)
    assert state.due == ((("bo", 1),) if not count else ())


def test_what_is_due_is_listed_in_order_of_creation() -> None:
    """Due effects are in the order of their creation, with any bearers."""
    ends = At("round_end")
    state = after(
        opened(),
        EffectAdded(effect(1, "gog", ends)),
        EffectAdded(effect(2, "zone:1", ends)),
        EffectAdded(effect(3, "ada", ends)),
    )

    assert fold(state, boundary("round_end")).due == (("gog", 1), ("zone:1", 2), ("ada", 3))


def test_use_counts_down_to_due() -> None:
    """An effect that ends on its second use is due after two."""
    state = fold(opened(), EffectAdded(Effect("aim", "ada", 1, until=(OnUse("attack", 2),))))

    once = fold(state, EffectUsed("ada", 1, "attack"))
    twice = fold(once, EffectUsed("ada", 1, "attack"))

    assert (once.due, twice.due) == ((), (("ada", 1),))


def test_an_effect_added_at_its_end_is_due_at_once() -> None:
    """An effect with a count of 0 is due at once."""
    assert fold(opened(), EffectAdded(effect(1, "ada", At("round_end", count=0)))).due == (("ada", 1),)


def test_prolonging_an_effect_that_is_due_keeps_it() -> None:
    """A changed effect is due or not by its new end."""
    held, longer = effect(1, "ada", At("round_end", count=0)), effect(1, "ada", At("round_end"))
    state = after(opened(), EffectAdded(effect(1, "ada", At("round_end"))), boundary("round_end"))
    assert state.due == (("ada", 1),)

    assert fold(state, EffectChanged(held, longer)).due == ()
    assert fold(fold(state, EffectChanged(held, longer)), EffectChanged(longer, held)).due == (("ada", 1),)


def test_who_leaves_takes_along_what_is_due_on_them() -> None:
    """Due effects of a combatant that leaves are dropped."""
    state = after(opened(), EffectAdded(effect(1, "ada", At("round_end"))), boundary("round_end"))

    assert fold(state, CombatantLeft(state["ada"])).due == ()


def test_facts_of_none_are_forgotten() -> None:
    """A fact set to None is removed, on combatants and elsewhere."""
    state = after(
        opened(),
        FactSet("ada", "aim", None, 2),
        FactSet("zone:1", "size", None, 3),
        FactSet("ada", "aim", 2, None),
        FactSet("zone:1", "size", 3, None),
    )

    assert (state["ada"].facts, state.facts) == ((), ())


def test_a_state_holds_the_last_notes_on_the_fight() -> None:
    """A state has the last notes only; the log has all."""
    notes = [str(number) for number in range(MOST_NOTES + 9)]
    state = after(State(), *(Noted(text, None, keep=True) for text in notes))

    assert state.journal_notes == tuple(notes[9:])
