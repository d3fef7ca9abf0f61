"""The schedule of a round: the next slot, and the edges of slots and turns.

Pure functions of a state; `advance.py` is the clock that uses them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import Boundary, Edge
from tracker.core.visibility import knowledge

_ROUND = re.compile(r"r(\d+)/")


def ahead(state: State, slot: Id) -> bool:
    """Tell whether a slot has not begun yet.

    An unknown slot counts as not begun while its round has no known slot ahead: declarations may add it.
    """
    match = _ROUND.match(slot)
    clock = state.clock
    if match is None:
        return slot not in clock.begun and (not clock.over or any(item.id == slot for item in clock.upcoming))
    number = int(match[1])
    if clock.over:
        return False
    if number != clock.round:
        return number > clock.round
    to_come = clock.upcoming
    if any(item.id == slot for item in to_come):
        return True
    return clock.in_round and slot not in clock.begun and not any(item.stage == "round" for item in to_come)


def closing(slot: Id) -> bool:
    """Tell whether a slot follows the fight and belongs to no round."""
    return _ROUND.match(slot) is None


def finished(state: State) -> bool:
    """Tell whether the fight is over and no closing slot is left."""
    return state.clock.over and state.clock.at is None and following(state) is None


def following(state: State) -> Slot | None:
    """Return the next slot of this schedule, or None if the round has no further slot."""
    clock = state.clock
    upcoming = clock.upcoming
    if clock.over:
        return next((slot for slot in upcoming if slot.stage == "closing"), None)
    opening = between = due = None
    for slot in reversed(upcoming):
        if slot.stage == "opening":
            opening = slot
        elif slot.stage == "round":
            due = slot
        elif slot.stage == "between":
            between = slot
    if opening is not None:
        return opening
    # A slot put into a round that has ended comes too late: the next round has its own.
    if clock.in_round:
        return due
    late = any(slot.stage == "round" and slot.id in clock.begun for slot in clock.slots)
    return between if late or due is None else due


def nobody_able(ruleset: Ruleset, state: State, slot: Slot) -> Refusal | None:
    """Return why no member of a slot can act, or None."""
    members = [member for member in slot.members if member in state]
    if (
        slot.stage != "round"
        or (not members and slot.side is None)
        or any(status_of(ruleset, state[member].status).acts for member in members)
    ):
        return None
    if not members:
        return Refusal("nobody_able", "nobody is left")
    return Refusal(
        "nobody_able", f"{state.name(members[0])} cannot act" if len(members) == 1 else "none of them can act"
    )


def why_skipped(ruleset: Ruleset, state: State, slot: Slot) -> Refusal | None:
    """Return why the clock skips a slot, by the ruleset's `skip` or because no member can act; None: it does not."""
    return nobody_able(ruleset, state, slot) if ruleset.skip is None else ruleset.skip(state, slot)


def open_to_players(ruleset: Ruleset, state: State, slot: Slot) -> bool:
    """Tell whether the clock would stop in a slot if it had no hidden members."""
    members = tuple([who for who in slot.members if not knowledge.is_hidden(state, who)])
    if slot.members and not members:
        return False
    visible = slot if len(members) == len(slot.members) else replace(slot, members=members)
    return slot.stop and why_skipped(ruleset, state, visible) is None


def edge_of(state: State, edge: Edge, slot: Slot) -> Boundary:
    """Return an edge of a phase or segment, with the actors and sides of the neighbouring slots that share it."""
    kind: Literal["phase", "segment"] = "phase" if edge.startswith("phase") else "segment"
    run = _to_come(state, slot, kind) if edge.endswith("start") else _just_been(state, slot, kind)
    if len(run) == 1:
        actors = tuple(dict.fromkeys(members_of(state, run[0])))
    else:
        actors = tuple(dict.fromkeys([member for item in run for member in members_of(state, item)]))
    return Boundary(
        edge,
        state.clock.round,
        slot.phase,
        slot.segment,
        slot.id,
        actors,
        _sides(state, run, first=edge.endswith("start")),
    )


def turn_edge(state: State, edge: Edge, slot: Slot | None, actors: tuple[Id, ...]) -> Boundary:
    """Return the edge of turns; `slot` is None for turns outside a slot."""
    sides = turn_sides(state, edge, actors)
    if slot is None:
        return Boundary(edge, state.clock.round, actors=actors, sides=sides)
    return Boundary(edge, state.clock.round, slot.phase, slot.segment, slot.id, actors, sides)


def turn_sides(state: State, edge: Edge, actors: Sequence[Id]) -> tuple[Id, ...]:
    """Return the sides whose first turn starts or whose last turn ends: each side has each edge once a round."""
    start = edge == "turn_start"
    before = set(state.clock.turned if start else state.clock.acted)
    after = before | set(actors)
    sides = []
    for side in dict.fromkeys([one.side for actor in actors if (one := state.get(actor)) is not None]):
        members = [one.id for one in state.combatants if one.side == side]
        if before.isdisjoint(members) if start else not before.issuperset(members) and after.issuperset(members):
            sides.append(side)
    return tuple(sides)


def _to_come(state: State, slot: Slot, kind: Literal["phase", "segment"]) -> list[Slot]:
    """Return this slot and the next ones that share its phase or segment."""
    run, shared = [slot], getattr(slot, kind)
    for item in state.clock.upcoming:
        if item.stage == slot.stage:
            if getattr(item, kind) != shared:
                break
            run.append(item)
    return run


def _just_been(state: State, slot: Slot, kind: Literal["phase", "segment"]) -> list[Slot]:
    """Return this slot and the last ones before it that share its phase or segment."""
    run: list[Slot] = []
    for key in reversed(state.clock.begun):
        item = state.clock.slot(key)
        if item is not None:
            if item.stage != slot.stage or getattr(item, kind) != getattr(slot, kind):
                break
            run.append(item)
    return run[::-1]


def members_of(state: State, slot: Slot) -> tuple[Id, ...]:
    """Return the members that a slot of the current schedule has, without those that have left."""
    current = state.clock.slot(slot.id)
    places = state.places
    return tuple([member for member in (current or slot).members if member in places])


def last_begun(state: State) -> Slot | None:
    """Return the last slot that has begun."""
    clock = state.clock
    return clock.slot(clock.begun[-1]) if clock.begun else None


def _sides(state: State, run: Sequence[Slot], first: bool) -> tuple[Id, ...]:
    """Return the sides whose first or last slots of this stage these are."""
    own = dict.fromkeys([side for slot in run for side in _sides_of(state, slot)])
    if not own:
        return ()
    clock, here, stage = state.clock, {slot.id for slot in run}, run[0].stage
    for item in map(clock.slot, clock.begun) if first else clock.upcoming:
        if item is not None and item.id not in here and item.stage == stage:
            for side in _sides_of(state, item):
                own.pop(side, None)
            if not own:
                break
    return tuple(own)


def _sides_of(state: State, slot: Slot) -> tuple[Id, ...]:
    if slot.side:
        return (slot.side,)
    return tuple(dict.fromkeys([one.side for member in slot.members if (one := state.get(member)) is not None]))
