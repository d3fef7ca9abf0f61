"""Acting out of turn: a parry, and a blow readied for one foe."""

from msgspec import Struct
from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker import kit
from tracker.kit import Action, ActionType, At, Boundary, Ctx, Data, Effect, Id, State, budget, fields


class Against(Struct, Data, frozen=True, tag=True):
    """Whom a readied blow waits for."""

    who: Id


def hit(ctx: Ctx, action: Action) -> None:
    """Strike, unless the target parries."""
    if ctx.window("struck", action.by, fields.text(action, "target"), again=False):
        ctx.stop("it is parried")
    first.hit(ctx, action)


def ready(ctx: Ctx, action: Action) -> None:
    """Wait for a foe, until the actor's next turn at most."""
    foe = Against(fields.text(action, "target"))
    ctx.add_effect(Effect("readied", action.by, until=(At("turn_start", "bearer"),), data=foe))


def close_in(ctx: Ctx, action: Action) -> None:
    """Go up to a foe, after any blow that is readied for the actor."""
    ctx.guard(lambda state: state[action.by].status == "up", "the one who moves is down")
    ctx.window("comes", action.by, fields.text(action, "target"))
    ctx.note(f"stands beside {ctx.state.name(fields.text(action, 'target'))}", about=action.by)


def awaited(state: State, window: kit.Window) -> list[Action]:
    """Return the readied blows that a window sets off, aimed at its actor."""
    ready = [one for one in state.combatants if window.name == "comes" and one.has("readied")]
    waiting = [one for one in ready if one.effect("readied").data == Against(window.actor)]
    return [Action("", one.id, (("target", window.actor),)) for one in waiting]


def spring(ctx: Ctx, action: Action) -> None:
    """Strike as readied."""
    ctx.end_named(action.by, "readied", "used")
    first.hit(ctx, action)


ACTION, REACTION = budget(action=1), budget(reaction=1)
ECONOMY = kit.Economy(budget(action=1, reaction=1), refresh_at={"action": "turn_start", "reaction": "round_start"})
PARRY = ActionType(
    "parry", "Parry", price=REACTION, when="any", listed=False, answers=kit.answering("struck", "target")
)
SPRING = ActionType("spring", "Strike as readied", price=REACTION, when="any", perform=spring, fields=first.whom)
READY = ActionType("ready", "Ready a blow", price=ACTION, perform=ready, fields=first.whom, group="order")
CLOSE_IN = ActionType("close_in", "Close in", price=ACTION, perform=close_in, fields=first.whom)
ACTIONS = kit.ActionTable(
    (replace(first.HIT, perform=hit), READY, CLOSE_IN, PARRY, replace(SPRING, listed=False, answers=awaited)), ECONOMY
)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Give back the action when a turn starts, the reaction when a round does."""
    ECONOMY.refresh(ctx, boundary)
    first.ORDER.on_boundary(ctx, boundary)


RULESET = replace(
    first.RULESET,
    schema=kit.Schema(first.RULESET.schema.blocks, data=(Against,)),
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
    windows=ACTIONS.windows,
    on_boundary=on_boundary,
)
