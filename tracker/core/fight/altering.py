"""How a state is altered: records replaced, and the memos that still hold handed on."""

from __future__ import annotations

from msgspec.structs import replace

from tracker.core.fight.state import Combatant, State
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import CorruptJournal


def replace_keeping(state: State, **changes: object) -> State:
    """Replace fields that no memo depends on, and hand the memos on."""
    new: State = replace(state, **changes)
    new.__dict__.update(state.__dict__)
    return new


def with_one(state: State, combatant: Combatant) -> State:
    """Return the state with one combatant replaced.

    Its effects must not have changed.
    """
    combatants = list(state.combatants)
    combatants[state.places[combatant.id]] = combatant
    return replace_keeping(state, combatants=tuple(combatants))


def bear(state: State, bearer: str, effects: tuple[Effect, ...], kin: bool) -> State:
    """Return the state with a bearer's effects replaced.

    Forgets who waits for what, and with `kin` which effects are children of others.
    """
    combatant = state.get(bearer)
    if combatant is not None:
        new = with_one(state, replace(combatant, effects=effects))
    else:
        new = replace_keeping(
            state, effects=tuple(effect for effect in state.effects if effect.bearer != bearer) + effects
        )
    new.__dict__.pop("waiting", None)
    if kin:
        new.__dict__.pop("children", None)
    return new


def holder(state: State, who: str, event: object) -> Combatant:
    """Return the combatant an event is about."""
    place = state.places.get(who)
    if place is None:
        raise CorruptJournal(f"{type(event).__name__}: {who} is not in the fight", who)
    return state.combatants[place]


def same(held: object, said: object, event: object) -> None:
    """Refuse an event that says something else was held."""
    if held is not said and held != said:
        raise CorruptJournal(f"{type(event).__name__} says it was {said!r}, but it is {held!r}")
