"""Settling: what follows from the state, and what no action may leave behind."""

from __future__ import annotations

from rulesets.worlds_without_number.acts import waiting
from rulesets.worlds_without_number.acts.answers import INSTANT, INTERRUPTED, SIMULTANEOUS
from rulesets.worlds_without_number.acts.deeds import TRIGGERING
from rulesets.worlds_without_number.ending import wounds
from tracker.core.fight.state import FIGHT
from tracker.core.step.ctx import Ctx

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
