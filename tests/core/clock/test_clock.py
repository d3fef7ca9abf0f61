"""The clock: where it stops, what it skips, and how a fight ends."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from tests.core.clock.tables import ORDER, duel
from tests.support import declared, individual, segments, sides
from tests.support.common import encounter, member
from tracker.core.clock import schedule
from tracker.core.fight.events import (
    BoundaryCrossed,
    CombatantJoined,
    EffectAdded,
    EffectEnded,
    FightEnded,
    Noted,
    OrderSet,
    Skipped,
    StatusChanged,
)
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import State
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import action
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import TimedNote, Wave
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.moments import At
from tracker.core.terms.requests import ChoiceAnswer
from tracker.testing.table import Table, edges, of_kind

# -- stops, skips, round 0 ---------------------------------------------------------------------------------------------


def test_the_clock_does_not_stop_where_nobody_can_act() -> None:
    """The slot of a side that is down is skipped with the reason."""
    table = Table(sides.RULESET, encounter("sides"), {"initiative:party": 8, "initiative:goblins": 2})
    table.do(action("damage", amount=9, targets=("goblin-1", "goblin-2", "goblin-3")))

    table.next()

    assert (table.at, [(event.what, event.why) for event in of_kind(table.last, Skipped)]) == (
        "r2/party",
        [("Goblins", "none of them can act")],
    )


def test_where_nobody_at_all_can_act_the_clock_stops_after_a_round() -> None:
    """If all combatants are down, one whole round is skipped, then the clock stops."""
    table = duel()
    table.do(action("damage", amount=99, targets=("ada", "bo", "gog")))

    table.next()

    assert (table.state.clock.round, table.at) == (3, "r3/ada")


def test_a_ruleset_says_whom_it_skips() -> None:
    """The slot of a stunned combatant is skipped by the ruleset's rule."""
    table = Table(segments.RULESET, encounter("segments"))
    table.do(action("declare", "bo", main="attack", targets=("goblin-1",)))
    table.hold(Effect("stunned", "bo", until=(At("round_end"),)))

    skipped = [entry for entry in table.next() if isinstance(entry.event, Skipped)]

    assert [(entry.event.why, entry.rules) for entry in skipped if isinstance(entry.event, Skipped)] == [
        ("Bo is stunned", ("G-05",))
    ]
    assert table.at == "r2/declare"


def test_a_surprise_round_is_fought_before_the_first() -> None:
    """Round 0 has its own start and end. Surprised combatants get an empty turn in it."""
    table = Table(sides.RULESET, replace(encounter("sides"), setup=sides.Ambush(("goblins",))))
    assert (table.at, edges(table.last)[:1]) == ("r0/party", ["round_start"])

    passed = edges(table.next())

    assert passed[2:6] == [
        "turn_start goblin-1+goblin-2+goblin-3",
        "turn_end goblin-1+goblin-2+goblin-3",
        "round_end",
        "round_start",
    ]
    assert table.at == "r1/party"


def test_the_round_does_not_start_again_for_who_comes_too_late() -> None:
    """A slot added to a round that has ended is not entered. The newcomer has a slot in the next round."""
    wave = Wave("goblins", (member("Wolf"),), "end of round 1")
    table = Table(individual.RULESET, encounter("individual", waves=(wave,)))

    entries = table.until(lambda state: state.clock.round == 2)

    assert [
        event.boundary.round for event in of_kind(entries, BoundaryCrossed) if event.boundary.edge == "round_start"
    ] == [2]
    assert "r2/wolf" in [slot.id for slot in table.state.clock.slots]


# -- waves and reminders -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "edge", "number"),
    [("round 2", "round_start", 2), ("Start of Round 2", "round_start", 2), ("end of round 2", "round_end", 2)],
)
def test_a_wave_comes_at_its_moment(when: str, edge: str, number: int) -> None:
    """A wave joins right after its edge, before the order is set."""
    wave = Wave("goblins", (member("Wolf", "1d2"),), when)
    table = Table(sides.RULESET, encounter("sides", waves=(wave,)))
    entries = table.until(lambda state: "wolf-1" in state or "wolf" in state)

    place = next(place for place, entry in enumerate(entries) if isinstance(entry.event, CombatantJoined))
    before = [entry.event.boundary for entry in entries[:place] if isinstance(entry.event, BoundaryCrossed)][-1]

    assert ((before.edge, before.round), table.state.waves) == ((edge, number), ())
    assert any("wolf" in member for slot in table.state.clock.slots for member in slot.members)


def test_a_wave_of_a_side_that_is_not_there() -> None:
    """A third side joins with its wave."""
    table = Table(sides.RULESET, encounter("sides", waves=(Wave("Night Watch", (member("Guard"),)),)))

    table.do(action("wave"))

    assert (table.state["guard"].side, table.state.sides[-1].name) == ("night-watch", "Night Watch")


def test_reminders_are_said_at_their_moment() -> None:
    """Each reminder is logged at its moment."""
    fight = replace(
        encounter("sides"),
        reminders=(
            TimedNote("the ford rises", "start of round 2"),
            TimedNote("dusk", "end of round 1"),
            TimedNote("always"),
        ),
    )
    table = Table(sides.RULESET, fight)

    entries = table.until(lambda state: state.clock.round == 2)

    assert [event.text for event in of_kind(entries, Noted)] == ["dusk", "the ford rises"]


# -- the end -----------------------------------------------------------------------------------------------------------


