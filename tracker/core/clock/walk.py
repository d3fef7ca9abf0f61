"""The clock: it walks the schedule of a round and passes the edges between its slots.

1. Only edges that change are passed: turn, segment, phase, round end; round start, then the new schedule; phase,
segment, turn start.
2. At a start what is due ends first and the ruleset's hook comes after; at an end the hook comes first.
3. Every promised edge comes, once a round: whoever has a second slot has no second turn; whoever had none gets an empty
one before the round ends. Slots
   without anybody able still pass, but the clock does not stop in them.
4. What has not begun may be reordered at any time; what has begun stays begun. Nothing is found by its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Literal

from msgspec.structs import replace

from tracker.core.clock import joining
from tracker.core.fight.events import BoundaryCrossed, CombatantLeft, EffectChanged, Noted, SlotReached, WaveArrived
from tracker.core.fight.state import Id, Slot, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal, RulesBug
from tracker.core.terms.moments import At, Boundary, Edge, OnUse, side_anchor, who_anchor

__all__ = [
    "ahead",
    "closing",
    "cross",
    "end_fight",
    "finished",
    "leave",
    "nobody_able",
    "pass_edge",
    "reanchor",
    "turn_sides",
    "walk",
]

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


def closing(slot: Id) -> bool:
    """Tell whether this is the id of a slot after the fight, which belongs to no round."""
    return _ROUND.match(slot) is None


def finished(state: State) -> bool:
    """Tell whether the fight is over and nothing of it is left to be done."""
    return state.clock.over and state.clock.at is None and _following(state) is None


def walk(ctx: Ctx, game: Ruleset) -> None:
    """Leave the current slot and go on to the next one at which the clock stops; stay put where nothing is left.

    Called from within a walk (a hook that ends the fight), it leaves the going to the walk under way.
    """
    if ctx.walking:
        return
    ctx.walking = True
    try:
        _walk(ctx, game)
    finally:
        ctx.walking = False


def _walk(ctx: Ctx, game: Ruleset) -> None:
    rounds = 0
    for _ in range(MOST_SLOTS):
        _leave(ctx, game)
        following = _following(ctx.state)
        if following is None:
            if ctx.state.clock.over:
                return
            rounds += not ctx.state.clock.in_round
            _turn_the_round(ctx, game)
        elif following.stage == "round" and not ctx.state.clock.in_round:
            _round_start(ctx, game, ctx.state.clock.round)
        else:
            _enter(ctx, game, following)
            # Where nobody at all can act, a whole round is skipped once; then the clock stops for the game master all
            # the same.
            if _stops(ctx, game, skipping=rounds < 2):
                return
    raise RulesBug("the clock finds nowhere to stop")


def _stops(ctx: Ctx, game: Ruleset, skipping: bool) -> bool:
    """Tell whether the clock stops in the slot it is in; say so where it skips one at which it should have stopped."""
    slot = ctx.state.clock.current
    if slot is None or not slot.stop or (ctx.state.clock.over and slot.stage != "closing"):
        return False
    if not skipping:
        return True
    skip = game.skip
    refusal = nobody_able(game, ctx.state, slot) if skip is None else skip(ctx.state, slot)
    if refusal is not None:
        ctx.skip(
            slot.title,
            refusal.text,
            *((refusal.rule,) if refusal.rule else ()),
            who=slot.members[0] if len(slot.members) == 1 else None,
        )
    return refusal is None


def nobody_able(ruleset: Ruleset, state: State, slot: Slot) -> Refusal | None:
    """Return why nobody can act in a slot of a round that belongs to somebody, or None: what every ruleset's clock skips unless it says otherwise."""
    members = [member for member in slot.members if member in state]
    if (
        slot.stage != "round"
        or (not members and slot.side is None)
        or any(ruleset.status(state[member].status).acts for member in members)
    ):
        return None
    if not members:
        return Refusal("nobody_able", "nobody is left")
    return Refusal(
        "nobody_able", f"{state.name(members[0])} cannot act" if len(members) == 1 else "none of them can act"
    )


