"""Openings: choices with which a half-filled form is possible.

An action is possible where any target, weapon or square makes it so, not only those its form begins with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, islice, product
from typing import TypeAlias

from tracker.core.terms.actions import Action, Field
from tracker.core.terms.errors import Refusal
from tracker.core.terms.values import Value

MOST, EACH = 40, 12
"""How many pairs of choices are tried, and how many of each field; what has more ways is left to the GM."""
PROBES = 3
"""After how many choices without any difference a field counts as one that makes none."""
KINDS = ("choice", "combatant", "combatants", "square")
"""The kinds of field that are tried, those first whose change alters least."""
PEOPLE = ("combatant", "combatants")
Choice: TypeAlias = tuple[str, Value]


def opening(
    fields: Sequence[Field], action: Action, first: Refusal | None, refusal_of: Callable[[Action], Refusal | None]
) -> Action | None:
    """Return the action with the fewest fields filled in that make it possible.

    One is tried, then two that each make a difference; None where none do. What is filled in already stays, and so does
    what stands on a further page, and a choice that need not be made. Where anything but people is filled in, the form
    is taken at its word. `first`: why the action is refused as it is.
    """
    given = {name for name, _ in action.fields}
    if any(field.name in given and field.kind not in PEOPLE for field in fields):
        return None
    free = [field for field in fields if field.kind in KINDS and field.name not in given and not field.page]
    free = [field for field in free if field.required or field.kind != "choice" or _bars(field) is not None]
    ways = [ways for field in sorted(free, key=lambda field: KINDS.index(field.kind)) if (ways := _ways(field))]
    telling: list[tuple[Choice, ...]] = []
    for choices in ways:
        alike = 0
        for choice in choices:
            refusal = refusal_of(filled := action.put(**dict([choice])))
            if refusal is None:
                return filled
            alike += refusal == first
            if alike == PROBES:
                break
        else:
            telling += [choices] if alike < len(choices) else []
    pairs = (pair for some in combinations(telling, 2) for pair in product(*some))
    fillings = (action.put(**dict(pair)) for pair in islice(pairs, MOST))
    return next((filled for filled in fillings if refusal_of(filled) is None), None)


def shut(fields: Sequence[Field], action: Action) -> Refusal | None:
    """Return why the options of a form forbid it with its defaults.

    A default is refused, or a field that has to be filled in has options and none of them is open.
    """
    given = {name for name, _ in action.fields}
    for field in fields:
        if field.options and field.kind in KINDS and field.name not in given:
            refusal = _bars(field)
            if refusal is not None:
                return refusal
    return None


def _bars(field: Field) -> Refusal | None:
    """Return why a field cannot stay as it is."""
    for option in field.options:
        if option.refusal is not None:
            break
    else:
        return None  # as most are: nothing of it is refused
    if field.default is None or field.default == ():
        refused = field.required and all(option.refusal is not None for option in field.options)
        return field.options[0].refusal if refused and field.options else None
    default = ",".join(map(str, field.default)) if field.kind == "square" and isinstance(field.default, tuple) else ""
    chosen = (default,) if default else field.default if isinstance(field.default, tuple) else (field.default,)
    refusals = (option.refusal for option in field.options if option.key in chosen)
    return next((refusal for refusal in refusals if refusal is not None), None)


def _ways(field: Field) -> tuple[Choice, ...]:
    """Return what a field could hold instead of its default."""
    keys = (option.key for option in field.options if option.refusal is None and option.key)
    values = [_value(field, key) for key in islice(keys, EACH)]
    return tuple((field.name, value) for value in values if value != field.default)


def _value(field: Field, key: str) -> Value:
    if field.kind == "combatants":
        return (key,)
    return tuple(int(part) for part in key.split(",")) if field.kind == "square" else key
