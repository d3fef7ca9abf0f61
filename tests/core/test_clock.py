"""The clock: which edges it passes, in which order, and that every promised one comes exactly once."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from msgspec.structs import replace

from tests.support import individual, phases, segments, sides, turns
from tests.support.common import encounter, member
from tracker.core.clock import schedule
from tracker.core.fight.events import (
    BoundaryCrossed,
    CombatantJoined,
    EffectAdded,
    EffectChanged,
    EffectEnded,
    FightEnded,
    Noted,
    OrderSet,
    Skipped,
    SlotReached,
    StatusChanged,
)
from tracker.core.fight.state import Slot, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import action
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Reminder, Wave
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.moments import At
from tracker.core.terms.requests import Chosen
from tracker.testing.table import Table, edges, of_kind

GAMES = {game.RULESET.key: game.RULESET for game in (sides, individual, turns, phases, segments)}


def duel(ruleset: Ruleset = individual.RULESET) -> Table:
    """Return a fight of Ada, then Gog, then Bo, each in a slot of their own, at Ada's."""
    fight = encounter(ruleset.key, party=(member("Ada", kind="pc"), member("Bo", kind="pc")), foes=(member("Gog"),))
    return Table(ruleset, fight, {"initiative:ada": 9, "initiative:gog": 6, "initiative:bo": 3})


# -- the order of edges ------------------------------------------------------------------------------------------------


def test_edges_between_two_rounds_of_sides() -> None:
    """Turn, phase and round end, then the new round, its phase and turns."""
    table = Table(sides.RULESET, encounter("sides"), {"initiative:party": 8, "initiative:goblins": 2})
    table.next()
    goblins = "goblin-1+goblin-2+goblin-3"

    passed = edges(table.next())

    assert passed == [
        f"turn_end {goblins}",
        f"phase_end {goblins}",
        "round_end",
        "round_start",
        "phase_start ada+bo",
        "turn_start ada+bo",
    ]


def test_edges_of_segments() -> None:
    """Acts on one segment share its edges; passing slots cross theirs without a stop; one phase has them all."""
    table = Table(segments.RULESET, encounter("segments"))
    for who in ("ada", "bo"):
        table.do(action("declare", who, main="attack", targets=("goblin-1", "goblin-2"), moves=who == "ada"))
    table.next(**{"segment:ada:1": 5, "segment:ada:2": 2, "segment:bo:1": 4, "segment:bo:2": 1})
    assert table.at == "r1/ada/attack-1"

    passed = edges(table.until(lambda state: state.clock.at == "r1/bo/attack-2"))

    assert [edge.partition("_")[2] for edge in passed] == [
        "end ada",
        "start",
        "end",
        "start bo",
        "end bo",
        "start ada",
        "end ada",
        "start",
        "end",
        "start bo",
    ]
    assert not [edge for edge in passed if edge.startswith(("phase", "turn", "round"))]


def test_neighbours_of_one_phase_share_its_edges() -> None:
    """Slots of the same phase beside each other have one start and one end, which are everybody's in them and all their sides'."""
    two = (
        Slot("r1/ada", "Ada", "acts", members=("ada",)),
        Slot("r1/gog", "Gog", "acts", members=("gog",)),
        Slot("r1/bo", "Bo", "late", members=("bo",)),
    )
    ruleset = replace(individual.RULESET, open_round=lambda ctx: ctx.emit(OrderSet(ctx.state.clock.slots, two)))
    table = Table(ruleset, encounter("individual", party=(member("Ada"), member("Bo")), foes=(member("Gog"),)))

    passed = edges(table.last) + edges(table.next()) + edges(table.next())

    assert [edge for edge in passed if edge.startswith("phase")] == [
        "phase_start ada+gog",
        "phase_end ada+gog",
        "phase_start bo",
    ]
    starts = [
        event.boundary.sides
        for event in of_kind(duel(ruleset).last, BoundaryCrossed)
        if event.boundary.edge == "phase_start"
    ]
    assert starts == [("party", "goblins")]


