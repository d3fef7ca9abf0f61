"""The clock: it goes through the slots of a round and crosses the edges between them.

1. Only edges that change are crossed, in this order: turn, segment, phase and round end; round start, then the new
schedule; phase, segment and turn start.
2. At a start, due effects end first and the ruleset's hook runs after; at an end, the hook runs first.
3. Each combatant has each edge once a round: a second slot gives no second turn; a combatant without a slot gets an
empty turn before the round ends. A slot in which no member can act is passed through.
4. Slots that have not begun may be reordered at any time; slots that have begun stay. Slots are found by id.
"""

from __future__ import annotations

from collections.abc import Callable

from tracker.core.clock import joining, schedule
from tracker.core.fight.events import BoundaryCrossed, FightEnded, Noted, SlotReached, TurnOpened
from tracker.core.fight.places import slot_at
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx, TurnEdge
from tracker.core.terms.errors import Absent, RulesBug
from tracker.core.terms.moments import (
    Boundary,
    NamedRound,
    RoundEdge,
    named_place,
    named_round,
    side_anchor,
    who_anchor,
)

MOST_SLOTS = 5_000


def advance(ctx: Ctx, game: Ruleset) -> None:
    """Leave the current slot and go on to the next stop, if there is one.

    A call from within itself (a hook that ends the fight) does nothing: the outer call goes on.
    """
    if ctx.walking:
        return
    ctx.walking = True
    try:
        _advance(ctx, game)
    except Absent as absent:  # a hook that stops half-way would leave the clock between two edges
        raise RulesBug(absent.message) from absent
    finally:
        ctx.walking = False


def _advance(ctx: Ctx, game: Ruleset) -> None:
    rounds = 0
    for _ in range(MOST_SLOTS):
        _leave(ctx, game)
        following = schedule.following(ctx.state)
        if following is None:
            if ctx.state.clock.over:
                return
            rounds += not ctx.state.clock.in_round
            _turn_the_round(ctx, game)
        elif following.stage == "round" and not ctx.state.clock.in_round:
            _round_start(ctx, game, ctx.state.clock.round)
        else:
            _enter(ctx, game, following)
            # If no combatant can act, one whole round is skipped; then the clock stops for the GM.
            if _stops(ctx, game, skipping=rounds < 2):
                return
    raise RulesBug("the clock finds nowhere to stop")


def _stops(ctx: Ctx, game: Ruleset, skipping: bool) -> bool:
    """Tell whether the clock stops in its slot, and log a stop that is skipped."""
    slot = ctx.state.clock.current
    if slot is None or not slot.stop or (ctx.state.clock.over and slot.stage != "closing"):
        return False
    if not skipping:
        return True
    refusal = schedule.why_skipped(game, ctx.state, slot)
    if refusal is not None and refusal.text:
        rules = (refusal.rule,) if refusal.rule else ()
        ctx.skip(slot.title, refusal.text, *rules, who=slot.members[0] if len(slot.members) == 1 else None)
    return refusal is None


def _turn_the_round(ctx: Ctx, game: Ruleset) -> None:
    """End the round that is running, or start the next one."""
    number = ctx.state.clock.round
    if not ctx.state.clock.in_round:
        _round_start(ctx, game, number + 1)
        return
    _end_turns(ctx, game, tuple(combatant.id for combatant in ctx.state.combatants), None)
    _empty_phase(ctx, game)
    if not ctx.state.clock.over:
        cross(ctx, game, Boundary("round_end", number, seconds=game.schema.round_seconds))
    if not ctx.state.clock.over:
        _arrivals_in_round(ctx, game, NamedRound(number, "end"))


def _round_start(ctx: Ctx, game: Ruleset, number: int) -> None:
    fresh = number != ctx.state.clock.round
    cross(ctx, game, Boundary("round_start", number))
    if fresh and not ctx.state.clock.over:
        _arrivals_in_round(ctx, game, NamedRound(number))
    if fresh and not ctx.state.clock.over:
        with ctx.scope(f"r{number}"):
            game.open_round(ctx)
        if not any(slot.stage == "round" for slot in ctx.state.clock.slots):
            raise RulesBug(f"round {number} has no slots")


def _end_turns(ctx: Ctx, game: Ruleset, members: tuple[Id, ...], slot: Slot | None) -> None:
    """End the turns that are still open in this round; a combatant without a turn gets an empty one."""
    missing = _without(members, ctx.state.clock.turned)
    if missing:
        cross(ctx, game, schedule.turn_edge(ctx.state, "turn_start", slot, missing), late=True)
    idle = _without(tuple(member for member in members if member in ctx.state), ctx.state.clock.acted)
    if idle:
        cross(ctx, game, schedule.turn_edge(ctx.state, "turn_end", slot, idle))


def _without(members: tuple[Id, ...], others: tuple[Id, ...]) -> tuple[Id, ...]:
    excepted = set(others)
    return tuple([member for member in members if member not in excepted])


def _empty_phase(ctx: Ctx, game: Ruleset) -> None:
    """Cross the edges of an empty phase for combatants and sides without a slot, if an effect waits for them."""
    state = ctx.state
    slots = [slot for slot in state.clock.slots if slot.stage == "round"]
    present = {member for slot in slots for member in slot.members}
    sides = {slot.side for slot in slots if slot.side} | {
        state[member].side for slot in slots if not slot.side for member in slot.members
    }
    absent = tuple(combatant.id for combatant in state.combatants if combatant.id not in present)
    missing = tuple(side.id for side in state.sides if side.id not in sides)
    anchors = {*map(who_anchor, absent), *map(side_anchor, missing)}
    if any(edge in ("phase_start", "phase_end") and anchor in anchors for edge, anchor in state.waiting):
        for edge in ("phase_start", "phase_end"):
            actors = tuple(who for who in absent if who in ctx.state)
            cross(ctx, game, Boundary(edge, state.clock.round, actors=actors, sides=missing))


