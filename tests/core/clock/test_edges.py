"""The edges between slots: their order, and that every promised one comes once."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from tests.core.clock.tables import duel
from tests.support import declared, individual, segments, sides
from tests.support.common import encounter, member
from tracker.core.fight.events import BoundaryCrossed, OrderSet
from tracker.core.fight.slots import Slot
from tracker.core.terms.actions import action
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.testing.table import Table, edges, of_kind

GAMES = {game.RULESET.key: game.RULESET for game in (sides, individual, declared, segments)}


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
    """Slots of one segment share its edges. Slots without a stop cross their edges too; all are in one phase."""
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
    """Neighbouring slots of one phase share one start and one end."""
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
    """Two slots of one phase after the round share its edges. The second slot only passes."""
    table = Table(declared.RULESET, encounter("declared"))

    passed = edges(table.until(lambda state: state.clock.round == 2), starting_with="phase")

    assert passed[-4:-1] == ["phase_end", "phase_start", "phase_end"]
    assert passed[-1] == "phase_start ada+bo"


def test_at_a_start_what_is_due_ends_before_the_hook_and_at_an_end_after_it() -> None:
    """The hook runs before due effects end."""
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
    """At the round's end, bleeding comes first, then expiry, then morale."""
    table = Table(sides.RULESET, replace(encounter("sides"), house_rules=sides.Switches(morale=True)))
    table.hold(Effect("bleeding", "ada", until=(At("round_end"),)))

    entries = table.next(2)

    kinds = [type(entry.event).__name__ for entry in entries]
    assert kinds.index("PoolChanged") < kinds.index("EffectEnded") < kinds.index("Decided")


# -- every promised edge, once -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["sides", "individual", "declared"])
def test_every_side_has_its_phase_once_a_round(key: str) -> None:
    """A side's edges are crossed once a round, with the start of its first slot and the end of its last."""
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


def declaring() -> Table:
    """Return a fight in the phase in which Ada and Bo declare their turns."""
    table = Table(declared.RULESET, encounter("declared"))
    table.next(**{"speed:ada": 1, "speed:bo": 1})
    return table


def test_whoever_opened_no_turn_gets_an_empty_one() -> None:
    """When the phase closes, only combatants without a turn start and end one."""
    table = declaring()
    table.do(action("start_turn", "bo"))
    table.do(action("end_turn", "bo"))

    assert edges(table.next(), starting_with="turn") == ["turn_start ada", "turn_end ada"]


def test_a_turn_left_open_ends_with_its_slot() -> None:
    """Going on over an open turn ends it without starting it again."""
    table = declaring()
    table.do(action("start_turn", "bo"))

    assert edges(table.do(action("next")), starting_with="turn")[:3] == ["turn_start ada", "turn_end ada+bo"]


def test_a_second_slot_is_no_second_turn() -> None:
    """A combatant who delays acts in a later slot of the round. The edges of the turn have passed."""
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
    """A newcomer in a running slot starts late and ends with the others."""
    table = Table(sides.RULESET, encounter("sides"))
    table.do(action("insert", members=(member("Cy"),), side="party"))

    assert edges(table.next(), of="cy", starting_with="turn") == ["turn_start cy", "turn_end ada+bo+cy"]


def test_a_newcomer_without_a_slot_has_a_turn_at_the_rounds_end() -> None:
    """A newcomer too late for a slot still has an empty turn that round."""
    table = Table(declared.RULESET, encounter("declared"))
    table.next(**{"speed:ada": 1, "speed:bo": 20})
    table.until(lambda state: state.clock.at == "r1/slow")
    table.do(action("insert", members=(member("Cy"),), side="party"))

    passed = edges(table.next())

    assert [edge for edge in passed if "cy" in edge][:2] == ["turn_start cy", "turn_end cy"]
    assert passed.index("turn_end cy") < passed.index("round_end")
