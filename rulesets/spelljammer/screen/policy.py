"""What a combatant does where no person chooses for it."""

from __future__ import annotations

from rulesets.spelljammer.order import declare, schedule
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import Action
from tracker.core.terms.tactics import Tactics

__all__ = ["policy"]


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Choose plainly: declare the default, resolve the act that is due."""
    if any(combatant.id == who for combatant in declare.undeclared(state)) and state.clock.phase == "declare":
        return Action("declare", who)
    due = schedule.advance(state)
    return due if due is not None and due.by == who else None
