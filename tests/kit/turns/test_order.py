"""The order kept over rounds: newcomers, moves, delayed turns, and who is shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tests.kit import duel
from tests.support.common import block, member
from tracker.kit import Action, Boundary, Ctx, Id, Order, Ruleset, State, action, takes_turn
from tracker.testing.table import Table, edges


def rank(state: State, key: str) -> tuple[int, ...]:
    """Put the fastest first, and the fastest member's side."""
    if key.startswith("side:"):
        return (min(-block(one).speed for one in state.members(key.removeprefix("side:"))),)
    return (-block(state[key]).speed,)


def game(order: Order) -> Ruleset:
    """Return the duel with this order."""

    def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
        duel.join(ctx, newcomers)
        order.join(ctx, newcomers)

    actions = replace(duel.ACTIONS, types=(*duel.ACTIONS.types, *order.waiting("D-11")), gm=(order.gm_action(),))
    return duel.playing(actions, open_round=order.open_round, join=join, on_boundary=order.on_boundary)


SINGLE = Order(rank, rules=("D-1",))
SIDES = Order(rank, by="side")
BY_RANK = ["ada", "bo", "goblin-1", "goblin-2", "goblin-3"]


def table(order: Order = SINGLE) -> Table:
    """Open the fight, with Ada before Bo and three goblins."""
    return duel.table(game(order))


def shown(held: Table) -> list[str]:
    """Return the schedule: slots that are only shown in brackets, the current one marked."""
    clock = held.state.clock
    names = []
    for slot in clock.slots:
        name = slot.id.partition("/")[2]
        names.append(f"{name}*" if slot.id == clock.at else f"({name})" if slot.turns == "none" else name)
    return names


def order_of(held: Table, order: Order = SINGLE) -> list[str]:
    """Go on to the next round, and return its order."""
    number = held.state.clock.round
    held.until(lambda state: state.clock.round == number + 1)
    return list(order.kept(held.state))


def newcomer(held: Table, name: str, speed: int, side: str = "goblins") -> None:
    held.do(action("insert", members=(member(name, speed=speed),), side=side))


def test_rank_makes_the_first_order() -> None:
    """The lowest rank acts first, equals as they have joined."""
    held = table()

    assert (shown(held), held.state.clock.slots[0].side) == (["ada*", *BY_RANK[1:]], "party")


def test_order_stays_over_rounds_without_an_event() -> None:
    """An order that stays the same is not written again."""
    held = table()

    assert order_of(held) == BY_RANK
    held.within(SINGLE.keep)
    assert held.last == ()


@pytest.mark.parametrize("own", [True, False])
def test_a_move_by_the_gm_survives_into_later_rounds(own: bool) -> None:
    """Whether the kit's command or core's moves a slot, the next rounds keep it."""
    ruleset = game(SINGLE)
    if not own:
        ruleset = replace(ruleset, form=duel.ACTIONS.form, perform=duel.ACTIONS.perform)
    held = duel.table(ruleset)

    held.do(action("move", slot="r1/goblin-3", before="r1/bo"))

    moved = ["ada", "goblin-3", "bo", "goblin-1", "goblin-2"]
    assert (order_of(held), order_of(held)) == (moved, moved)


def test_moves_to_the_end_and_nowhere() -> None:
    """Without a place a slot goes to the end, before itself nowhere."""
    held = table()
    held.do(action("move", slot="r1/bo", before="r1/bo"))
    before = shown(held)

    held.do(action("move", slot="r1/bo"))

    assert (before, shown(held)) == (["ada*", *BY_RANK[1:]], ["ada*", "goblin-1", "goblin-2", "goblin-3", "bo"])


def test_who_leaves_is_left_out() -> None:
    """The order goes on without a combatant that has left."""
    held = table()
    held.do(action("remove", targets=("bo",)))

    assert order_of(held) == ["ada", "goblin-1", "goblin-2", "goblin-3"]


def test_newcomers_whose_place_is_to_come_act_in_this_round() -> None:
    """A newcomer stands where its rank puts it."""
    held = table()

    newcomer(held, "Imp", 2)
    newcomer(held, "Owl", 0)

    assert shown(held) == ["ada*", "imp", "bo", "goblin-1", "goblin-2", "goblin-3", "owl"]