def _following(state: State) -> Slot | None:
    """Return the next slot of this schedule, or None where the round is used up."""
    clock = state.clock
    upcoming = clock.upcoming
    if clock.over:
        return next((slot for slot in upcoming if slot.stage == "closing"), None)
    opening = next((slot for slot in upcoming if slot.stage == "opening"), None)
    if opening is not None:
        return opening
    # A slot put into a round that has ended comes too late: the next round has its own.
    if clock.in_round or not any(slot.stage == "round" and slot.id in clock.begun for slot in clock.slots):
        due = next((slot for slot in upcoming if slot.stage == "round"), None)
        if due is not None or clock.in_round:
            return due
    return next((slot for slot in upcoming if slot.stage == "between"), None)


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
        _arrivals(ctx, game, f"end of round {number}")


def _round_start(ctx: Ctx, game: Ruleset, number: int) -> None:
    fresh = number != ctx.state.clock.round
    cross(ctx, game, Boundary("round_start", number))
    if fresh and not ctx.state.clock.over:
        _arrivals(ctx, game, f"round {number}")
    if fresh and not ctx.state.clock.over:
        with ctx.scope(f"r{number}"):
            game.open_round(ctx)
        if not any(slot.stage == "round" for slot in ctx.state.clock.slots):
            raise RulesBug(f"round {number} has no slots")


def _end_turns(ctx: Ctx, game: Ruleset, members: tuple[Id, ...], slot: Slot | None) -> None:
    """End the turns of those who have not finished one in this round; whoever had none gets an empty one."""
    missing = _without(members, ctx.state.clock.turned)
    if missing:
        cross(ctx, game, _turn_edge(ctx.state, "turn_start", slot, missing), late=True)
    idle = _without(tuple(member for member in members if member in ctx.state), ctx.state.clock.acted)
    if idle:
        cross(ctx, game, _turn_edge(ctx.state, "turn_end", slot, idle))


def _without(members: tuple[Id, ...], others: tuple[Id, ...]) -> tuple[Id, ...]:
    excepted = set(others)
    return tuple(member for member in members if member not in excepted)


def _empty_phase(ctx: Ctx, game: Ruleset) -> None:
    """Give a phase to those who had no slot in this round, where something waits for it."""
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
            cross(
                ctx,
                game,
                Boundary(
                    edge, state.clock.round, actors=tuple(who for who in absent if who in ctx.state), sides=missing
                ),
            )


def _arrivals(ctx: Ctx, game: Ruleset, moment: str) -> None:
    """Bring in the waves whose moment this is, and say the reminders."""
    for reminder in ctx.state.reminders:
        if _is_moment(reminder.when, moment):
            ctx.emit(Noted(reminder.text))
    for place, wave in enumerate(ctx.state.waves, start=1):
        if _is_moment(wave.when, moment):
            ctx.emit(WaveArrived(wave))
            with ctx.scope(f"wave:{moment.replace(' ', '-')}:{place}"):
                joining.admit(ctx, game, {joining.side_called(ctx, wave.side): wave.members})


def _is_moment(when: str, moment: str) -> bool:
    words = when.casefold().split()
    if words[:2] == ["start", "of"]:
        words = words[2:]
    return " ".join(words) == moment


def _enter(ctx: Ctx, game: Ruleset, slot: Slot) -> None:
    before = _last_begun(ctx.state)
    ctx.emit(SlotReached(ctx.state.clock.at, slot.id))
    changed = before is None or before.stage != slot.stage
    if changed or (before is not None and before.phase != slot.phase):
        cross(ctx, game, _edge(ctx.state, "phase_start", slot, _to_come(ctx.state, slot, "phase")))
    if slot.segment is not None and (changed or (before is not None and before.segment != slot.segment)):
        cross(ctx, game, _edge(ctx.state, "segment_start", slot, _to_come(ctx.state, slot, "segment")))
    members = _without(_members(ctx.state, slot), ctx.state.clock.turned) if slot.turns == "shared" else ()
    if members:
        cross(ctx, game, _turn_edge(ctx.state, "turn_start", slot, members))


