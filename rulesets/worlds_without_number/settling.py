"""Settling: what follows from the state, and what no action may leave behind."""

from __future__ import annotations

from rulesets.worlds_without_number import waiting, wounds
from rulesets.worlds_without_number.answers import INSTANT, INTERRUPTED, SIMULTANEOUS
from rulesets.worlds_without_number.deeds import TRIGGERING
from tracker.core.ctx import Ctx
from tracker.core.state import FIGHT

__all__ = ["settle"]


def settle(ctx: Ctx) -> None:
    """Draw the conclusions; after a whole action forget what its answers were told, even if it was cut short."""
    wounds.settle(ctx)
    if ctx.depth:
        return
    ctx.fact(FIGHT, INTERRUPTED, None)
    for combatant in ctx.state.combatants:
        for key, _ in combatant.facts:
            if key == TRIGGERING:
                waiting.finish(ctx, combatant.id)
            elif key in {INSTANT, SIMULTANEOUS}:
                ctx.fact(combatant.id, key, None)
