"""Caches of pure functions: for the last state, and for objects that never change.

Both compare their arguments by identity, and both can be disabled for tests (`caches_disabled`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from itertools import compress
from operator import attrgetter, is_not
from typing import Concatenate, Literal, ParamSpec, TypeAlias, TypeVar, get_args

from msgspec.structs import replace

from tracker.core.fight.state import Combatant, State

MOST_KEPT = 1024
CacheKind: TypeAlias = Literal["settled", "state", "object"]
CACHE_KINDS: tuple[CacheKind, ...] = get_args(CacheKind)
"""The kinds of caches that can be disabled."""


def differing(one: Sequence[object], other: Sequence[object]) -> list[int]:
    """Return the places at which two sequences of the same length have different objects."""
    return list(compress(range(len(one)), map(is_not, one, other)))


SETTLED = "settled"
"""The name of the memo with the states before and after the last `settle`; a new state gets it with the others."""


def settled(state: State) -> tuple[State, ...]:
    """Return the state before the last `settle`, and the state after it if it changed anything.

    (): `settle` has to look at every combatant, because some joined or left, or the fight was just loaded.
    """
    states: tuple[State, ...] = state.__dict__.get(SETTLED, ()) if _of_settled else ()
    return states


def note_settled(state: State, before: State) -> None:
    """Note in a state that `settle` has run on the state before."""
    began = replace(before)
    state.__dict__[SETTLED] = (began,) if state.combatants is before.combatants else (began, replace(state))


_P = ParamSpec("_P")
_T = TypeVar("_T")
_O = TypeVar("_O")


def per_state(function: Callable[Concatenate[State, _P], _T]) -> Callable[Concatenate[State, _P], _T]:
    """Cache the results of a function for its last state; its other arguments must be hashable and positional.

    A form computes the same dozens of times for one state, while a step goes from state to state. State and results
    are replaced in one assignment, so two threads at most compute a result twice.
    """
    held: tuple[State | None, dict[tuple[object, ...], _T]] = (None, {})

    @wraps(function)
    def asked(state: State, /, *args: _P.args, **names: _P.kwargs) -> _T:
        nonlocal held
        known = held
        if known[0] is not state or not _of_state:
            known = held = (state, {})
        answers = known[1]
        if names:
            return function(state, *args, **names)
        try:
            return answers[args]
        except KeyError:
            pass
        answer = answers[args] = function(state, *args, **names)
        return answer

    return asked


def per_object(function: Callable[[_O], _T]) -> Callable[[_O], _T]:
    """Cache the results of a function of one object that never changes."""
    held: dict[int, tuple[_O, _T]] = {}

    @wraps(function)
    def asked(one: _O) -> _T:
        known = held.get(id(one))
        if known is not None and known[0] is one and _of_object:
            return known[1]
        if len(held) >= MOST_KEPT:
            held.clear()
        answer = function(one)
        held[id(one)] = (one, answer)
        return answer

    return asked


def per_fields(
    *names: str,
) -> Callable[[Callable[Concatenate[Combatant, _P], _T]], Callable[Concatenate[Combatant, _P], _T]]:
    """Cache the results of functions that read only these fields of a combatant, such as `block` and `effects`.

    A change of other fields keeps the results. Fields and further arguments, such as an attack, are compared by
    identity.
    """
    fields_of = attrgetter(*names)

    def remembering(
        function: Callable[Concatenate[Combatant, _P], _T],
    ) -> Callable[Concatenate[Combatant, _P], _T]:
        held: dict[tuple[int, ...], tuple[tuple[object, ...], _T]] = {}

        @wraps(function)
        def asked(combatant: Combatant, /, *others: _P.args, **named: _P.kwargs) -> _T:
            if named:
                return function(combatant, *others, **named)
            fields = fields_of(combatant) + others
            key = tuple(map(id, fields))
            known = held.get(key)
            if known is not None and _of_object:  # the cache keeps the fields alive, so no other object has their ids
                return known[1]
            if len(held) >= MOST_KEPT:
                held.clear()
            answer = function(combatant, *others, **named)
            held[key] = fields, answer
            return answer

        return asked

    return remembering


_of_settled = _of_state = _of_object = True


@contextmanager
def caches_disabled(*measures: CacheKind) -> Iterator[None]:
    """Disable caches of these kinds, or all, so that a test can compare cached results with new ones."""
    _enable(measures or CACHE_KINDS, enabled=False)
    try:
        yield
    finally:
        _enable(measures or CACHE_KINDS, enabled=True)


def _enable(measures: Sequence[CacheKind], enabled: bool) -> None:
    global _of_settled, _of_state, _of_object
    _of_settled = enabled if "settled" in measures else _of_settled
    _of_state = enabled if "state" in measures else _of_state
    _of_object = enabled if "object" in measures else _of_object
