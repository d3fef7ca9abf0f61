"""The geometry of the grid against its definition, on every map."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.shares import tries
from tracker.kit.squares.grid import Body, Square, Terrain, adjacent, area, caught, distance, footprint, read_terrain
from tracker.kit.squares.paths import (
    Crowd,
    Fault,
    cost_of,
    half_square_off,
    nearest,
    reachable,
    route,
    step_cost,
    straight_route,
)
from tracker.kit.squares.sight import blocked, cover, seen_corners, sight

Point = tuple[Fraction, Fraction]
FAR = 10_000


def terrain(text: str) -> Terrain:
    return read_terrain(text, {}, {})


@st.composite
def maps(draw: st.DrawFn, glyphs: str = "..#~o", most: int = 6) -> Terrain:
    width, height = draw(st.integers(1, most)), draw(st.integers(1, most))
    rows = [draw(st.text(glyphs, min_size=width, max_size=width)) for _ in range(height)]
    return terrain("\n".join(rows))


def squares(ground: Terrain) -> list[Square]:
    return [(x, y) for y in range(ground.height) for x in range(ground.width)]


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Terrain, Body, Body]:
    ground = draw(maps("...#"))
    bodies = [Body(square, space) for square in squares(ground) for space in (1, 2)]
    standing = [body for body in bodies if not any(ground.solid(square) for square in footprint(body))]
    if not standing:
        ground, standing = terrain("."), [Body((0, 0))]
    return ground, draw(st.sampled_from(standing)), draw(st.sampled_from(standing))


# -- the definition of a blocked segment, point by point ---------------------------------------------------------------


def stops(start: Point, end: Point) -> list[Fraction]:
    """Return every parameter at which a segment meets a grid line, with both its ends."""
    found = {Fraction(0), Fraction(1)}
    for axis in (0, 1):
        low, high = sorted((start[axis], end[axis]))
        if low != high:
            found |= {
                (line - start[axis]) / (end[axis] - start[axis])
                for line in range(int(low) - 1, int(high) + 2)
                if low <= line <= high
            }
    return sorted(found)


def at(start: Point, end: Point, t: Fraction) -> Point:
    return start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])


def around(point: Point) -> list[Square]:
    """Return the squares whose closed area holds a point."""
    columns, rows = ([int(part // 1)] if part.denominator != 1 else [int(part) - 1, int(part)] for part in point)
    return [(x, y) for y in rows for x in columns]


def inside(square: Square, point: Point) -> bool:
    return all(square[axis] < point[axis] < square[axis] + 1 for axis in (0, 1))


def is_blocked(ground: Terrain, viewer: Body, target: Body, start: Point, end: Point) -> bool:
    """Tell whether a segment is blocked, by definition.

    Every stretch between two grid lines and every lattice point is looked at.
    """
    parameters = stops(start, end)
    way: list[Square | None] = []
    for first, second in pairwise(parameters):
        middle = at(start, end, (first + second) / 2)
        touched = around(middle)
        within = [square for square in touched if inside(square, middle)]
        if start != end and any(ground.solid(square) for square in touched):
            return True  # (a) the inside of a solid square, (b) the face of one
        way.append(within[0] if within else None)
    for number, t in enumerate(parameters):
        point = at(start, end, t)
        if any(part.denominator != 1 for part in point):
            continue
        before = own_square(viewer, point) if number == 0 else way[number - 1]
        after = own_square(target, point) if number == len(parameters) - 1 else way[number]
        if start == end:
            before, after = own_square(viewer, point), own_square(target, point)
        if before is None or after is None or before[0] == after[0] or before[1] == after[1]:
            continue
        if ground.solid((before[0], after[1])) and ground.solid((after[0], before[1])):
            return True  # (c) between two solid squares that meet in a point
    return False


def own_square(body: Body, point: Point) -> Square | None:
    found = [square for square in footprint(body) if square in around(point)]
    return found[0] if len(found) == 1 else None


def corners(body: Body) -> list[Point]:
    (x, y), space = body.at, body.space
    return [(Fraction(x + dx), Fraction(y + dy)) for dx, dy in product((0, space), (0, space))]


def points(body: Body) -> list[Point]:
    return [*corners(body), (Fraction(2 * body.at[0] + body.space, 2), Fraction(2 * body.at[1] + body.space, 2))]


@tries(150)
@given(scenes())
def test_cover_and_sight_equal_their_definition(scene: tuple[Terrain, Body, Body]) -> None:
    """Given two creatures, corners, cover and sight are by definition (SV-015, SV-017, SV-018)."""
    ground, viewer, target = scene

    seen = {
        end
        for end in corners(target)
        if any(not is_blocked(ground, viewer, target, start, end) for start in corners(viewer))
    }
    line = any(not is_blocked(ground, viewer, target, start, end) for start in points(viewer) for end in points(target))

    assert set(seen_corners(ground, viewer, target)) == {(int(x), int(y)) for x, y in seen}
    assert sight(ground, viewer, target) == line
    assert cover(ground, viewer, target) == ("full" if not seen else "none" if len(seen) == 4 else "half")


@tries(150)
@given(scenes())
def test_nobody_sees_through_walls(scene: tuple[Terrain, Body, Body]) -> None:
    """Given any map, an open segment never has a point inside a wall."""
    ground, viewer, target = scene
    for start, end in product(points(viewer), points(target)):
        doubled = [(int(2 * x), int(2 * y)) for x, y in (start, end)]
        if not blocked(ground, doubled[0], doubled[1]):
            middles = [at(start, end, (first + second) / 2) for first, second in pairwise(stops(start, end))]

            assert not any(
                ground.solid(square) and inside(square, middle) for middle in middles for square in around(middle)
            )


@tries(100)
@given(scenes())
def test_sight_is_mutual(scene: tuple[Terrain, Body, Body]) -> None:
    """Given any map, a viewer is seen by those it sees."""
    ground, viewer, target = scene

    assert sight(ground, viewer, target) == sight(ground, target, viewer)


# -- ways --------------------------------------------------------------------------------------------------------------


def bare(ground: Terrain) -> list[Square]:
    return [square for square in squares(ground) if ground.passable(square)]


@tries(100)
@given(maps(), st.data())
def test_a_route_is_legal_and_cheapest(ground: Terrain, data: st.DataObject) -> None:
    """Given any map, a route is a legal path of the known cost (SV-013)."""
    open_squares = bare(ground)
    if not open_squares:
        return
    start = Body(data.draw(st.sampled_from(open_squares)))
    costs = reachable(ground, Crowd(), start, FAR)
    to = data.draw(st.sampled_from(sorted(costs)))

    path = route(ground, Crowd(), start, to, FAR)

    assert path is not None
    assert cost_of(ground, Crowd(), start, path) == costs[to]
    assert all(ground.passable(square) for square in path)
    assert costs[to] >= distance(start, Body(to))


@tries(100)
@given(maps(), st.integers(1, 2), st.data())
def test_the_nearest_goal_is_the_cheapest_to_reach(ground: Terrain, space: int, data: st.DataObject) -> None:
    """Given goals anywhere, whatever has been looked for before (SV-013)."""
    open_squares = bare(ground)
    if not open_squares:
        return
    taken = frozenset(data.draw(st.lists(st.sampled_from(open_squares), max_size=3)))
    start, crowd = Body(data.draw(st.sampled_from(open_squares)), space), Crowd(taken=taken)
    earlier, goals = (data.draw(st.lists(st.sampled_from(open_squares), max_size=5)) for _ in range(2))
    limit = data.draw(st.sampled_from((0, 10, 30, FAR)))
    nearest(ground, crowd, start, earlier, FAR)

    found = nearest(ground, crowd, start, goals, limit)

    costs = reachable(ground, crowd, start, limit)
    ends = [at for at in goals if at in costs and not taken & set(footprint(Body(at, space)))]
    assert found == min(ends, key=lambda at: (costs[at], at), default=None)


@tries(100)
@given(maps("...#o"), st.data())
def test_ways_back_cost_the_same_without_difficult_ground(ground: Terrain, data: st.DataObject) -> None:
    """Given a map without difficult ground, the cheapest way costs the same in both directions."""
    open_squares = bare(ground)
    if not open_squares:
        return
    start = data.draw(st.sampled_from(open_squares))
    for to, cost in reachable(ground, Crowd(), Body(start), FAR).items():
        assert reachable(ground, Crowd(), Body(to), FAR)[start] == cost


@tries(100)
@given(maps(), st.data())
def test_ways_back_differ_by_the_ends_only(ground: Terrain, data: st.DataObject) -> None:
    """Given any map, there and back differ by entering the two ends at most."""
    open_squares = bare(ground)
    if not open_squares:
        return
    start = data.draw(st.sampled_from(open_squares))
    entry = {square: 10 if ground.ground(square) == "difficult" else 5 for square in open_squares}
    for to, cost in reachable(ground, Crowd(), Body(start), FAR).items():
        assert cost - reachable(ground, Crowd(), Body(to), FAR)[start] == entry[to] - entry[start]


@tries(100)
@given(maps("...~#"), st.data())
def test_standing_enemies_bar_like_walls(ground: Terrain, data: st.DataObject) -> None:
    """Given enemies, a mover gets where walls would let it (SV-007, SV-014)."""
    open_squares = bare(ground)
    if len(open_squares) < 2:
        return
    start, *foes = data.draw(st.lists(st.sampled_from(open_squares), min_size=1, max_size=4, unique=True))
    rows = tuple(
        tuple("wall" if (x, y) in foes else ground.ground((x, y)) for x in range(ground.width))
        for y in range(ground.height)
    )
    walled = Terrain(rows, ground.heights)

    with_foes = reachable(ground, Crowd(frozenset(foes), taken=frozenset(foes)), Body(start), 40)

    assert with_foes == reachable(walled, Crowd(), Body(start), 40)


@tries(100)
@given(st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
def test_straight_lines(offset: Square) -> None:
    """Given two squares of an open field, a straight path exists (SV-072)."""
    field = terrain("\n".join("." * 21 for _ in range(21)))
    start, end = (10, 10), (10 + offset[0], 10 + offset[1])

    path = straight_route(field, Crowd(), Body(start), end, FAR)

    if start == end:
        assert path is None
        return
    assert path is not None
    count = max(abs(offset[0]), abs(offset[1]))
    assert len(path) == count
    assert half_square_off(start, path) == 0
    for number, (x, y) in enumerate(path, start=1):
        assert abs(x - start[0] - Fraction(number * offset[0], count)) <= Fraction(1, 2)
        assert abs(y - start[1] - Fraction(number * offset[1], count)) <= Fraction(1, 2)


@given(st.integers(1, 12), st.tuples(st.integers(-5, 25), st.integers(-5, 25)))
def test_areas_are_squares(reach: int, corner: Square) -> None:
    """Given a radius, the area is a square twice as wide around the corner (SV-011)."""
    found = area(corner, 5 * reach)

    assert len(found) == len(set(found)) == (2 * reach) ** 2
    assert {x for x, _ in found} == set(range(corner[0] - reach, corner[0] + reach))


@given(maps(), st.integers(1, 120), st.tuples(st.integers(-40, 40), st.integers(-40, 40)))
def test_areas_end_with_the_map(ground: Terrain, reach: int, corner: Square) -> None:
    """Of an area on a map, however wide, the squares on the map are left."""
    assert area(corner, 5 * reach, ground) == tuple(
        square for square in area(corner, 5 * reach) if ground.inside(square)
    )


@given(
    st.integers(1, 4),
    st.tuples(st.integers(-9, 9), st.integers(-9, 9)),
    st.integers(1, 6),
    st.tuples(st.integers(-9, 9), st.integers(-9, 9)),
)
def test_an_area_catches_whoever_stands_on_one_of_its_squares(
    space: int, at: Square, reach: int, corner: Square
) -> None:
    """A body is caught when any of its squares is (SV-011)."""
    assert caught(Body(at, space), corner, 5 * reach) == bool(
        set(footprint(Body(at, space))) & set(area(corner, 5 * reach))
    )


# -- examples ----------------------------------------------------------------------------------------------------------


def test_the_area_of_twenty_feet() -> None:
    """SV-E03: around the corner (10, 10) it covers columns and rows 6 to 13."""
    found = area((10, 10), 20)

    assert (min(found), max(found), len(found)) == ((6, 6), (13, 13), 64)


@pytest.mark.parametrize(
    ("rows", "viewer", "target", "expected"),
    [
        ("##..\n##..\n##..\n##..\n##..\n....\n....", (3, 1), (1, 5), "half"),
        ("##..\n##..\n##..\n##..\n##..\n....\n....", (1, 5), (3, 1), "none"),
        (".........\n.........\n.........\n....#....\n.........\n.........", (3, 3), (5, 4), "half"),
        ("......", (0, 0), (4, 0), "none"),
        ("...\n.#.\n...", (1, 0), (0, 1), "half"),
    ],
)
def test_the_cover_of_the_examples(rows: str, viewer: Square, target: Square, expected: str) -> None:
    """SV-E09 and SV-E61: cover by corners."""
    assert cover(terrain(rows), Body(viewer), Body(target)) == expected


def test_two_squares_that_meet_at_a_point_between_walls() -> None:
    """Given two squares that touch only between two walls, nobody sees across, nor steps."""
    ground = terrain(".#\n#.")

    assert not sight(ground, Body((0, 0)), Body((1, 1)))
    assert isinstance(step_cost(ground, Crowd(), Body((0, 0)), (1, 1)), Fault)


def test_high_ground_gives_half_cover() -> None:
    """SV-E10: from the height of the eyes on, and only upwards."""
    ground = read_terrain("....", {}, {"3,0": 5})

    assert cover(ground, Body((0, 0)), Body((3, 0))) == "half"
    assert cover(ground, Body((3, 0)), Body((0, 0))) == "none"
    assert cover(ground, Body((0, 0)), Body((3, 0)), eyes=6) == "none"


def test_large_creatures() -> None:
    """Given a footprint of two by two, its nearest squares count (R30)."""
    ground = terrain("....\n....\n..~#")
    big = Body((0, 0), 2)

    assert distance(big, Body((4, 0))) == 15
    assert adjacent(big, Body((2, 2)))
    assert step_cost(ground, Crowd(), big, (0, 1)) == 5
    assert step_cost(ground, Crowd(), Body((0, 1), 2), (1, 1)) == 10
    assert isinstance(step_cost(ground, Crowd(), Body((1, 1), 2), (2, 1)), Fault)


def test_giants_wade() -> None:
    """SV-008: for a giant an enemy's square costs ten feet and makes no corner."""
    ground = terrain("...\n...")
    slow = Crowd(slowing=frozenset({(1, 0)}))

    assert step_cost(ground, slow, Body((0, 0)), (1, 0)) == 10
    assert step_cost(ground, slow, Body((0, 0)), (1, 1)) == 5


def test_nobody_ends_on_another() -> None:
    """SV-006: a taken square may be crossed but not kept."""
    ground, crowd = terrain("..."), Crowd(taken=frozenset({(1, 0)}))

    assert cost_of(ground, crowd, Body((0, 0)), ((1, 0), (2, 0))) == 10
    assert isinstance(cost_of(ground, crowd, Body((0, 0)), ((1, 0),)), Fault)
    assert set(reachable(ground, crowd, Body((0, 0)), 30)) == {(0, 0), (2, 0)}
