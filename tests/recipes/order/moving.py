"""Moving a combatant in the order by a rule."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Action, ActionTable, ActionType, Ctx, budget, fields


def trip(ctx: Ctx, action: Action) -> None:
    """Trip a foe: from now on it acts last."""
    first.ORDER.put(ctx, fields.text(action, "target"))


def hit(ctx: Ctx, action: Action) -> None:
    """Strike: a target that goes down acts just before the attacker from now on."""
    target = fields.text(action, "target")
    first.hit(ctx, action)
    ctx.settle()  # who is down is decided there
    if ctx.state[target].status == "down":
        first.ORDER.put(ctx, target, before=action.by)


TRIP = ActionType("trip", "Trip", cost="Action", price=budget(action=1), perform=trip, fields=first.whom)
ACTIONS = ActionTable((replace(first.HIT, perform=hit), TRIP), first.ECONOMY)
RULESET = replace(first.RULESET, actions=ACTIONS.actions, form=ACTIONS.form, perform=ACTIONS.perform)