def test_between_slots_share_a_phase_too() -> None:
    """Two slots of one phase after the round have its edges once, though the second only passes."""
    table = Table(phases.RULESET, encounter("phases"))

    passed = edges(table.until(lambda state: state.clock.round == 2), starting_with="phase")

    assert passed[-4:-1] == ["phase_end", "phase_start", "phase_end"]
    assert passed[-1] == "phase_start ada+bo"


def test_at_a_start_what_is_due_ends_before_the_hook_and_at_an_end_after_it() -> None:
    """The order within an edge is fixed, but a hook may have what is due ended earlier."""
    seen: list[tuple[str, bool]] = []
    ruleset = replace(
        individual.RULESET, on_boundary=lambda ctx, edge: seen.append((edge.edge, ctx.state["gog"].has("bane")))
    )
    table = duel(ruleset)
    table.hold(Effect("bane", "gog", until=(At("turn_start", "bearer"),)))
    table.next()
    started = dict(seen)["turn_start"]
    table.hold(Effect("bane", "gog", until=(At("turn_end", "bearer"),)))
    seen.clear()
    table.next()

    assert (started, dict(seen)["turn_end"], table.state["gog"].effects) == (False, True, ())


def test_a_hook_may_end_what_is_due_at_its_own_place() -> None:
    """At the round's end the bleeding comes first, then what was due ends, then morale is asked."""
    table = Table(sides.RULESET, replace(encounter("sides"), house_rules=sides.Switches(morale=True)))
    table.hold(Effect("bleeding", "ada", until=(At("round_end"),)))

    entries = table.next(2)

    kinds = [type(entry.event).__name__ for entry in entries]
    assert kinds.index("PoolChanged") < kinds.index("EffectEnded") < kinds.index("Decided")


# -- every promised edge, once -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES)
def test_every_turn_comes_once_a_round(key: str) -> None:
    """Whatever the style of round, each combatant has one start and one end of a turn in it, acting or not."""
    table = Table(GAMES[key], encounter(key))
    table.until(lambda state: state.clock.round == 2 and state.clock.in_round)

    entries = table.last + table.until(lambda state: state.clock.round == 5)

    passed = Counter(
        (event.boundary.round, event.boundary.edge, who)
        for event in of_kind(entries, BoundaryCrossed)
        for who in event.boundary.actors
    )  # fmt: skip - one count
    people = [one.id for one in table.state.combatants]
    assert {
        passed[number, edge, who] for number in (3, 4) for edge in ("turn_start", "turn_end") for who in people
    } == {1}


@pytest.mark.parametrize("key", ["sides", "individual", "turns"])
def test_every_side_has_its_phase_once_a_round(key: str) -> None:
    """However many slots a side has, its edges come once: with the first start and the last end."""
    table = Table(GAMES[key], encounter(key))
    table.until(lambda state: state.clock.round == 2)

    entries = table.until(lambda state: state.clock.round == 5)

    passed = Counter(
        (event.boundary.round, event.boundary.edge, side)
        for event in of_kind(entries, BoundaryCrossed)
        for side in event.boundary.sides
    )  # fmt: skip - one count
    all_edges = ("turn_start", "turn_end", "phase_start", "phase_end")
    assert {passed[number, edge, side] for number in (3, 4) for edge in all_edges for side in ("party", "goblins")} == {
        1
    }


def test_whoever_opened_no_turn_gets_an_empty_one() -> None:
    """When the phase closes, those without a turn start and end one, and those who had one do not."""
    table = Table(turns.RULESET, encounter("turns"), {})
    table.next(2)
    table.do(action("start_turn", "bo"))
    table.next()

    assert edges(table.next(), starting_with="turn") == ["turn_start ada", "turn_end ada"]


def test_a_turn_left_open_ends_with_its_slot() -> None:
    """Going on over an open turn ends it without starting it again."""
    table = Table(turns.RULESET, encounter("turns"))
    table.next(2)
    table.do(action("start_turn", "bo"))

    assert edges(table.do(action("next")), starting_with="turn")[:3] == ["turn_start ada", "turn_end ada+bo"]


