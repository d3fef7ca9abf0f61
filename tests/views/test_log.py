"""The log: one step told in lines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.views.toy import CHARGING, CLOCK, PARTY, RULESET, combatant, fight, shown
from tracker.core.fight import events as ev
from tracker.core.fight.events import Entry, Event
from tracker.core.fight.state import Clock, Pool, Side, Slot, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, action
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member, Wave
from tracker.core.terms.moments import At, Boundary
from tracker.core.terms.values import Data, Value
from tracker.views.story.log import log_markdown, log_rows, log_text
from tracker.views.story.steps import tell
from tracker.views.words.values import blow_words, detail_words

D8, D20 = Dice.of(1, 8), Dice.of(1, 20)


def log_lines(
    ruleset: Ruleset, state: State, entries: Sequence[Entry], full: bool = False, before: State | None = None
) -> tuple[str, ...]:
    """The lines of one step, unwrapped, with the rules' ids in brackets."""
    return tuple(
        "  " * line.depth + line.text + (f"  [{', '.join(line.rules)}]" if line.rules else "")
        for line in tell(ruleset, state, entries, full=full, before=before)
    )


class Switches(Struct, Data, frozen=True, tag=True):
    initiative: str = "side"
    screens: bool = True


def attack(typed: bool = True) -> tuple[Entry, ...]:
    """Wolf charges Goblin 1, hits and wounds it."""
    return (
        Entry(ev.TurnOpened(None, "wolf")),
        Entry(ev.ActionTaken(action("charge", "wolf", target="goblin-1"), "Charges"), ("WN-060",)),
        Entry(ev.EffectAdded(CHARGING), ("WN-060",)),
        Entry(ev.BudgetsChanged((ev.BudgetChange("wolf", (("main", 1),), (("main", 0),)),))),
        Entry(ev.Rolled("attack", D20, 14, (14,), "wolf", "attack", typed), ("WN-101",)),
        Entry(
            ev.Checked(
                "attack",
                "wolf",
                19,
                "hit",
                "goblin-1",
                (Part("1d20", 14), Part("", 3), Part("charge", 2, "WN-062")),
                12,
                "AC",
            ),
            ("WN-103",),
        ),
        Entry(ev.Rolled("damage", D8, 3, (3,), "wolf", "damage"), ("WN-119",)),
        Entry(ev.PoolChanged("goblin-1", "hp", 7, 3, (Part("1d8", 3), Part("", 1)), "", "wolf"), ("WN-119",)),
    )


def told(*events: Event, state: State | None = None, full: bool = False) -> list[str]:
    """Tell of events without rules."""
    return list(log_lines(RULESET, fight() if state is None else state, tuple(Entry(event) for event in events), full))


def test_a_step_at_80_cells() -> None:
    """The round, the deed and its numbers with their parts, each line with its rule at the right end."""
    rows = log_rows(RULESET, fight(), attack(), 7, 80)

    assert shown(rows) == [
        "R2  Wolf: Charges → Goblin 1                                              WN-060",
        "        Wolf: charging −2 AC, until end of round 2                        WN-060",
        "        d20 14 ✎ +3 +2 charge = 19 vs AC 12  hit                          WN-103",
        "        1d8 3 +1 = 4 → Goblin 1 7→3                                       WN-119",
    ]
    assert [row.key for row in rows] == ["7:0", "7:1", "7:2", "7:3"]
    assert rows[2].rules == ("WN-103", "WN-101", "WN-062")


def test_a_step_at_36_cells() -> None:
    """In a narrow pane lines wrap, and every part of a line opens its rule."""
    rows = log_rows(RULESET, fight(), attack(), 7, 36)

    assert shown(rows) == [
        "R2 Wolf: Charges → Goblin 1   WN-060",
        "    Wolf: charging −2 AC,     WN-060",
        "      until end of round 2",
        "    d20 14 ✎ +3 +2 charge =   WN-103",
        "      19 vs AC 12  hit",
        "    1d8 3 +1 = 4 → Goblin 1   WN-119",
        "      7→3",
    ]
    assert {row.rules[0] for row in rows[3:5]} == {"WN-103"}


