"""An action that ends its turn, whatever is left of it."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Action, ActionTable, ActionType, At, Boundary, Ctx, Economy, Effect, budget


def hide(ctx: Ctx, action: Action) -> None:
    """Get out of sight, and end the turn."""
    ctx.add_effect(Effect("hidden", action.by, until=(At("turn_start", "bearer"),)))
    ctx.walk()  # last of all: the clock goes to its next stop


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Give back what a turn holds, keep the order when a round ends."""
    ECONOMY.refresh(ctx, boundary)
    first.ORDER.on_boundary(ctx, boundary)


ECONOMY = Economy(budget(action=2), refresh_at="turn_start")
ACTIONS = ActionTable(
    (first.HIT, ActionType("hide", "Hide", cost="Action", price=budget(action=1), perform=hide)), ECONOMY
)
RULESET = replace(
    first.RULESET, actions=ACTIONS.actions, form=ACTIONS.form, perform=ACTIONS.perform, on_boundary=on_boundary
)
