"""An area power with a save for half, and an effect that a save at the end of each turn ends."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import (
    Action,
    ActionTable,
    ActionType,
    Boundary,
    Ctx,
    Damage,
    Dice,
    Effect,
    Field,
    Harm,
    Id,
    NamedEffect,
    State,
    budget,
    fields,
)

DAMAGE = Damage(("fire",))


def saved(ctx: Ctx, who: Id, against: int) -> bool:
    """Roll a save; its key names the combatant, so that each has its own."""
    return ctx.roll(f"save:{who}", Dice.of(1, 20), who=who, why="save", needed=f"{against} or more saves") >= against


def caught(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of the burst: which combatants it catches, friends too."""
    people = fields.options(one for one in state.combatants if one.status == "up")
    return (Field("targets", "combatants", required=True, options=people),)


def burst(ctx: Ctx, action: Action) -> None:
    """Roll the damage once; each target saves for half, or takes all and burns."""
    points = ctx.roll("damage", Dice.of(2, 6), who=action.by, why="burst of flame")
    for who in fields.ids(action, "targets"):
        half = saved(ctx, who, 12)
        if not half:
            ctx.add_effect(Effect("burning", who, source=action.by))
        DAMAGE.deal(ctx, who, (Harm(points // 2 if half else points, "fire"),), source=action.by)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Let a burning combatant save at the end of its turn, or take 1 point."""
    first.on_boundary(ctx, boundary)
    for who in boundary.actors if boundary.edge == "turn_end" else ():
        if who not in ctx.state or not ctx.state[who].has("burning"):
            continue
        if saved(ctx, who, 10):
            ctx.end_named(who, "burning", "saved")
        else:
            DAMAGE.deal(ctx, who, (Harm(1, "fire"),), why="burning")


BURST = ActionType("burst", "Burst of flame", cost="Action", price=budget(action=1), perform=burst, fields=caught)
ACTIONS = ActionTable((first.HIT, BURST), first.ECONOMY, gm=(DAMAGE.gm_action(),))
RULESET = replace(
    first.RULESET,
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
    on_boundary=on_boundary,
    effects=(NamedEffect("burning"),),  # so the GM types `e burning g`, and the same save ends it
)