def test_a_second_slot_is_no_second_turn() -> None:
    """Who delays acts in a slot later in the round; the turn's edges have been."""
    table = duel()
    table.do(action("delay", "ada", after="r1/bo"))

    passed = edges(table.until(lambda state: state.clock.at == "r1/ada/late"), starting_with="turn")
    passed += edges(table.next(), starting_with="turn")

    assert passed == [
        "turn_end ada",
        "turn_start gog",
        "turn_end gog",
        "turn_start bo",
        "turn_end bo",
        "turn_start ada",
    ]


def test_a_newcomer_in_a_running_slot_has_a_turn_there() -> None:
    """Somebody who joins while their side's slot is running starts late and ends with the others."""
    table = Table(sides.RULESET, encounter("sides"))
    table.do(action("insert", members=(member("Cy"),), side="party"))

    assert edges(table.next(), of="cy", starting_with="turn") == ["turn_start cy", "turn_end ada+bo+cy"]


def test_a_newcomer_without_a_slot_has_a_turn_at_the_rounds_end() -> None:
    """Whoever comes when their moment has passed still has an empty turn before the round ends."""
    table = Table(turns.RULESET, encounter("turns"))
    table.until(lambda state: state.clock.at == "r1/goblins")
    table.do(action("insert", members=(member("Cy"),), side="party"))

    passed = edges(table.next())

    assert [edge for edge in passed if "cy" in edge][:2] == ["turn_start cy", "turn_end cy"]
    assert passed.index("turn_end cy") < passed.index("round_end")


# -- expiry ------------------------------------------------------------------------------------------------------------

ORDER = ("ada", "gog", "bo")
SIDE = {"ada": "party", "bo": "party", "gog": "goblins"}
ANCHORS = ("bearer", "source", "bearer_side", "source_side", "acting_side", "any")
EDGES = ("turn_start", "turn_end", "phase_start", "phase_end")


def expected(edge: str, anchor: str, now: int, bearer: str, source: str) -> str:
    """Return where an effect made in the middle of the `now`-th slot must end, worked out from the order alone."""
    who = {"bearer": bearer, "source": source}.get(anchor)
    side = {"bearer_side": SIDE[bearer], "source_side": SIDE[source], "acting_side": SIDE[ORDER[now]]}.get(anchor)
    start = edge.endswith("start")
    if who is not None:
        places = [ORDER.index(who)]
    elif side is not None:
        own = [place for place, one in enumerate(ORDER) if SIDE[one] == side]
        places = [own[0] if start else own[-1]]
    else:
        places = list(range(len(ORDER)))
    later = [place for place in places if place > now or (place == now and not start)]
    return f"{edge} r1/{ORDER[later[0]]}" if later else f"{edge} r2/{ORDER[places[0]]}"


@pytest.mark.parametrize(("edge", "anchor"), list(product(EDGES, ANCHORS)))
def test_an_effect_ends_at_the_first_edge_of_its_anchor(edge: str, anchor: str) -> None:
    """Made before, in or after the anchor's turn, on or by the first, the middle or the last: it ends at the next such edge."""
    for now, bearer, source in product(range(3), ORDER, ORDER):
        table = duel()
        table.next(now)
        number = table.hold(Effect("bane", bearer, 0, source, (At(edge, anchor),)))  # type: ignore[arg-type]  # edges by name

        assert table.ending(number) == expected(edge, anchor, now, bearer, source), (now, bearer, source)


@pytest.mark.parametrize(("edge", "count"), list(product(EDGES, (1, 2, 3))))
def test_a_count_is_so_many_edges(edge: str, count: int) -> None:
    """The second edge is a round after the first."""
    table = duel()
    number = table.hold(Effect("bane", "bo", 0, "gog", (At(edge, "bearer", count),)))  # type: ignore[arg-type]  # as above

    assert table.ending(number) == f"{edge} r{count}/bo"


@pytest.mark.parametrize(
    ("end", "ending"), [(At("round_end", "bearer"), "round_end r1"), (At("round_start", "source"), "round_start r2")]
)
def test_the_rounds_edges_are_everybodys(end: At, ending: str) -> None:
    """Whatever anchor is written at a round's edge, it comes."""
    table = duel()

    assert table.ending(table.hold(Effect("bane", "ada", 0, "gog", (end,)))) == ending


