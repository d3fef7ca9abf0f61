"""Individual initiative: rolled by each newcomer, highest first, ties by a second number."""

from msgspec import Struct
from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Boundary, Ctx, Data, Dice, Id, Order, Schema, State, fields


class Quick(Struct, Data, frozen=True, tag=True):
    """A stat block with a number for initiative."""

    hp: int = 6
    speed: int = 0


def rank(state: State, who: Id) -> tuple[int, ...]:
    """Return what the order is sorted by, the lowest first."""
    return (-fields.whole(state.fact(who, "initiative")), -state[who].block.speed)


ORDER = Order(rank)  # a newcomer whose place has passed acts from the next round on


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Roll initiative for newcomers, then give them their places."""
    for who in newcomers:
        first.enlist(ctx, who)
    for who in newcomers:  # after the points: the screen shows everybody while this is asked
        rolled = ctx.roll(f"initiative:{who}", Dice.of(1, 20), who=who, why="initiative")
        ctx.fact(who, "initiative", rolled + ctx.state[who].block.speed)
    ORDER.join(ctx, newcomers)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Keep the order when a round ends: what the GM moved with `m` stays moved."""
    first.ECONOMY.refresh(ctx, boundary)
    ORDER.on_boundary(ctx, boundary)


RULESET = replace(
    first.RULESET,
    schema=Schema((("pc", Quick), ("monster", Quick))),
    open_round=ORDER.open_round,
    join=join,
    on_boundary=on_boundary,
)
