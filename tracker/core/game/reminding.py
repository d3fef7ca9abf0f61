"""What may have been missed: the ruleset's reminders, and the encounter's whose moment has come."""

from __future__ import annotations

from tracker.core.fight.memo import per_state
from tracker.core.fight.slots import Clock
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Reminding
from tracker.core.terms.actions import Action
from tracker.core.terms.moments.rounds import named_round


def owed(ruleset: Ruleset, state: State) -> tuple[Reminding, ...]:
    """Return what may have been missed now, the encounter's own first.

    The end of a decided fight comes next.

    What has been dismissed is left out.

    One of the encounter's stands from its moment until the round is over; one without a moment comes anew in every
    round.
    """
    return _owed(state, ruleset)


@per_state
def _owed(state: State, ruleset: Ruleset) -> tuple[Reminding, ...]:
    clock = state.clock
    own = [
        Reminding(f"encounter:{place}" if reminder.when.strip() else f"encounter:{place}:r{clock.round}", reminder.text)
        for place, reminder in enumerate(state.reminders, start=1)
        if _has_come(reminder.when, clock)
    ]
    decided, pending = _decided(ruleset, state), ruleset.pending(state)
    if decided:  # nobody is blamed for a turn that is not taken
        pending = tuple(one for one in pending if one.about is None or not one.lapses)
    found = (*own, *decided, *pending)
    return tuple(reminder for reminder in found if reminder.key not in state.dismissed)


def _decided(ruleset: Ruleset, state: State) -> tuple[Reminding, ...]:
    """Return the offer to end a decided fight."""
    if state.clock.over or not state.clock.in_round:
        return ()
    why = ruleset.finished(state)
    coming = " A wave is still to come." if any(wave.when for wave in state.waves) else ""
    offer = f"{why}: end the fight?{coming}"
    return (Reminding(f"decided:{why}", offer, None, Action("end_fight"), lapses=True),) if why else ()


def _has_come(when: str, clock: Clock) -> bool:
    if clock.over:
        return False
    if not when.strip():
        return clock.in_round and clock.round > 0
    moment = named_round(when)
    return moment is not None and moment.number > 0 and moment.reached(clock.round, clock.in_round) is True
