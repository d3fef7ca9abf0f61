"""The order pane."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.views.toy import CHARGING, CLOCK, RULESET, fight, shown
from tracker.core.fight.slots import Clock, Slot
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, OnUse
from tracker.views.panes.order import OrderRows, parts_of_key


def test_sides_with_members_and_what_comes_then() -> None:
    """Sides are in their order, the current one is marked; its members have acted, are acting or wait."""
    # when the order is shown 36 cells wide
    rows = OrderRows(RULESET, fight(), 36)

    assert shown(rows) == [
        "▶ Party                        now 7",
        "   ✓ a Ava                        ··",
        "   ▶ w Wolf                       M·",
        "   · b Brin                       MV",
        "  Goblins                          4",
        "     g Goblin 1                   MV",
        "     h Goblin 2                   MV",
        "     i Goblin 3                 down",
        "R2 end · w: charging",
        "R3 · wave: worgs (Goblins)",
        "R3 turn · a: screened by Brin",
        "R4 · the ford rises",
    ]
    assert [row.state for row in rows[:8]] == ["current", "done", "acting", "", "", "", "", "down"]
    assert [parts_of_key(row.key) for row in rows[3:5]] == [("r2/party", "brin"), ("r2/goblins", None)]
    assert rows[8].rules == ("T-1",)


def test_a_narrow_pane_wraps_the_calendar() -> None:
    """At 22 cells no text is lost if enough lines are free. Else each entry has one line."""
    rows = shown(OrderRows(RULESET, fight(), 22))

    assert rows[:4] == [
        "▶ Party          now 7",
        "   ✓ a Ava          ··",
        "   ▶ w Wolf         M·",
        "   · b Brin         MV",
    ]
    assert rows[-6:] == [
        "R2 end · w: charging",
        "R3 · wave: worgs",
        "  (Goblins)",
        "R3 turn · a: screened",
        "  by Brin",
        "R4 · the ford rises",
    ]
    assert shown(OrderRows(RULESET, fight(), 22, height=12))[-4:] == [
        "R2 end · w: charging",
        "R3 · wave: worgs (Gob…",
        "R3 turn · a: screened…",
        "R4 · the ford rises",
    ]


def test_a_schedule_without_room_counts_its_members() -> None:
    """Initiatives are the only bare numbers; how many are due to act is said of the current slot."""
    state = fight(clock=replace(CLOCK, acting=None, acted=("ava",)))

    assert shown(OrderRows(RULESET, state, 28, height=9, due=lambda state, ruleset: ("wolf", "brin")))[:3] == [
        "▶ Party     now 7 · 2 to act",
        "  Goblins                  4",
        "R2 end · w: charging",
    ]


def test_a_side_that_has_acted_has_no_count() -> None:
    """The action pane says that all have acted."""
    assert OrderRows(RULESET, fight(), 28, height=9, due=lambda state, ruleset: ())[0].text.split() == [
        "▶",
        "Party",
        "now",
        "7",
    ]


@pytest.mark.parametrize(
    ("info", "width", "said"),
    [
        ("4", 21, "▶ Toll-takers now 4"),
        ("4", 17, "▶ Toll-takers 4"),
        ("", 21, "▶ Toll-takers now"),
        ("", 28, "▶ Toll-takers now · 2 to act"),
    ],
)
def test_a_name_is_whole_before_its_members_are_counted(info: str, width: int, said: str) -> None:
    """In a narrow pane the side's name and its initiative stay, and no count replaces an initiative."""
    party, *others = CLOCK.slots
    slot = replace(party, title="Toll-takers", info=info)
    state = fight(clock=replace(CLOCK, slots=(slot, *others), acting=None, acted=("ava",)))

    rows = OrderRows(RULESET, state, width, height=9, due=lambda state, ruleset: ("wolf", "brin"))
    assert rows[0].text.split() == said.split()


def test_the_same_end_of_several_is_one_line() -> None:
    """Their labels share a line, and are cut before the name of the effect."""
    people = tuple(
        replace(one, effects=(replace(CHARGING, bearer=one.id, id=10 + place, secret=True),))
        for place, one in enumerate(fight().combatants)
    )
    state = fight(combatants=people, waves=(), reminders=())

    assert shown(OrderRows(RULESET, state, 42))[-1] == "R2 end · (a w b g h i: charging, secret)"
    assert shown(OrderRows(RULESET, state, 34, height=3))[-1] == "R2 end · (a w …: charging, secret)"


def test_what_no_round_is_known_of_names_none() -> None:
    """The fight's end, a use, a phase that is in no schedule; of two ends each says its own."""
    blessed = Effect("blessed", "ava", 1, until=(At("combat_end"),))
    shielded = Effect("shielded", "ava", 2, until=(OnUse("attack"), At("round_end")))
    held = Effect("held", "wolf", 3, until=(At("phase_end", phase="dusk"),))
    ava, wolf, *others = fight().combatants
    people = (replace(ava, effects=(blessed, shielded)), replace(wolf, effects=(held,)), *others)
    state = fight(combatants=people, waves=(), reminders=())

    assert shown(OrderRows(RULESET, state, 60))[-3:] == [
        "R2 end or next attack · a: shielded",
        "end of dusk phase · w: held",
        "fight end · a: blessed",
    ]


