"""What may have been missed: the ruleset's reminders, and the encounter's whose moment has come."""

from __future__ import annotations

import re

from tracker.core.fight.state import Clock, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Reminding

__all__ = ["owed"]

_MOMENT = re.compile(r"\s*(?:start\s+of\s+)?(end\s+of\s+)?round\s+(\d{1,6})\s*", re.IGNORECASE)


def owed(ruleset: Ruleset, state: State) -> tuple[Reminding, ...]:
    """Return what may have been missed now and has not been dismissed, the encounter's own first.

    One of the encounter's stands from its moment until the round is over; one without a moment comes anew in every
    round.
    """
    clock = state.clock
    own = [
        Reminding(f"encounter:{place}" if reminder.when.strip() else f"encounter:{place}:r{clock.round}", reminder.text)
        for place, reminder in enumerate(state.reminders, start=1)
        if _has_come(reminder.when, clock)
    ]
    return tuple(reminder for reminder in (*own, *ruleset.pending(state)) if reminder.key not in state.dismissed)


def _has_come(when: str, clock: Clock) -> bool:
    if clock.over:
        return False
    if not when.strip():
        return clock.in_round and clock.round > 0
    moment = _MOMENT.fullmatch(when)
    if moment is None:
        return False
    number = int(moment[2])
    if moment[1]:
        return clock.round == number + 1 if clock.in_round else clock.round == number > 0
    return clock.in_round and clock.round == number
