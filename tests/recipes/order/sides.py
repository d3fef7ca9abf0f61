"""Sides that act together, and roll anew in each round which of them comes first."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Boundary, Ctx, Dice, Id, Order, State, fields


def rank(state: State, key: str) -> tuple[int, ...]:
    """Return what sides are sorted by: the higher roll first, on a tie as the encounter lists them."""
    return (-fields.whole(state.fact(key, "initiative")),)


ORDER = Order(rank, by="side")  # its keys are `side:<id>`


def open_round(ctx: Ctx) -> None:
    """Roll for every side, and lay out the round by the rolls."""
    for side in ctx.state.sides:
        rolled = ctx.roll(f"initiative:{side.id}", Dice.of(1, 6), why=f"initiative of {side.name}")
        ctx.fact(f"side:{side.id}", "initiative", rolled)
    ORDER.forget(ctx)  # what the GM moved with `m` counts for its round alone
    ORDER.open_round(ctx)


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their hit points, and a place in the slot of their side."""
    for who in newcomers:
        first.enlist(ctx, who)
    ORDER.join(ctx, newcomers)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Give back the action when a turn starts."""
    first.ECONOMY.refresh(ctx, boundary)


RULESET = replace(first.RULESET, open_round=open_round, join=join, on_boundary=on_boundary)
