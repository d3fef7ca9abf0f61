"""What may have been missed: the ruleset's reminders, and the encounter's whose moment has come."""

from __future__ import annotations

from tracker.core.fight.state import Clock, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Reminding
from tracker.core.terms.moments.rounds import named_round

__all__ = ["owed"]


def owed(ruleset: Ruleset, state: State) -> tuple[Reminding, ...]:
    """Return what may have been missed now, the encounter's own first.

    What has been dismissed is left out.

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
    moment = named_round(when)
    return moment is not None and moment.number > 0 and moment.reached(clock.round, clock.in_round) is True
