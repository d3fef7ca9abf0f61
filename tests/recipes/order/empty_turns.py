"""Empty turns: each combatant has one turn in every round, taken or not."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Boundary, Ctx, takes_turn


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Bleed in turns that are really taken.

    A combatant that had no slot in this round (it came late) gets an empty turn before the round ends: effects that
    wait for it end, but nothing is to happen in it.
    """
    first.on_boundary(ctx, boundary)
    for who in boundary.actors if boundary.edge == "turn_start" and takes_turn(boundary) else ():
        if ctx.state[who].has("bleeding"):
            ctx.change(who, "hp", ctx.state[who].hp - 1)


RULESET = replace(first.RULESET, on_boundary=on_boundary)
