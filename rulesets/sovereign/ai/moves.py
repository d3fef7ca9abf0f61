"""Where a combatant goes on the map: to strike, to shoot, to help, away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from rulesets.sovereign.ai.targets import beset, foes, met, taken_from, threat, ways
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack import at_hand, loaded
from rulesets.sovereign.stats.stats import able, block, enemies, speed
from rulesets.without_number.stats import grappling
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action, action
from tracker.core.terms.tactics import Aim, Tactics, ranked
from tracker.kit.squares.grid import FEET, Body, Square, distance
from tracker.kit.squares.paths import nearest, reachable, route

FAR = 10_000
MOST_SQUARES = 24
"""How many squares are tried for a line of sight, the nearest first."""


def _costs(state: State, combatant: Combatant) -> Mapping[Square, int]:
    """Return where a Run can end, nowhere for one that stays where it is."""
    if field.terrain(state) is None or not combatant.left("move") or grappling(state, combatant.id):
        return {}
    return _reach(state, combatant.id, speed(combatant).value)


@per_state
def _reach(state: State, who: Id, feet: int) -> Mapping[Square, int]:
    """Return where a move of so many feet can end."""
    ground, here = field.terrain(state), field.body(state, who)
    return {} if ground is None or here is None else reachable(ground, field.crowd(state, who), here, feet)


def to_strike(state: State, combatant: Combatant, tactics: Tactics) -> Iterator[Aim]:
    """Yield a Run up to each enemy that can be struck from there."""
    if met(state, combatant.id):
        return
    costs, space = _costs(state, combatant), block(combatant).space
    if not costs:
        return
    hands = [way for way in ways(combatant) if at_hand(way.use)]
    for foe in foes(state, combatant.side):
        there = field.body(state, foe.id)
        if there is None or not hands:
            continue
        squares = [at for at in _beside(there, space) if at in costs]
        if not squares:
            continue
        at = min(squares, key=lambda square: (costs[square], square))
        best = max(taken_from(state, combatant, way, foe, Body(at, space), True) for way in hands)
        run = action("run", combatant.id, to=at)
        yield Aim(run, best, foe.hp, foe.pool("hp").max, threat(foe), beset=beset(state, foe.id, tactics))


def _beside(there: Body, space: int) -> Iterator[Square]:
    """Yield where a body of this size would stand beside another one."""
    (x, y), size = there.at, there.space
    for row in range(y - space, y + size + 1):
        if row in (y - space, y + size):
            yield from ((column, row) for column in range(x - space, x + size + 1))
        else:
            yield from ((x - space, row), (x + size, row))


def to_shoot(state: State, combatant: Combatant, tactics: Tactics) -> Iterator[Action]:
    """Yield the Run to a square with a line to an enemy.

    High squares come first, then the nearest; none is beside an enemy.
    """
    if met(state, combatant.id):
        return
    costs, space, ground = _costs(state, combatant), block(combatant).space, field.terrain(state)
    shots = [way for way in ways(combatant) if not at_hand(way.use) and loaded(combatant, way.arm)]
    others = foes(state, combatant.side)
    places = [place for foe in others if (place := field.body(state, foe.id)) is not None]
    if not costs or not shots or ground is None:
        return
    free = [at for at in costs if not any(distance(Body(at, space), place) <= FEET for place in places)]
    free.sort(key=lambda at: (-ground.level(Body(at, space)), costs[at], at))
    for at in free[:MOST_SQUARES]:
        here = Body(at, space)
        found = [
            Aim(
                action("run", combatant.id, to=at),
                taken_from(state, combatant, way, foe, here, False),
                foe.hp,
                foe.pool("hp").max,
                threat(foe),
            )
            for way in shots
            for foe in others
        ]
        if chosen := ranked(found, tactics):
            yield chosen[0].action
            return


def approach(state: State, combatant: Combatant) -> Action | None:
    """Return the Run along the shortest way to the nearest enemy."""
    if field.terrain(state) is None:
        return None
    return _towards(state, combatant, [foe.id for foe in foes(state, combatant.side)], FEET)


def to_patient(state: State, combatant: Combatant, patient: Id) -> Action | None:
    """Return the Run that ends beside a patient."""
    return _towards(state, combatant, [patient], FEET)


def _towards(state: State, combatant: Combatant, goals: list[Id], near: int) -> Action | None:
    """Return the Run along the shortest way to one of the goals."""
    who, ground, here = combatant.id, field.terrain(state), field.body(state, combatant.id)
    if met(state, who):
        return None
    costs = _costs(state, combatant)
    if not costs or ground is None or here is None:
        return None
    places = [place for goal in goals if (place := field.body(state, goal)) is not None]
    if not places or any(distance(here, place) <= near for place in places):
        return None
    crowd = field.crowd(state, who)
    end = nearest(ground, crowd, here, (at for place in places for at in _beside(place, here.space)), FAR)
    if end is None:
        return _nearer(who, costs, here, places)
    way = route(ground, crowd, here, end, FAR) or ()
    stop = next((at for at in reversed(way) if at in costs), None)
    return None if stop is None or stop == here.at else action("run", who, to=stop)


def _nearer(who: Id, costs: Mapping[Square, int], here: Body, places: list[Body]) -> Action | None:
    """Return the Run that ends nearest to one of the places, as the crow flies."""

    def away_from(at: Square) -> int:
        return min(distance(Body(at, here.space), place) for place in places)

    best = min(costs, key=lambda at: (away_from(at), costs[at], at))
    return action("run", who, to=best) if away_from(best) < away_from(here.at) else None


def away(state: State, combatant: Combatant) -> Iterator[Action]:
    """Yield the way out of the fight: out of the melee first, then far away."""
    who, near = combatant.id, met(state, combatant.id)
    if near and combatant.left("main") and combatant.left("move") and not combatant.has("disengaged"):
        yield action("disengage", who)
    here = field.body(state, who)
    if here is None:
        if near and combatant.left("move"):
            yield action("run", who)
        return
    costs = _costs(state, combatant)
    others = [other for other in enemies(state, who) if able(state, other.id)]
    places = [place for other in others if (place := field.body(state, other.id)) is not None]
    if not costs or not places:
        return

    places.sort(key=partial(distance, here))
    margin = distance(here, places[0])
    best = (margin, 1, here.at)  # equally far is no better
    for at, cost in costs.items():
        there = Body(at, here.space)
        if all(distance(there, place) >= best[0] for place in places):  # the nearest rule out most squares
            best = max(best, (min(distance(there, place) for place in places), -cost, at))
    if best[0] > margin:
        yield action("run", who, to=best[2])
