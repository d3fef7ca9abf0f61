"""Advantage: two dice and the better one, of which the GM types either kind."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Action, ActionTable, ActionType, Ctx, Dice, Id, State, budget, fields, twice


def situation(state: State, who: Id, target: Id) -> int:
    """Return what the situation gives: a foe that is down is hit with advantage."""
    return 1 if state[target].status == "down" or state[target].has("prone") else 0


def hit(ctx: Ctx, action: Action) -> None:
    """Roll a d20, or two: on 11 or more the target loses 2 hit points."""
    who, target = fields.actor(action), fields.text(action, "target")
    edge = twice.edge(ctx.state, who, "advantage", situation(ctx.state, who, target))
    if twice.roll(ctx, "attack", Dice.of(1, 20), edge=edge, who=who, why="attack") >= 11:
        ctx.change(target, "hp", ctx.state[target].hp - 2, source=who)


HIT = ActionType("hit", "Hit", cost="Action", price=budget(action=1), perform=hit, fields=first.whom)
ACTIONS = ActionTable((HIT,), first.ECONOMY)
RULESET = replace(
    first.RULESET,
    schema=replace(first.RULESET.schema, derived=("advantage",)),  # so `e blessed a +1 advantage` can be typed
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
)