def test_what_is_only_tried_is_marked() -> None:
    """Each of its lines has a question mark in the margin, beside the round."""
    assert [text[:4] for text in shown(log_rows(RULESET, fight(), attack(), 7, 80, tried=True))] == [
        "R2? ",
        "  ? ",
        "  ? ",
        "  ? ",
    ]
    narrow = shown(log_rows(RULESET, fight(), attack(), 7, 36, tried=True))
    assert [text[:3] for text in narrow] == ["R2?", *["  ?"] * 6]


def test_a_step_at_120_cells() -> None:
    """On a wide screen the rules stand at its right edge."""
    rows = log_rows(RULESET, fight(), attack(typed=False), 7, 120)

    assert rows[2].text == f"{'        d20 14 +3 +2 charge = 19 vs AC 12  hit':<114}WN-103"


def test_dice_no_sum_accounts_for_are_told_by_themselves() -> None:
    """Every die is somewhere in the log."""
    found = told(
        ev.Rolled("morale", Dice.of(2, 6), 7, (3, 4), "goblin-1", "morale", True),
        ev.Rolled("luck", D20, 9, (), None, ""),
        ev.StatusChanged("goblin-1", "up", "fled"),
    )

    assert found == ["Goblin 1 morale: 2d6 3+4 = 7 ✎", "d20 9", "Goblin 1 is fled"]


def test_dice_beside_the_parts() -> None:
    """Where the parts do not hold the dice, both are added up."""
    found = told(
        ev.ActionTaken(action("save", "ava"), "Saves"),
        ev.Rolled("save", D20, 8, (8,), "ava"),
        ev.Checked("save", "ava", 9, "saved", None, (Part("luck", 1),), 9),
        ev.Rolled("a", D8, 5, (5,)),
        ev.Rolled("b", Dice.of(1, 4), 2, (2,)),
        ev.PoolChanged("goblin-2", "hp", 7, 0, (Part("fire", -8),), "half"),
        ev.PoolChanged("wolf", "hp", 22, 15, (), ""),
    )

    assert found == [
        "Ava: Saves",
        "  d20 8 +1 luck = 9 vs 9  saved",
        "  1d8 5",
        "  1d4 2",
        "  8 fire → Goblin 2 7→0 (half)",
        "  Wolf 22→15",
    ]


def test_opposed_checks_show_both_throws() -> None:
    """The other side's dice stand in brackets; of equal totals each is shown to its thrower."""
    found = told(
        ev.Rolled("mine", Dice.of(2, 6), 7, (3, 4), "wolf", "shove"),
        ev.Rolled("theirs", Dice.of(2, 6), 7, (6, 1), "brin", "against shove"),
        ev.Checked(
            "shove",
            "brin",
            8,
            "won",
            "wolf",
            (Part("2d6", 7), Part("str", 1)),
            7,
            "Wolf's check",
            (Part("2d6", 7), Part("tired", 0)),
        ),
    )

    assert found == ["Brin shove: 2d6 6+1 = 7 +1 str = 8 vs Wolf's check 7 (2d6 3+4 = 7 +0 tired) (Wolf)  won"]


def test_derived_numbers_show_their_parts() -> None:
    """A number somebody had to reach says where it comes from."""
    against = (Part("hide", 15), Part("charging", -2))
    entry = Entry(
        ev.Checked("attack", "goblin-1", 11, "miss", "wolf", (Part("1d20", 11),), 13, "AC", against), ("T-1", "T-2")
    )

    assert log_lines(RULESET, fight(), (entry,)) == (
        "Goblin 1 attack: 11 1d20 vs AC 13 (15 hide −2 charging) (Wolf)  miss  [T-1, T-2]",
    )


def test_secrets_are_marked() -> None:
    """What players do not see says so."""
    found = told(
        ev.Rolled("trap", D20, 3, (3,), None, "the trap", False, True),
        ev.Decided("who", "ava", None, "whom it follows", True),
        ev.EffectAdded(replace(CHARGING, id=9, secret=True, modifiers=())),
    )

    assert found == [
        "secret: the trap: d20 3",
        "secret: whom it follows: Ava",
        "secret: Wolf: charging, until end of round 2",
    ]


