"""A power that comes back on a 5 or 6 at the start of a turn."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Action, ActionTable, ActionType, Boundary, Ctx, Dice, Economy, Id, budget, fields

ECONOMY = Economy(budget(action=1, breath=1), refresh_at={"action": "turn_start"})  # the breath never by itself


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Let everybody begin with its breath."""
    first.join(ctx, newcomers)
    ECONOMY.give(ctx, newcomers)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Roll at the start of a turn whether a spent breath comes back."""
    ECONOMY.refresh(ctx, boundary)
    first.ORDER.on_boundary(ctx, boundary)
    for who in boundary.actors if boundary.edge == "turn_start" else ():
        if who not in ctx.state or ctx.state[who].left("breath"):
            continue
        if ctx.roll(f"recharge:{who}", Dice.of(1, 6), who=who, why="recharge", needed="5 or 6") >= 5:
            now = tuple((key, 1 if key == "breath" else left) for key, left in ctx.state[who].budget)
            ctx.refill({who: now})


def breathe(ctx: Ctx, action: Action) -> None:
    """Do 4 points to a foe."""
    target = fields.text(action, "target")
    ctx.change(target, "hp", ctx.state[target].hp - 4, source=action.by)


BREATHE = ActionType("breathe", "Breathe", price=budget(action=1, breath=1), perform=breathe, fields=first.whom)
ACTIONS = ActionTable((first.HIT, BREATHE), ECONOMY)
RULESET = replace(
    first.RULESET,
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
    join=join,
    on_boundary=on_boundary,
)
