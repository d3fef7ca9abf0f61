"""Fog on the map: squares that players do not see, and the combatants in it.

1. A combatant of the GM in fog is hidden. After each step, combatants that have entered the fog are hidden and
   combatants that have left it are revealed. A combatant that the GM shows in fog, or that attacks from it, stays
   visible until it has left the fog.
2. Players see a fight while its first dice are asked for. So a map that begins with fog is first all in fog, and the
   combatants of the GM join hidden; those outside the encounter's fog are shown when all have positions.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import UNSET

from tracker.core.fight.board import Board, Square, Template
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.changes import StateChanges
from tracker.core.step.ctx import Ctx
from tracker.core.terms.encounter import Encounter, MapSetup
from tracker.core.terms.values import Value
from tracker.core.visibility.knowledge import is_hidden, setting
from tracker.core.visibility.reveal import hide, reveal, set_visibility

FOG = "fog"
"""The key of the squares that players do not see: row, first and last column of each span."""
FOGGED = "fogged"
"""The key of the combatants that fog has hidden."""
SIGHT = 30
"""The default range of a party's sight, in the game's unit."""
AROUND = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def fog(state: State) -> frozenset[Square]:
    """Return the squares of the map that players do not see."""
    spans = setting(state, FOG)
    return _squares(spans) if isinstance(spans, tuple) else frozenset()


@lru_cache(maxsize=8)
def _squares(spans: tuple[Value, ...]) -> frozenset[Square]:
    squares: set[Square] = set()
    for span in spans:
        if isinstance(span, tuple) and len(span) == 3:
            y, first, last = span
            if isinstance(y, int) and isinstance(first, int) and isinstance(last, int):
                squares.update((x, y) for x in range(first, last + 1))
    return frozenset(squares)


def row_spans(squares: Iterable[Square]) -> tuple[tuple[int, int, int], ...]:
    """Return squares as spans of a row: row, first and last column."""
    spans: list[tuple[int, int, int]] = []
    for y, x in sorted((y, x) for x, y in squares):
        if spans and spans[-1][0] == y and spans[-1][2] == x - 1:
            spans[-1] = (y, spans[-1][1], x)
        else:
            spans.append((y, x, x))
    return tuple(spans)


def in_fog(state: State, combatant: Combatant) -> bool:
    """Tell whether all squares of a combatant are in fog."""
    place, covered = combatant.position, fog(state)
    if not covered or place is None or len(place) != 2:
        return False
    space = getattr(combatant.block, "space", 1)
    sides = range(space if isinstance(space, int) and space > 0 else 1)
    return all((int(place[0]) + dx, int(place[1]) + dy) in covered for dy in sides for dx in sides)


def settle_fog(ctx: StateChanges, quiet: bool = False) -> None:
    """Hide combatants that have entered the fog, and show those that left it, with a note unless `quiet`."""
    if not ctx.state.facts:
        return
    fact = setting(ctx.state, FOGGED)
    fogged = tuple(map(str, fact)) if isinstance(fact, tuple) else ()
    if not fogged and setting(ctx.state, FOG) is None:
        return
    state = ctx.state
    inside = [one.id for one in state.combatants if state.side(one.side).control != "players" and in_fog(state, one)]
    entering = [who for who in inside if who not in fogged and not is_hidden(state, who)]
    leaving = [who for who in fogged if who not in inside]
    hide(ctx, entering)
    shown = [who for who in leaving if who in state and is_hidden(state, who)]
    reveal(ctx, shown)
    remaining = tuple(who for who in (*fogged, *entering) if who not in leaving)
    if remaining != fogged:
        set_visibility(ctx, FOGGED, remaining or None)
    for who in () if quiet else shown:
        ctx.note(f"players see {ctx.state.name(who)} now", about=who)


def mark_fogged(ctx: StateChanges, people: Iterable[Id]) -> None:
    """Store that fog hides these newcomers."""
    set_visibility(ctx, FOGGED, tuple(people) or None)


def square_map(game: Ruleset, state: State) -> Board | None:
    """Return the map of squares, or None if the fight has none."""
    board = game.map.board(state) if game.schema.board == "square" else None
    return board if board is not None and board.kind == "square" else None


def all_squares(board: Board) -> frozenset[Square]:
    """Return every square of a map."""
    return frozenset((x, y) for y in range(board.height) for x in range(board.width))


def in_sight(game: Ruleset, state: State, board: Board, far: int) -> frozenset[Square]:
    """Return the squares in sight of the players' combatants, and the walls beside them."""
    visible = frozenset(_visible(game, state, far))
    solid = {(cell.x, cell.y) for cell in board.cells if cell.fill}
    return visible | {at for at in solid if any((at[0] + dx, at[1] + dy) in visible for dx, dy in AROUND)}


def _visible(game: Ruleset, state: State, far: int) -> Iterable[Square]:
    """Yield the squares of the players' combatants and those in sight around them."""
    for one in state.combatants:
        place = one.position
        if place is None or len(place) != 2 or state.side(one.side).control != "players":
            continue
        x, y = int(place[0]), int(place[1])
        yield x, y
        for corner in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)):
            yield from game.map.area(state, Template("circle", None, corner, far))


def cover_map(ctx: Ctx, game: Ruleset, encounter: Encounter) -> bool:
    """Put all of a map in fog if the encounter begins with fog; tell whether it does."""
    board = square_map(game, ctx.state)
    if board is None or encounter.map is UNSET:
        return False
    set_visibility(ctx, FOG, row_spans(all_squares(board)))
    return True


def lay_initial_fog(ctx: Ctx, game: Ruleset, encounter: Encounter) -> None:
    """Set the fog of an encounter, and show the combatants outside it."""
    board, setup = square_map(game, ctx.state), encounter.map
    if board is not None and setup is not UNSET:
        set_visibility(ctx, FOG, row_spans(_initial_fog(game, ctx.state, board, setup)) or None)
        settle_fog(ctx, quiet=True)


def _initial_fog(game: Ruleset, state: State, board: Board, setup: MapSetup) -> frozenset[Square]:
    every = all_squares(board)
    if setup.fog == "all":
        return every
    if setup.fog == "party":
        return every - in_sight(game, state, board, setup.sees or SIGHT)
    return every & {(x, y) for y, first, last in setup.squares for x in range(first, last + 1)}
