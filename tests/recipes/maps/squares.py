"""A map of squares: going, and striking at a foe in reach."""

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker import kit
from tracker.kit import Action, ActionTable, ActionType, Ctx, Data, Field, Id, Option, State, budget, fields
from tracker.kit.squares.grid import Terrain, read_terrain


class Ground(Struct, Data, frozen=True, tag=True):
    """The set-up of a fight: `setup: {grid: ...}`, with `.` floor, `#` wall, `~` difficult."""

    grid: str = "........\n...##...\n...##...\n....~~~~\n"


read = lru_cache(maxsize=8)(lambda grid: read_terrain(grid, {}, {}))


def terrain(state: State) -> Terrain | None:
    """Return the ground of a fight."""
    return read(state.setup.grid) if isinstance(state.setup, Ground) else None


MAP = kit.SquareMap(
    terrain,
    feet=lambda state, who: 20 if state[who].left("action") else 0,
    go_to=lambda state, who, to: Action("stride", who, (("to", to),)),
    strike=lambda state, who, target: Action("hit", who, (("target", target),)),
)


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Place newcomers at the edge of their side, the first side in the west."""
    first.join(ctx, newcomers)
    for who in newcomers:
        column = 0 if ctx.state[who].side == ctx.state.sides[0].id else 7
        taken = {one.position for one in ctx.state.combatants}
        row = next((row for row in range(4) if (column, row) not in taken), 0)
        ctx.emit(kit.Moved(who, ctx.state[who].position, (column, row)))


def where(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of going: to which square."""
    squares = tuple(Option(f"{x},{y}", note=f"{feet} ft") for (x, y), feet in MAP.reach(state, fields.actor(action)))
    return (Field("to", "square", required=True, options=squares),)


def go(ctx: Ctx, action: Action) -> None:
    """Go by the cheapest way."""
    to = fields.square(action, "to")
    if to is not None:
        MAP.go(ctx, fields.actor(action), to)


def near(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of a blow: which foe in reach."""
    foes = [foe for foe in fields.foes(state, action.by) if (MAP.apart(state, fields.actor(action), foe.id) or 0) <= 5]
    return (fields.target(fields.options(foes)),)


STRIDE = ActionType("stride", "Go", price=budget(action=1), perform=go, fields=where)
ACTIONS = ActionTable((replace(first.HIT, fields=near), STRIDE), first.ECONOMY)
RULESET = replace(
    first.RULESET,
    schema=replace(first.RULESET.schema, setup=Ground, board="square"),
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
    join=join,
    map=MAP.rules(),
)