def test_the_round_turns() -> None:
    """Ends name the edge that brought them, newcomers their labels, and the mark changes with the round."""
    # given the state in the third round, and the step that led there
    state = fight(clock=replace(CLOCK, round=3, at=None, slots=(replace(PARTY, id="r3/party"),)))
    people = state.combatants
    entries = (
        Entry(ev.ActionTaken(action("next"), "Next")),
        Entry(ev.BoundaryCrossed(Boundary("round_end", 2, seconds=6))),
        Entry(ev.EffectEnded(replace(CHARGING, until=(At("round_end", count=0),)), "its time is up"), ("WN-060",)),
        Entry(ev.BoundaryCrossed(Boundary("round_start", 3))),
        Entry(ev.WaveArrived(Wave("goblins", (), "round 3", "worgs"))),
        Entry(ev.CombatantJoined(people[4])),
        Entry(ev.CombatantJoined(people[5])),
        Entry(ev.Rolled("hp", Dice.of(2, 6), 7, (3, 4), "goblin-2", "hit points")),
        Entry(ev.PoolSet("goblin-2", None, Pool("hp", 7, 7))),
        Entry(ev.SlotReached(None, "r3/party")),
    )

    assert shown(log_rows(RULESET, state, entries, 8, 60)) == [
        "R2  Wolf: charging ends (end of round 2)              WN-060",
        "R3  Round 3",
        "    wave: worgs (Goblins)",
        "    Goblin 2 (h) and Goblin 3 (i) join Goblins",
        "    Goblin 2: hp 7/7 ← 2d6 3+4 = 7",
        "    Party's turn",
    ]


def test_ends_are_said_as_of_their_birth() -> None:
    """An effect that began before the round turned says the round it ends in, although the clock has gone on."""
    state = fight(clock=replace(CLOCK, round=3))
    later = replace(CHARGING, until=(At("round_end", count=2),))
    found = told(
        ev.BoundaryCrossed(Boundary("turn_end", 2)),
        ev.EffectAdded(later),
        ev.BoundaryCrossed(Boundary("round_start", 3)),
        state=state,
    )

    assert found[0] == "Wolf: charging −2 AC, until end of round 3"


@pytest.mark.parametrize(
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
        (ev.Moved("wolf", (3, 4), (5, 4)), "Wolf moves (3, 4) → (5, 4)"),
        (ev.Moved("wolf", None, (5, 4)), "Wolf stands at (5, 4)"),
        (ev.PoolSet("wolf", Pool("mp", 3, 5), Pool("mp", 3, 9)), "Wolf: mp 3/5 → 3/9"),
        (ev.PoolChanged("wolf", "spell_points", 3, 1, source="ava"), "Wolf spell points 3→1 by Ava"),
        (ev.EffectUsed("wolf", 2, "next_attack"), "Wolf: charging is used (next attack)"),
        (
            ev.EffectChanged(CHARGING, replace(CHARGING, until=(At("round_end", count=2),)), "slower"),
            "Wolf: charging changes, now until end of round 3 (slower)",
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


def test_the_whole_story_as_text() -> None:
    """Steps follow one another, rounds set apart."""
    turn = (Entry(ev.BoundaryCrossed(Boundary("round_start", 2))),)

    assert (
        log_text(RULESET, "Goblin ambush", ((fight(), turn), (fight(), attack()[:2])))
        == "Goblin ambush\n\n\nRound 2\nWolf: Charges → Goblin 1  [WN-060]\n"
    )


def test_the_whole_story_as_markdown() -> None:
    """Names are text there too: nothing in them is markup."""
    state = fight(
        combatants=tuple(replace(one, name="[x](y) *A*") if one.id == "wolf" else one for one in fight().combatants)
    )

    found = log_markdown(
        RULESET, "Fight #1", ((state, (Entry(ev.BoundaryCrossed(Boundary("round_start", 2))), *attack()[:2])),)
    )

    assert found == "# Fight \\#1\n\n## Round 2\n\n- \\[x\\](y) \\*A\\*: Charges → Goblin 1 *(WN-060)*\n"


def test_nothing_happened() -> None:
    """A step without entries has no lines."""
    assert tell(RULESET, fight(), ()) == ()
    assert log_rows(RULESET, fight(), (), 1, 80) == ()


def test_dice_are_told_in_the_order_they_fell() -> None:
    """A throw without a check is told before the damage that follows from it."""
    found = told(
        ev.ActionTaken(action("strike", "wolf", target="goblin-1"), "Strike"),
        ev.Rolled("attack", D20, 10, (10,), "wolf", "attack"),
        ev.Rolled("damage", D8, 3, (3,), "wolf", "damage"),
        ev.PoolChanged("goblin-1", "hp", 7, 4),
    )

    assert found == ["Wolf: Strike → Goblin 1", "  attack: d20 10", "  1d8 3 → Goblin 1 7→4"]


def test_points_of_newcomers_are_told_together() -> None:
    """Points that nobody rolled for stand in one line."""
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


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        (Field("weapon", "choice", default="bow", options=(Option("bow", "long bow"),)), "bow", ""),
        (Field("spell", "choice", default="bolt", required=True), "bolt", "bolt"),
        (Field("careful", "flag"), True, "careful"),
        (Field("lethal", "flag", default=True), False, "not lethal"),
        (Field("hit_mod", "number", default=0), 2, "hit mod 2"),
        (Field("hit_mod", "number", default=0), 0, ""),
    ],
)
def test_what_an_action_says_of_its_form(field: Field, value: Value, words: str) -> None:
    """A value that stood there anyway is not told, unless the action is nothing without it."""
    assert detail_words(fight(), field, value) == words


