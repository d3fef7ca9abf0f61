"""The clock: it walks the schedule of a round and passes the edges between its slots.

1. Only edges that change are passed: turn, segment, phase, round end; round start, then the new schedule; phase, segment, turn start.
2. At a start what is due ends first and the ruleset's hook comes after; at an end the hook comes first.
3. Every promised edge comes: whoever had no turn in a round gets an empty one before it ends; slots without anybody able still pass.
4. What has not begun may be reordered at any time; what has begun stays begun. Nothing is found by its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tracker.core import joining
from tracker.core.effects import Effect
from tracker.core.errors import RulesBug
from tracker.core.events import BoundaryCrossed, EffectChanged, Noted, SlotReached, WaveArrived
from tracker.core.moments import At, Boundary, Edge, OnUse, side_anchor, who_anchor
from tracker.core.state import Id, Slot, State

if TYPE_CHECKING:
    from tracker.core.ctx import Ctx

__all__ = ["ahead", "cross", "end_fight", "reanchor", "walk"]

MOST_SLOTS = 5_000
_ROUND = re.compile(r"r(\d+)/")


def ahead(state: State, slot: Id) -> bool:
    """Tell whether a slot still lies ahead: in a later round, or not begun in this one."""
    match = _ROUND.match(slot)
    clock = state.clock
    if match is None:
        return slot not in clock.begun and (not clock.over or any(item.id == slot for item in clock.upcoming))
    number = int(match[1])
    if clock.over:
        return False
    if number != clock.round:
        return number > clock.round
    return slot not in clock.begun and any(item.id == slot for item in clock.upcoming)


def walk(ctx: Ctx) -> None:
    """Leave the current slot and go on to the next one at which the clock stops; stay put where nothing is left."""
    for _ in range(MOST_SLOTS):
        _leave(ctx)
        following = _following(ctx.state)
        if following is None:
            if ctx.state.clock.over:
                return
            _turn_the_round(ctx)
            continue
        if following.stage == "round" and not ctx.state.clock.in_round:
            _round_start(ctx, ctx.state.clock.round)
            continue
        _enter(ctx, following)
        if following.stop:
            return
    raise RulesBug("the clock finds nowhere to stop")


def _following(state: State) -> Slot | None:
    """Return the next slot of this schedule, or None where the round is used up."""
    clock = state.clock
    upcoming = clock.upcoming
    if clock.over:
        return next((slot for slot in upcoming if slot.stage == "closing"), None)
    for stage in ("opening", "round"):
        for slot in upcoming:
            if slot.stage == stage:
                return slot
    if clock.in_round:
        return None
    return next((slot for slot in upcoming if slot.stage == "between"), None)


def _turn_the_round(ctx: Ctx) -> None:
    """End the round that is running, or start the next one."""
    clock = ctx.state.clock
    if not clock.in_round:
        _round_start(ctx, clock.round + 1)
        return
    missing = tuple(combatant.id for combatant in ctx.state.combatants if combatant.id not in set(clock.turned))
    if missing:
        cross(ctx, Boundary("turn_start", clock.round, actors=missing))
        cross(ctx, Boundary("turn_end", clock.round, actors=missing))
    cross(ctx, Boundary("round_end", clock.round, seconds=ctx.ruleset.schema.round_seconds))
    _arrivals(ctx, f"end of round {clock.round}")


def _round_start(ctx: Ctx, number: int) -> None:
    fresh = number != ctx.state.clock.round or not any(slot.stage == "round" for slot in ctx.state.clock.upcoming)
    cross(ctx, Boundary("round_start", number))
    if fresh and not ctx.state.clock.over:
        _arrivals(ctx, f"round {number}")
        with ctx.scope(f"r{number}"):
            ctx.ruleset.open_round(ctx)
        if not any(slot.stage == "round" for slot in ctx.state.clock.slots):
            raise RulesBug(f"round {number} has no slots")


def _arrivals(ctx: Ctx, moment: str) -> None:
    """Bring in the waves whose moment this is, and say the reminders."""
    for reminder in ctx.state.reminders:
        if _is_moment(reminder.when, moment):
            ctx.emit(Noted(reminder.text))
    for place, wave in enumerate(ctx.state.waves, start=1):
        if _is_moment(wave.when, moment):
            ctx.emit(WaveArrived(wave))
            with ctx.scope(f"wave:{moment.replace(' ', '-')}:{place}"):
                joining.admit(ctx, {wave.side: wave.members})


def _is_moment(when: str, moment: str) -> bool:
    words = when.casefold().split()
    if words[:2] == ["start", "of"]:
        words = words[2:]
    return " ".join(words) == moment


def _enter(ctx: Ctx, slot: Slot) -> None:
    state = ctx.state
    before = _last_begun(state)
    ctx.emit(SlotReached(state.clock.at, slot.id))
    actors, sides = slot.members, _sides(ctx.state, slot, first=True)
    if before is None or before.phase != slot.phase or before.stage != slot.stage:
        cross(ctx, _edge(ctx.state, "phase_start", slot, actors, sides))
    if slot.segment is not None and (before is None or before.segment != slot.segment):
        cross(ctx, _edge(ctx.state, "segment_start", slot, actors, sides))
    if slot.turns == "shared" and slot.members:
        cross(ctx, _edge(ctx.state, "turn_start", slot, _members(ctx.state, slot), sides))


def _leave(ctx: Ctx) -> None:
    """End the current slot: turns that were not taken, then the edges that change."""
    slot = ctx.state.clock.current
    if slot is None:
        return
    if slot.turns == "opened":
        idle = tuple(member for member in _members(ctx.state, slot) if member not in ctx.state.clock.acted)
        if idle:
            cross(ctx, _edge(ctx.state, "turn_start", slot, idle, ()))
            cross(ctx, _edge(ctx.state, "turn_end", slot, idle, ()))
    elif slot.turns == "shared" and slot.members:
        cross(ctx, _edge(ctx.state, "turn_end", slot, _members(ctx.state, slot), _sides(ctx.state, slot, first=False)))
    slot = ctx.state.clock.current or slot
    following = _following(ctx.state)
    sides = _sides(ctx.state, slot, first=False)
    if slot.segment is not None and (following is None or following.segment != slot.segment):
        cross(ctx, _edge(ctx.state, "segment_end", slot, slot.members, sides))
    following = _following(ctx.state)
    if following is None or following.phase != slot.phase or following.stage != slot.stage:
        cross(ctx, _edge(ctx.state, "phase_end", slot, slot.members, sides))
    ctx.emit(SlotReached(slot.id, None))


def _edge(state: State, edge: Edge, slot: Slot, actors: Sequence[Id], sides: Sequence[Id]) -> Boundary:
    return Boundary(edge, state.clock.round, slot.phase, slot.segment, slot.id, tuple(actors), tuple(sides))


def _members(state: State, slot: Slot) -> tuple[Id, ...]:
    """Return a slot's members as the schedule has them now."""
    current = state.clock.slot(slot.id)
    return tuple(member for member in (current or slot).members if member in state)


