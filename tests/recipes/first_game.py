"""Fists: the smallest game that can be played."""

from msgspec import Struct

from tracker import kit
from tracker.kit import Action, Ctx, Data, Id, State, fields


class Fighter(Struct, Data, frozen=True, tag=True):
    """The stat block: its fields are the keys of a file."""

    hp: int = 6  # without a default the key is required


ORDER = kit.Order(lambda state, who: ())  # everybody is equal: who joins first acts first


def enlist(ctx: Ctx, who: Id) -> None:
    """Give a newcomer its hit points."""
    full = ctx.state[who].block.hp
    ctx.emit(kit.PoolSet(who, None, kit.Pool("hp", full, full)))


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers what they start with, and their places in the order."""
    for who in newcomers:
        enlist(ctx, who)
    ORDER.join(ctx, newcomers)


def settle(ctx: Ctx) -> None:
    """Draw the conclusions: at 0 hit points a combatant is down."""
    for one in ctx.state.combatants:
        ctx.status(one.id, "up" if one.hp else "down")


def whom(state: State, action: Action) -> tuple[kit.Field, ...]:
    """Return the form of a blow: which foe."""
    return (fields.target(fields.options(fields.foes(state, action.by))),)


def hit(ctx: Ctx, action: Action) -> None:
    """Roll a die: on 3 or more the target loses 2 hit points."""
    target = fields.text(action, "target")
    if ctx.roll("attack", kit.Dice.of(1, 6), who=action.by, why="attack") >= 3:
        ctx.change(target, "hp", ctx.state[target].hp - 2, source=action.by)


ECONOMY = kit.Economy(kit.budget(action=1), refresh_at="turn_start")
HIT = kit.ActionType("hit", "Hit", cost="Action", price=kit.budget(action=1), perform=hit, fields=whom)
ACTIONS = kit.ActionTable((HIT,), ECONOMY)


def on_boundary(ctx: Ctx, boundary: kit.Boundary) -> None:
    """Give back the action when a turn starts, keep the order when a round ends."""
    ECONOMY.refresh(ctx, boundary)
    ORDER.on_boundary(ctx, boundary)


RULESET = kit.Ruleset(
    key="fists",
    title="Fists",
    version=1,
    schema=kit.Schema((("pc", Fighter), ("monster", Fighter))),
    open_round=ORDER.open_round,
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
    windows=ACTIONS.windows,
    join=join,
    on_boundary=on_boundary,
    settle=settle,
)
