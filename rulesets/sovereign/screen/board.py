"""The map for the rest of the program: cells, reach, threat, trails, sight, areas."""

from __future__ import annotations

from rulesets.sovereign.actions.fighting import opportunity
from rulesets.sovereign.actions.moving.movement import kept_feet, run_limit
from rulesets.sovereign.actions.moving.paths import charge, limit_of, path_of
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.stats import able, armed, reach_of
from rulesets.without_number.stats import grappling
from rulesets.without_number.turn import ECONOMY, MOVE, own_phase
from tracker.core.fight.board import Trail
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal
from tracker.kit.squares.grid import Body, Square
from tracker.kit.squares.paths import cost_of, route
from tracker.kit.squares.square_map import SquareMap


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


@per_state
def threat(state: State, who: Id) -> tuple[Square, ...]:
    """Return the squares within the reach of a combatant's melee weapons (SV-049, SV-097)."""
    return MAP.threat(state, who)


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
    provoked, struck = MAP.struck(state, who, found)
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
    provoked, struck = MAP.struck(state, who, found)
    if rushes:
        provoked = opportunity.near(state, who)
        struck = (here.at,) if provoked else ()
    return Trail(found, cost, provoked, None, limit, struck)


def _refusal(state: State, who: Id, cost: int, limit: int) -> Refusal | None:
    if grappling(state, who):
        return Refusal("grappled", f"{state.name(who)} cannot leave its place in a grapple", "SV-149")
    return Refusal("too_far", f"the way costs {cost} feet, {limit} at most", "SV-040") if cost > limit else None


def _strikers(state: State, who: Id, here: Body, there: Body) -> tuple[Id, ...]:
    """Return who may strike at a combatant that leaves a place (SV-096)."""
    leaving = opportunity.leaving(state, who, here, there)
    return tuple(foe for foe in leaving if opportunity.may_strike(state, foe, who))


def _arm(state: State, who: Id) -> int:
    """Return the feet a combatant's melee weapons reach, 0 where it cannot strike (SV-049, SV-097)."""
    arms = armed(state, who)
    return reach_of(arms) if arms and able(state, who) else 0


def sight(state: State, who: Id, target: Id) -> str:
    """Say how a combatant sees a target: its cover, or no line of sight."""
    if not field.on_grid(state, who, target):
        return ""
    if not field.sees(state, who, target):
        return "no line of sight"
    cover = field.cover(state, who, target)
    return "no cover" if cover == "none" else f"{cover} cover"


# SV-009, SV-011, SV-015: distances and sight of squares; those of an area are seen from its corner or its combatant.
MAP = SquareMap(field.terrain, _limit, _arm, field.body, field.crowd, _strikers)
board, reach, area, gauge = MAP.board, MAP.reach, MAP.area, MAP.gauge
