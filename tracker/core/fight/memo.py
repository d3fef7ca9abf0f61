"""Remembering what pure functions say of one state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import compress
from operator import is_not
from typing import Concatenate, ParamSpec, TypeVar

from tracker.core.fight.state import Combatant, State

__all__ = ["differing", "per_combatant", "per_state"]
MOST_KEPT = 512


def differing(one: Sequence[object], other: Sequence[object]) -> list[int]:
    """Return the places at which two sequences hold different objects.

    The sequences have one length. Of states that follow each other these places are few.
    """
    return list(compress(range(len(one)), map(is_not, one, other)))


_P = ParamSpec("_P")
_T = TypeVar("_T")


def per_state(function: Callable[Concatenate[State, _P], _T]) -> Callable[Concatenate[State, _P], _T]:
    """Return the function with a memory of its last state's answers.

    Its other arguments must be hashable and go by place.

    A form asks the same dozens of times of a state that stands still, while a step goes from state to state. The state
    is known by identity, and both are exchanged in one assignment, so two threads at most ask twice.
    """
    held: tuple[State | None, dict[tuple[object, ...], _T]] = (None, {})

    @wraps(function)
    def asked(state: State, /, *args: _P.args, **names: _P.kwargs) -> _T:
        nonlocal held
        known = held
        if known[0] is not state:
            known = held = (state, {})
        answers = known[1]
        if args not in answers:
            answers[args] = function(state, *args, **names)
        return answers[args]

    return asked


def per_combatant(function: Callable[[Combatant], _T]) -> Callable[[Combatant], _T]:
    """Return the function with a memory of what it says of combatants as they stand.

    A combatant is known by identity: one that a step has changed is another one, the others are asked once.
    """
    held: dict[int, tuple[Combatant, _T]] = {}

    @wraps(function)
    def asked(combatant: Combatant) -> _T:
        known = held.get(id(combatant))
        if known is not None and known[0] is combatant:
            return known[1]
        if len(held) >= MOST_KEPT:
            held.clear()
        answer = function(combatant)
        held[id(combatant)] = (combatant, answer)
        return answer

    return asked
