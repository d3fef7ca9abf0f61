"""Remembering what pure functions say of one state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import compress
from operator import is_not
from typing import Concatenate, ParamSpec, TypeVar

from tracker.core.fight.state import State

__all__ = ["differing", "per_state"]


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
