"""The calendar: what ends or fires next, and exactly when.

The rest of this round's schedule is walked as the clock would walk it, and later rounds are taken to be scheduled like this one; so each end gets the
round and the place in it at which it will come. Only edges somebody waits for are looked at.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.durations import until_words
from tracker.core.effects import Effect
from tracker.core.moments import ANY, At, Edge, OnUse
from tracker.core.ruleset import Ruleset
from tracker.core.state import FIGHT, Id, Slot, State
from tracker.views.text import clean

__all__ = ["Due", "calendar"]

_MOMENT = re.compile(r"\s*(?:start\s+of\s+)?(end\s+of\s+)?round\s+(\d{1,6})\s*", re.IGNORECASE)
ROUND_END = 1_000_000
LATER, AT_THE_END = (math.inf, 0.0), (math.inf, 1.0)

Place: TypeAlias = tuple[float, float]


class Due(Struct, frozen=True):
    """Something that is to come.

    Attributes:
        moment: when, in words.
        what: what happens then ("charging ends").
        who: the name of whom it concerns, or "".
        kind: where it comes from.
        key: the bearer and number of the effect, or the wave's or reminder's place.
        secret: players do not see it.
        rule: the rule behind it, or "".
    """

    moment: str
    what: str
    who: str = ""
    kind: str = "effect"
    key: str = ""
    secret: bool = False
    rule: str = ""

    @property
    def line(self) -> str:
        """What happens, and to whom."""
        return f"{self.what} ({self.who})" if self.who else self.what


def calendar(ruleset: Ruleset, state: State, most: int | None = None) -> tuple[Due, ...]:
    """Return what ends or fires next, soonest first, at most so many.

    What has no fixed moment comes last; what lasts until removed is left out.
    """
    schedule = _Schedule(state)
    comings: list[tuple[Place, int, Due | Effect]] = []
    for place, wave in enumerate(state.waves, start=1):
        moment = _moment_of(wave.when, state)
        if moment is not None:
            what = f"wave: {clean(wave.title)}" if wave.title else "a wave"
            comings.append((moment[0], -2, Due(moment[1], what, clean(state.name(wave.side)), "wave", f"wave:{place}")))
    for place, reminder in enumerate(state.reminders, start=1):
        moment = _moment_of(reminder.when, state)
        if moment is not None:
            comings.append((moment[0], -1, Due(moment[1], clean(reminder.text), "", "reminder", f"reminder:{place}")))
    for effect in state.all_effects:
        if effect.until:
            comings.append((min(map(schedule.place, effect.until)), effect.id, effect))
    soonest = sorted(comings, key=_soonness) if most is None else heapq.nsmallest(most, comings, key=_soonness)
    return tuple(item if isinstance(item, Due) else _ending(state, schedule, item) for _, _, item in soonest)


def _soonness(coming: tuple[Place, int, Due | Effect]) -> tuple[Place, int]:
    return coming[:2]


def _ending(state: State, schedule: _Schedule, effect: Effect) -> Due:
    ends = sorted(effect.until, key=schedule.place)
    moment = " or ".join(clean(_words(state, effect, end, schedule.place(end))) for end in ends)
    bearer = "" if effect.bearer == FIGHT else clean(state.name(effect.bearer))
    return Due(moment, f"{clean(effect.shown)} ends", bearer, "effect", f"{effect.bearer}#{effect.id}", effect.secret, effect.rule)


def _words(state: State, effect: Effect, end: At | OnUse, place: Place) -> str:
    """Return one end in words, with the round it falls in where that is not this one."""
    if isinstance(end, OnUse) or end.edge == "combat_end" or end.edge.startswith("round") or place[0] == math.inf:
        return until_words(state, replace(effect, until=(end,)))
    words = until_words(state, replace(effect, until=(replace(end, count=1),)))
    if place[0] == state.clock.round:
        return words
    return f"{words.replace('next turn', 'turn')}, round {int(place[0])}"


def _moment_of(when: str, state: State) -> tuple[Place, str] | None:
    """Return the place and the words of a wave's or reminder's moment, or None where it has none or it has passed."""
    match = _MOMENT.fullmatch(when)
    if match is None:
        return None
    number, clock = int(match[2]), state.clock
    if clock.over or number < clock.round or (number == clock.round and (match[1] is None or not clock.in_round) and clock.round > 0):
        return None
    return ((number, ROUND_END), f"end of round {number}") if match[1] else ((number, 0), f"start of round {number}")


class _Edges:
    """Places of the edges of one round, by kind and anchor, with phase and segment."""

    def __init__(self) -> None:
        self.places: dict[tuple[str, str], list[tuple[float, str, int | None]]] = {}

    def add(self, edge: str, anchor: str, place: float, phase: str, segment: int | None) -> None:
        self.places.setdefault((edge, anchor), []).append((place, phase, segment))

    def of(self, end: At) -> list[float]:
        """Return the places at which this end counts down."""
        return [
            place
            for place, phase, segment in self.places.get((end.edge, end.anchor), ())
            if (end.phase is None or end.phase == phase) and (end.segment is None or end.segment == segment)
        ]


class _Schedule:
    """The edges to come: those left in this round, and those of a whole round like it."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._wanted: dict[str, set[str]] = {}
        for edge, anchor in state.waiting:
            self._wanted.setdefault(edge, set()).add(anchor)
        self._walked: tuple[_Edges, _Edges] | None = None
        self._places: dict[At | OnUse, Place] = {}

    def place(self, end: At | OnUse) -> Place:
        """Return round and place in it of an end."""
        place = self._places.get(end)
        if place is None:
            place = self._places[end] = LATER if isinstance(end, OnUse) else self._place(end)
        return place

    def _place(self, end: At) -> Place:
        clock = self._state.clock
        if end.count <= 0:
            return (clock.round, -1)
        if end.edge == "combat_end":
            return AT_THE_END
        if end.edge == "round_end":
            return (clock.round + end.count - (1 if clock.in_round else 0), ROUND_END)
        if end.edge == "round_start":
            return (clock.round + end.count, 0)
        if self._walked is None:
            self._walked = self._walk()
        rest, whole = self._walked
        left = rest.of(end)
        if end.count <= len(left):
            return (clock.round, left[end.count - 1])
        every = whole.of(end)
        if not every:
            return LATER
        rounds, index = divmod(end.count - len(left) - 1, len(every))
        return (clock.round + 1 + rounds, every[index])

    def _walk(self) -> tuple[_Edges, _Edges]:
        clock = self._state.clock
        by_id = {slot.id: slot for slot in clock.slots}
        begun = [by_id[key] for key in clock.begun if key in by_id]
        staged: dict[str, list[Slot]] = {}
        for slot in clock.upcoming:
            staged.setdefault(slot.stage, []).append(slot)
        rest, whole = _Edges(), _Edges()
        if clock.over:
            self._pass(rest, begun, staged.get("closing", []), 0)
            return rest, whole
        ahead = staged.get("opening", []) + staged.get("round", [])
        place = self._pass(rest, begun, ahead, 1)
        if clock.in_round or "round" in staged:
            current = [clock.current] if clock.current else []
            self._idle(rest, set(clock.turned) | _turning(current + ahead))
        self._pass(rest, [], staged.get("between", []), max(place, ROUND_END + 1))
        scheduled = [slot for slot in clock.slots if slot.stage == "round"]
        self._pass(whole, [], scheduled, 1)
        self._idle(whole, _turning(scheduled))
        self._pass(whole, [], [slot for slot in clock.slots if slot.stage == "between"], ROUND_END + 1)
        return rest, whole

    def _pass(self, edges: _Edges, begun: Sequence[Slot], ahead: Sequence[Slot], place: int) -> int:
        """Note the edges of leaving the last slot that has begun, if the clock is in it, and of passing those ahead; return the place reached."""
        clock = self._state.clock
        here = begun[-1] if begun and begun[-1].id == clock.at else None
        first, last = _bounds(self._state, begun, ahead)
        before = begun[-1] if begun else None
        if here is not None:
            if here.turns == "opened":
                waiting = [member for member in here.members if member not in clock.turned]
                self._note(edges, "turn_start", here, waiting, (), place)
            self._leave(edges, here, ahead[0] if ahead else None, last.get(here.id, ()), place + 1)
        for index, slot in enumerate(ahead):
            place += 2
            sides = first.get(slot.id, ())
            if before is None or before.phase != slot.phase or before.stage != slot.stage:
                self._note(edges, "phase_start", slot, slot.members, sides, place)
            if slot.segment is not None and (before is None or before.segment != slot.segment):
                self._note(edges, "segment_start", slot, slot.members, sides, place)
            if slot.turns != "none" and slot.members:
                self._note(edges, "turn_start", slot, slot.members, sides if slot.turns == "shared" else (), place)
            self._leave(edges, slot, ahead[index + 1] if index + 1 < len(ahead) else None, last.get(slot.id, ()), place + 1)
            before = slot
        return place + 2

    def _leave(self, edges: _Edges, slot: Slot, after: Slot | None, sides: Sequence[Id], place: int) -> None:
        if slot.turns == "shared" and slot.members:
            self._note(edges, "turn_end", slot, slot.members, sides, place)
        elif slot.turns == "opened":
            acted = self._state.clock.acted if slot.id == self._state.clock.at else ()
            self._note(edges, "turn_end", slot, [member for member in slot.members if member not in acted], (), place)
        if slot.segment is not None and (after is None or after.segment != slot.segment):
            self._note(edges, "segment_end", slot, slot.members, sides, place)
        if after is None or after.phase != slot.phase or after.stage != slot.stage:
            self._note(edges, "phase_end", slot, slot.members, sides, place)

    def _note(self, edges: _Edges, edge: Edge, slot: Slot, actors: Sequence[Id], sides: Sequence[Id], place: float) -> None:
        wanted = self._wanted.get(edge)
        if wanted is None or (edge.startswith("turn") and not actors):
            return
        if ANY in wanted:
            edges.add(edge, ANY, place, slot.phase, slot.segment)
        for actor in actors:
            if "who:" + actor in wanted:
                edges.add(edge, "who:" + actor, place, slot.phase, slot.segment)
        for side in sides:
            if "side:" + side in wanted:
                edges.add(edge, "side:" + side, place, slot.phase, slot.segment)

    def _idle(self, edges: _Edges, turning: set[Id]) -> None:
        """Note the empty turn that whoever had none gets before the round ends."""
        for edge in ("turn_start", "turn_end"):
            for anchor in self._wanted.get(edge, ()):
                if anchor.startswith("who:") and anchor[4:] not in turning:
                    edges.add(edge, anchor, ROUND_END - 1, "", None)


def _turning(slots: Iterable[Slot]) -> set[Id]:
    return {member for slot in slots if slot.turns != "none" for member in slot.members}


def _bounds(state: State, begun: Sequence[Slot], ahead: Sequence[Slot]) -> tuple[dict[Id, tuple[Id, ...]], dict[Id, tuple[Id, ...]]]:
    """Return for which sides each slot is the first or the last of its stage in the round, by the slot's id."""
    seen = {(side, slot.stage) for slot in begun for side in _sides(state, slot)}
    first: dict[Id, tuple[Id, ...]] = {}
    final: dict[tuple[Id, str], Id] = {}
    for slot in [*begun[-1:], *ahead]:
        keys = [(side, slot.stage) for side in _sides(state, slot)]
        first[slot.id] = tuple(key[0] for key in keys if key not in seen)
        seen.update(keys)
        final.update(dict.fromkeys(keys, slot.id))
    last: dict[Id, tuple[Id, ...]] = {}
    for (side, _), key in final.items():
        last[key] = (*last.get(key, ()), side)
    return first, last


def _sides(state: State, slot: Slot) -> tuple[Id, ...]:
    if slot.side:
        return (slot.side,)
    return tuple(dict.fromkeys(state[member].side for member in slot.members if member in state))
