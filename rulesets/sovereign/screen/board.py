"""The map for the rest of the program: cells, reach, threat, trails, sight, areas."""

from __future__ import annotations

from functools import lru_cache

from rulesets.sovereign.actions.fighting import opportunity
from rulesets.sovereign.actions.moving.movement import kept_feet, run_limit
from rulesets.sovereign.actions.moving.paths import charge, limit_of, path_of
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.stats import able, armed, reach_of
from rulesets.without_number.stats import grappling
from rulesets.without_number.turn import ECONOMY, MOVE, own_phase
from tracker.core.fight.board import Board, Cell, Template, Trail
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal
from tracker.kit.squares import sight as templates
from tracker.kit.squares.grid import FEET, Body, Square, Terrain, distance, footprint
from tracker.kit.squares.paths import cost_of, reachable, route
from tracker.kit.squares.sight import sight as sees

GLYPHS = {"open": "·", "difficult": "~", "wall": "▒", "chasm": ":"}
FILLS = {"wall": "▒", "chasm": ":"}
STYLES = {"open": "", "difficult": "warn", "wall": "dim", "chasm": "dim"}


def board(state: State) -> Board | None:
    """Return the map, or None for a fight without one (R32)."""
    ground = field.terrain(state)
    return None if ground is None else _board(ground)


@lru_cache(maxsize=4)
def _board(ground: Terrain) -> Board:
    cells = []
    for y in range(ground.height):
        for x in range(ground.width):
            word, height = ground.ground((x, y)), ground.feet_up((x, y))
            if word != "open" or height:
                named = "high ground" if word == "open" else word
                cells.append(Cell(x, y, GLYPHS[word], named, STYLES[word], height, FILLS.get(word, "")))
    return Board("square", ground.width, ground.height, "5 ft", tuple(cells), shapes=("circle", "cone", "line"))


def _limit(state: State, who: Id) -> int:
    """Return the feet that can be gone now.

    In its own phase a combatant without a Move has none.
    """
    if grappling(state, who) or (own_phase(state, who) and not _affords(state, who)):
        return 0
    return run_limit(state, who)


def _affords(state: State, who: Id) -> bool:
    """Tell whether a Move, a part of one, or a Main is left."""
    return kept_feet(state, who) > 0 or ECONOMY.left(state, who, MOVE) is not None


def reach(state: State, who: Id) -> tuple[tuple[Square, int], ...]:
    """Return the squares one Move can end on with their costs, row by row."""
    ground, here = field.terrain(state), field.body(state, who)
    if ground is None or here is None:
        return ()
    costs = reachable(ground, field.crowd(state, who), here, _limit(state, who))
    return tuple(sorted(costs.items(), key=lambda item: (item[0][1], item[0][0])))


@per_state
def threat(state: State, who: Id) -> tuple[Square, ...]:
    """Return the squares within the reach of a combatant's melee weapons (SV-049, SV-097)."""
    ground, here = field.terrain(state), field.body(state, who)
    arms = armed(state, who)
    if ground is None or here is None or not arms or not able(state, who):
        return ()
    return _around(ground, here, reach_of(arms) // FEET)


@lru_cache(maxsize=2048)
def _around(ground: Terrain, here: Body, far: int) -> tuple[Square, ...]:
    """Return the squares within so many of a body that it sees."""
    own = footprint(here)
    squares = (
        (x, y)
        for y in range(here.at[1] - far, here.at[1] + here.space + far)
        for x in range(here.at[0] - far, here.at[0] + here.space + far)
    )
    return tuple(at for at in squares if at not in own and ground.passable(at) and sees(ground, here, Body(at)))


def trail(state: State, who: Id, to: Square) -> Trail | None:
    """Return a cheapest way to a square, or None.

    It says whom it provokes, and why it cannot be taken as one Move. Ways of more than two Moves are not looked for.
    """
    ground, here = field.terrain(state), field.body(state, who)
    if ground is None or here is None or not ground.passable(to):
        return None
    crowd, limit = field.crowd(state, who), run_limit(state, who)
    found = route(ground, crowd, here, to, 2 * limit)
    if found is None:
        return Trail(refusal=Refusal("too_far", f"no way there of {2 * limit} feet or less", "SV-040"), limit=limit)
    cost = cost_of(ground, crowd, here, found)
    if not isinstance(cost, int):
        return Trail(found, 0, (), field.faulted(cost))
    provoked, struck = _provoked(state, who, here, found)
    return Trail(found, cost, provoked, _refusal(state, who, cost, limit), limit, struck)


def course(state: State, action: Action) -> Trail | None:
    """Return the way of a Run or a Charge, with whom it provokes (SV-076, SV-096)."""
    who, ground = action.by, field.terrain(state)
    here = field.body(state, who) if who is not None else None
    if who is None or ground is None or here is None or action.key not in ("run", "charge"):
        return None
    rushes = action.key == "charge"
    limit = limit_of(state, who, 2) if rushes else run_limit(state, who)
    found = path_of(state, charge(state, action) if rushes else action, limit, straight=rushes)
    cost = cost_of(ground, field.crowd(state, who), here, found)
    if not found or not isinstance(cost, int):
        return None
    provoked, struck = _provoked(state, who, here, found)
    if rushes:
        provoked = opportunity.near(state, who)
        struck = (here.at,) if provoked else ()
    return Trail(found, cost, provoked, None, limit, struck)


def _refusal(state: State, who: Id, cost: int, limit: int) -> Refusal | None:
    if grappling(state, who):
        return Refusal("grappled", f"{state.name(who)} cannot leave its place in a grapple", "SV-149")
    return Refusal("too_far", f"the way costs {cost} feet, {limit} at most", "SV-040") if cost > limit else None


def _provoked(
    state: State, who: Id, here: Body, squares: tuple[Square, ...]
) -> tuple[tuple[Id, ...], tuple[Square, ...]]:
    """Return who may strike at a Run, and on which squares (SV-096)."""
    found: dict[Id, None] = {}
    struck: list[Square] = []
    for at in squares:
        there = Body(at, here.space)
        foes = [foe for foe in opportunity.leaving(state, who, here, there) if opportunity.may_strike(state, foe, who)]
        if foes:
            struck.append(here.at)
        found.update(dict.fromkeys(foes))
        here = there
    return tuple(found), tuple(struck)


def sight(state: State, who: Id, target: Id) -> str:
    """Say how a combatant sees a target: its cover, or no line of sight."""
    if not field.on_grid(state, who, target):
        return ""
    if not field.sees(state, who, target):
        return "no line of sight"
    cover = field.cover(state, who, target)
    return "no cover" if cover == "none" else f"{cover} cover"


def area(state: State, template: Template) -> tuple[Square, ...]:
    """Return the squares of an area that are seen from its corner or its combatant (SV-011, SV-015)."""
    ground = field.terrain(state)
    if ground is None:
        return ()
    if template.shape == "circle":
        return templates.around(ground, template.to, template.size)
    here = None if template.who is None else field.body(state, template.who)
    if here is None:
        return ()
    shaped = templates.cone if template.shape == "cone" else templates.ray
    return shaped(ground, here, template.to, template.size)


def gauge(state: State, one: Square, other: Square) -> str:
    """Say how far apart two squares are, and whether they see each other (SV-009, SV-015)."""
    ground = field.terrain(state)
    words = f"{distance(Body(one), Body(other))} ft"
    return words if ground is None or sees(ground, Body(one), Body(other)) else f"{words} · no line of sight"
