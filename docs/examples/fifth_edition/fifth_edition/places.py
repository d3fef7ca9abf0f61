"""The map: who stands where, how far, and who may strike at a mover."""

from fifth_edition.blocks import able, block, speed
from tracker.kit import Action, Id, SquareMap, State, fields
from tracker.kit.squares.grid import Body, distance
from tracker.kit.squares.setup import ground_of
from tracker.kit.squares.sight import cover as covered


def feet(state: State, who: Id) -> int:
    """Return how far a combatant can go now; crawling costs double (FE-06)."""
    left = state[who].left("move") if able(state, who) and speed(state, who) else 0
    return left // 2 if state[who].has("prone") else left


def arm(state: State, who: Id) -> int:
    return (
        max((power.reach for power in block(state, who).attacks if power.melee), default=0) if able(state, who) else 0
    )


def strikers(state: State, who: Id, here: Body, there: Body) -> tuple[Id, ...]:
    """Return who may strike at a combatant that leaves its reach (FE-07)."""
    if state[who].has("disengaged"):
        return ()
    found = []
    for foe in fields.foes(state, who):
        body, far = MAP.body(state, foe.id), arm(state, foe.id)
        if body is not None and foe.left("reaction") and distance(body, here) <= far < distance(body, there):
            found.append(foe.id)
    return tuple(found)


MAP = SquareMap(
    ground_of,
    feet,
    arm,
    provokes=strikers,
    go_to=lambda state, who, to: Action("move", who, (("to", to),)),
    strike=lambda state, who, target: Action("attack", who, (("target", target),)),
)


def cover(state: State, who: Id, target: Id) -> int:
    """Return what cover adds to AC (FE-14)."""
    ground, here, there = ground_of(state), MAP.body(state, who), MAP.body(state, target)
    if ground is None or here is None or there is None or not MAP.sight(state, who, target):
        return 0
    return {"none": 0, "half": 2, "full": 5}[covered(ground, here, there)]