def _leave(ctx: Ctx, game: Ruleset) -> None:
    """End the current slot: turns that were not taken, then the edges that change."""
    slot = ctx.state.clock.current
    if slot is None:
        return
    if slot.turns != "none":
        _end_turns(ctx, game, _members(ctx.state, slot), slot)
    slot = ctx.state.clock.current or slot
    following = _following(ctx.state)
    if slot.segment is not None and (
        following is None or following.segment != slot.segment or following.stage != slot.stage
    ):
        cross(ctx, game, _edge(ctx.state, "segment_end", slot, _just_been(ctx.state, slot, "segment")))
    following = _following(ctx.state)
    if following is None or following.phase != slot.phase or following.stage != slot.stage:
        cross(ctx, game, _edge(ctx.state, "phase_end", slot, _just_been(ctx.state, slot, "phase")))
    ctx.emit(SlotReached(slot.id, None))


def _edge(state: State, edge: Edge, slot: Slot, run: Sequence[Slot]) -> Boundary:
    """Return the edge that neighbouring slots share, with everybody whose edge it is."""
    actors = tuple(dict.fromkeys(member for item in run for member in _members(state, item)))
    return Boundary(
        edge,
        state.clock.round,
        slot.phase,
        slot.segment,
        slot.id,
        actors,
        _sides(state, run, first=edge.endswith("start")),
    )


def _turn_edge(state: State, edge: Edge, slot: Slot | None, actors: tuple[Id, ...]) -> Boundary:
    sides = turn_sides(state, edge, actors)
    if slot is None:
        return Boundary(edge, state.clock.round, actors=actors, sides=sides)
    return Boundary(edge, state.clock.round, slot.phase, slot.segment, slot.id, actors, sides)


def turn_sides(state: State, edge: Edge, actors: Sequence[Id]) -> tuple[Id, ...]:
    """Return the sides whose first turn of the round starts, or whose last one ends, so that a side's edge comes once a round."""
    start = edge == "turn_start"
    had = set(state.clock.turned if start else state.clock.acted)
    having = had | set(actors)
    found = []
    for side in dict.fromkeys(state[actor].side for actor in actors if actor in state):
        members = [member.id for member in state.members(side)]
        if (
            not any(member in had for member in members)
            if start
            else not had.issuperset(members) and having.issuperset(members)
        ):
            found.append(side)
    return tuple(found)


def _to_come(state: State, slot: Slot, kind: Literal["phase", "segment"]) -> list[Slot]:
    """Return this slot and those right behind it that share its phase or segment."""
    behind = takewhile(
        lambda item: getattr(item, kind) == getattr(slot, kind),
        (item for item in state.clock.upcoming if item.stage == slot.stage),
    )  # fmt: skip - one walk
    return [slot, *behind]


def _just_been(state: State, slot: Slot, kind: Literal["phase", "segment"]) -> list[Slot]:
    """Return this slot and those right before it that share its phase or segment, in order."""
    begun = [item for key in reversed(state.clock.begun) if (item := state.clock.slot(key)) is not None]
    run = list(takewhile(lambda item: item.stage == slot.stage and getattr(item, kind) == getattr(slot, kind), begun))
    return run[::-1]


def _members(state: State, slot: Slot) -> tuple[Id, ...]:
    """Return a slot's members as the schedule has them now."""
    current = state.clock.slot(slot.id)
    return tuple(member for member in (current or slot).members if member in state)


def _last_begun(state: State) -> Slot | None:
    clock = state.clock
    return clock.slot(clock.begun[-1]) if clock.begun else None