def test_nobody_alone() -> None:
    """The only combatant of the fight has edges like everybody."""
    table = Table(individual.RULESET, encounter("individual", party=(member("Ada"),), foes=(member("Gog", "0"),)))
    endings = [table.ending(table.hold(Effect("bane", "ada", until=(At(edge, "bearer"),)))) for edge in EDGES]  # type: ignore[arg-type]  # as above

    assert endings == ["turn_start r2/ada", "turn_end r2/ada", "phase_start r4/ada", "phase_end r4/ada"]


@pytest.mark.parametrize("edge", EDGES)
def test_an_anchor_that_is_down_still_has_its_edges(edge: str) -> None:
    """Who cannot act passes their edges; the clock does not stop there."""
    table = duel()
    number = table.hold(Effect("bane", "bo", 0, "gog", (At(edge, "source"),)))  # type: ignore[arg-type]  # as above
    table.do(action("damage", amount=99, targets=("gog",)))

    assert table.state["gog"].status == "down"
    assert table.ending(number) == f"{edge} r1/gog"
    assert table.at != "r1/gog"


@pytest.mark.parametrize(
    ("edge", "remaining", "ending"),
    [
        ("turn_start", "party", "turn_start r1/bo"),
        ("phase_end", "party", "phase_end r1/bo"),
        ("turn_start", "nobody", "round_start r2"),
        ("turn_end", "nobody", "round_end r1"),
    ],
)
def test_when_the_anchor_leaves_the_same_edge_of_others_counts(edge: str, remaining: str, ending: str) -> None:
    """An effect is tied to the side of who leaves, or to the round where nobody of that side is left; the log says so."""
    table = duel()
    table.next()  # to Gog, who bears it
    number = table.hold(Effect("bane", "gog", 0, "ada", (At(edge, "source"),)))  # type: ignore[arg-type]  # as above
    leaving = ("ada",) if remaining == "party" else ("ada", "bo")

    table.do(action("remove", targets=leaving))

    assert next(event.why for event in of_kind(table.last, EffectChanged)).startswith("Ada leaves")
    assert table.ending(number) == ending


def test_what_holds_on_who_leaves_ends() -> None:
    """An effect goes with its bearer, together with what hangs on it."""
    table = duel()
    ward = table.hold(Effect("ward", "ada"))
    table.hold(Effect("warded", "bo", parent=ward))

    table.do(action("remove", targets=("ada",)))

    assert [(event.was.name, event.reason) for event in of_kind(table.last, EffectEnded)] == [
        ("ward", "Ada leaves the fight"),
        ("warded", "with ward"),
    ]


def test_a_change_of_side_moves_no_end() -> None:
    """The side is settled when the effect is made."""
    table = Table(sides.RULESET, encounter("sides"), {"initiative:party": 8, "initiative:goblins": 2})
    number = table.hold(Effect("bane", "ada", until=(At("phase_start", "bearer_side"),)))
    table.do(action("side", who="ada", side="goblins"))

    assert table.ending(number) == "phase_start r2/party"


def test_a_side_without_a_slot_has_an_empty_phase_where_somebody_waits() -> None:
    """If everybody has left a side, what waits for its phase still ends."""
    table = Table(individual.RULESET, encounter("individual", party=(member("Ada"),), foes=(member("Gog"),)))
    number = table.hold(Effect("bane", "ada", until=(At("phase_start", "bearer_side"),)))
    table.do(action("side", who="ada", side="goblins"))

    assert table.ending(number) == "phase_start r2"
    assert table.ending(table.hold(Effect("bane", "ada", until=(At("phase_end", "side:party"),)))) == "phase_end r3"


