"""Death saves: a combatant that is down rolls at the start of its turn, and dies of three failures."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Boundary, Combatant, Ctx, Dice, Id, State, Status, fields

STATUSES = (
    Status("up", "up", acts=True),
    Status("down", "dying", "x"),
    Status("dead", "dead", "+", takes_part=False),
    Status("gone", "gone", "-", takes_part=False, left=True),
)


def count(state: State, who: Id, name: str) -> int:
    """Return how many saves or failures a combatant has."""
    return fields.whole(state.fact(who, name) or 0)


def settle(ctx: Ctx) -> None:
    """Draw the conclusions: healed is up again with a clean slate, three failures are death."""
    for one in ctx.state.combatants:
        if one.status in ("up", "down"):
            ctx.status(one.id, status_of(ctx.state, one))
        if one.hp > 0 and (count(ctx.state, one.id, "saves") or count(ctx.state, one.id, "failures")):
            ctx.fact(one.id, "saves", None)
            ctx.fact(one.id, "failures", None)


def status_of(state: State, one: Combatant) -> str:
    """Return what a combatant's points and failures make of it."""
    return "up" if one.hp > 0 else "dead" if count(state, one.id, "failures") >= 3 else "down"


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Roll at the start of the turn of a combatant that is dying and not yet stable."""
    first.on_boundary(ctx, boundary)
    for who in boundary.actors if boundary.edge == "turn_start" else ():
        dying = who in ctx.state and ctx.state[who].status == "down"
        if not dying or count(ctx.state, who, "saves") >= 3:
            continue
        rolled = ctx.roll(f"death:{who}", Dice.of(1, 20), who=who, why="death save", needed="10 or more saves")
        if rolled == 20:
            ctx.change(who, "hp", 1, why="death save")
        else:
            name = "saves" if rolled >= 10 else "failures"
            ctx.fact(who, name, count(ctx.state, who, name) + (2 if rolled == 1 else 1))
        ctx.settle()


RULESET = replace(
    first.RULESET,
    statuses=STATUSES,
    on_boundary=on_boundary,
    settle=settle,
    skip=lambda state, slot: None,  # the clock stops at a combatant that is dying too
)