def _last_begun(state: State) -> Slot | None:
    clock = state.clock
    return clock.slot(clock.begun[-1]) if clock.begun and (clock.in_round or not clock.round) else None


def _sides(state: State, slot: Slot, first: bool) -> tuple[Id, ...]:
    """Return the sides for which this slot is the first (the last) of the round, so that a side's edge comes once a round."""
    own = [slot.side] if slot.side else list(dict.fromkeys(state[member].side for member in slot.members if member in state))
    begun = set(state.clock.begun)
    others = [item for item in state.clock.slots if item.id != slot.id and item.stage == slot.stage and (item.id in begun) == first]
    taken = {item.side for item in others if item.side} | {state[member].side for item in others if not item.side for member in item.members if member in state}
    return tuple(side for side in own if side not in taken)


def cross(ctx: Ctx, boundary: Boundary) -> None:
    """Pass one edge: count down, then end what is due and call the ruleset's hook, in the order of the edge."""
    ctx.emit(BoundaryCrossed(boundary))
    place = boundary.slot or f"r{boundary.round}"
    with ctx.scope(f"{boundary.edge}@{place}" + (f":{boundary.actors[0]}" if boundary.edge.startswith("turn") and len(boundary.actors) == 1 else "")):
        made = len(ctx.entries)
        if boundary.edge.endswith("start"):
            ctx.expire()
            ctx.ruleset.on_boundary(ctx, boundary)
        else:
            ctx.ruleset.on_boundary(ctx, boundary)
            ctx.expire()
        if len(ctx.entries) > made:
            ctx.settle()


def end_fight(ctx: Ctx) -> None:
    """Pass the end of the fight and open the closing slots, if there are any."""
    cross(ctx, Boundary("combat_end", ctx.state.clock.round))
    with ctx.scope("close"):
        ctx.ruleset.close_fight(ctx)


def reanchor(ctx: Ctx, who: Id) -> None:
    """Before somebody leaves, tie what waits for their edges to the same edge of their side, or of the round where the side has nobody else."""
    side = ctx.state[who].side
    company = any(member.id != who for member in ctx.state.members(side))
    for effect in ctx.state.all_effects:
        if effect.bearer == who:
            continue
        until = tuple(_reanchored(end, who, side, company) for end in effect.until)
        if until != effect.until:
            _tell(ctx, effect, until, who)


def _reanchored(end: At | OnUse, who: Id, side: Id, company: bool) -> At | OnUse:
    if not isinstance(end, At) or end.anchor not in (who_anchor(who), side_anchor(side)) or (end.anchor == side_anchor(side) and company):
        return end
    if company:
        return replace(end, anchor=side_anchor(side))
    edge: Edge = "round_start" if end.edge.endswith("start") else "round_end"
    return replace(end, edge=edge, anchor="any", phase=None, segment=None)


def _tell(ctx: Ctx, effect: Effect, until: tuple[At | OnUse, ...], who: Id) -> None:
    ctx.emit(EffectChanged(effect, replace(effect, until=until), f"{ctx.state.name(who)} leaves; it ends with the side or the round instead"))