def test_dice_stand_only_for_parts_that_are_dice() -> None:
    """A number looked up in a table is no throw, even where it is the same; a part called like the dice or like their reason is."""
    dice = Dice.of(2, 6)
    found = told(
        ev.ActionTaken(action("cast", "ava", target="wolf"), "Casts"),
        ev.Rolled("will", dice, 3, (1, 2), "wolf", "resist"),
        ev.PoolChanged("wolf", "hp", 22, 15, (Part("Impact", -3), Part("magic", -4))),
        ev.Rolled("fire", dice, 5, (4, 1), "ava", "fire"),
        ev.PoolChanged("wolf", "hp", 15, 9, (Part("fire", -5), Part("oil", -1))),
        ev.Rolled("spell", dice, 8, (4, 4), "ava", "spell"),
        ev.Checked("spell", "ava", 9, "works", "wolf", (Part("2d", 8), Part("skill", 1)), 8, "Will"),
    )

    assert found == [
        "Ava: Casts → Wolf",
        "  Wolf resist: 2d6 1+2 = 3",
        "  3 Impact +4 magic = 7 → Wolf 22→15",
        "  2d6 4+1 = 5 +1 oil = 6 → Wolf 15→9",
        "  spell: 2d6 4+4 = 8 +1 skill = 9 vs Will 8  works",
    ]


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
    """What the schedule after the step has no more, the one before it has; what is skipped or passed is not announced."""
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


def _sure_of_the_fallen(state: State, asked: Action) -> ActionSpec:
    fallen = state["goblin-1"].status == "down"
    return ActionSpec(
        "strike",
        "Strike",
        "wolf",
        fields=(Field("target", "combatant"), Field("sure", "flag", "hits without a roll", fallen)),
    )


def test_forms_are_told_as_they_were_before_the_step() -> None:
    """What became a default only through the action's own consequences was not refused by anybody; what stood there at first was."""
    ruleset = replace(
        RULESET, form=_sure_of_the_fallen, actions=lambda state, who: (_sure_of_the_fallen(state, action("strike")),)
    )
    before, people = fight(), fight().combatants
    after = fight(combatants=tuple(replace(one, status="down") if one.id == "goblin-1" else one for one in people))
    entries = (
        Entry(ev.ActionTaken(action("strike", "wolf", target="goblin-1", sure=False), "Strike")),
        Entry(ev.StatusChanged("goblin-1", "up", "down")),
        Entry(ev.ActionTaken(action("strike", "wolf", target="goblin-1", sure=False), "Strike")),
    )

    first, plain, last = (
        "Wolf: Strike → Goblin 1",
        "  Goblin 1 is down",
        "Wolf: Strike → Goblin 1 (not hits without a roll)",
    )
    assert log_lines(ruleset, after, entries, before=before) == (first, plain, last)
    assert log_lines(ruleset, after, entries) == (first, plain, first)


