"""What has just happened, in words for players.

It is a whitelist of events, each named by what can be seen. Nothing says who did it, why, or against which number.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tracker.core.fight.events import (
    BoundaryCrossed,
    EffectAdded,
    EffectEnded,
    Entry,
    Event,
    FactSet,
    FightEnded,
    PoolChanged,
    StatusChanged,
)
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.visibility import knowledge
from tracker.views.public.build import health_of, seen_as
from tracker.views.public.redaction import UNSEEN, Redactor, redactor_of
from tracker.views.words.moments import stat_words
from tracker.views.words.text import clean

TOLD = frozenset((FightEnded, StatusChanged, PoolChanged, EffectAdded, EffectEnded))
"""What players may read of, beside rounds and what the GM sets of the hidden."""


def public_entries(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple([entry for entry in entries if _is_public(entry.event)])


def _is_public(event: Event) -> bool:
    if isinstance(event, FactSet):
        return event.owner == knowledge.PLAYERS
    if isinstance(event, BoundaryCrossed):
        return event.boundary.edge == "round_start"
    return type(event) in TOLD


def event_words(ruleset: Ruleset, after: State, entries: Sequence[Entry], now: State | None = None) -> tuple[str, ...]:
    """Return what players read of a step: what they could see when it happened and may still see.

    Args:
        ruleset: the game.
        after: the state after the step. What was hidden or kept back then is not told, whatever is shown by now.
        entries: what happened in the step.
        now: the present state, whose names are read; None: the state after the step.
    """
    words = _Words(ruleset, redactor_of(after, ""), redactor_of(after if now is None else now, ""))
    lines: list[str] = []
    for entry in reversed(public_entries(entries)):
        lines[:0] = words.lines(entry.event)
        match entry.event:
            case FactSet(owner=knowledge.PLAYERS, key=key, was=str(), now=None) if key.startswith("hidden:"):
                words = words.hiding(key.removeprefix("hidden:"))  # what came before the reveal was not seen
    return tuple(dict.fromkeys(lines))


class _Words:
    """The words for the events of a step.

    `then` is the redactor of the state after the step, `veil` that of the present, which also hides what was hidden
    in the step.
    """

    def __init__(self, ruleset: Ruleset, then: Redactor, now: Redactor) -> None:
        self.ruleset, self.then = ruleset, then
        alike = then is now or then.hidden <= now.hidden
        self.veil = now if alike else replace(now, facts=now.facts or then.facts, hidden=now.hidden | then.hidden)

    def hiding(self, who: Id) -> _Words:
        return _Words(self.ruleset, replace(self.then, hidden=self.then.hidden | {who}), self.veil)

    def lines(self, event: Event) -> tuple[str, ...]:
        match event:
            case BoundaryCrossed(boundary=boundary) if boundary.edge == "round_start":
                return (f"Round {boundary.round}",)
            case FightEnded():
                return ("The fight is over",)
            case FactSet(owner=knowledge.PLAYERS, key="unseen_at", now=str()):
                return (f"{UNSEEN.capitalize()} attacks",)
            case FactSet(owner=knowledge.PLAYERS, key=key, was=str(), now=None) if key.startswith("hidden:"):
                who, words = key.removeprefix("hidden:"), " appears"
            case StatusChanged(who=who, now=status):
                words = f" is {clean(self.ruleset.status(status).word)}"
            case PoolChanged() as change:
                return self._points(change)
            case EffectAdded(effect=effect) if name := seen_as(effect, self._own(effect.bearer)):
                who, words = effect.bearer, f": {self.veil.text(name)}"
            case EffectEnded(was=effect, reason=reason) if reason != "replaced" and (
                name := seen_as(effect, self._own(effect.bearer))
            ):
                who, words = effect.bearer, f": {self.veil.text(name)} ends"
            case _:
                return ()
        combatant = self._seen(who)
        return () if combatant is None else (f"{self.veil.name(combatant)}{words}",)

    def _seen(self, who: Id) -> Combatant | None:
        one = self.veil.state.get(who)
        return one if one is not None and self.veil.sees(who) else None

    def _own(self, who: Id) -> bool:
        """Tell whether the players ran a combatant then and run it now."""
        states = (self.then.state, self.veil.state)
        return all((one := state.get(who)) and state.side(one.side).control == "players" for state in states)

    def _allows(self, key: str) -> bool:
        return self.then.allows(key) and self.veil.allows(key)

    def _points(self, change: PoolChanged) -> tuple[str, ...]:
        """Return points lost or gained in words; for the other side only its look afterwards."""
        one, then = self._seen(change.who), self.then.state.get(change.who)
        lost = change.was - change.now
        if one is None or then is None or not lost or change.pool not in self.ruleset.schema.pools[:1]:
            return ()
        name = self.veil.name(one)
        if self._own(one.id) and self._allows("points"):
            verb = "loses" if lost > 0 else "regains"
            return (f"{name} {verb} {abs(lost)} {stat_words(change.pool)}",)
        if not all(self._allows(f"health:{side}") for side in {one.side, then.side}) or not then.has_pool(change.pool):
            return ()
        full = then.pool(change.pool).max
        before, after = health_of(change.was, full), health_of(change.now, full)
        return (f"{name} is {after}",) if before != after else ()
