"""Where combatants stand, on the grid or without one (4.5 to 4.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulesets.sovereign.stats.stats import block, enemies, friends, hostile, setup
from tracker.core.fight.cache import per_object, per_state
from tracker.core.fight.events import Moved
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.errors import Refusal
from tracker.core.terms.words import listed
from tracker.kit.squares import sight
from tracker.kit.squares.grid import FEET, Body, Square, Terrain, adjacent, distance, footprint
from tracker.kit.squares.paths import Crowd, Fault

Cover = sight.Cover
ENGAGED = "engaged"
GIANT = 8
FAULTS = {
    "not_adjacent": "SV-010",
    "impassable": "SV-013",
    "enemy_in_way": "SV-007",
    "corner": "SV-014",
    "occupied": "SV-006",
    "too_far": "SV-040",
}


def terrain(state: State) -> Terrain | None:
    """Return the map, if the fight has one."""
    return setup(state).terrain


def body(state: State, who: Id) -> Body | None:
    """Return where a combatant stands on the map, or None."""
    combatant = state.get(who)
    return None if combatant is None or setup(state).terrain is None else _body(combatant)


def place_of(state: State, combatant: Combatant) -> Body | None:
    """Return where a combatant of a fight stands on its map, or None."""
    return None if setup(state).terrain is None else _body(combatant)


@per_object
def _body(combatant: Combatant) -> Body | None:
    if combatant.position is None or len(combatant.position) != 2:
        return None
    return Body((int(combatant.position[0]), int(combatant.position[1])), block(combatant).space)


def on_grid(state: State, *people: Id) -> bool:
    """Tell whether all of them stand on the map."""
    return all(body(state, who) is not None for who in people)


def feet_between(state: State, one: Id, other: Id) -> int | None:
    """Return the distance in feet, None where no map tells it."""
    first, second = body(state, one), body(state, other)
    return None if first is None or second is None else distance(first, second)


def next_to(state: State, one: Id, other: Id) -> bool:
    """Tell whether two are adjacent, by the map or else by their melee (4.8)."""
    feet = feet_between(state, one, other)
    return other in engaged(state, one) if feet is None else feet <= FEET


def beside(state: State, who: Id, counts: Callable[[Combatant], bool]) -> tuple[Id, ...]:
    """Return the adjacent enemies of a combatant, of those who count (4.8)."""
    here, known = body(state, who), engaged(state, who)
    if here is None and not known:
        return ()
    found = []
    for other in enemies(state, who):
        if counts(other):
            there = None if here is None else _body(other)
            near = other.id in known if here is None or there is None else distance(here, there) <= FEET
            if near:
                found.append(other.id)
    return tuple(found)


def stands_alone(state: State, who: Id) -> bool:
    """Tell whether a combatant is on no map and in no melee."""
    return body(state, who) is None and not engaged(state, who)


def sees(state: State, one: Id, other: Id) -> bool:
    """Tell whether there is a line of sight, or no map (SV-015)."""
    ground, first, second = terrain(state), body(state, one), body(state, other)
    return ground is None or first is None or second is None or sight.sight(ground, first, second)


def cover(state: State, viewer: Id, target: Id) -> sight.Cover:
    """Return a target's cover, none without a map (SV-017, SV-018, SV-020)."""
    ground, first, second = terrain(state), body(state, viewer), body(state, target)
    if ground is None or first is None or second is None:
        return "none"
    return sight.cover(ground, first, second, block(state[viewer]).size_ft[2])


@per_state
def in_melee(state: State, who: Id) -> bool:
    """Tell whether an able enemy is adjacent, whatever its weapon (R13)."""
    return bool(beside(state, who, lambda other: other.status == "up"))


def giant(combatant: Combatant, other: Combatant) -> bool:
    """Tell whether a combatant is eight times as big as another in one dimension (SV-008)."""
    (x, y, z), (other_x, other_y, other_z) = block(combatant).size_ft, block(other).size_ft
    return x >= GIANT * other_x or y >= GIANT * other_y or z >= GIANT * other_z


@per_state
def crowd(state: State, who: Id, without: tuple[Id, ...] = ()) -> Crowd:
    """Return whom a mover meets (SV-005 to SV-008, R21, R22, R45)."""
    if terrain(state) is None:
        return Crowd()
    barring: set[Square] = set()
    slowing: set[Square] = set()
    taken: set[Square] = set()
    mover, allies = state[who], friends(state, who)
    for other in state.combatants:
        if other.id == who or other.id in without or other.status in ("dead", "gone"):
            continue
        place = _body(other)
        if place is None:
            continue
        squares = footprint(place)
        if other.side not in allies and other.status == "up" and not other.has("prone"):
            if giant(mover, other):
                slowing.update(squares)
                continue
            barring.update(squares)
        taken.update(squares)
    return Crowd(frozenset(barring), frozenset(slowing), frozenset(taken))


