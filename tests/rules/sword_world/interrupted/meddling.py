"""What the game master puts before questions, and what a step asked."""

from __future__ import annotations

from tests.rules.sword_world.fights import Fight
from tracker.core.fight.events import Decided, Rolled
from tracker.core.terms.actions import Action, action


def gone(who: str) -> Action:
    """Return the action that removes a combatant."""
    return action("remove", targets=(who,))


def down(who: str, status: str = "unconscious") -> Action:
    """Return the action that gives a combatant a status."""
    return action("status", targets=(who,), status=status)


def elsewhere(who: str) -> Action:
    """Return the action that puts a combatant far away."""
    return action("place", who=who, x=90)


def turned(who: str, side: str) -> Action:
    """Return the action that puts a combatant on a side."""
    return action("side", who=who, side=side)


def kinds(fight: Fight) -> list[str]:
    """Return what was rolled or decided in the last step, by key."""
    return [entry.event.key for entry in fight.entries if isinstance(entry.event, Rolled | Decided)]
