"""The map for the rest of the program: cells, reach, trails, sight, areas."""

from __future__ import annotations

from rulesets.sovereign.acts.fighting import opportunity
from rulesets.sovereign.numbers import field
from rulesets.sovereign.numbers.stats import speed
from rulesets.without_number.numbers.parts import grappling
from tracker.core.fight.board import Board, Cell, Trail
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import Refusal
from tracker.kit.squares import grid
from tracker.kit.squares.grid import Body, Square
from tracker.kit.squares.paths import cost_of, reachable, route

__all__ = ["area", "board", "reach", "sight", "trail"]

GLYPHS = {"open": "·", "difficult": "~", "wall": "#", "chasm": "o"}
STYLES = {"open": "", "difficult": "warn", "wall": "strong", "chasm": "dim"}
FAR = 10_000


def board(state: State) -> Board | None:
    """Return the map, or None for a fight without one (R32)."""
    ground = field.terrain(state)
    if ground is None:
        return None
    cells = []
    for y in range(ground.height):
        for x in range(ground.width):
            word, height = ground.ground((x, y)), ground.feet_up((x, y))
            if word != "open" or height:
                cells.append(Cell(x, y, GLYPHS[word], "high ground" if word == "open" else word, STYLES[word], height))
    return Board("square", ground.width, ground.height, "5 ft", tuple(cells))


def reach(state: State, who: Id) -> tuple[tuple[Square, int], ...]:
    """Return the squares one Move can end on with their costs, row by row."""
    ground, here = field.terrain(state), field.body(state, who)
    if ground is None or here is None:
        return ()
    limit = 0 if grappling(state, who) else speed(state[who]).value
    costs = reachable(ground, field.crowd(state, who), here, limit)
    return tuple(sorted(costs.items(), key=lambda item: (item[0][1], item[0][0])))


def trail(state: State, who: Id, to: Square) -> Trail | None:
    """Return a cheapest way to a square, or None.

    It says whom it provokes, and why it cannot be taken as one Move.
    """
    ground, here = field.terrain(state), field.body(state, who)
    if ground is None or here is None:
        return None
    crowd = field.crowd(state, who)
    found = route(ground, crowd, here, to, FAR)
    if found is None:
        return None
    cost = cost_of(ground, crowd, here, found)
    if not isinstance(cost, int):
        return Trail(found, 0, (), field.faulted(cost))
    return Trail(found, cost, _provoked(state, who, here, found), _refusal(state, who, cost))


def _refusal(state: State, who: Id, cost: int) -> Refusal | None:
    if grappling(state, who):
        return Refusal("grappled", f"{state.name(who)} cannot leave its place in a grapple", "SV-149")
    limit = speed(state[who]).value
    return Refusal("too_far", f"the way costs {cost} feet, {limit} at most", "SV-040") if cost > limit else None


def _provoked(state: State, who: Id, here: Body, squares: tuple[Square, ...]) -> tuple[Id, ...]:
    """Return who may strike at a Run along these squares, step by step (SV-096)."""
    found: dict[Id, None] = {}
    for at in squares:
        there = Body(at, here.space)
        found.update(
            dict.fromkeys(
                foe for foe in opportunity.leaving(state, who, here, there) if opportunity.may_strike(state, foe, who)
            )
        )
        here = there
    return tuple(found)


def sight(state: State, who: Id, target: Id) -> str:
    """Say how a combatant sees a target: its cover, or no line of sight."""
    if not field.on_grid(state, who, target):
        return ""
    if not field.sees(state, who, target):
        return "no line of sight"
    cover = field.cover(state, who, target)
    return "no cover" if cover == "none" else f"{cover} cover"


def area(state: State, corner: Square, radius: int) -> tuple[Square, ...]:
    """Return the map's squares within a radius in feet of a corner (SV-011)."""
    return grid.area(corner, radius, field.terrain(state))