def test_newcomers_whose_place_has_passed_wait_for_the_next_round() -> None:
    """They are shown without a turn, and act there from the next round on."""
    held = table()
    held.next()

    newcomer(held, "Wolf", 9)

    assert shown(held) == ["(wolf)", "ada", "bo*", "goblin-1", "goblin-2", "goblin-3"]
    passed = held.until(lambda state: state.clock.round == 2)
    assert [edge for edge in edges(passed, of="wolf") if edge.startswith("turn")] == [
        "turn_start wolf",
        "turn_end wolf",
        "turn_start wolf",
    ]
    assert held.at == "r2/wolf"


def test_newcomers_may_act_at_once() -> None:
    """Where the game says so, those whose place has passed come next, in their order."""
    held = table(replace(SINGLE, late="now"))
    held.next(2)

    held.do(action("insert", members=(member("Fox", speed=7), member("Wolf", speed=9)), side="goblins"))

    assert shown(held) == ["ada", "bo", "goblin-1*", "wolf", "fox", "goblin-2", "goblin-3"]


def test_the_gm_gives_a_turn_to_one_that_is_only_shown() -> None:
    """A latecomer that is moved in the order acts there."""
    held = table()
    held.next()
    newcomer(held, "Wolf", 9)

    held.do(action("move", slot="r1/wolf", before="r1/goblin-1"))
    held.next()

    assert (held.at, order_of(held)[:3]) == ("r1/wolf", ["ada", "bo", "wolf"])


def test_a_turn_that_is_not_taken_can_be_told() -> None:
    """The empty turn before a round's end belongs to no slot."""
    held = table()
    held.next()
    newcomer(held, "Wolf", 9)
    seen: list[Boundary] = []
    entries = held.until(lambda state: state.clock.round == 2)
    for entry in entries:
        boundary = getattr(entry.event, "boundary", None)
        if boundary is not None and "wolf" in boundary.actors and boundary.edge == "turn_start":
            seen.append(boundary)

    assert [takes_turn(boundary) for boundary in seen] == [False, True]


def test_put_before_one_to_come() -> None:
    """A combatant put before another acts before it from now on."""
    held = table()

    held.within(lambda ctx: SINGLE.put(ctx, "goblin-2", "bo", "D-9"))

    assert (shown(held), {entry.rules for entry in held.last}) == (
        ["ada*", "goblin-2", "bo", "goblin-1", "goblin-3"],
        {("D-9",)},
    )
    assert order_of(held) == ["ada", "goblin-2", "bo", "goblin-1", "goblin-3"]


def test_put_before_the_current_one_costs_the_turn_of_this_round() -> None:
    """A combatant that falls before its turn acts before the other in the next round."""
    held = table()
    held.next()

    held.within(lambda ctx: SINGLE.put(ctx, "goblin-2", "bo"))

    assert shown(held) == ["ada", "(goblin-2)", "bo*", "goblin-1", "goblin-3"]
    starts = edges(held.until(lambda state: state.clock.round == 2), of="goblin-2", starting_with="turn")
    assert starts == ["turn_start goblin-2", "turn_end goblin-2"]  # the empty turn
    assert order_of(held) == ["ada", "goblin-2", "bo", "goblin-1", "goblin-3"]


def test_put_one_that_has_acted() -> None:
    """A turn that has been taken stays taken, so only later rounds change."""
    held = table()
    held.next(2)

    held.within(lambda ctx: SINGLE.put(ctx, "ada", "goblin-1"))
    held.within(lambda ctx: SINGLE.put(ctx, "bo"))
    held.within(lambda ctx: SINGLE.put(ctx, "bo", "bo"))

    assert order_of(held) == ["ada", "goblin-1", "goblin-2", "goblin-3", "bo"]


def delaying() -> Table:
    """Let Ada delay and the clock go on to Bo."""
    held = table()

    def delay(ctx: Ctx) -> None:
        SINGLE.delay(ctx, "ada", "D-9")
        ctx.walk()

    held.within(delay)
    return held


def test_who_delays_is_shown_and_acts_when_it_comes_back() -> None:
    """The turn starts once, ends where it is taken, and stays at that place."""
    held = delaying()
    waiting = shown(held), SINGLE.delays(held.state, "ada"), held.at
    held.next()

    held.within(lambda ctx: SINGLE.come_back(ctx, "ada"))
    back = shown(held), SINGLE.delays(held.state, "ada")
    entries = held.next(2)

    assert waiting == (["ada", "bo*", "goblin-1", "goblin-2", "goblin-3", "ada/waits"], True, "r1/bo")
    assert back == (["ada", "bo", "goblin-1*", "ada/back", "goblin-2", "goblin-3"], False)
    assert edges(entries, of="ada", starting_with="turn") == ["turn_end ada"]
    assert order_of(held) == ["bo", "goblin-1", "ada", "goblin-2", "goblin-3"]


