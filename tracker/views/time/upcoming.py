"""The upcoming edges of the clock: the round and the place of each.

The rest of this round's schedule is walked as the clock walks it, and later rounds are expected to have the schedule of
this one. It is a forecast: a change of the order changes it. Turns that are opened one by one are expected in the order
of their slot. Only edges that an effect waits for are recorded.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias

from tracker.core.fight.cache import differing
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.terms.moments import ANY, At, Edge, OnUse

ROUND_END = 1_000_000

Place: TypeAlias = tuple[float, float]
"""The round, and the place in it; the round is infinite if the moment cannot be foretold."""

LATER: Place = (math.inf, 0.0)
AT_THE_END: Place = (math.inf, 1.0)


class UpcomingEdges:
    """The rest of this round, and a whole round like it."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._wanted: dict[str, set[str]] = {}
        for edge, anchor in state.waiting:
            self._wanted.setdefault(edge, set()).add(anchor)
        self._rest: _Walk | None = None
        self._whole: _Walk | None = None
        # The place of the last edge of this round that has passed.
        self._passed = 0.0
        self.moved: set[tuple[str, str]] = set()
        # Places by edge and anchor, so that an edge that passes can remove the places that it changes.
        self._places: dict[tuple[str, str], dict[At, Place]] = {}
        self._ahead: dict[tuple[str, str], dict[tuple[str | None, int | None], tuple[list[float], list[float]]]] = {}

    def after(self, state: State) -> UpcomingEdges:
        """Return the schedule of another state.

        It is this schedule, updated, if the clock has moved as foretold; then `moved` has kind and anchor of the edges
        whose place has changed. Else it is a new one.
        """
        self.moved = set()
        if not self._is_like(state):
            return UpcomingEdges(state)
        if state.clock is self._state.clock or self._moved(state):
            self._state = state
            return self
        fresh = UpcomingEdges(state)
        fresh._whole = self._whole
        return fresh

    def _is_like(self, state: State) -> bool:
        """Tell whether another state has the same rounds: slots, combatants and edges."""
        own, people = self._state, self._state.combatants
        if own.clock.slots != state.clock.slots or own.sides != state.sides or len(people) != len(state.combatants):
            return False
        pairs = [(people[place], state.combatants[place]) for place in differing(people, state.combatants)]
        same = all(before.id == now.id and before.side == now.side for before, now in pairs)
        return same and own.waiting.keys() == state.waiting.keys()

    def _moved(self, state: State) -> bool:
        """Follow the clock within this round and remove the edges it passed; False: it has moved elsewhere."""
        was, clock = self._state.clock, state.clock
        if clock.round != was.round or not (clock.in_round and was.in_round) or clock.over or was.over:
            return False
        if self._rest is None:
            return not self._ahead
        passed = self._rest.place_of(clock.begun, clock.at, clock.turned, clock.acted)
        if passed is None:
            return False
        self.moved = self._rest.between(*sorted((self._passed, passed)))
        for key in self.moved:
            self._places.pop(key, None)
            self._ahead.pop(key, None)
        self._passed = passed
        return True

    def place(self, end: At | OnUse) -> Place:
        if isinstance(end, OnUse):
            return LATER
        places = self._places.setdefault((end.edge, end.anchor), {})
        place = places.get(end)
        if place is None:
            place = places[end] = self._place(end)
        return place

    def _place(self, end: At) -> Place:
        clock = self._state.clock
        if end.count <= 0:
            return (clock.round, -1)
        if end.edge == "combat_end":
            return AT_THE_END
        if clock.over:
            return LATER
        if end.edge in ("round_start", "round_end"):
            ending = end.edge == "round_end"
            # Round 0 may be fought too: then its own edges are still to come while the opening slots last.
            unfought = not clock.in_round and not clock.round and any(slot.stage == "round" for slot in clock.upcoming)
            counts_this = unfought or (ending and clock.in_round)
            return (clock.round + end.count - counts_this, ROUND_END if ending else 0)
        left, every = self._edges(end)
        if end.count <= len(left):
            return (clock.round, left[end.count - 1])
        if not every:
            return LATER
        rounds, index = divmod(end.count - len(left) - 1, len(every))
        return (clock.round + 1 + rounds, every[index])

    def _edges(self, end: At) -> tuple[list[float], list[float]]:
        """Return the places at which an end counts down in the rest of this round, and in a whole round."""
        known = self._ahead.setdefault((end.edge, end.anchor), {})
        edges = known.get((end.phase, end.segment))
        if edges is None:
            self._rest = self._rest or self._walk_on()
            self._whole = self._whole or self._walk_whole()
            left = [place for place in self._rest.edges_of(end) if place > self._passed]
            edges = known[end.phase, end.segment] = (left, self._whole.edges_of(end))
        return edges

    def _walk_on(self) -> _Walk:
        clock = self._state.clock
        by_id = {slot.id: slot for slot in clock.slots}
        begun = [by_id[key] for key in clock.begun if key in by_id]
        staged: dict[str, list[Slot]] = {}
        for slot in clock.upcoming:
            staged.setdefault(slot.stage, []).append(slot)
        # A slot that is put into a round that has ended is never reached.
        due = staged.get("round", []) if clock.in_round or not any(slot.stage == "round" for slot in begun) else []
        rest = _Walk(self._state, self._wanted, clock.turned, clock.acted)
        rest.leave_and_pass(begun, staged.get("opening", []) + due, marking=True)
        if clock.in_round or due:
            rest.end_round([slot for slot in clock.slots if slot.stage == "round"])
        rest.leave_and_pass([], staged.get("between", []))
        return rest

    def _walk_whole(self) -> _Walk:
        clock = self._state.clock
        whole = _Walk(self._state, self._wanted)
        scheduled = [slot for slot in clock.slots if slot.stage == "round"]
        whole.leave_and_pass([], scheduled)
        whole.end_round(scheduled)
        whole.leave_and_pass([], [slot for slot in clock.slots if slot.stage == "between"])
        return whole