def test_a_state_the_entries_do_not_follow_is_left_aside() -> None:
    """Forms are then told from the state after the step."""
    entries = (
        Entry(ev.StatusChanged("goblin-1", "fled", "up")),
        Entry(ev.ActionTaken(action("strike", "wolf", hard=True), "Strike")),
    )

    assert log_lines(RULESET, fight(), entries, before=fight()) == ("Goblin 1 is up", "Wolf: Strike (hard)")


def test_newcomers_are_placed_in_one_line() -> None:
    """Who stands where when the fight opens is one line, with the rules of all of it."""
    entries = (
        Entry(ev.Moved("ava", None, (5, 9)), ("T-1",)),
        Entry(ev.FactSet("ava", "seen", None, True)),
        Entry(ev.Moved("wolf", None, (6, 9)), ("T-2",)),
        Entry(ev.Moved("wolf", (6, 9), (6, 8))),
    )

    assert log_lines(RULESET, fight(), entries) == (
        "Ava stands at (5, 9) and Wolf at (6, 9)  [T-1, T-2]",
        "Wolf moves (6, 9) → (6, 8)",
    )


WAY = ((5, 8), (5, 7), (6, 7), (7, 7), (8, 6))
PATH = Field("path", "path", "path, square by square")


@pytest.mark.parametrize(
    ("way", "words"),
    [(WAY, "along 5,8 5,7 6,7 7,7 8,6"), (WAY[:1], "to 5,8"), ((*WAY, (9, 6), (9, 5)), "to 9,5 (7 squares)")],
)
def test_ways_over_squares(way: tuple[tuple[int, int], ...], words: str) -> None:
    """A short way is told square by square, a long one by its end, whether its form is known or not."""
    assert detail_words(fight(), PATH, way) == words
    assert told(ev.ActionTaken(action("run", "ava", path=way), "Runs")) == [f"Ava: Runs ({words})"]


BLOWS = Field(
    "blows",
    "rows",
    columns=(Field("weapon", "choice"), Field("target", "combatant"), Field("offhand", "flag", "off hand")),
)


def blow(weapon: str, target: str, offhand: bool = False) -> Value:
    """Return a row of blows."""
    return (("weapon", weapon), ("target", target), ("offhand", offhand))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ((blow("bow", "wolf"),), "bow at Wolf"),
        (
            (blow("bow", "wolf"), blow("bow", "wolf"), blow("knife", "goblin-1", True)),
            "bow at Wolf twice and knife at Goblin 1, off hand",
        ),
        ((blow("bow", "wolf"),) * 3, "bow at Wolf three times"),
        ((), ""),
    ],
)
def test_blows_in_words(value: Value, words: str) -> None:
    """Rows of means and targets say what is meant for whom, and how often."""
    assert blow_words(fight(), BLOWS, value) == words


def test_rows_about_people_are_no_blows() -> None:
    """Rows that begin with somebody keep the names of their columns."""
    edges = Field("edges", "rows", columns=(Field("who", "combatant"), Field("edge", "choice")))
    row = ((("who", "ava"), ("edge", "advantage")),)

    assert blow_words(fight(), edges, row) == ""
    assert detail_words(fight(), edges, row) == "who a Ava, edge advantage"


def test_a_declaration_says_what_is_attacked_with_what() -> None:
    """Blows stand behind the choice they belong to, even as the form had them anyway, and nobody is named twice."""
    row = blow("longsword", "goblin-1")
    main, way = (
        Field("main", "choice", default="attack", required=True),
        Field("way", "choice", default="free", required=True),
    )
    spec = ActionSpec(
        "declare",
        "Declare",
        "ava",
        fields=(main, Field("target", "combatant"), replace(BLOWS, default=(row, row)), way),
    )
    ruleset = replace(RULESET, form=lambda state, asked: spec, actions=lambda state, who: (spec,))
    said = action("declare", "ava", main="attack", target="goblin-1", blows=(row, row), way="free")

    assert log_lines(ruleset, fight(), (Entry(ev.ActionTaken(said, "Declare")),)) == (
        "Ava: Declare (attack: longsword at Goblin 1 twice, free)",
    )
