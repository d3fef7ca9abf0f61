"""Caches of pure functions: for the last state, and for objects that never change.

Both know what they are asked about by identity, and both can be switched off for tests (`caches_disabled`).
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
"""What can be switched off."""


def differing(one: Sequence[object], other: Sequence[object]) -> list[int]:
    """Return the places at which two sequences hold different objects.

    The sequences have one length. Of states that follow each other these places are few.
    """
    return list(compress(range(len(one)), map(is_not, one, other)))


SETTLED = "settled"
"""The memo of a state that holds those `settle` last began and ended with; it is handed on with the others."""


def settled(state: State) -> tuple[State, ...]:
    """Return the state with which `settle` last began, and the one it ended with if it concluded anything.

    None of them: conclusions have to be drawn of everything, for others have joined or left, or the fight was just
    loaded.
    """
    found: tuple[State, ...] = state.__dict__.get(SETTLED, ()) if _of_settled else ()
    return found


def note_settled(state: State, before: State) -> None:
    """Note in a state that conclusions have been drawn from the one before."""
    began = replace(before)
    state.__dict__[SETTLED] = (began,) if state.combatants is before.combatants else (began, replace(state))


_P = ParamSpec("_P")
_T = TypeVar("_T")
_O = TypeVar("_O")


def per_state(function: Callable[Concatenate[State, _P], _T]) -> Callable[Concatenate[State, _P], _T]:
    """Return the function with a memory of its last state's answers.

    Its other arguments must be hashable and positional.

    A form asks the same dozens of times of one state, while a step goes from state to state. The state
    is known by identity, and both are exchanged in one assignment, so two threads at most ask twice.
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
    """Cache the answers of a function about objects that never change; an object is known by identity."""
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
    """Return a memory for functions that read only these fields of a combatant.

    Such as its stat block and its effects: a blow or a move changes nothing. Each field is known by identity, and so is
    any further argument, such as an attack.
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
            if known is not None and _of_object:  # what is held keeps its fields: no other has their ids
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
    """Cache nothing, of these kinds or of any, so that a test can compare cached answers with new ones."""
    _keep(measures or CACHE_KINDS, kept=False)
    try:
        yield
    finally:
        _keep(measures or CACHE_KINDS, kept=True)


def _keep(measures: Sequence[CacheKind], kept: bool) -> None:
    global _of_settled, _of_state, _of_object
    _of_settled = kept if "settled" in measures else _of_settled
    _of_state = kept if "state" in measures else _of_state
    _of_object = kept if "object" in measures else _of_object
