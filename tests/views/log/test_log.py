"""The log: one step in lines of a pane, and the whole story as text."""

from __future__ import annotations

from msgspec.structs import replace

from tests.views.log.logging_support import attack
from tests.views.toy import CHARGING, CLOCK, PARTY, RULESET, changed, fight, shown
from tracker.core.fight import events as ev
from tracker.core.fight.events import Entry
from tracker.core.fight.state import Pool
from tracker.core.terms.actions import action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Wave
from tracker.core.terms.moments import At, Boundary
from tracker.views.log.rendering import log_markdown, log_rows, log_text
from tracker.views.log.steps import tell


def test_a_step_at_80_cells() -> None:
    """The round, the action and its numbers are shown with their parts and rules."""
    rows = log_rows(RULESET, fight(), attack(), 7, 80)

    assert shown(rows) == [
        "R2  Wolf: Charges → Goblin 1: charging −2 AC, until end of round 2        WN-060",
        "      ◆ d20 14 ✎ +3 +2 charge = 19 vs AC 12  hit                          WN-103",
        "        1d8 3 +1 = 4 → Goblin 1 7→3                                       WN-119",
    ]
    assert [row.key for row in rows] == ["7:0", "7:1", "7:2"]
    assert rows[1].rules == ("WN-103", "WN-101", "WN-062")


def test_a_step_at_36_cells() -> None:
    """In a narrow pane lines wrap, and every part of a line opens its rule."""
    rows = log_rows(RULESET, fight(), attack(), 7, 36)

    assert shown(rows) == [
        "R2  Wolf: Charges → Goblin    WN-060",
        "      1: charging −2 AC,",
        "      until end of round 2",
        "   ◆ d20 14 ✎ +3 +2 charge =  WN-103",
        "       19 vs AC 12  hit",
        "     1d8 3 +1 = 4 → Goblin 1  WN-119",
        "       7→3",
    ]
    assert {row.rules[0] for row in rows[3:5]} == {"WN-103"}

    late = fight(clock=replace(fight().clock, round=11))
    assert shown(log_rows(RULESET, late, attack(), 7, 36))[0].startswith("R11  Wolf: Charges")


def test_what_is_only_tried_is_marked() -> None:
    """Each of its lines has a question mark in the margin, beside the round."""
    assert [text[:4] for text in shown(log_rows(RULESET, fight(), attack(), 7, 80, tried=True))] == [
        "R2? ",
        "  ? ",
        "  ? ",
    ]
    narrow = shown(log_rows(RULESET, fight(), attack(), 7, 36, tried=True))
    assert [text[:3] for text in narrow] == ["R2?", *["  ?"] * 6]


def test_a_step_at_120_cells() -> None:
    """On a wide screen the rules are at its right edge."""
    rows = log_rows(RULESET, fight(), attack(typed=False), 7, 120)

    assert rows[-1].text == f"{'        1d8 3 +1 = 4 → Goblin 1 7→3':<114}WN-119"


def test_the_round_turns() -> None:
    """Ends name their edge, newcomers their labels, and the mark changes with the round."""
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
        "  » wave: worgs (Goblins)",
        "    Goblin 2 (h, hp 7 ← 2d6 3+4) and Goblin 3 (i) join",
        "      Goblins",
        "    Party's turn",
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
    state = changed(fight(), "wolf", name="[x](y) *A*")

    found = log_markdown(
        RULESET, "Fight #1", ((state, (Entry(ev.BoundaryCrossed(Boundary("round_start", 2))), *attack()[:2])),)
    )

    assert found == "# Fight \\#1\n\n## Round 2\n\n- \\[x\\](y) \\*A\\*: Charges → Goblin 1 *(WN-060)*\n"


def test_nothing_happened() -> None:
    """A step without entries has no lines."""
    assert tell(RULESET, fight(), ()) == ()
    assert log_rows(RULESET, fight(), (), 1, 80) == ()


def test_the_title_stands_at_the_top_alone() -> None:
    """The line that opens a fight says no more than its notes."""
    opened = (Entry(ev.FightOpened("toy", 1, "Goblin ambush", None, None, ())),)
    noted = (Entry(ev.FightOpened("toy", 1, "Goblin ambush", None, None, (), notes="at dawn")),)

    assert log_text(RULESET, "Goblin ambush", ((fight(), opened),)) == "Goblin ambush\n\n"
    assert log_markdown(RULESET, "Goblin ambush", ((fight(), opened),)) == "# Goblin ambush\n\n"
    assert log_text(RULESET, "Goblin ambush", ((fight(), noted),)) == "Goblin ambush\n\nat dawn\n"
    assert log_markdown(RULESET, "Goblin ambush", ((fight(), noted),)) == "# Goblin ambush\n\n- at dawn\n"
