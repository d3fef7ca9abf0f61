"""The calendar: what ends or fires next, and exactly when.

Where an end lies ahead is the schedule's to say (`tracker.views.schedule`); the words are core's, with the round added where it is a later one.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.durations import until_words
from tracker.core.effects import Effect
from tracker.core.moments import At, OnUse
from tracker.core.ruleset import Ruleset
from tracker.core.state import FIGHT, State
from tracker.views.schedule import ROUND_END, Place, Schedule
from tracker.views.text import clean

__all__ = ["Due", "calendar"]

MOST_KEPT = 4000
_MOMENT = re.compile(r"\s*(?:start\s+of\s+)?(end\s+of\s+)?round\s+(\d{1,6})\s*", re.IGNORECASE)


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
    schedule = Schedule(state)
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
    for effects in (state.effects, *(combatant.effects for combatant in state.combatants)):
        for effect in effects if most is None else _foremost(ruleset, effects, most):
            if effect.until:
                comings.append((min(map(schedule.place, effect.until)), effect.id, effect))
    soonest = sorted(comings, key=_soonness) if most is None else heapq.nsmallest(most, comings, key=_soonness)
    return tuple(item if isinstance(item, Due) else _ending(state, schedule, item) for _, _, item in soonest)


def _foremost(ruleset: Ruleset, effects: tuple[Effect, ...], most: int) -> Sequence[Effect]:
    """Return those of one bearer's effects that can be among the first to end: of those that wait for the same, the ones with the least count.

    Most bearers keep their effects from step to step, so what was found is kept as long as they do.
    """
    if len(effects) <= most:
        return effects
    kept: dict[tuple[int, int], tuple[tuple[Effect, ...], Sequence[Effect]]] = ruleset.__dict__.setdefault("_foremost", {})
    known = kept.get((id(effects), most))
    if known is None:
        waiting: dict[object, list[tuple[int, int, Effect]]] = {}
        for effect in effects:
            for end in effect.until:
                group = (end.edge, end.anchor, end.phase, end.segment) if isinstance(end, At) else None
                waiting.setdefault(group, []).append((end.count if isinstance(end, At) else 0, effect.id, effect))
        first = {number: effect for group in waiting.values() for _, number, effect in heapq.nsmallest(most, group, key=_foremost_key)}
        if len(kept) >= MOST_KEPT:
            kept.clear()
        known = kept[id(effects), most] = (effects, tuple(first.values()))
    return known[1]


def _foremost_key(waiting: tuple[int, int, Effect]) -> tuple[int, int]:
    return waiting[:2]


def _soonness(coming: tuple[Place, int, Due | Effect]) -> tuple[Place, int]:
    return coming[:2]


def _ending(state: State, schedule: Schedule, effect: Effect) -> Due:
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
