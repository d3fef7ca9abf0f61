"""The rules of every deed: who can act, when, and at what price."""

from __future__ import annotations

from rulesets.without_number.turn import BOTH, MAIN, MOVE, take, turn_rules
from rulesets.worlds_without_number.cites import CITES
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action

# The deeds that refuse a spent price by rules of their own.
SPENT = {
    ("snap_attack", MAIN): "WN-050",
    ("total_defense", MAIN): "WN-078",
    ("charge", BOTH): "WN-060",
    ("reload", MAIN): "WN-087",
    ("reload", MOVE): "WN-089",
}


def _pay(ctx: Ctx, deed: ActionType, action: Action) -> None:
    """Take the price, a spent Main also from a held turn (R19)."""
    who = str(action.by)
    if "main" in take(ctx, CITES, deed, action) and ctx.state[who].has("held"):
        ctx.end_named(who, "held", "the Main action is spent", "WN-R19")


RULES = turn_rules(CITES, "On Turn", SPENT, _pay)
