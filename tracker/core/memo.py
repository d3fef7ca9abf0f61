"""Remembering what pure functions say of one state, for as long as that state is asked about."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from tracker.core.state import State

__all__ = ["per_state"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


def per_state(function: Callable[Concatenate[State, _P], _T]) -> Callable[Concatenate[State, _P], _T]:
    """Return the function with a memory of its answers about the last state it was asked about; whatever else it takes must be hashable and go by place.

    A form asks the same dozens of times of a state that stands still, while a step goes from state to state. The state is known by identity, and
    both are exchanged in one assignment, so two threads at most ask twice.
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
