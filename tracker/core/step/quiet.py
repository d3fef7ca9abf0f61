"""Who is not asked whether to interrupt.

The GM's word is kept as facts of one owner, so every game and every older journal has it.
"""

from __future__ import annotations

from tracker.core.fight.state import Id, State
from tracker.core.terms.values import Value

WINDOWS = "gm:windows"
"""The owner of these facts, which no combatant can be called."""
ALWAYS = -1
"""What stands for the round where it is for all rounds."""


def side_key(side: Id) -> str:
    """Return the key of what holds for a side."""
    return f"side:{side}"


def who_key(who: Id) -> str:
    """Return the key of what holds for one combatant, whatever its side does."""
    return f"who:{who}"


def silent(state: State, who: Id | None) -> bool:
    """Tell whether a combatant is not asked now.

    What was said of it this round counts before what was said of its side.
    """
    combatant = state.get(who) if state.facts else None
    if combatant is None:
        return False
    said = [state.known.get((WINDOWS, key)) for key in (who_key(combatant.id), side_key(combatant.side))]
    return any(_holds(value, state.clock.round) for value in said)


def _holds(value: Value, now: int) -> bool:
    return isinstance(value, int) and value in (ALWAYS, now)
