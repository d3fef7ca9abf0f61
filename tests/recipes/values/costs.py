"""One spell at several prices: from one action to three, and mana for each."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import (
    Action,
    ActionTable,
    ActionType,
    Boundary,
    Ctx,
    Economy,
    Field,
    Id,
    Option,
    State,
    budget,
    fields,
)


def how(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form: which foe, and how many actions it may cost."""
    prices = tuple(
        Option(str(number), f"{number} actions", refusal=ECONOMY.unpaid(state, action.by, price(number)))
        for number in (1, 2, 3)
    )
    return (*first.whom(state, action), fields.choice("actions", prices))


def price(number: int) -> tuple[tuple[str, int], ...]:
    """Return what so many actions of magic cost."""
    return budget(action=number, mana=number)


def chosen(state: State, action: Action) -> tuple[tuple[str, int], ...]:
    """Return the price of the form as filled in, the cheapest while it is empty."""
    return price(int(fields.text(action, "actions", "1")))


def dart(ctx: Ctx, action: Action) -> None:
    """Do 1 point for each action."""
    target = fields.text(action, "target")
    ctx.change(target, "hp", ctx.state[target].hp - int(fields.text(action, "actions")), source=action.by)


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their mana, which never comes back."""
    first.join(ctx, newcomers)
    ECONOMY.give(ctx, newcomers)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Give back what a turn holds, keep the order when a round ends."""
    ECONOMY.refresh(ctx, boundary)
    first.ORDER.on_boundary(ctx, boundary)


ECONOMY = Economy(budget(action=3, mana=5), refresh_at={"action": "turn_start"})
ACTIONS = ActionTable(
    (ActionType("dart", "Dart", cost="1-3 actions", price=chosen, perform=dart, fields=how),), ECONOMY
)
RULESET = replace(
    first.RULESET,
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
    join=join,
    on_boundary=on_boundary,
)
