"""Settling: what follows from the state, and what no action may leave behind."""

from __future__ import annotations

from rulesets.without_number.turn import TRIGGERING
from rulesets.worlds_without_number.acts import waiting
from rulesets.worlds_without_number.ending import over, wounds
from tracker.core.step.ctx import Ctx


def settle(ctx: Ctx) -> None:
    """Draw the conclusions.

    After a whole action close the held turns that were cut short, and offer the end.
    """
    wounds.settle(ctx)
    if ctx.depth:
        return
    for combatant in ctx.state.combatants:
        if combatant.fact(TRIGGERING) is not None:
            waiting.finish(ctx, combatant.id)
    if not ctx.walking:
        over.offer(ctx)
