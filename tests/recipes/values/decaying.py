"""A condition with a value that falls by itself: frightened."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import (
    Action,
    ActionTable,
    ActionType,
    Boundary,
    ConditionKind,
    Conditions,
    Ctx,
    Dice,
    Modifier,
    Part,
    budget,
    fields,
    modifiers,
)

CONDITIONS = Conditions(
    (ConditionKind("frightened", falls_at="turn_end", changes=lambda value: (Modifier("attack", -value),)),)
)


def howl(ctx: Ctx, action: Action) -> None:
    """Frighten a foe, unless it is frightened more already."""
    CONDITIONS.raise_to(ctx, fields.text(action, "target"), "frightened", 2, source=action.by)


def hit(ctx: Ctx, action: Action) -> None:
    """Roll, with what conditions add or take away."""
    target = fields.text(action, "target")
    rolled = ctx.roll("attack", Dice.of(1, 6), who=action.by)
    total = modifiers.derived(ctx.state, action.by, "attack", Part("1d6", rolled))
    if total.value >= 3:
        ctx.change(target, "hp", ctx.state[target].hp - 2, source=action.by)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Lower what falls at this edge."""
    first.on_boundary(ctx, boundary)
    CONDITIONS.on_boundary(ctx, boundary)


HOWL = ActionType("howl", "Howl", cost="Action", price=budget(action=1), perform=howl, fields=first.whom)
ACTIONS = ActionTable((replace(first.HIT, perform=hit), HOWL), first.ECONOMY)
RULESET = replace(
    first.RULESET,
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
    on_boundary=on_boundary,
    effects=CONDITIONS.effects,  # the GM types `e frightened 2 g`
)