def test_who_never_comes_back_loses_the_turn_and_keeps_the_place() -> None:
    """A delayed turn ends with the round, as a turn of its own slot."""
    held = delaying()

    entries = held.until(lambda state: state.clock.round == 2)

    ends = [
        entry.event.boundary.slot
        for entry in entries
        if getattr(entry.event, "boundary", Boundary("round_end", 0)).edge == "turn_end"
        and "ada" in getattr(entry.event, "boundary").actors  # noqa: B009 - of an event of any kind
    ]
    assert (ends, held.at) == (["r1/ada/waits"], "r2/ada")


def test_delaying_again_in_the_turn_one_came_back_to() -> None:
    """A turn may be given up twice in a round."""
    held = delaying()
    held.within(lambda ctx: SINGLE.come_back(ctx, "ada"))
    held.next()

    held.within(lambda ctx: SINGLE.delay(ctx, "ada"))
    held.within(lambda ctx: SINGLE.come_back(ctx, "ada"))
    held.next()

    assert held.at == "r1/ada/back-2"


def test_delaying_and_coming_back_are_deeds() -> None:
    """An untouched turn can be given up, and only then taken later."""
    held = table()

    held.do(Action("delay", "ada"))
    at, offered = held.at, [spec.key for spec in held.ruleset.actions(held.state, "ada")]
    held.do(Action("come_back", "ada"))
    held.next()

    assert (at, "come_back" in offered, held.at) == ("r1/bo", True, "r1/ada/back")


@pytest.mark.parametrize(
    ("wanted", "reason", "rule"),
    [
        (Action("delay", "ada"), "turn_begun", "D-11"),
        (Action("come_back", "ada"), "not_delayed", "D-11"),
        (Action("delay", "bo"), "not_your_turn", "D-11"),
    ],
)
def test_delaying_is_refused_in_a_turn_that_has_begun(wanted: Action, reason: str, rule: str) -> None:
    """Who has acted cannot give up the turn any more."""
    held = table()
    held.do(Action("step", "ada"))

    spec = held.ruleset.form(held.state, wanted)

    assert spec is not None
    assert spec.refusal is not None
    assert (spec.refusal.reason, spec.refusal.rule) == (reason, rule)


@pytest.mark.parametrize(
    "work",
    [
        lambda ctx: SINGLE.delay(ctx, "bo"),
        lambda ctx: SINGLE.come_back(ctx, "bo"),
        lambda ctx: SINGLE.come_back(ctx, "ada"),
    ],
)
def test_only_ones_own_turn_can_be_delayed(work: Callable[[Ctx], None]) -> None:
    """Out of turn, and without having delayed, nothing happens."""
    held = table()

    assert held.within(work) == ()


def test_sides_act_together() -> None:
    """One slot for each side, in the order of their best."""
    held = table(SIDES)

    assert [(slot.id, slot.members) for slot in held.state.clock.slots] == [
        ("r1/party", ("ada", "bo")),
        ("r1/goblins", ("goblin-1", "goblin-2", "goblin-3")),
    ]


def test_newcomers_act_with_their_side() -> None:
    """They join the slot of their side, and a new side comes last."""
    held = table(SIDES)

    newcomer(held, "Wolf", 9)
    newcomer(held, "Troll", 0, "Trolls")

    assert [slot.members for slot in held.state.clock.slots] == [
        ("ada", "bo"),
        ("goblin-1", "goblin-2", "goblin-3", "wolf"),
        ("troll",),
    ]
    assert order_of(held, SIDES) == ["side:party", "side:goblins", "side:trolls"]


def test_a_side_moved_by_the_gm_stays_there() -> None:
    """Sides keep their order as combatants do, also when a member delays."""
    held = table(SIDES)
    held.within(lambda ctx: SIDES.delay(ctx, "bo"))
    held.next()
    held.within(lambda ctx: SIDES.come_back(ctx, "bo"))
    held.next()
    at = held.at

    held.within(lambda ctx: SIDES.put(ctx, "goblin-1", "ada"))

    assert (at, order_of(held, SIDES)) == ("r1/bo/back", ["side:goblins", "side:party"])


def test_a_fight_without_anybody_has_an_order() -> None:
    """A round without a combatant has one slot for nobody."""
    held = table()
    held.do(action("remove", targets=tuple(BY_RANK)))

    held.until(lambda state: state.clock.round == 2)

    assert shown(held) == ["nobody*"]
