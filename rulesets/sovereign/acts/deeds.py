"""The rules of every deed: who can act, when, and at what price."""

from __future__ import annotations

from rulesets.sovereign.cites import CITES
from rulesets.sovereign.numbers.stats import rules
from rulesets.without_number.turn import BOTH, MAIN, own_phase, take, turn_rules
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.kit.deeds import Deed

__all__ = ["PAID_FACT", "RULES"]

PAID_FACT = "paid"
# The deeds that refuse a spent price by rules of their own.
SPENT = {("snap_attack", MAIN): "SV-061", ("total_defense", MAIN): "SV-090", ("charge", BOTH): "SV-071"}


def _pay(ctx: Ctx, deed: Deed, action: Action) -> None:
    """Take the price (R25).

    A Main spent out of turn leaves nothing to hold.
    """
    who = str(action.by)
    taken = take(ctx, CITES, deed, action)
    if taken and rules(ctx.state).interrupted_action == "redeclare":
        ctx.fact(who, PAID_FACT, taken, "SV-R26")
    if "main" in taken and ctx.state[who].has("held") and not own_phase(ctx.state, who):
        ctx.end_named(who, "held", "the Main action is spent", "SV-R25")


RULES = turn_rules(CITES, "Free", SPENT, _pay)