def test_a_re_rolled_order_loses_no_edge() -> None:
    """Where the order is new in every round, an effect for two rounds still counts its phase twice."""
    table = Table(phases.RULESET, encounter("phases"))
    table.next(**{"speed:ada": 1, "speed:bo": 20})
    number = table.hold(Effect("bane", "bo", until=(At("phase_start", "bearer", 2),)))
    table.next()
    assert [slot.members for slot in table.state.clock.slots[:3]] == [
        ("ada",),
        ("goblin-1", "goblin-2", "goblin-3"),
        ("bo",),
    ]
    table.next()
    table.next()

    table.next(**{"speed:ada": 20, "speed:bo": 1})

    assert table.at == "r2/fast"
    assert [event.was.id for event in of_kind(table.last, EffectEnded)] == [number]


def test_an_order_changed_in_mid_round() -> None:
    """A slot moved before the others comes first, and every other once."""
    table = duel()
    table.do(action("move", slot="r1/bo", before="r1/gog"))

    reached = [event.now for event in of_kind(table.next(3), SlotReached) if event.now]

    assert reached == ["r1/bo", "r1/gog", "r2/ada"]


def test_rounds_of_a_phase_count_that_phase_only() -> None:
    """Two rounds from the monsters' phase end where their phase starts for the second time."""
    table = Table(phases.RULESET, encounter("phases"))
    table.until(lambda state: state.clock.phase == "monsters")
    table.do(action("poison", "goblin-1", target="ada", rounds=2))

    assert table.ending(table.state.serial) == "phase_start r3/monsters"


def test_an_end_on_a_segment() -> None:
    """What waits for a segment ends when that segment starts, in the round that has it."""
    table = Table(segments.RULESET, encounter("segments"))
    number = table.hold(Effect("glow", "bo", until=(At("segment_start", "any", 1, segment=5),)))

    assert table.ending(number) == "segment_start r1/5/ends"


def test_an_effect_born_at_an_edge_does_not_count_it() -> None:
    """What a hook makes at the round's start is not ended by that start."""
    ruleset = replace(
        individual.RULESET,
        on_boundary=lambda ctx, edge: (
            None
            if edge.edge != "round_start" or edge.round != 2
            else ctx.add_effect(Effect("dawn", "ada", until=(At("round_start"),)))
        ),
    )  # type: ignore[arg-type]  # what a hook returns does not matter
    table = duel(ruleset)
    table.until(lambda state: state.clock.round == 2)

    assert table.state["ada"].effect("dawn") is not None
    assert table.ending(1) == "round_start r3"


# -- stops, skips, round 0 ---------------------------------------------------------------------------------------------


def test_the_clock_does_not_stop_where_nobody_can_act() -> None:
    """A side that is down passes, with the reason, and the clock goes on."""
    table = Table(sides.RULESET, encounter("sides"), {"initiative:party": 8, "initiative:goblins": 2})
    table.do(action("damage", amount=9, targets=("goblin-1", "goblin-2", "goblin-3")))

    table.next()

    assert (table.at, [(event.what, event.why) for event in of_kind(table.last, Skipped)]) == (
        "r2/party",
        [("Goblins", "none of them can act")],
    )


def test_where_nobody_at_all_can_act_the_clock_stops_after_a_round() -> None:
    """With everybody down the game master is not led on for ever."""
    table = duel()
    table.do(action("damage", amount=99, targets=("ada", "bo", "gog")))

    table.next()

    assert (table.state.clock.round, table.at) == (3, "r3/ada")


def test_a_ruleset_says_whom_it_skips() -> None:
    """An act of somebody stunned is skipped on arrival, by the rule that says so."""
    table = Table(segments.RULESET, encounter("segments"))
    table.do(action("declare", "bo", main="attack", targets=("goblin-1",)))
    table.hold(Effect("stunned", "bo", until=(At("round_end"),)))

    skipped = [entry for entry in table.next() if isinstance(entry.event, Skipped)]

    assert [(entry.event.why, entry.rules) for entry in skipped if isinstance(entry.event, Skipped)] == [
        ("Bo is stunned", ("G-05",))
    ]
    assert table.at == "r2/declare"