class _Walk:
    """A walk over slots, with the combatants that have had a turn and the passed edges, by kind and anchor."""

    def __init__(
        self, state: State, wanted: dict[str, set[str]], turned: Iterable[Id] = (), acted: Iterable[Id] = ()
    ) -> None:
        self._state, self._wanted = state, wanted
        self._turned, self._acted = dict.fromkeys(turned), dict.fromkeys(acted)
        self._place = 0
        self._edges: dict[tuple[str, str], list[tuple[float, str, int | None]]] = {}
        self._passed: list[tuple[float, tuple[str, str]]] = []
        # The place of the last passed edge, by the number of slots begun, turns begun and turns ended.
        self._marks: dict[tuple[int, int, int], float] = {}
        self._line: tuple[Id, ...] = ()
        turns = (anchor for edge in ("turn_start", "turn_end") for anchor in wanted.get(edge, ()))
        sides = state.sides if any(anchor.startswith("side:") for anchor in turns) else ()
        self._sides = {side.id: frozenset(member.id for member in state.members(side.id)) for side in sides}

    def edges_of(self, end: At) -> list[float]:
        return [
            place
            for place, phase, segment in self._edges.get((end.edge, end.anchor), ())
            if (end.phase is None or end.phase == phase) and (end.segment is None or end.segment == segment)
        ]

    def place_of(
        self, begun: tuple[Id, ...], at: Id | None, turned: tuple[Id, ...], acted: tuple[Id, ...]
    ) -> float | None:
        """Return the place of the last edge that a clock has passed, None if this walk never has that clock."""
        place = self._marks.get((len(begun), len(turned), len(acted)))
        if place is None or at is None or begun[-1] != at or begun != self._line[: len(begun)]:
            return None
        same_turned = set(turned) == set(islice(self._turned, len(turned)))
        return place if same_turned and set(acted) == set(islice(self._acted, len(acted))) else None

    def between(self, first: float, last: float) -> set[tuple[str, str]]:
        """Return kind and anchor of the edges after one place, up to another."""
        by_place = itemgetter(0)
        start, end = bisect_right(self._passed, first, key=by_place), bisect_right(self._passed, last, key=by_place)
        return {key for _, key in self._passed[start:end]}

    def leave_and_pass(self, begun: Sequence[Slot], ahead: Sequence[Slot], marking: bool = False) -> None:
        """Leave the current slot and pass the slots ahead; `marking`: record the places at which the clock may be."""
        line = [*begun, *ahead]
        if marking:
            self._line = tuple(slot.id for slot in line)
        phase_starts, phase_ends = _runs(self._state, line, "phase") if self._waited_for("phase") else ({}, {})
        starts, ends = _runs(self._state, line, "segment") if self._waited_for("segment") else ({}, {})
        places = self._state.places
        here = bool(begun) and begun[-1].id == self._state.clock.at
        for index in range(len(begun) - here, len(line)):
            slot = line[index]
            members = [member for member in slot.members if member in places]
            if index >= len(begun):
                if run := phase_starts.get(index):
                    self._note("phase_start", slot, run.actors, run.starting)
                if slot.segment is not None and (run := starts.get(index)):
                    self._note("segment_start", slot, run.actors, run.starting)
            begun_now = index + 1 if marking else 0
            if slot.turns == "opened":
                self._mark(begun_now)
                for member in members:
                    self._start(slot, [member], begun_now)
                    self._end(slot, [member], begun_now)
            else:
                acting = members if slot.turns == "shared" else []
                self._start(slot, acting, begun_now)
                self._end(slot, acting)
            if slot.segment is not None and (run := ends.get(index)):
                self._note("segment_end", slot, run.actors, run.ending)
            if run := phase_ends.get(index):
                self._note("phase_end", slot, run.actors, run.ending)

    def _mark(self, begun: int) -> None:
        if begun:
            self._marks[begun, len(self._turned), len(self._acted)] = self._place

    def _waited_for(self, kind: str) -> bool:
        return f"{kind}_start" in self._wanted or f"{kind}_end" in self._wanted

    def end_round(self, slots: Sequence[Slot]) -> None:
        """Give an empty turn and an empty phase to each combatant that had none."""
        people = [combatant.id for combatant in self._state.combatants]
        self._place = max(self._place, ROUND_END - 10)
        self._start(None, people)
        self._end(None, people)
        if self._waited_for("phase"):
            self._empty_phase(people, slots)
        self._place = ROUND_END

    def _empty_phase(self, people: Sequence[Id], slots: Sequence[Slot]) -> None:
        present = {member for slot in slots for member in slot.members}
        sides = {side for slot in slots for side in _sides_of(self._state, slot)}
        absent = [who for who in people if who not in present]
        missing = [side.id for side in self._state.sides if side.id not in sides]
        waiting = {*(f"who:{who}" for who in absent), *(f"side:{side}" for side in missing)}
        if any(not waiting.isdisjoint(self._wanted.get(edge, ())) for edge in ("phase_start", "phase_end")):
            self._note("phase_start", None, absent, missing)
            self._note("phase_end", None, absent, missing)

    def _start(self, slot: Slot | None, members: Sequence[Id], begun: int = 0) -> None:
        """Begin the turns of members without one, and record the place for a clock that is there."""
        actors = [member for member in members if member not in self._turned]
        if actors:
            sides = [
                side for side, own in self._sides.items() if own.isdisjoint(self._turned) and not own.isdisjoint(actors)
            ]
            self._turned.update(dict.fromkeys(actors))
            self._note("turn_start", slot, actors, sides)
        self._mark(begun)

    def _end(self, slot: Slot | None, members: Sequence[Id], begun: int = 0) -> None:
        """End the turns of members that have not acted, and record the place for a clock that is there."""
        actors = [member for member in members if member not in self._acted]
        if actors:
            before = set(self._acted) if self._sides else set()
            self._acted.update(dict.fromkeys(actors))
            sides = [
                side for side, own in self._sides.items() if own and not own <= before and own <= self._acted.keys()
            ]
            self._note("turn_end", slot, actors, sides)
        self._mark(begun)

    def _note(self, edge: Edge, slot: Slot | None, actors: Iterable[Id], sides: Iterable[Id]) -> None:
        self._place += 1
        wanted = self._wanted.get(edge)
        if wanted is None:
            return
        phase, segment = (slot.phase, slot.segment) if slot is not None else ("", None)
        for anchor in (ANY, *["who:" + actor for actor in actors], *["side:" + side for side in sides]):
            if anchor in wanted:
                self._edges.setdefault((edge, anchor), []).append((self._place, phase, segment))
                self._passed.append((self._place, (edge, anchor)))


