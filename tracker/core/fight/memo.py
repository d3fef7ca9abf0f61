"""Remembering what pure functions say of one state.

There are four kinds of memory, and each can be switched off alone: what has been settled, and what is said of a whole
state, of parts of one, and of single objects.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, wraps
from itertools import compress
from operator import attrgetter, is_not
from typing import Concatenate, Literal, ParamSpec, TypeAlias, TypeVar, get_args

from msgspec.structs import replace

from tracker.core.fight.state import Combatant, Id, State

__all__ = [
    "MEASURES",
    "Measure",
    "differing",
    "forgetting",
    "is_settled",
    "note_settled",
    "per_bearer",
    "per_combatant",
    "per_fields",
    "per_meeting",
    "per_object",
    "per_part",
    "per_people",
    "per_state",
    "per_states",
    "settled",
]
MOST_KEPT = 1024
LOOKED_AT = 16
Measure: TypeAlias = Literal["settled", "state", "part", "object"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
"""The kinds of memory."""


def differing(one: Sequence[object], other: Sequence[object]) -> list[int]:
    """Return the places at which two sequences hold different objects.

    The sequences have one length. Of states that follow each other these places are few.
    """
    return list(compress(range(len(one)), map(is_not, one, other)))


Manner: TypeAlias = tuple[bool, ...]
_all_of = attrgetter(*State.__struct_fields__)
SETTLED = "settled"
"""The memo of a state that holds what was found settled last; it is handed on with the others."""


def settled(state: State) -> State | None:
    """Return the state whose conclusions were drawn last, as it was then.

    None: they have to be drawn of everything, for others have joined or left, or the fight has just been loaded.
    """
    found: tuple[State, Manner] | None = state.__dict__.get(SETTLED) if _of_settled else None
    return None if found is None else found[0]


def is_settled(state: State, manner: Manner) -> bool:
    """Tell whether this very state has been found settled, in the same manner."""
    found: tuple[State, Manner] | None = state.__dict__.get(SETTLED) if _of_settled else None
    if found is None or found[1] != manner or found[0].combatants is not state.combatants:
        return False
    return not any(map(is_not, _all_of(found[0]), _all_of(state)))


def note_settled(state: State, before: State, manner: Manner) -> None:
    """Note in a state that conclusions have been drawn from the one before.

    `manner`: what else they may depend on, () where there were some.
    """
    state.__dict__[SETTLED] = replace(before), manner


_P = ParamSpec("_P")
_T = TypeVar("_T")
_O = TypeVar("_O")
_FIXED = ("house_rules", "setup", "sides")
"""The parts of a state that stay as they are for most of a fight."""


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
        if known[0] is not state or not _of_state:
            known = held = (state, {})
        answers = known[1]
        try:
            return answers[args]
        except KeyError:
            pass
        answer = answers[args] = function(state, *args, **names)
        return answer

    return asked


def per_states(function: Callable[Concatenate[State, _P], _T]) -> Callable[Concatenate[State, _P], _T]:
    """Return the function with a memory like `per_state`'s, of the last few states.

    For what a screen shows: undo goes back through states that have been looked at.
    """
    held: deque[tuple[State, dict[tuple[object, ...], _T]]] = deque(maxlen=LOOKED_AT)

    @wraps(function)
    def asked(state: State, /, *args: _P.args, **names: _P.kwargs) -> _T:
        answers = next((answers for known, answers in tuple(held) if known is state), None) if _of_state else None
        if answers is None:
            answers = {}
            held.append((state, answers))
        if args not in answers:
            answers[args] = function(state, *args, **names)
        return answers[args]

    return asked


def per_part(
    *names: str,
) -> Callable[[Callable[Concatenate[State, _P], _T]], Callable[Concatenate[State, _P], _T]]:
    """Return a memory for functions that read only these parts of a state.

    What they say stays true while a step changes others. Each part is known by identity. What is fixed for most of a
    fight may be read too: the house rules, the set-up, the sides.
    """
    parts_of = attrgetter(*names, *_FIXED)

    def remembering(function: Callable[Concatenate[State, _P], _T]) -> Callable[Concatenate[State, _P], _T]:
        held: tuple[tuple[object, ...], dict[tuple[object, ...], _T]] = ((), {})

        @wraps(function)
        def asked(state: State, /, *args: _P.args, **names: _P.kwargs) -> _T:
            nonlocal held
            if not _of_part:
                return function(state, *args, **names)
            known, parts = held, parts_of(state)
            if not known[0] or any(map(is_not, known[0], parts)):
                known = held = (parts, {})
            answers = known[1]
            try:
                return answers[args]
            except KeyError:
                pass
            answer = answers[args] = function(state, *args, **names)
            return answer

        return asked

    return remembering


def per_people(
    view: Callable[[Combatant], object],
) -> Callable[[Callable[Concatenate[State, _P], _T]], Callable[Concatenate[State, _P], _T]]:
    """Return a memory for functions that read only what a view shows of combatants.

    What they say stays true while a step changes what else the combatants are: who stands beside whom, while points and
    budgets go down. So they name combatants by their ids. What is fixed for most of a fight may be read too, as in
    `per_part`.
    """
    look_of = _looks(view)

    def remembering(function: Callable[Concatenate[State, _P], _T]) -> Callable[Concatenate[State, _P], _T]:
        held: tuple[object, dict[tuple[object, ...], _T]] = (None, {})

        @wraps(function)
        def asked(state: State, /, *args: _P.args, **names: _P.kwargs) -> _T:
            nonlocal held
            if not _of_part:
                return function(state, *args, **names)
            known, look = held, look_of(state)
            if known[0] is not look:
                known = held = (look, {})
            answers = known[1]
            try:
                return answers[args]
            except KeyError:
                pass
            if len(answers) >= MOST_KEPT:
                answers.clear()
            answer = answers[args] = function(state, *args, **names)
            return answer

        return asked

    return remembering


@cache
def _looks(view: Callable[[Combatant], object]) -> Callable[[State], object]:
    """Return a function from states to objects, the same while a view shows the same.

    All that is remembered of one view looks at each state once.
    """
    fixed_of = attrgetter(*_FIXED)
    nothing: tuple[object, ...] = (None,) * len(_FIXED)
    seen: tuple[Sequence[Combatant], tuple[object, ...], object] = ((), nothing, object())

    def alike(those: Sequence[Combatant], these: Sequence[Combatant]) -> bool:
        return len(those) == len(these) and all(
            those[place].id == these[place].id and view(those[place]) == view(these[place])
            for place in differing(those, these)
        )

    def look_of(state: State) -> object:
        nonlocal seen
        (people, fixed, look), now = seen, fixed_of(state)
        same = not any(map(is_not, fixed, now))
        if not same or people is not state.combatants:
            if not same or not alike(people, state.combatants):
                look = object()
            seen = (state.combatants, now, look)
        return look

    return look_of


def per_object(function: Callable[[_O], _T]) -> Callable[[_O], _T]:
    """Return the function with a memory of what it says of objects.

    They never change, as stat blocks do not. An object is known by identity.
    """
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
    whatever else is asked about, such as an attack.
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


def per_meeting(
    *names: str,
) -> Callable[[Callable[Concatenate[State, Id, Id, _P], _T]], Callable[Concatenate[State, Id, Id, _P], _T]]:
    """Return a memory for functions of what one combatant does to another.

    They read only these fields of the two, and objects that say what it is, such as an attack. The house rules and the
    set-up may be read too. All but the two ids are known by identity.
    """
    fields_of = attrgetter(*names)

    def remembering(
        function: Callable[Concatenate[State, Id, Id, _P], _T],
    ) -> Callable[Concatenate[State, Id, Id, _P], _T]:
        held: dict[tuple[object, ...], tuple[tuple[object, ...], _T]] = {}

        @wraps(function)
        def asked(state: State, one: Id, other: Id, /, *what: _P.args, **named: _P.kwargs) -> _T:
            if named:
                return function(state, one, other, *what, **named)
            objects = fields_of(state[one]) + fields_of(state[other]) + (state.house_rules, state.setup, *what)
            key = (one, other, *map(id, objects))
            known = held.get(key)
            if known is not None and _of_object:
                return known[1]
            if len(held) >= MOST_KEPT:
                held.clear()
            answer = function(state, one, other, *what, **named)
            held[key] = objects, answer
            return answer

        return asked

    return remembering


def per_bearer(
    *names: str,
) -> Callable[[Callable[Concatenate[State, Id, _P], _T]], Callable[Concatenate[State, Id, _P], _T]]:
    """Return a memory for functions that read only these fields of one combatant.

    The house rules and the set-up may be read too. The last answer of each combatant is kept. Other arguments must be
    hashable; what is asked by name is not remembered.
    """
    fields_of = attrgetter(*names, "block")

    def remembering(
        function: Callable[Concatenate[State, Id, _P], _T],
    ) -> Callable[Concatenate[State, Id, _P], _T]:
        held: dict[object, tuple[tuple[object, ...], _T]] = {}

        @wraps(function)
        def asked(state: State, who: Id, /, *args: _P.args, **names: _P.kwargs) -> _T:
            if names:
                return function(state, who, *args, **names)
            fields = (*fields_of(state[who]), state.house_rules, state.setup)
            known = held.get((who, args))
            if known is not None and _of_object and not any(map(is_not, known[0], fields)):
                return known[1]
            if len(held) >= MOST_KEPT:
                held.clear()
            answer = function(state, who, *args, **names)
            held[who, args] = (fields, answer)
            return answer

        return asked

    return remembering


def per_combatant(function: Callable[[Combatant], _T]) -> Callable[[Combatant], _T]:
    """Return the function with a memory of what it says of combatants as they stand.

    A combatant is known by identity: one that a step has changed is another one, the others are asked once.
    """
    return per_object(function)


_of_settled = _of_state = _of_part = _of_object = True


@contextmanager
def forgetting(*measures: Measure) -> Iterator[None]:
    """Let nothing be remembered, of these kinds or of any, and conclusions be drawn anew.

    So a test can tell that what is remembered is what would be said.
    """
    _keep(measures or MEASURES, kept=False)
    try:
        yield
    finally:
        _keep(measures or MEASURES, kept=True)


def _keep(measures: Sequence[Measure], kept: bool) -> None:
    global _of_settled, _of_state, _of_part, _of_object
    _of_settled = kept if "settled" in measures else _of_settled
    _of_state = kept if "state" in measures else _of_state
    _of_part = kept if "part" in measures else _of_part
    _of_object = kept if "object" in measures else _of_object
