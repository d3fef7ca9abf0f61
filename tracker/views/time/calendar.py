"""The calendar: the next ends of effects, waves and reminders, and their moments.

The places of ends come from the schedule (`tracker.views.time.upcoming`); the words are core's, with the round added if
it is a later one.
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_left, insort
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.cache import differing
from tracker.core.fight.state import FIGHT, State
from tracker.core.game.durations import until_words
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, OnUse, named_place, named_round
from tracker.views.time.upcoming import ROUND_END, Place, UpcomingEdges
from tracker.views.words.text import clean

WAVE, REMINDER = -2, -1


class _End(NamedTuple):
    """One end of an effect; `number`: its place among the ends of that effect."""

    end: At | OnUse
    effect: Effect
    number: int


class _Upcoming(NamedTuple):
    """An event and its place; `rank` orders the events of one place: waves, reminders, effects as they began."""

    place: Place
    rank: int
    what: Due | Effect


class _Next(NamedTuple):
    """The first end of a line that is not yet listed; place, effect and number order it.

    A line holds the ends of one bearer's effects that wait for the same edge, the smallest count first.
    """

    place: Place
    effect: int
    number: int
    at: int
    line: list[_End]


_order = itemgetter(0, 1, 2)


class When(Struct, frozen=True):
    """A future moment in words, and its round; 0 if the round cannot be foretold."""

    words: str
    round: int = 0


class Due(Struct, frozen=True):
    """A future event.

    Attributes:
        moments: the moments at which it may happen; it happens at the first.
        what: the event in words ("charging ends").
        who: the name of the combatant or side it concerns, or "".
        key: the bearer and number of the effect, or the place of the wave or reminder.
    """

    moments: tuple[When, ...]
    what: str
    who: str = ""
    kind: str = "effect"
    key: str = ""
    secret: bool = False
    rule: str = ""

    @property
    def moment(self) -> str:
        return " or ".join(moment.words for moment in self.moments)

    @property
    def line(self) -> str:
        return f"{self.what} ({self.who})" if self.who else self.what


def calendar(ruleset: Ruleset, state: State, most: int | None = None, *, cache: str = "gm") -> tuple[Due, ...]:
    """Return the next events, soonest first, `most` at most; none once the fight is over.

    Ends without a fixed moment come last; effects that last until removed and quiet effects are left out. Each `cache`
    holds the ends of the last state that was given with its name.
    """
    if state.clock.over:
        return ()
    caches: dict[str, _Ends] = ruleset.__dict__.setdefault("_ends", {})
    ends = caches[cache] = caches[cache].after(state) if cache in caches else _Ends(state)
    schedule = ends.schedule
    coming: list[_Upcoming] = []
    for number, wave in enumerate(state.waves, start=1):
        if moment := _moment_of(wave.when, state):
            what = f"wave: {clean(wave.title)}" if wave.title else "a wave"
            due = Due((moment[1],), what, clean(state.name(wave.side)), "wave", f"wave:{number}")
            coming.append(_Upcoming(moment[0], WAVE, due))
    for number, reminder in enumerate(state.reminders, start=1):
        if moment := _moment_of(reminder.when, state):
            due = Due((moment[1],), clean(reminder.text), kind="reminder", key=f"reminder:{number}")
            coming.append(_Upcoming(moment[0], REMINDER, due))
    if most is None:
        lasting = (effect for effect in state.all_effects if effect.until and effect.quiet is not True)
        coming += (_Upcoming(min(map(schedule.place, effect.until)), effect.id, effect) for effect in lasting)
    else:
        coming += ends.soonest(most)
    events = [entry.what for entry in sorted(coming, key=itemgetter(0, 1))[:most]]
    return tuple(what if isinstance(what, Due) else _ending(state, schedule, what) for what in events)


class _Ends:
    """The ends of all effects in lines.

    Of the thousands of ends of a crowd only the first of each line is placed, and after a step only those of the
    combatants that it changed.
    """

    def __init__(self, state: State) -> None:
        self.schedule = UpcomingEdges(state)
        self._effects: list[tuple[Effect, ...]] = []
        self._firsts: list[_Next] = []
        self._of: list[list[_Next]] = []
        self._waiting: dict[tuple[str, str], set[int]] = {}
        self._all(state)

    def after(self, state: State) -> _Ends:
        schedule, self.schedule = self.schedule, self.schedule.after(state)
        if self.schedule is not schedule or len(self._effects) != len(state.combatants) + 1:
            self._all(state)
            return self
        effects = _borne(state)
        changed = set(differing(effects, self._effects))
        for edge in schedule.moved:
            changed |= self._waiting.get(edge, set())
        self._effects = effects
        for bearer in changed:
            for line in self._of[bearer]:
                del self._firsts[bisect_left(self._firsts, line[:3], key=_order)]
            self._of[bearer] = self._lines(bearer)
            for line in self._of[bearer]:
                insort(self._firsts, line, key=_order)
        return self

    def _all(self, state: State) -> None:
        self._effects, self._waiting = _borne(state), {}
        self._of = [self._lines(bearer) if effects else [] for bearer, effects in enumerate(self._effects)]
        self._firsts = sorted([line for lines in self._of for line in lines], key=_order)

    def _lines(self, bearer: int) -> list[_Next]:
        same: dict[object, list[_End]] = {}
        for effect in self._effects[bearer]:
            if effect.quiet is True:
                continue
            for number, end in enumerate(effect.until):
                waits_for = (end.edge, end.anchor, end.phase, end.segment) if isinstance(end, At) else end.key
                same.setdefault(waits_for, []).append(_End(end, effect, number))
        lines = []
        for line in same.values():
            line.sort(key=lambda waiting: (waiting.end.count, waiting.effect.id))
            first = line[0].end
            if isinstance(first, At):
                self._waiting.setdefault((first.edge, first.anchor), set()).add(bearer)
            place = self.schedule.place(first)
            if place[0] == math.inf:  # the counts matter only if the edge can be foretold
                line.sort(key=lambda waiting: waiting.effect.id)
            lines.append(_Next(place, line[0].effect.id, line[0].number, 0, line))
        return lines

    def soonest(self, most: int) -> Iterator[_Upcoming]:
        """Yield the `most` effects that end soonest, each with its place, soonest first."""
        firsts = iter(self._firsts)
        coming = next(firsts, None)
        heap: list[_Next] = []
        listed: set[int] = set()
        while len(listed) < most:
            while coming is not None and (not heap or coming[:3] <= heap[0][:3]):
                heapq.heappush(heap, coming)
                coming = next(firsts, None)
            if not heap:
                return
            soonest = heapq.heappop(heap)
            if soonest.effect not in listed:
                listed.add(soonest.effect)
                yield _Upcoming(soonest.place, soonest.effect, soonest.line[soonest.at].effect)
            at = soonest.at + 1
            for end, effect, number in soonest.line[at : at + 1]:
                heapq.heappush(heap, _Next(self.schedule.place(end), effect.id, number, at, soonest.line))


def _borne(state: State) -> list[tuple[Effect, ...]]:
    return [state.effects, *[combatant.effects for combatant in state.combatants]]


def _ending(state: State, schedule: UpcomingEdges, effect: Effect) -> Due:
    ends = sorted(effect.until, key=schedule.place)
    bearer = "" if effect.bearer == FIGHT else clean(state.name(effect.bearer))
    return Due(
        moments=tuple([_moment(state, effect, end, schedule.place(end)) for end in ends]),
        what=f"{clean(effect.shown)} ends",
        who=bearer,
        key=f"{effect.bearer}#{effect.id}",
        secret=effect.secret,
        rule=effect.rule,
    )


def _moment(state: State, effect: Effect, end: At | OnUse, place: Place) -> When:
    """Return the moment of an end, with its round if that is a later one."""
    if isinstance(end, OnUse) or end.edge == "combat_end" or place[0] == math.inf:
        return When(clean(until_words(state, replace(effect, until=(end,)))))
    number = int(place[0])
    if end.edge.startswith("round"):
        return When(clean(until_words(state, replace(effect, until=(end,)))), number)
    words = clean(until_words(state, replace(effect, until=(replace(end, count=1),))))
    later = number != state.clock.round
    return When(f"{words.replace('next turn', 'turn')}, round {number}" if later else words, number)


def _moment_of(when: str, state: State) -> tuple[Place, When] | None:
    """Return the place and words of the moment of a wave or reminder, None if it has no moment or is past."""
    if (place := named_place(when)) is not None:
        if state.clock.over or place.round <= state.clock.round:
            return None  # the order of the round shows it
        words = when.rpartition("round")[0].rstrip(", ").removesuffix(" of").removesuffix(" in")
        return (place.round, 0), When(f"{words}, round {place.round}", place.round)
    named = named_round(when)
    if named is None or state.clock.over or not named.ahead(state.clock.round, state.clock.in_round):
        return None
    return (named.number, ROUND_END if named.edge == "end" else 0), When(named.words, named.number)