def _sides(state: State, run: Sequence[Slot], first: bool) -> tuple[Id, ...]:
    """Return the sides for which these slots are the first (the last) of the round, so that a side's edge comes once a round."""
    here, begun = {slot.id for slot in run}, set(state.clock.begun)
    own = dict.fromkeys(side for slot in run for side in _sides_of(state, slot))
    stage = run[0].stage
    others = [
        item
        for item in state.clock.slots
        if item.id not in here and item.stage == stage and (item.id in begun) == first
    ]
    taken = {side for item in others for side in _sides_of(state, item)}
    return tuple(side for side in own if side not in taken)


def _sides_of(state: State, slot: Slot) -> tuple[Id, ...]:
    return (
        (slot.side,)
        if slot.side
        else tuple(dict.fromkeys(state[member].side for member in slot.members if member in state))
    )


def cross(ctx: Ctx, game: Ruleset, boundary: Boundary, late: bool = False) -> None:
    """Pass one edge: count down, then end what is due and call the ruleset's hook, in the order of the edge.

    `late`: the turn starts when its slot is left; its requests need keys of their own.
    """
    ctx.emit(BoundaryCrossed(boundary))
    place = boundary.slot or f"r{boundary.round}"
    whose = f":{boundary.actors[0]}" if boundary.edge.startswith("turn") and len(boundary.actors) == 1 else ""
    with ctx.scope(f"{boundary.edge}@{place}{whose}{'+' if late else ''}"):
        made = len(ctx.entries)
        if boundary.edge.endswith("start"):
            ctx.expire()
            game.on_boundary(ctx, boundary)
        else:
            game.on_boundary(ctx, boundary)
            ctx.expire()
        if len(ctx.entries) > made:
            ctx.settle()


def end_fight(ctx: Ctx, game: Ruleset) -> None:
    """Pass the end of the fight and open the closing slots, if there are any."""
    cross(ctx, game, Boundary("combat_end", ctx.state.clock.round))
    with ctx.scope("close"):
        game.close_fight(ctx)


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
    if (
        not isinstance(end, At)
        or end.anchor not in (who_anchor(who), side_anchor(side))
        or (end.anchor == side_anchor(side) and company)
    ):
        return end
    if company:
        return replace(end, anchor=side_anchor(side))
    edge: Edge = "round_start" if end.edge.endswith("start") else "round_end"
    return replace(end, edge=edge, anchor="any", phase=None, segment=None)


def _tell(ctx: Ctx, effect: Effect, until: tuple[At | OnUse, ...], who: Id) -> None:
    ctx.emit(
        EffectChanged(
            effect,
            replace(effect, until=until),
            f"{ctx.state.name(who)} leaves; it ends with the side or the round instead",
        )
    )


def leave(ctx: Ctx, who: Id, reason: str, *rules: str) -> None:
    """Take somebody out of the fight: what waits for their edges is tied to others, what holds on them ends."""
    reanchor(ctx, who)
    for effect in ctx.state[who].effects:
        held = ctx.state.effect(who, effect.id)
        if held is not None:
            ctx.end_effect(held, f"{ctx.state.name(who)} leaves the fight")
    ctx.emit(CombatantLeft(ctx.state[who], reason), *rules)


def pass_edge(ctx: Ctx, game: Ruleset, edge: Edge, actors: Sequence[Id] = (), sides: Sequence[Id] = ()) -> None:
    """Pass one edge in the current slot: a turn that a step opens or ends."""
    slot, number = ctx.state.clock.current, ctx.state.clock.round
    if edge in ("turn_start", "turn_end") and not sides:
        sides = turn_sides(ctx.state, edge, actors)
    if slot is None:
        cross(ctx, game, Boundary(edge, number, actors=tuple(actors), sides=tuple(sides)))
    else:
        cross(ctx, game, Boundary(edge, number, slot.phase, slot.segment, slot.id, tuple(actors), tuple(sides)))
