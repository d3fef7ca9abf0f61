"""The rules of every action: who can act, when, and at what price."""

from __future__ import annotations

from rulesets.sovereign.cites import CITES
from rulesets.sovereign.stats.stats import rules
from rulesets.without_number.turn import BOTH, MAIN, take, turn_rules
from tracker.core.fight.slots import Id
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action

PAID_FACT = "paid"
# What is done in the midst of another action of the same combatant.
BESIDES = ("aoo", "veterans_luck")
# The actions that refuse a spent price by rules of their own.
SPENT = {("snap_attack", MAIN): "SV-061", ("total_defense", MAIN): "SV-090", ("charge", BOTH): "SV-071"}


def pay(ctx: Ctx, kind: ActionType, action: Action) -> None:
    """Take the price (R25).

    A Main that is spent leaves nothing to hold.
    """
    who = str(action.by)
    taken = take(ctx, CITES, kind, action)
    if kind.key not in BESIDES and rules(ctx.state).interrupted_action == "redeclare":
        ctx.fact(who, PAID_FACT, taken or None, "SV-R26")
    if "main" in taken:
        ctx.end_named(who, "held", "the Main action is spent", "SV-R25")


def spent_for_good(ctx: Ctx, who: Id, *parts: str) -> None:
    """Keep parts of a price, or all of it, spent for good (R26)."""
    paid = ctx.state[who].fact(PAID_FACT)
    if isinstance(paid, tuple):
        left = tuple(key for key in paid if parts and key not in parts)
        ctx.fact(who, PAID_FACT, left or None, "SV-R26")


RULES = turn_rules(CITES, "Free", SPENT, pay)
