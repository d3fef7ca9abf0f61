"""What has just happened, in words for players.

It is a whitelist of events, each named by what can be seen. Nothing says who did it, why, or against which number.
"""

from __future__ import annotations

from collections.abc import Sequence

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
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.visibility import knowledge
from tracker.views.public.build import health_of
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


def event_words(ruleset: Ruleset, state: State, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return what players read of a step, worded from a state after it."""
    veil = redactor_of(state, "")
    lines = [line for entry in public_entries(entries) for line in _line(ruleset, veil, entry)]
    return tuple(dict.fromkeys(lines))


def _line(ruleset: Ruleset, veil: Redactor, entry: Entry) -> tuple[str, ...]:
    match entry.event:
        case BoundaryCrossed(boundary=boundary) if boundary.edge == "round_start":
            return (f"Round {boundary.round}",)
        case FightEnded():
            return ("The fight is over",)
        case FactSet(owner=knowledge.PLAYERS, key="unseen_at", now=str()):
            return (f"{UNSEEN.capitalize()} attacks",)
        case FactSet(owner=knowledge.PLAYERS, key=key, was=str(), now=None) if key.startswith("hidden:"):
            who, words = key.removeprefix("hidden:"), " appears"
        case StatusChanged(who=who, now=status):
            words = f" is {clean(ruleset.status(status).word)}"
        case PoolChanged() as change:
            return _points(ruleset, veil, change)
        case EffectAdded(effect=effect) if not effect.secret:
            who, words = effect.bearer, f": {veil.text(effect.shown)}"
        case EffectEnded(was=effect, reason=reason) if not effect.secret and reason != "replaced":
            who, words = effect.bearer, f": {veil.text(effect.shown)} ends"
        case _:
            return ()
    combatant = _seen(veil, who)
    return () if combatant is None else (f"{veil.name(combatant)}{words}",)


def _seen(veil: Redactor, who: str) -> Combatant | None:
    one = veil.state.get(who)
    return one if one is not None and veil.sees(who) else None


def _points(ruleset: Ruleset, veil: Redactor, change: PoolChanged) -> tuple[str, ...]:
    """Return points lost or gained in words; for the other side only its look afterwards."""
    one = _seen(veil, change.who)
    lost = change.was - change.now
    if one is None or not lost or change.pool not in ruleset.schema.pools[:1]:
        return ()
    if veil.state.side(one.side).control == "players" and veil.allows("points"):
        verb = "loses" if lost > 0 else "regains"
        return (f"{veil.name(one)} {verb} {abs(lost)} {stat_words(change.pool)}",)
    if not veil.allows(f"health:{one.side}") or not one.has_pool(change.pool):
        return ()
    full = one.pool(change.pool).max
    before, after = health_of(change.was, full), health_of(change.now, full)
    return (f"{veil.name(one)} is {after}",) if before != after else ()