def test_a_side_that_is_done() -> None:
    """A side that has had its slot is done, with its members."""
    state = fight(clock=replace(CLOCK, at="r2/goblins", begun=("r2/party", "r2/goblins"), acting=None))

    rows = OrderRows(RULESET, state, 36)

    assert shown(rows)[:6] == [
        "✓ Party                            7",
        "   ✓ a Ava                        ··",
        "   ✓ w Wolf                       M·",
        "   ✓ b Brin                       MV",
        "▶ Goblins                      now 4",
        "   · g Goblin 1                   MV",
    ]
    assert [row.state for row in rows[:5]] == ["done", "done", "done", "done", "current"]


def test_segments_with_a_row_for_each_act() -> None:
    """The first row of a segment has its number."""
    # given a round of segments
    slots = (
        Slot("r2/declare", "Declarations", "declare", turns="none"),
        Slot("r2/wolf/1", "Wolf: bite", "act", 9, ("wolf",), turns="none"),
        Slot("r2/ava/1", "second attack", "act", 9, ("ava",), turns="none", info="spell"),
        Slot("r2/move", "movement", "move", 8, ("brin", "wolf"), stop=False, turns="none"),
        Slot("r2/goblin-3", "Goblin 3", "act", -2, ("goblin-3",), turns="none"),
    )
    clock = Clock(2, 12, slots, "r2/wolf/1", ("r2/declare", "r2/wolf/1"), True)

    rows = OrderRows(
        RULESET,
        fight(
            clock=clock,
            waves=(),
            reminders=(),
            combatants=tuple(replace(one, effects=()) for one in fight().combatants),
        ),
        40,
    )

    assert shown(rows) == [
        "   ✓ Declarations",
        " 9 ▶ w bite                       now M·",
        "     a Ava second attack        spell ··",
        " 8   movement",
        "        b Brin                        MV",
        "        w Wolf                        M·",
        "−2   i Goblin 3                     down",
    ]
    assert [row.state for row in rows] == ["done", "current", "", "ghost", "", "", "down"]


def test_what_passes_on_every_segment_has_one_row() -> None:
    """Ten segments of movement share a row, with other passing slots below it; it is done after the last."""

    def passing(segment: int, title: str) -> Slot:
        return Slot(f"r2/s{segment}", title, "move", segment, stop=False, turns="none")

    slots = (
        passing(3, "movement"),
        passing(2, "movement, due: Spark"),
        Slot("r2/wolf/1", "Wolf: bite", "act", 2, ("wolf",), turns="none"),
        passing(1, "movement"),
    )

    def rows(at: str | None, begun: int) -> list[str]:
        clock = Clock(2, 12, slots, at, tuple(slot.id for slot in slots[:begun]), True)
        found = OrderRows(RULESET, fight(clock=clock, waves=(), reminders=(), effects=()), 40)
        return [" ".join(row.text.split()) for row in found[:3]]

    assert rows("r2/wolf/1", 3) == ["3 movement, 3 to 1", "2 ✓ due: Spark", "▶ w bite now M·"]
    assert rows("r2/s2", 2)[0] == "3 ▶ movement, 3 to 1 now"
    assert rows(None, 4)[0] == "3 ✓ movement, 3 to 1"


def test_a_phase_of_one_is_a_phase() -> None:
    """Its title is not taken for the member's deed."""
    slots = (Slot("r2/slow", "Slow PCs", "slow", members=("ava",)), Slot("r2/ava", "Ava", "ava", members=("ava",)))
    clock = Clock(2, 12, slots, "r2/slow", ("r2/slow",), True)

    rows = shown(OrderRows(RULESET, fight(clock=clock, waves=(), reminders=()), 28))

    assert [" ".join(row.split()) for row in rows[:3]] == ["▶ Slow PCs now", "▶ a Ava ··", "a Ava ··"]


def test_after_the_fight_only_closing_slots() -> None:
    """After the fight the closing slots are shown."""
    slots = (*CLOCK.slots, Slot("end/spoils", "Spoils", "spoils", stage="closing"))
    state = fight(
        clock=replace(CLOCK, slots=slots, at="end/spoils", begun=("end/spoils",), over=True, in_round=False),
        waves=(),
        reminders=(),
    )

    assert shown(OrderRows(RULESET, state, 30))[:1] == ["▶ Spoils                   now"]


def test_acts_fit_a_narrow_pane() -> None:
    """The label says whose act it is, so its title fits 28 cells; an aim at a combatant of the fight is an arrow."""
    slots = (
        Slot("r2/wolf/1", "Wolf: javelin at Goblin 1", "act", 7, ("wolf",), turns="none"),
        Slot("r2/wolf/2", "Wolf: peers at the moon", "act", 5, ("wolf",), turns="none"),
    )
    clock = Clock(2, 12, slots, "r2/wolf/1", ("r2/wolf/1",), True)

    rows = OrderRows(RULESET, fight(clock=clock, waves=(), reminders=()), 28)

    assert shown(rows)[:2] == [" 7 ▶ w javelin → Goblin 1 M·", " 5   w peers at the moon  M·"]
