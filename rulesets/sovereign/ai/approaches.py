"""What a combatant can do to another one by going there first."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.sovereign.actions.gm import ACTIONS
from rulesets.sovereign.actions.moving.paths import standing_at
from rulesets.sovereign.screen import reach, trail
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.stats import block, hostile
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action, action
from tracker.kit.squares.grid import Body, Square, distance

ATTACKS = ("attack_melee", "attack_ranged")
MOST_SQUARES = 24
"""How many squares are tried for one attack, the nearest first."""


def approaches(state: State, who: Id, target: Id) -> tuple[tuple[Action, ...], ...]:
    """Return each attack that a Run makes possible, with that Run."""
    if target not in state or not hostile(state, who, target) or not field.on_grid(state, who, target):
        return ()
    return tuple(found for key in ATTACKS if (found := _going(state, who, target, key)) is not None)


def _going(state: State, who: Id, target: Id, key: str) -> tuple[Action, ...] | None:
    attack = action(key, who, target=target)
    if _possible(state, attack):
        return None  # from where it stands
    for at in _squares(state, who, target, key):
        run = action("run", who, to=at)
        if _possible(state, run) and _possible(standing_at(state, who, at), attack):
            return run, attack
    return None


def _possible(state: State, wanted: Action) -> bool:
    spec = ACTIONS.form(state, wanted)
    return spec is not None and spec.refusal is None


def _squares(state: State, who: Id, target: Id, key: str) -> Iterator[Square]:
    """Yield squares in reach for an attack.

    First those where nobody strikes on the way, then those from which the target has no cover, then the nearest.
    """
    mover, there = state[who], field.body(state, target)
    if there is None or mover.position is None:
        return
    space = block(mover).space
    longest = max((arm.reach for arm in block(mover).arms), default=0)
    costs = dict(reach(state, who))
    costs.pop((int(mover.position[0]), int(mover.position[1])), None)
    near = [at for at in costs if key != "attack_melee" or distance(Body(at, space), there) <= longest]
    nearest = sorted(near, key=lambda at: (costs[at], at))[:MOST_SQUARES]
    yield from sorted(nearest, key=lambda at: (_struck(state, who, at), _covered(state, who, target, at)))


def _struck(state: State, who: Id, at: Square) -> int:
    """Return how many may strike on the way to a square."""
    way = trail(state, who, at)
    return len(way.provokes) if way is not None else 0


def _covered(state: State, who: Id, target: Id, at: Square) -> bool:
    return field.cover(standing_at(state, who, at), who, target) != "none"