def test_the_end_of_the_fight_ends_what_lasts_so_long() -> None:
    """The closing slot follows. After it, `next` is refused."""
    table = Table(declared.RULESET, encounter("declared"))
    table.next()
    table.hold(Effect("rage", "ada", until=(At("combat_end"),)))

    table.do(action("end_fight", reason="they fled"))

    assert ([event.was.name for event in of_kind(table.last, EffectEnded)], table.at) == (["rage"], "end/form")
    table.next()
    assert (table.state.clock.at, schedule.finished(table.state), table.ruleset.advance(table.state)) == (
        None,
        True,
        None,
    )
    refused = table.run(Step("do", (action("next"),)))
    assert getattr(refused, "reason", "") == "fight_over"


def test_nothing_of_the_round_is_due_once_the_fight_is_over() -> None:
    """The turns that were to come are left out."""
    table = duel()

    table.do(action("end_fight"))

    assert table.ruleset.advance(table.state) is None


def test_a_hook_may_end_the_fight() -> None:
    """The answer yes at the round's end ends the fight, and the clock goes on to the closing slot."""
    table = Table(declared.RULESET, encounter("declared"))
    table.do(action("damage", amount=9, targets=("goblin-1", "goblin-2", "goblin-3")))

    entries = table.until(lambda state: state.clock.at == "r1/slow" or state.clock.phase == "fast")
    entries = table.take(Step("advance"), {"round_end@r1/over": ChoiceAnswer("yes")})

    assert (table.at, table.state.clock.over, len(of_kind(entries, FightEnded))) == ("end/form", True, 1)
    assert "round_start" not in edges(entries)


def test_closing_slots_end_like_others() -> None:
    """An action can be performed in a closing slot."""
    table = Table(declared.RULESET, encounter("declared"))
    table.do(action("damage", amount=5, targets=("ada",)))
    table.do(action("end_fight"))

    table.do(action("rest", wiped=3))

    assert table.state["ada"].hp == 6


def test_a_ruleset_without_slots_is_found_out() -> None:
    """A round without slots is a RulesBug."""
    empty = replace(individual.RULESET, open_round=lambda ctx: None)

    with pytest.raises(RulesBug, match="round 1 has no slots"):
        duel(empty)


def test_a_clock_that_finds_nowhere_to_stop_is_found_out() -> None:
    """Rounds in which the clock never stops are a RulesBug."""
    ruleset = replace(
        individual.RULESET,
        open_round=lambda ctx: ctx.emit(OrderSet((), (Slot(f"r{ctx.state.clock.round}/x", "X", stop=False),))),
    )

    with pytest.raises(RulesBug, match="nowhere to stop"):
        duel(ruleset)


@pytest.mark.parametrize(
    ("slot", "ahead"),
    [
        ("r1/ada", False),
        ("r1/gog", False),
        ("r1/bo", True),
        ("r2/ada", True),
        ("r0/setup", False),
        ("r1/never", False),
        ("end/form", True),
    ],
)
def test_what_lies_ahead(slot: str, ahead: bool) -> None:
    """A slot is ahead in a later round, or in this round before it begins."""
    table = duel()
    table.next()

    assert schedule.ahead(table.state, slot) is ahead


def test_nothing_lies_ahead_of_a_finished_fight() -> None:
    """After the end of the fight, no slot of a round is ahead."""
    table = Table(declared.RULESET, encounter("declared"))
    table.do(action("end_fight"))

    assert [schedule.ahead(table.state, slot) for slot in ("r1/fast", "r2/fast", "end/form", "end/other")] == [
        False,
        False,
        False,
        False,
    ]


def test_an_advance_done_again_goes_to_where_it_went() -> None:
    """A replayed advance goes on to its slot, over all stops before it."""
    table = duel()
    table.do(action("move", slot="r1/gog", before=None))

    table.take(Step("advance", to="r1/gog"), {})

    assert table.at == "r1/gog"
    gone = run(table.ruleset, table.state, Step("advance", to="r1/bo"))
    assert getattr(gone, "reason", "") == "already_there"


def test_another_initiative_is_played_again_without_losing_an_edge() -> None:
    """After a correction of the start, each advance reaches its former slot, or is refused."""
    table = duel()
    stops = []
    for _ in range(5):
        table.next()
        stops.append(table.at)
    assert stops == ["r1/gog", "r1/bo", "r2/ada", "r2/gog", "r2/bo"]

    again = Table(
        table.ruleset,
        encounter("individual", party=(member("Ada", kind="pc"), member("Bo", kind="pc")), foes=(member("Gog"),)),
        {"initiative:bo": 10},
    )
    assert again.at == "r1/bo"
    entries, fell_away = again.last, []
    for stop in stops:
        outcome = again.run(Step("advance", to=stop))
        if isinstance(outcome, Done):
            again.state, entries = outcome.state, entries + outcome.entries
            assert again.at == stop
        else:
            fell_away.append(stop)

    assert fell_away == ["r1/bo", "r2/bo"]
    turns_of = Counter(
        (event.boundary.round, event.boundary.edge, who)
        for event in of_kind(entries, BoundaryCrossed)
        for who in event.boundary.actors
    )
    assert {turns_of[1, edge, who] for edge in ("turn_start", "turn_end") for who in ORDER} == {1}


def test_a_boundary_nobody_waits_for_leaves_the_combatants_alone() -> None:
    """An edge for which no effect waits changes only the clock."""
    table = duel()
    before: State = table.state

    table.within(lambda ctx: ctx.turn("ada", "turn_end"))

    assert table.state.combatants is before.combatants
    assert not of_kind(table.last, StatusChanged)
    assert not of_kind(table.last, EffectAdded)
