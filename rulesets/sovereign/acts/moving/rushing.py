"""Where a Charge goes: beside the first enemy it can reach (SV-071 to SV-074)."""

from __future__ import annotations

from rulesets.sovereign.acts.fighting.attack_form import RUSH, default_target, misfit
from rulesets.sovereign.acts.moving.ways import limit_of, path_of, standing_at, unsaid
from rulesets.sovereign.numbers import field
from rulesets.sovereign.numbers.stats import able, enemies
from rulesets.without_number.numbers import grappling
from rulesets.without_number.turn import own_phase
from tracker.core.fight.memo import per_state
from tracker.core.fight.state import State
from tracker.core.step.fields import text
from tracker.core.terms.actions import Action
from tracker.kit.squares.grid import Body, Square, distance
from tracker.kit.squares.paths import straight_route


@per_state
def arrived(state: State, action: Action) -> State:
    """Return the state as it will be when a Charge strikes."""
    who = str(action.by)
    path = path_of(state, action, limit_of(state, who, 2), straight=True)
    return standing_at(state, who, path[-1]) if path and field.on_grid(state, who) else state


@per_state
def charge(state: State, action: Action) -> Action:
    """Return a Charge with a target and a square, where its form leaves them open."""
    who = str(action.by)
    here, ground = field.body(state, who), field.terrain(state)
    if here is None or ground is None or not own_phase(state, who):
        return action
    if not unsaid(state, action) or grappling(state, who):
        return action
    crowd, limit = field.crowd(state, who), limit_of(state, who, 2)
    usual, named = default_target(state, who), text(action, "target")
    others = [named] if named else [usual, *(other.id for other in enemies(state, who) if able(state, other.id))]
    for target in dict.fromkeys(others):
        there = None if target is None else field.body(state, target)
        for at in () if there is None else _beside(here, there):
            if straight_route(ground, crowd, here, at, limit):
                aimed = action.put(target=target, to=at)
                if misfit(arrived(state, aimed), aimed, RUSH) is None:
                    return aimed
    return action


def _beside(here: Body, there: Body) -> list[Square]:
    """Return the squares from which a body stands beside another, the nearest first."""
    (x, y), reach = there.at, range(-here.space, there.space + 1)
    squares = [(x + across, y + down) for down in reach for across in reach]
    free = [at for at in squares if at != here.at and distance(Body(at, here.space), there) > 0]
    return sorted(free, key=lambda at: (distance(here, Body(at, here.space)), at))
