"""When effects end: the first edge of their anchor, whatever becomes of it."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from tests.core.clock.tables import ORDER, duel
from tests.support import declared, individual, segments, sides
from tests.support.common import encounter, member
from tests.support.tables import for_each
from tracker.core.fight.events import EffectChanged, EffectEnded, SlotReached
from tracker.core.terms.actions import action
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.testing.table import Table, of_kind

SIDE = {"ada": "party", "bo": "party", "gog": "goblins"}


ANCHORS = ("bearer", "source", "bearer_side", "source_side", "acting_side", "any")


EDGES = ("turn_start", "turn_end", "phase_start", "phase_end")


def expected(edge: str, anchor: str, now: int, bearer: str, source: str) -> str:
    """Return where an effect made in the `now`-th slot must end. Worked out from the order alone."""
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


@for_each(("edge", "anchor"), list(product(EDGES, ANCHORS)))
def test_an_effect_ends_at_the_first_edge_of_its_anchor(edge: str, anchor: str) -> None:
    """An effect ends at the next such edge of its anchor."""
    for now, bearer, source in product(range(3), ORDER, ORDER):
        table = duel()
        table.next(now)
        number = table.hold(Effect("bane", bearer, 0, source, (At(edge, anchor),)))  # type: ignore[arg-type]  # a name

        assert table.ending(number) == expected(edge, anchor, now, bearer, source), (now, bearer, source)


@for_each(("edge", "count"), list(product(EDGES, (1, 2, 3))))
def test_a_count_is_so_many_edges(edge: str, count: int) -> None:
    """The second edge is a round after the first."""
    table = duel()
    number = table.hold(Effect("bane", "bo", 0, "gog", (At(edge, "bearer", count),)))  # type: ignore[arg-type]  # a name

    assert table.ending(number) == f"{edge} r{count}/bo"


@pytest.mark.parametrize(
    ("end", "ending"), [(At("round_end", "bearer"), "round_end r1"), (At("round_start", "source"), "round_start r2")]
)
def test_the_rounds_edges_are_everybodys(end: At, ending: str) -> None:
    """An end at a round's edge is reached with any anchor."""
    table = duel()

    assert table.ending(table.hold(Effect("bane", "ada", 0, "gog", (end,)))) == ending


def test_nobody_alone() -> None:
    """The only combatant of a fight has all edges."""
    table = Table(individual.RULESET, encounter("individual", party=(member("Ada"),), foes=(member("Gog", "0"),)))
    endings = [table.ending(table.hold(Effect("bane", "ada", until=(At(edge, "bearer"),)))) for edge in EDGES]  # type: ignore[arg-type]  # a name

    assert endings == ["turn_start r2/ada", "turn_end r2/ada", "phase_start r4/ada", "phase_end r4/ada"]


@pytest.mark.parametrize("edge", EDGES)
def test_an_anchor_that_is_down_still_has_its_edges(edge: str) -> None:
    """The edges of a combatant that cannot act are crossed without a stop."""
    table = duel()
    number = table.hold(Effect("bane", "bo", 0, "gog", (At(edge, "source"),)))  # type: ignore[arg-type]  # a name
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
    """When an anchor leaves, its side's edges count, or the round's."""
    table = duel()
    table.next()  # to Gog, who bears it
    number = table.hold(Effect("bane", "gog", 0, "ada", (At(edge, "source"),)))  # type: ignore[arg-type]  # a name
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
    """The anchor is the side at the time when the effect is added."""
    table = Table(sides.RULESET, encounter("sides"), {"initiative:party": 8, "initiative:goblins": 2})
    number = table.hold(Effect("bane", "ada", until=(At("phase_start", "bearer_side"),)))
    table.do(action("side", who="ada", side="goblins"))

    assert table.ending(number) == "phase_start r2/party"


def test_a_side_without_a_slot_has_an_empty_phase_where_somebody_waits() -> None:
    """An effect that waits for a side's phase ends although the side has no combatant."""
    table = Table(individual.RULESET, encounter("individual", party=(member("Ada"),), foes=(member("Gog"),)))
    number = table.hold(Effect("bane", "ada", until=(At("phase_start", "bearer_side"),)))
    table.do(action("side", who="ada", side="goblins"))

    assert table.ending(number) == "phase_start r2"
    assert table.ending(table.hold(Effect("bane", "ada", until=(At("phase_end", "side:party"),)))) == "phase_end r3"


def test_a_re_rolled_order_loses_no_edge() -> None:
    """An effect for two rounds counts its phase twice in a new order."""
    table = Table(declared.RULESET, encounter("declared"))
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
    table = Table(declared.RULESET, encounter("declared"))
    table.until(lambda state: state.clock.phase == "monsters")
    table.do(action("start_turn", "goblin-1"))
    table.do(action("poison", "goblin-1", target="ada", rounds=2))

    assert table.ending(table.state.serial) == "phase_start r3/monsters"


def test_an_end_on_a_segment() -> None:
    """An effect that waits for a segment ends when the segment starts."""
    table = Table(segments.RULESET, encounter("segments"))
    number = table.hold(Effect("glow", "bo", until=(At("segment_start", "any", 1, segment=5),)))

    assert table.ending(number) == "segment_start r1/5/ends"


def test_an_effect_born_at_an_edge_does_not_count_it() -> None:
    """An effect that a hook adds at the round's start does not end at that start."""
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
