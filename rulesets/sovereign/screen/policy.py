"""The plain choice for the forecast: strike, shoot, or go to the nearest enemy."""

from __future__ import annotations

from rulesets.sovereign.acts.actions import DEEDS
from rulesets.sovereign.numbers import field
from rulesets.sovereign.numbers.attack import loaded
from rulesets.sovereign.numbers.stats import able, block, enemies, reach_of, speed
from rulesets.without_number.numbers.parts import grappling
from rulesets.without_number.turn import own_phase
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.terms.actions import Action, action
from tracker.core.terms.tactics import Tactics
from tracker.kit.squares.grid import FEET, Body, Square, distance
from tracker.kit.squares.paths import reachable

__all__ = ["policy"]


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Return what a combatant does now, None where it has nothing left to do."""
    combatant = state[who]
    if not able(state, who) or combatant.has("surprised") or not own_phase(state, who) or combatant.has("retreating"):
        return None
    return _main(state, combatant) or _approach(state, combatant)


def _main(state: State, combatant: Combatant) -> Action | None:
    if not combatant.left("main"):
        return None
    who = combatant.id
    if combatant.has("grappled"):
        return action("escape_grapple", who)
    for target in _by_weakness(state, who):
        for key in ("attack_melee", "attack_ranged"):
            for arm in block(combatant).arms:
                wanted = action(key, who, target=target.id, weapon=arm.name)
                spec = (
                    DEEDS.form(state, wanted) if arm.close == (key == "attack_melee") or "thrown" in arm.use else None
                )
                weapon = spec.field("weapon") if spec is not None else None
                offered = weapon is not None and any(
                    option.key == arm.name and option.refusal is None for option in weapon.options
                )
                if spec is not None and spec.refusal is None and offered:
                    return wanted
    empty = next((arm for arm in block(combatant).arms if not loaded(combatant, arm)), None)
    if empty is not None and not grappling(state, who):
        wanted = action("reload", who, weapon=empty.name)
        spec = DEEDS.form(state, wanted)
        return wanted if spec is not None and spec.refusal is None else None
    return None


def _by_weakness(state: State, who: Id) -> list[Combatant]:
    standing = [other for other in enemies(state, who) if other.status == "up"]
    return sorted(standing, key=lambda other: (other.has("retreating"), other.hp))


def _approach(state: State, combatant: Combatant) -> Action | None:
    """Go nearer to the nearest enemy with an unused Move, if none is in reach."""
    who = combatant.id
    ground, here = field.terrain(state), field.body(state, who)
    if not combatant.left("move") or ground is None or here is None or grappling(state, who):
        return None
    places = [
        place
        for other in enemies(state, who)
        if other.status == "up" and (place := field.body(state, other.id)) is not None
    ]
    reach = max(FEET, reach_of(block(combatant).attacks))
    if not places or min(distance(here, place) for place in places) <= reach:
        return None
    costs = reachable(ground, field.crowd(state, who), here, speed(combatant).value)

    def worth(at: Square) -> tuple[int, int, Square]:
        return min(distance(Body(at, here.space), place) for place in places), costs[at], at

    best = min(costs, key=worth)
    if best == here.at or worth(best)[0] >= worth(here.at)[0]:
        return None
    return action("run", who, to=best)
