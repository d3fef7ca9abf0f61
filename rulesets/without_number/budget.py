"""The budget of a round: one Main and one Move, and the Main may be spent as a second Move."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.core.fight.state import Combatant

__all__ = ["EMPTY", "FULL", "Price", "after", "payment"]

Price: TypeAlias = Literal["main", "move", "both", "none"]

FULL = (("main", 1), ("move", 1))
EMPTY = (("main", 0), ("move", 0))


def payment(combatant: Combatant, price: Price) -> tuple[str, ...] | None:
    """Return what has to be taken from the budget, or None where it does not suffice; a Move is paid with the Move first."""
    main, move = combatant.left("main") > 0, combatant.left("move") > 0
    match price:
        case "none":
            return ()
        case "main":
            return ("main",) if main else None
        case "move":
            return ("move",) if move else ("main",) if main else None
        case "both":
            return ("main", "move") if main and move else None


def after(combatant: Combatant, taken: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Return the budget that is left; nothing falls below 0, whatever a GM has forced."""
    return tuple((key, max(0, left - taken.count(key))) for key, left in combatant.budget)