def _arrivals_in_round(ctx: Ctx, game: Ruleset, moment: NamedRound) -> None:
    _arrivals(ctx, game, moment.short.replace(" ", "-"), lambda when: named_round(when) == moment)


def _arrivals_at(ctx: Ctx, game: Ruleset, slot: Slot, edge: RoundEdge) -> None:
    _arrivals(ctx, game, f"{slot.id}:{edge}", lambda when: _is_at(ctx.state, when, slot, edge))


def _arrivals(ctx: Ctx, game: Ruleset, key: str, due: Callable[[str], bool]) -> None:
    """Log the reminders and let the waves join whose `when` is due."""
    for reminder in ctx.state.reminders:
        if due(reminder.when):
            ctx.emit(Noted(reminder.text))
    for number, wave in enumerate(ctx.state.waves, start=1):
        if due(wave.when):
            joining.admit_wave(ctx, game, wave, f"wave:{key}:{number}")


def _is_at(state: State, when: str, slot: Slot, edge: RoundEdge) -> bool:
    place = named_place(when)
    named = slot_at(state, place) if place is not None and place.edge == edge else None
    return named is not None and named.id == slot.id


def _enter(ctx: Ctx, game: Ruleset, slot: Slot) -> None:
    before = schedule.last_begun(ctx.state)
    ctx.emit(SlotReached(ctx.state.clock.at, slot.id))
    _arrivals_at(ctx, game, slot, "start")
    changed = before is None or before.stage != slot.stage
    if changed or (before is not None and before.phase != slot.phase):
        cross(ctx, game, schedule.edge_of(ctx.state, "phase_start", slot))
    if slot.segment is not None and (changed or (before is not None and before.segment != slot.segment)):
        cross(ctx, game, schedule.edge_of(ctx.state, "segment_start", slot))
    members = _without(schedule.members_of(ctx.state, slot), ctx.state.clock.turned) if slot.turns == "shared" else ()
    if members:
        cross(ctx, game, schedule.turn_edge(ctx.state, "turn_start", slot, members))


def _leave(ctx: Ctx, game: Ruleset) -> None:
    """End the current slot: cross the turn edges that are still missing, then the edges that change."""
    slot = ctx.state.clock.current
    if slot is None:
        return
    if slot.turns != "none":
        _end_turns(ctx, game, schedule.members_of(ctx.state, slot), slot)
    slot = ctx.state.clock.current or slot
    _arrivals_at(ctx, game, slot, "end")
    following = schedule.following(ctx.state)
    if slot.segment is not None and (
        following is None or following.segment != slot.segment or following.stage != slot.stage
    ):
        cross(ctx, game, schedule.edge_of(ctx.state, "segment_end", slot))
    following = schedule.following(ctx.state)
    if following is None or following.phase != slot.phase or following.stage != slot.stage:
        cross(ctx, game, schedule.edge_of(ctx.state, "phase_end", slot))
    ctx.emit(SlotReached(slot.id, None))


def cross(ctx: Ctx, game: Ruleset, boundary: Boundary, late: bool = False) -> None:
    """Cross one edge: count down, then end due effects and call the hook, in the order of the edge.

    `late`: the turn starts only when its slot is left, so its requests need keys of their own.
    """
    ctx.emit(BoundaryCrossed(boundary))
    place = boundary.slot or f"r{boundary.round}"
    whose = f":{boundary.actors[0]}" if boundary.edge.startswith("turn") and len(boundary.actors) == 1 else ""
    with ctx.scope(f"{boundary.edge}@{place}{whose}{'+' if late else ''}"):
        entries_before = len(ctx.entries)
        try:
            if boundary.edge.endswith("start"):
                ctx.expire()
                game.on_boundary(ctx, boundary)
            else:
                game.on_boundary(ctx, boundary)
                ctx.expire()
        except Absent as absent:  # a hook may not stop half-way
            raise RulesBug(absent.message) from absent
        if len(ctx.entries) > entries_before:
            ctx.settle()


def end_fight(ctx: Ctx, game: Ruleset, reason: str, *rules: str) -> None:
    """End the fight: cross its last edge and open the closing slots, if the game has any."""
    ctx.emit(FightEnded(reason), *rules)
    cross(ctx, game, Boundary("combat_end", ctx.state.clock.round))
    with ctx.scope("close"):
        game.close_fight(ctx)


def pass_turn_edge(ctx: Ctx, game: Ruleset, who: Id, edge: TurnEdge, *rules: str) -> bool:
    """Begin or end a turn by a step; return whether its edge is crossed now, which happens once in a round."""
    clock, slot = ctx.state.clock, ctx.state.clock.current
    if edge == "turn_start":
        ctx.emit(TurnOpened(clock.acting, who), *rules)
    elif clock.acting == who:
        ctx.emit(TurnOpened(who, None), *rules)
    if who in (clock.turned if edge == "turn_start" else clock.acted):
        return False
    cross(ctx, game, schedule.turn_edge(ctx.state, edge, slot, (who,)))
    return True
