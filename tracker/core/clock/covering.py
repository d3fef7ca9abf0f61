"""Fog that lies on the map when a fight opens, and what a party sees.

Players are shown the fight while its first dice are asked for. So the GM's combatants come unseen to a map all in fog,
and those outside of it are shown once all have their places.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from tracker.core.fight import hiding
from tracker.core.fight.board import Board, Square
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.step.fog import settle_fog
from tracker.core.step.showing import say
from tracker.core.terms.encounter import Encounter, MapSetup

FAR = 30
"""How far a party sees unless another distance is given, in the game's unit."""
AROUND = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def ground_of(game: Ruleset, state: State) -> Board | None:
    """Return the map of squares, or None where there is none."""
    board = game.map.board(state) if game.schema.board == "square" else None
    return board if board is not None and board.kind == "square" else None


def whole(board: Board) -> frozenset[Square]:
    """Return every square of a map."""
    return frozenset((x, y) for y in range(board.height) for x in range(board.width))


def in_sight(game: Ruleset, state: State, board: Board, far: int) -> frozenset[Square]:
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
            yield from game.map.area(state, corner, far)


def cover_all(ctx: Ctx, game: Ruleset, encounter: Encounter) -> bool:
    """Cover a map that an encounter begins in fog, and tell whether it does."""
    board, said = ground_of(game, ctx.state), encounter.map
    if board is None or said is UNSET:
        return False
    say(ctx, hiding.FOG, hiding.stretches(whole(board)))
    return True


def lay_fog(ctx: Ctx, game: Ruleset, encounter: Encounter) -> None:
    """Leave the fog an encounter wants, and show those who stand outside of it."""
    board, said = ground_of(game, ctx.state), encounter.map
    if board is not None and said is not UNSET:
        say(ctx, hiding.FOG, hiding.stretches(_covered(game, ctx.state, board, said)) or None)
        settle_fog(ctx, quiet=True)


def _covered(game: Ruleset, state: State, board: Board, said: MapSetup) -> frozenset[Square]:
    every = whole(board)
    if said.fog == "all":
        return every
    if said.fog == "party":
        return every - in_sight(game, state, board, said.sees or FAR)
    return every & {(x, y) for y, first, last in said.squares for x in range(first, last + 1)}
