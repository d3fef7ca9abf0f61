"""What the odds say of an attack beyond hit, miss and hit points."""

from __future__ import annotations

from tracker.core.fight.events import Entry, PoolChanged
from tracker.core.fight.state import Id, State

__all__ = ["outcomes"]


def outcomes(before: State, after: State, entries: tuple[Entry, ...], who: Id) -> tuple[str, ...]:
    """Return whether a combatant has taken Shock, and whether a hit was traumatic."""
    shocked = any(
        isinstance(entry.event, PoolChanged) and entry.event.who == who and entry.event.why == "Shock"
        for entry in entries
    )
    traumatic = after[who].has("traumatic") and not before[who].has("traumatic")
    return (*(("Shock",) if shocked else ()), *(("traumatic",) if traumatic else ()))
