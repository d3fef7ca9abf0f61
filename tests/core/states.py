"""States made by hand, for the tests that need no ruleset."""

from __future__ import annotations

from tests.support.common import Fighter
from tracker.core.fight.events import BoundaryCrossed, CombatantJoined, Event, FightOpened, OrderSet
from tracker.core.fight.fold import fold
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import Combatant, Pool, Side, State
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, Boundary

SIDES = (Side("party", "Party", "players"), Side("goblins", "Goblins", "gm"))


def after(state: State, *events: Event) -> State:
    for event in events:
        state = fold(state, event)
    return state


def fighter(key: str, side: str = "party", hp: int = 6, effects: tuple[Effect, ...] = ()) -> Combatant:
    name = key.capitalize()
    return Combatant(
        key,
        name,
        key[0],
        side,
        "pc",
        Fighter(name),
        pools=(Pool("hp", hp, hp, floor=0),),
        budget=(("main", 1), ("move", 1)),
        effects=effects,
    )


def opened(*combatants: Combatant) -> State:
    """Return a fight with these combatants. Without any, of Ada and Bo against Gog."""
    joined = combatants or (fighter("ada"), fighter("bo"), fighter("gog", "goblins"))
    start = fold(State(), FightOpened("toy", 1, "A fight", None, None, SIDES))
    return after(start, *(CombatantJoined(combatant) for combatant in joined))


def scheduled(*slots: Slot) -> State:
    """Return the same fight with these slots in its first round."""
    start = fold(opened(), boundary("round_start"))
    return fold(
        start, OrderSet((), slots or (Slot("r1/party", "Party", "party"), Slot("r1/goblins", "Goblins", "goblins")))
    )


def boundary(
    edge: str, *actors: str, sides: tuple[str, ...] = (), phase: str = "", segment: int | None = None, number: int = 1
) -> Event:
    return BoundaryCrossed(Boundary(edge, number, phase, segment, "", actors, sides))  # type: ignore[arg-type]  # a name


def effect(number: int, bearer: str, *until: At, name: str = "bane", parent: int | None = None) -> Effect:
    return Effect(name, bearer, number, until=until, parent=parent)