def test_a_surprise_round_is_fought_before_the_first() -> None:
    """Round 0 has its own start and end; who is surprised gets an empty turn in it."""
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
    """A slot put into a round that has ended is not walked; the newcomer has one in the next."""
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
    """Who comes later joins right after that edge, before the order is made."""
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
    """The ford rises when it was to rise."""
    fight = replace(
        encounter("sides"),
        reminders=(
            Reminder("the ford rises", "start of round 2"),
            Reminder("dusk", "end of round 1"),
            Reminder("always"),
        ),
    )
    table = Table(sides.RULESET, fight)

    entries = table.until(lambda state: state.clock.round == 2)

    assert [event.text for event in of_kind(entries, Noted)] == ["dusk", "the ford rises"]


# -- the end -----------------------------------------------------------------------------------------------------------


def test_the_end_of_the_fight_ends_what_lasts_so_long() -> None:
    """The closing slot follows, then nothing; `next` is refused there."""
    table = Table(phases.RULESET, encounter("phases"))
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


def test_a_hook_may_end_the_fight() -> None:
    """The question at the round's end, answered yes, ends the fight in the middle of the walk."""
    table = Table(phases.RULESET, encounter("phases"))
    table.do(action("damage", amount=9, targets=("goblin-1", "goblin-2", "goblin-3")))

    entries = table.until(lambda state: state.clock.at == "r1/slow" or state.clock.phase == "fast")
    entries = table.take(Step("advance"), {"round_end@r1/over": Chosen("yes")})

    assert (table.at, table.state.clock.over, len(of_kind(entries, FightEnded))) == ("end/form", True, 1)
    assert "round_start" not in edges(entries)


def test_closing_slots_end_like_others() -> None:
    """The form after the fight may be filled in there."""
    table = Table(phases.RULESET, encounter("phases"))
    table.do(action("damage", amount=5, targets=("ada",)))
    table.do(action("end_fight"))

    table.do(action("rest", wiped=3))

    assert table.state["ada"].hp == 6


def test_a_ruleset_without_slots_is_found_out() -> None:
    """A round must have something in it."""
    empty = replace(individual.RULESET, open_round=lambda ctx: None)

    with pytest.raises(RulesBug, match="round 1 has no slots"):
        duel(empty)


def test_a_clock_that_finds_nowhere_to_stop_is_found_out() -> None:
    """Rounds of passing slots only would never end."""
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
    """A slot lies ahead in a later round, or in this one if it is scheduled and has not begun."""
    table = duel()
    table.next()

    assert schedule.ahead(table.state, slot) is ahead


def test_nothing_lies_ahead_of_a_finished_fight() -> None:
    """After the end only closing slots that have not begun do."""
    table = Table(phases.RULESET, encounter("phases"))
    table.do(action("end_fight"))

    assert [schedule.ahead(table.state, slot) for slot in ("r1/fast", "r2/fast", "end/form", "end/other")] == [
        False,
        False,
        False,
        False,
    ]


def test_an_advance_done_again_goes_to_where_it_went() -> None:
    """With another order the same advance goes as far as its slot, however many stops lie between."""
    table = duel()
    table.do(action("move", slot="r1/gog", before=None))

    table.take(Step("advance", to="r1/gog"), {})

    assert table.at == "r1/gog"
    gone = run(table.ruleset, table.state, Step("advance", to="r1/bo"))
    assert getattr(gone, "reason", "") == "already_there"


def test_another_initiative_is_played_again_without_losing_an_edge() -> None:
    """With a die of the start put right, each advance goes where it went if that still lies ahead, else it falls away; all turns still come once."""
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


def test_nothing_is_left_due() -> None:
    """After every step, nothing waits to be ended."""
    table = Table(sides.RULESET, encounter("sides"))
    for _ in range(12):
        table.hold(
            Effect("bane", "ada", 0, "bo", (At("turn_start", "source"), At("round_end", count=2)), stacking="add")
        )
        table.next()
        assert table.state.due == ()


def test_a_boundary_nobody_waits_for_leaves_the_combatants_alone() -> None:
    """An edge without effects moves the clock's marks only."""
    table = duel()
    before: State = table.state

    table.within(lambda ctx: ctx.cross("turn_end", ("ada",)))

    assert table.state.combatants is before.combatants
    assert not of_kind(table.last, StatusChanged)
    assert not of_kind(table.last, EffectAdded)
