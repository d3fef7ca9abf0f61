"""Ways in forms: the path of a mover, and why it cannot be taken (4.6)."""

from __future__ import annotations

from rulesets.sovereign.actions.fighting.attack_form import RUSH, default_target, misfit
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.stats import able, enemies, speed
from rulesets.without_number.stats import grappling
from rulesets.without_number.turn import own_phase
from tracker.core.fight.cache import per_state
from tracker.core.fight.events import Moved
from tracker.core.fight.fold import fold
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.fields import number, square, squares, text
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.errors import Refusal
from tracker.kit.squares.grid import Body, Square, distance
from tracker.kit.squares.paths import fault, half_square_off, route, straight_route

FAR = 10_000


def path_fields(state: State, action: Action, needed: bool = False, to: Square | None = None) -> tuple[Field, ...]:
    """Return the fields for a way: a path or its end, else a distance.

    `needed`: one that goes nowhere is none; `to`: where it ends if nothing is said.
    """
    if action.by is None:
        return ()
    if field.on_grid(state, action.by):
        missing = needed and not squares(action, "path")
        return (
            Field("path", "path", note="square by square"),
            Field("to", "square", default=to, required=missing, note="where it ends, in place of a path"),
        )
    return (Field("feet", "number", "distance", note="in feet", minimum=0),)


def unsaid(state: State, action: Action) -> bool:
    """Tell whether a form on the map does not say yet where its way goes."""
    on_map = field.on_grid(state, str(action.by))
    return on_map and not squares(action, "path") and square(action, "to") is None


def can_step(state: State, who: Id, limit: int) -> bool:
    """Tell whether a combatant can go to any square beside it."""
    ground, here = field.terrain(state), field.body(state, who)
    if ground is None or here is None:
        return True
    crowd, (x, y) = field.crowd(state, who), here.at
    neighbours = [(x + across, y + down) for across in (-1, 0, 1) for down in (-1, 0, 1) if across or down]
    return any(route(ground, crowd, here, at, limit) is not None for at in neighbours)


def path_of(state: State, action: Action, limit: int, straight: bool = False) -> tuple[Square, ...]:
    """Return the path of a form.

    It is as typed, or a legal one to the square named; empty for none.
    """
    typed, to = squares(action, "path"), square(action, "to")
    return typed if typed or to is None else _way(state, str(action.by), to, limit, straight)


@per_state
def _way(state: State, who: Id, to: Square, limit: int, straight: bool) -> tuple[Square, ...]:
    ground, here = field.terrain(state), field.body(state, who)
    if ground is None or here is None:
        return ()
    crowd = field.crowd(state, who)
    search = straight_route if straight else route
    found = search(ground, crowd, here, to, limit) or search(
        ground, crowd, here, to, FAR
    )  # so that the refusal can say how far it is
    return (to,) if found is None and to != here.at else found or ()


def wrong_path(state: State, action: Action, limit: int, straight: bool = False) -> Refusal | None:
    """Return why a way cannot be taken (SV-006 to SV-014, SV-072, SV-149).

    Fixed in a grapple, barred, too long, not straight.
    """
    who = str(action.by)
    ground, here = field.terrain(state), field.body(state, who)
    if ground is None or here is None:
        return too_far(state, action, limit)
    path = path_of(state, action, limit, straight)
    if not path:
        return None
    if grappling(state, who):
        return Refusal("grappled", f"{state.name(who)} cannot leave its place in a grapple", "SV-149")
    if straight and half_square_off(here.at, path):
        return Refusal("not_straight", "a Charge goes in a straight line", "SV-072")
    wrong = fault(ground, field.crowd(state, who), here, path, limit)
    if wrong is None:
        return None
    if wrong.reason == "not_adjacent" and not squares(action, "path"):
        return Refusal("no_way", f"{state.name(who)} cannot get there", "SV-013")
    return field.faulted(wrong, "SV-110" if state[who].has("prone") else "SV-072" if straight else "SV-040")


def too_far(state: State, action: Action, limit: int) -> Refusal | None:
    """Return why a typed distance is too far, and that a grapple allows none."""
    who = str(action.by)
    far = action.get("feet")
    if grappling(state, who) and (far is None or number(action, "feet") > 0):
        return Refusal("grappled", f"{state.name(who)} cannot leave its place in a grapple", "SV-149")
    if number(action, "feet") > limit:
        return Refusal(
            "too_far",
            f"{state.name(who)} can move {limit} feet at most",
            "SV-110" if state[who].has("prone") else "SV-040",
        )
    return None


def standing_at(state: State, who: Id, at: Square) -> State:
    """Return the state as if a mover stood elsewhere already."""
    return fold(state, Moved(who, state[who].position, at, (at,)))


def limit_of(state: State, who: Id, times: int = 1) -> int:
    """Return the feet of one Move, or of two."""
    return speed(state[who]).value * times


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