class _Run(NamedTuple):
    """Consecutive slots of one phase or segment, with the sides whose first or last run it is."""

    actors: list[Id]
    starting: list[Id]
    ending: list[Id]


def _runs(
    state: State, line: Sequence[Slot], kind: Literal["phase", "segment"]
) -> tuple[dict[int, _Run], dict[int, _Run]]:
    """Return the runs by the places of their first and of their last slots.

    The edges of a side are those of its first and of its last run in each stage.
    """
    starts, ends = dict[int, _Run](), dict[int, _Run]()
    last: dict[tuple[str, Id], _Run] = {}
    place = 0
    for (stage, _), group in groupby(line, key=lambda slot: (slot.stage, getattr(slot, kind))):
        slots = list(group)
        run = starts[place] = _Run(list(dict.fromkeys(member for slot in slots for member in slot.members)), [], [])
        for side in dict.fromkeys(side for slot in slots for side in _sides_of(state, slot)):
            if (stage, side) not in last:
                run.starting.append(side)
            last[stage, side] = run
        place += len(slots)
        ends[place - 1] = run
    for (_, side), run in last.items():
        run.ending.append(side)
    return starts, ends


def _sides_of(state: State, slot: Slot) -> Iterable[Id]:
    return (slot.side,) if slot.side else dict.fromkeys(state[who].side for who in slot.members if who in state)
