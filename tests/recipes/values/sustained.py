"""A spell that holds while its caster spends an action on it each turn."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import (
    Action,
    ActionTable,
    ActionType,
    Boundary,
    Ctx,
    Economy,
    Effect,
    Modifier,
    Refusal,
    State,
    budget,
    fields,
)


def web(ctx: Ctx, action: Action) -> None:
    """Bind a foe for as long as the caster concentrates."""
    caster, target = action.by, fields.text(action, "target")
    ctx.end_named(caster, "concentration", "a new spell")
    held = ctx.add_effect(Effect("concentration", caster))
    ctx.add_effect(Effect("bound", target, source=caster, modifiers=(Modifier("attack", -1),), parent=held))
    ctx.fact(caster, "sustained", True)


def sustain(ctx: Ctx, action: Action) -> None:
    """Hold the spell for one more turn."""
    ctx.fact(action.by, "sustained", True)


def nothing_held(state: State, action: Action) -> Refusal | None:
    """Refuse where there is no spell."""
    held = state[action.by].has("concentration")
    return None if held else Refusal("no_spell", f"{state.name(action.by)} holds no spell")


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """End a spell that was not sustained in the turn that ends."""
    first.on_boundary(ctx, boundary)
    ECONOMY.refresh(ctx, boundary)
    for who in boundary.actors if boundary.edge == "turn_end" else ():
        if not ctx.state.fact(who, "sustained"):
            ctx.end_named(who, "concentration", "not sustained")
        ctx.fact(who, "sustained", None)


def settle(ctx: Ctx) -> None:
    """Let a caster who is down lose the spell."""
    first.settle(ctx)
    for one in ctx.state.combatants:
        if one.status != "up":
            ctx.end_named(one.id, "concentration", f"{one.name} is down")


ECONOMY = Economy(budget(action=2), refresh_at="turn_start")
WEB = ActionType("web", "Web", price=budget(action=2), perform=web, fields=first.whom)
SUSTAIN = ActionType("sustain", "Sustain", price=budget(action=1), perform=sustain, refusal=nothing_held)
ACTIONS = ActionTable((first.HIT, WEB, SUSTAIN), ECONOMY)
RULESET = replace(
    first.RULESET,
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
    on_boundary=on_boundary,
    settle=settle,
)
