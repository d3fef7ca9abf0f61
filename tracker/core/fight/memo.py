"""Remembering what pure functions say of one state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from itertools import compress
from operator import attrgetter, is_not
from typing import Concatenate, ParamSpec, TypeVar

from msgspec.structs import replace

from tracker.core.fight.state import Combatant, State

__all__ = [
    "differing",
    "forgetting",
    "left_alone",
    "per_combatant",
    "per_object",
    "per_part",
    "per_state",
    "settled",
]
MOST_KEPT = 512


def differing(one: Sequence[object], other: Sequence[object]) -> list[int]:
    """Return the places at which two sequences hold different objects.

    The sequences have one length. Of states that follow each other these places are few.
    """
    return list(compress(range(len(one)), map(is_not, one, other)))


SETTLED = "settled"
"""The memo of a state that holds what was found settled last; it is handed on with the others."""


def settled(state: State) -> State | None:
    """Return the state whose conclusions were drawn last, as it was then.

    None: they have to be drawn of everything, for others have joined or left, or the fight has just been loaded.
    """
    found: State | None = state.__dict__.get(SETTLED) if _remembers else None
    return found


def left_alone(state: State, before: State) -> None:
    """Note in a state that conclusions have been drawn from the one before."""
    state.__dict__[SETTLED] = replace(before)


_P = ParamSpec("_P")
_T = TypeVar("_T")
_O = TypeVar("_O")


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
        if known[0] is not state or not _remembers:
            known = held = (state, {})
        answers = known[1]
        if args not in answers:
            answers[args] = function(state, *args, **names)
        return answers[args]

    return asked


def per_part(
    *names: str,
) -> Callable[[Callable[Concatenate[State, _P], _T]], Callable[Concatenate[State, _P], _T]]:
    """Return a memory for functions that read nothing of a state but these parts, and its fixed ones.

    What they say stays true while a step changes others. Each part is known by identity; the fixed parts are the house
    rules, the set-up and the sides.
    """
    parts_of = attrgetter(*names, "house_rules", "setup", "sides")

    def remembering(function: Callable[Concatenate[State, _P], _T]) -> Callable[Concatenate[State, _P], _T]:
        held: tuple[tuple[object, ...], dict[tuple[object, ...], _T]] = ((), {})

        @wraps(function)
        def asked(state: State, /, *args: _P.args, **names: _P.kwargs) -> _T:
            nonlocal held
            if not _remembers:
                return function(state, *args, **names)
            known, parts = held, parts_of(state)
            if not known[0] or any(map(is_not, known[0], parts)):
                known = held = (parts, {})
            answers = known[1]
            if args not in answers:
                answers[args] = function(state, *args, **names)
            return answers[args]

        return asked

    return remembering


def per_object(function: Callable[[_O], _T]) -> Callable[[_O], _T]:
    """Return the function with a memory of what it says of objects that never change, such as stat blocks.

    An object is known by identity.
    """
    held: dict[int, tuple[_O, _T]] = {}

    @wraps(function)
    def asked(one: _O) -> _T:
        known = held.get(id(one))
        if known is not None and known[0] is one and _remembers:
            return known[1]
        if len(held) >= MOST_KEPT:
            held.clear()
        answer = function(one)
        held[id(one)] = (one, answer)
        return answer

    return asked


def per_combatant(function: Callable[[Combatant], _T]) -> Callable[[Combatant], _T]:
    """Return the function with a memory of what it says of combatants as they stand.

    A combatant is known by identity: one that a step has changed is another one, the others are asked once.
    """
    return per_object(function)


_remembers = True


@contextmanager
def forgetting() -> Iterator[None]:
    """Let nothing be remembered, and every conclusion be drawn anew.

    So a test can tell that what is remembered is what would be said.
    """
    global _remembers
    _remembers = False
    try:
        yield
    finally:
        _remembers = True
