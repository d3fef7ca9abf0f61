"""Remembering what pure functions say of one state, for as long as that state is asked about."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar

from tracker.core.state import State

__all__ = ["per_state"]

_K = TypeVar("_K", bound=Hashable)
_T = TypeVar("_T")


def per_state(function: Callable[[State, _K], _T]) -> Callable[[State, _K], _T]:
    """Return the function with a memory of its answers about the last state it was asked about.

    A form asks the same dozens of times of a state that stands still, while a step goes from state to state. The state is known by identity, and
    both are exchanged in one assignment, so two threads at most ask twice.
    """
    held: tuple[State | None, dict[_K, _T]] = (None, {})

    @wraps(function)
    def asked(state: State, key: _K) -> _T:
        nonlocal held
        known = held
        if known[0] is not state:
            known = held = (state, {})
        answers = known[1]
        if key not in answers:
            answers[key] = function(state, key)
        return answers[key]

    return asked
