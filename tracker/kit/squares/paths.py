"""Paths over the grid: costs, barred steps, reachable squares and straight lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from tracker.kit.squares.grid import FEET, Body, Square, Terrain, footprint

DIFFICULT = 10
UNBOUND = 1_000_000_000
STEPS = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)


class Crowd(Struct, frozen=True, cache_hash=True):
    """The squares that bar a mover, that slow it, and on which it cannot end."""

    barring: frozenset[Square] = frozenset()
    slowing: frozenset[Square] = frozenset()
    taken: frozenset[Square] = frozenset()


class Fault(Struct, frozen=True):
    """Why a path cannot be taken: a word for programs, a line for people."""

    reason: str
    text: str


def step_cost(terrain: Terrain, crowd: Crowd, start: Body, to: Square) -> int | Fault:
    """Return the feet of one step, or why it cannot be made."""
    if max(abs(to[0] - start.at[0]), abs(to[1] - start.at[1])) != 1:
        return Fault("not_adjacent", f"{to[0]},{to[1]} is not next to {start.at[0]},{start.at[1]}")
    return _feet(*_ground_for(terrain, crowd), start, to) or _obstacle(terrain, crowd, start, to)


@lru_cache(maxsize=8)
def _grounds(terrain: Terrain) -> tuple[frozenset[Square], frozenset[Square]]:
    """Return the squares that can be entered, and the difficult ones among them."""
    squares = [(x, y) for y in range(terrain.height) for x in range(terrain.width)]
    passable = frozenset(filter(terrain.passable, squares))
    return passable, frozenset(square for square in passable if terrain.ground(square) == "difficult")


@lru_cache(maxsize=32)
def _ground_for(terrain: Terrain, crowd: Crowd) -> tuple[frozenset[Square], frozenset[Square]]:
    """Return the squares a mover can enter in a crowd, and the squares that cost double."""
    passable, difficult = _grounds(terrain)
    return passable - crowd.barring, difficult | crowd.slowing


def _feet(free: frozenset[Square], slow: frozenset[Square], start: Body, to: Square) -> int:
    """Return the feet of a step to a neighbouring square, 0 for a barred one."""
    (x, y), (nx, ny) = start.at, to
    if start.space == 1:
        new: Sequence[Square] = (to,)
        corners: Sequence[Square] = ((nx, y), (x, ny)) if nx != x and ny != y else ()
    else:
        new = [square for square in footprint(Body(to, start.space)) if square not in footprint(start)]
        corners = (
            (*footprint(Body((nx, y), start.space)), *footprint(Body((x, ny), start.space)))
            if nx != x and ny != y
            else ()
        )
    if not (free.issuperset(new) and free.issuperset(corners)):
        return 0
    return FEET if slow.isdisjoint(new) else DIFFICULT


def _obstacle(terrain: Terrain, crowd: Crowd, start: Body, to: Square) -> Fault:
    (x, y), (nx, ny) = start.at, to
    for square in footprint(Body(to, start.space)):
        if square in footprint(start):
            continue
        if not terrain.passable(square):
            return Fault("impassable", f"{square[0]},{square[1]} cannot be entered")
        if square in crowd.barring:
            return Fault("enemy_in_way", f"an enemy stands at {square[0]},{square[1]}")
    free, _ = _ground_for(terrain, crowd)
    sides = (*footprint(Body((nx, y), start.space)), *footprint(Body((x, ny), start.space)))
    corner = next(square for square in sides if square not in free)
    return Fault("corner", f"the corner at {corner[0]},{corner[1]} cannot be cut")


def cost_of(terrain: Terrain, crowd: Crowd, start: Body, path: Sequence[Square]) -> int | Fault:
    """Return the feet of a path, which may not end on a taken square, or the first fault in it."""
    total, here = 0, start
    for square in path:
        cost = step_cost(terrain, crowd, here, square)
        if isinstance(cost, Fault):
            return cost
        total, here = total + cost, Body(square, start.space)
    if path and any(square in crowd.taken for square in footprint(here)):
        return Fault("occupied", f"{here.at[0]},{here.at[1]} is occupied")
    return total


def fault(terrain: Terrain, crowd: Crowd, start: Body, path: Sequence[Square], limit: int) -> Fault | None:
    """Return why a path is not possible within `limit` feet, or None."""
    cost = cost_of(terrain, crowd, start, path)
    if isinstance(cost, Fault):
        return cost
    return Fault("too_far", f"the way costs {cost} feet, {limit} at most") if cost > limit else None


def _steps(free: frozenset[Square], slow: frozenset[Square], start: Body) -> list[tuple[Square, int]]:
    """Return the squares one step away with their feet, equal to `_feet`."""
    (x, y), space = start.at, start.space
    if space > 1:
        around = [(x + dx, y + dy) for dx, dy in STEPS]
        return [(to, feet) for to in around if (feet := _feet(free, slow, start, to))]
    north, south, west, east = (x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)
    up, down, left, right = north in free, south in free, west in free, east in free
    near = []
    if up:
        if left and (to := (x - 1, y - 1)) in free:
            near.append((to, DIFFICULT if to in slow else FEET))
        near.append((north, DIFFICULT if north in slow else FEET))
        if right and (to := (x + 1, y - 1)) in free:
            near.append((to, DIFFICULT if to in slow else FEET))
    if left:
        near.append((west, DIFFICULT if west in slow else FEET))
    if right:
        near.append((east, DIFFICULT if east in slow else FEET))
    if down:
        if left and (to := (x - 1, y + 1)) in free:
            near.append((to, DIFFICULT if to in slow else FEET))
        near.append((south, DIFFICULT if south in slow else FEET))
        if right and (to := (x + 1, y + 1)) in free:
            near.append((to, DIFFICULT if to in slow else FEET))
    return near


@lru_cache(maxsize=8)
def _lonely_steps(terrain: Terrain, space: int) -> dict[Square, list[tuple[Square, int]]]:
    """Return the steps of a body that meets nobody, by their squares; searches fill them in."""
    return {}


class _Found(Struct, frozen=True):
    """The state of a search: settled squares, costs, predecessors, and by their costs those that wait, with steps."""

    done: dict[Square, int]
    costs: dict[Square, int]
    back: dict[Square, Square]
    waiting: dict[int, list[tuple[int, Square]]]


class _Search:
    """A search for the cheapest paths from a place, which each call continues.

    A cursor on the map asks for path after path from the same place. The state of the search is replaced as a whole, so
    an interrupted call or another thread leaves no half-done state.
    """

    def __init__(self, terrain: Terrain, barring: frozenset[Square], slowing: frozenset[Square], start: Body) -> None:
        self._terrain, self._space = terrain, start.space
        passable, difficult = _grounds(terrain)
        self._free, self._slow = passable - barring, difficult | slowing
        self._lonely = _lonely_steps(terrain, start.space)
        around = [(dx, dy) for dx in range(-start.space, 2) for dy in range(-start.space, 2)]
        self._beside_crowd = {(x + dx, y + dy) for x, y in barring | slowing for dx, dy in around}
        self._found = _Found({}, {start.at: 0}, {}, {0: [(0, start.at)]})

    def upto(self, limit: int, goals: Collection[Square] = ()) -> _Found:
        """Search all paths of at most `limit` feet, no farther than the nearest goal."""
        found = self._found
        limit = min((limit, *(found.done[goal] for goal in goals if goal in found.done)))
        if not found.waiting or min(found.waiting) > limit:
            return found
        done, costs, back = found.done.copy(), found.costs.copy(), found.back.copy()
        waiting = {feet: squares.copy() for feet, squares in found.waiting.items()}
        while waiting and (cost := min(waiting)) <= limit:
            for steps, at in sorted(waiting.pop(cost)):
                if at in done:
                    continue
                done[at] = cost
                if at in goals:
                    limit = cost
                for to, feet in self._near(at):
                    total = cost + feet
                    if total < costs.get(to, UNBOUND):
                        costs[to], back[to] = total, at
                        waiting.setdefault(total, []).append((steps + 1, to))
        found = self._found = _Found(done, costs, back, waiting)
        return found

    def _near(self, at: Square) -> list[tuple[Square, int]]:
        """Return the squares one step away with their feet."""
        if at in self._beside_crowd:
            return _steps(self._free, self._slow, Body(at, self._space))
        steps = self._lonely.get(at)
        if steps is None:
            steps = self._lonely[at] = _steps(*_grounds(self._terrain), Body(at, self._space))
        return steps


@lru_cache(maxsize=32)
def _search(terrain: Terrain, barring: frozenset[Square], slowing: frozenset[Square], start: Body) -> _Search:
    return _Search(terrain, barring, slowing, start)


def reachable(terrain: Terrain, crowd: Crowd, start: Body, limit: int) -> dict[Square, int]:
    """Return every square where a move of `limit` feet can end, with its least cost."""
    costs = _search(terrain, crowd.barring, crowd.slowing, start).upto(limit).done
    space, taken = start.space, crowd.taken
    free = {
        at: cost
        for at, cost in costs.items()
        if cost <= limit and at not in taken and (space == 1 or _has_room(crowd, at, space))
    }
    return {start.at: 0, **free}


def nearest(terrain: Terrain, crowd: Crowd, start: Body, goals: Iterable[Square], limit: int) -> Square | None:
    """Return the goal with the cheapest path, None if no move of `limit` feet ends on one."""
    free = {at for at in goals if _has_room(crowd, at, start.space)}
    costs = _search(terrain, crowd.barring, crowd.slowing, start).upto(limit, free).done
    return min((at for at in free if costs.get(at, UNBOUND) <= limit), key=lambda at: (costs[at], at), default=None)


def _has_room(crowd: Crowd, at: Square, space: int) -> bool:
    return at not in crowd.taken if space == 1 else crowd.taken.isdisjoint(footprint(Body(at, space)))


def route(terrain: Terrain, crowd: Crowd, start: Body, to: Square, limit: int) -> tuple[Square, ...] | None:
    """Return a cheapest path to a square within `limit` feet, or None."""
    found = _search(terrain, crowd.barring, crowd.slowing, start).upto(limit, (to,))
    if found.done.get(to, UNBOUND) > limit:
        return None
    path: list[Square] = []
    at = to
    while at != start.at:
        path.append(at)
        at = found.back[at]
    return tuple(reversed(path))


def half_square_off(start: Square, path: Sequence[Square]) -> int:
    """Return the number of the first step off the straight line, 0 for none.

    A step is off if it is more than half a square from the line to the path's end; a path with more steps than the line
    needs leaves it at its last step.
    """
    if not path:
        return 0
    dx, dy = path[-1][0] - start[0], path[-1][1] - start[1]
    count = max(abs(dx), abs(dy))
    if count != len(path):
        return len(path)
    for number, (x, y) in enumerate(path, start=1):
        if (
            2 * abs(count * (x - start[0]) - number * dx) > count
            or 2 * abs(count * (y - start[1]) - number * dy) > count
        ):
            return number
    return 0


def straight_route(terrain: Terrain, crowd: Crowd, start: Body, to: Square, limit: int) -> tuple[Square, ...] | None:
    """Return a legal straight path to a square within `limit` feet by any rounding of the line, or None."""
    count = max(abs(to[0] - start.at[0]), abs(to[1] - start.at[1]))
    if not count or count * FEET > limit:
        return None
    paths = _lines(terrain, crowd, start, to, count)
    return next((path for path in paths if fault(terrain, crowd, start, path, limit) is None), None)


def _lines(terrain: Terrain, crowd: Crowd, start: Body, to: Square, count: int) -> Iterator[tuple[Square, ...]]:
    """Yield the straight paths without a barred step."""
    columns = [_near(start.at[0], to[0], number, count) for number in range(count + 1)]
    rows = [_near(start.at[1], to[1], number, count) for number in range(count + 1)]
    stack: list[tuple[Square, ...]] = [()]
    while stack:
        path = stack.pop()
        if len(path) == count:
            yield path
            continue
        here = Body(path[-1] if path else start.at, start.space)
        for x in columns[len(path) + 1]:
            for y in rows[len(path) + 1]:
                if isinstance(step_cost(terrain, crowd, here, (x, y)), int):
                    stack.append((*path, (x, y)))


def _near(first: int, last: int, number: int, count: int) -> tuple[int, ...]:
    """Return the squares within half a square of the exact point: two if it is in the middle."""
    numerator = 2 * number * (last - first) + count
    upper = numerator // (2 * count)
    return (first + upper - 1, first + upper) if numerator % (2 * count) == 0 else (first + upper,)
