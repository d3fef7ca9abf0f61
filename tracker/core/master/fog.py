"""Fog on the map, as the GM covers and uncovers squares for the players."""

from __future__ import annotations

from collections.abc import Iterable

from tracker.core.fight import hiding
from tracker.core.fight.board import Board, Square
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.master.command import Command, number
from tracker.core.step import showing
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal
from tracker.core.terms.values import Value

__all__ = ["FOG"]

FAR = 30
"""How far a party sees unless another distance is typed, in the game's unit."""
AROUND = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
NO_MAP = Refusal("no_map", "this fight has no map of squares", forcible=False, field="what")
NO_FOG = Refusal("no_fog", "there is no fog", forcible=False, field="what")


def _board(game: Ruleset, state: State) -> Board | None:
    board = game.board(state) if game.schema.board == "square" else None
    return board if board is not None and board.kind == "square" else None


def _fields(game: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    why = NO_MAP if _board(game, state) is None else None
    fogged, named = bool(hiding.fog(state)), bool(_named(action))
    what = (
        Option("party", "all but what the party sees", refusal=why),
        Option("lift", "lift it from these squares", refusal=why or (None if fogged else NO_FOG)),
        Option("cover", "cover these squares", refusal=why),
        Option("all", "cover everything", refusal=why),
        Option("off", "no fog", refusal=why or (None if fogged else NO_FOG)),
    )
    usual = "party" if not named else "lift" if set(_named(action)) & hiding.fog(state) else "cover"
    chosen = action.get("what") or usual
    return (
        Field("what", "choice", default=usual, required=True, options=what),
        *(
            (Field("far", "number", "how far it sees", default=FAR, minimum=0, maximum=500),)
            if chosen == "party"
            else ()
        ),
        *((Field("squares", "path", "which squares", required=True),) if chosen in ("lift", "cover") else ()),
    )


def _named(action: Action) -> tuple[Square, ...]:
    value = action.get("squares")
    return tuple(square for part in value if (square := _square(part)) is not None) if isinstance(value, tuple) else ()


def _square(value: Value) -> Square | None:
    if not isinstance(value, tuple) or len(value) != 2:
        return None
    x, y = value
    return (x, y) if isinstance(x, int) and isinstance(y, int) else None


def _seen(game: Ruleset, state: State, board: Board, far: int) -> frozenset[Square]:
    """Return what is in sight of the players' combatants, and the walls beside it."""
    open_to = frozenset(_open(game, state, far))
    solid = {(cell.x, cell.y) for cell in board.cells if cell.fill}
    return open_to | {at for at in solid if any((at[0] + dx, at[1] + dy) in open_to for dx, dy in AROUND)}


def _open(game: Ruleset, state: State, far: int) -> Iterable[Square]:
    """Yield where the players' combatants stand, and what is in sight around them."""
    for one in state.combatants:
        place = one.position
        if place is None or len(place) != 2 or state.side(one.side).control != "players":
            continue
        x, y = int(place[0]), int(place[1])
        yield x, y
        for corner in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)):
            yield from game.area(state, corner, far)


def _do(ctx: Ctx, game: Ruleset, action: Action) -> None:
    """Change the fog.

    Who stands in it is hidden at the end of the step.
    """
    board = _board(game, ctx.state)
    if board is None:
        return
    whole = frozenset((x, y) for y in range(board.height) for x in range(board.width))
    now, named = hiding.fog(ctx.state), whole.intersection(_named(action))
    match action.get("what"):
        case "party":
            far = number(action, "far") if action.get("far") is not None else FAR
            now = (now or whole) - _seen(game, ctx.state, board, far)
        case "lift":
            now -= named
        case "cover":
            now |= named
        case "all":
            now = whole
        case _:
            now = frozenset()
    showing.say(ctx, hiding.FOG, hiding.stretches(now) or None)
    ctx.note(f"players see {len(whole - now)} of {len(whole)} squares" if now else "players see all of the map")


FOG = Command("fog", "Fog on the map", _do, _fields, place=24, squares=True)