def occupied(state: State, square: Square, space: int, but: Sequence[Id] = ()) -> bool:
    """Tell whether a footprint would touch the map's end, a wall or a combatant (R45)."""
    ground = terrain(state)
    wanted = footprint(Body(square, space))
    if ground is not None and not all(ground.passable(part) for part in wanted):
        return True
    for other in state.combatants:
        place = None if other.id in but or other.status in ("dead", "gone") else body(state, other.id)
        if place is not None and set(wanted) & set(footprint(place)):
            return True
    return False


def nearest_free(state: State, wanted: Square, space: int, but: Sequence[Id] = ()) -> Square | None:
    """Return the square nearest to one wanted on which a footprint stands free."""
    ground = terrain(state)
    if ground is None:
        return None
    (x, y), far = wanted, max(map(abs, (*wanted, ground.width - wanted[0], ground.height - wanted[1])))
    rings = (
        (x + dx, y + dy)
        for apart in range(far + 1)
        for dy in range(-apart, apart + 1)
        for dx in range(-apart, apart + 1)
        if max(abs(dx), abs(dy)) == apart
    )
    return next((at for at in rings if not occupied(state, at, space, but)), None)


def stand_apart(ctx: Ctx, who: Id) -> None:
    """Put a combatant out of a square it shares (SV-006, R45).

    A movement broken off may have left it there.
    """
    place = body(ctx.state, who)
    if place is None:
        return
    apart = [who, *(other.id for other in ctx.state.combatants if giant(ctx.state[who], other))]
    if occupied(ctx.state, place.at, place.space, apart):
        square = nearest_free(ctx.state, place.at, place.space, (who,))
        move(ctx, who, () if square is None else (square,), "SV-006", "SV-R45")


def free_squares(state: State, around: Body, space: int, but: Sequence[Id] = ()) -> tuple[Square, ...]:
    """Return the squares beside a body where a footprint would stand free, row by row."""
    (x, y), size = around.at, around.space
    found = []
    for row in range(y - space, y + size + 1):
        for column in range(x - space, x + size + 1):
            other = Body((column, row), space)
            if (
                adjacent(around, other)
                and not set(footprint(other)) & set(footprint(around))
                and not occupied(state, (column, row), space, but)
            ):
                found.append((column, row))
    return tuple(found)


def faulted(wrong: Fault, too_far: str = FAULTS["too_far"]) -> Refusal:
    """Return the refusal of a path, `too_far` being its limiting rule."""
    return Refusal(wrong.reason, wrong.text, too_far if wrong.reason == "too_far" else FAULTS[wrong.reason])


def move(ctx: Ctx, who: Id, path: Sequence[Square], *rules: str) -> None:
    """Put a combatant at the end of a path."""
    if path:
        ctx.emit(Moved(who, ctx.state[who].position, path[-1], tuple(path)), *rules)


# -- without a map -----------------------------------------------------------------------------------------------------


def engaged(state: State, who: Id) -> tuple[Id, ...]:
    """Return the known opponents of a combatant in a melee (4.8)."""
    known = state[who].fact(ENGAGED)
    return tuple(str(other) for other in known if str(other) in state) if isinstance(known, tuple) else ()


def engage(ctx: Ctx, one: Id, other: Id) -> None:
    """Remember that two are in a melee, where no map tells it."""
    if on_grid(ctx.state, one, other) or not hostile(ctx.state, one, other):
        return
    for first, second in ((one, other), (other, one)):
        known = engaged(ctx.state, first)
        if second not in known:
            ctx.fact(first, ENGAGED, (*known, second), "SV-R32")


def disengage_all(ctx: Ctx, who: Id, but: Id | None = None) -> str:
    """Forget the melee of a combatant that moves away, `but` with the target of a Charge.

    Return in words whom it leaves.
    """
    met = [other for other in engaged(ctx.state, who) if other != but]
    kept = tuple(other for other in engaged(ctx.state, who) if other == but)
    for other in met:
        ctx.fact(other, ENGAGED, tuple(one for one in engaged(ctx.state, other) if one != who) or None)
    ctx.fact(who, ENGAGED, kept or None)
    return f", out of the melee with {listed([ctx.state.name(other) for other in met])}" if met else ""
