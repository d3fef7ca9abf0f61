"""Luck: rolling again after the result is seen."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Action, ActionTable, ActionType, Boundary, Ctx, Dice, Economy, Id, answering, budget, fields


def hit(ctx: Ctx, action: Action) -> None:
    """Roll, and roll again while the actor pays with luck."""
    who, target = action.by, fields.text(action, "target")
    times = 0
    while True:
        times += 1
        with ctx.scope(f"try:{times}"):  # each try has keys of its own
            rolled = ctx.roll("attack", Dice.of(1, 6), who=who)
            if not ctx.window("rolled", who, target, why=f"{rolled} is rolled", again=False):
                break
    if rolled >= 3:
        ctx.change(target, "hp", ctx.state[target].hp - 2, source=who)


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their luck, which never comes back."""
    first.join(ctx, newcomers)
    ECONOMY.give(ctx, newcomers)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Give back what a turn holds, keep the order when a round ends."""
    ECONOMY.refresh(ctx, boundary)
    first.ORDER.on_boundary(ctx, boundary)


ECONOMY = Economy(budget(action=1, luck=2), refresh_at={"action": "turn_start"})
AGAIN = ActionType(
    "again", "Roll again", price=budget(luck=1), when="any", listed=False, answers=answering("rolled", "actor")
)
ACTIONS = ActionTable((replace(first.HIT, perform=hit), AGAIN), ECONOMY)
RULESET = replace(
    first.RULESET,
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
    windows=ACTIONS.windows,
    join=join,
    on_boundary=on_boundary,
)
