"""Forms: the values of an action are checked against its specification, only here."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from tracker.core.fight.state import State
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, once
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import Refusal, Refused
from tracker.core.terms.values import Value


class Accepted(Struct, frozen=True):
    """An action with its form filled in, and the overruled refusals."""

    action: Action
    spec: ActionSpec
    overruled: tuple[Refusal, ...] = ()


def fill(spec: ActionSpec, state: State, action: Action, forced: bool = False) -> Accepted:
    """Check an action against its form and fill in defaults; raises Refused, for rules only if not `forced`."""
    if not spec.fields and not action.fields and spec.refusal is None:
        return Accepted(action, spec)
    given = dict(action.fields)
    values: dict[str, Value] = {}
    wrong: list[Refusal] = []
    for field in spec.fields:
        value = given.get(field.name)
        if value is None:
            value = field.default
        if value is None:
            value = EMPTY.get(field.kind)
        elif isinstance(value, tuple):
            value = _value(field, value)
        values[field.name] = value
        if (value is None and not field.required) or (isinstance(value, bool) and field.kind == "flag"):
            continue
        refusal = _wrong(state, field, value)
        if refusal is not None:
            wrong.append(refusal)
    unknown = [name for name in given if name not in values]
    overruled: list[Refusal] = []
    if wrong or unknown or spec.refusal is not None:
        for refusal in _refusals(spec, unknown, wrong):
            if not (forced and refusal.forcible):
                raise Refused(refusal)
            if refusal not in overruled:  # the form and its default may have the same refusal
                overruled.append(refusal)
    return Accepted(Action(action.key, action.by, tuple(sorted(values.items()))), spec, tuple(overruled))


def without_repeats(action: Action, but: Collection[str] = ()) -> Action:
    """Return an action without repeated values in its lists, except for the fields in `but`."""
    given = {
        name: value for name, value in action.fields if isinstance(value, tuple) and name not in but and _doubled(value)
    }
    if not given:
        return action
    return action.put(**{name: once(value) for name, value in given.items()})


def _doubled(value: tuple[Value, ...]) -> bool:
    return len(value) > 1 and all(isinstance(part, str) for part in value) and len(set(value)) < len(value)


EMPTY: Mapping[str, Value] = {
    "flag": False,
    **dict.fromkeys(("combatants", "choices", "rows", "path", "area", "members"), ()),
}
"""The value of a field that is left empty, by its kind; None for the others."""


def _value(field: Field, given: Value) -> Value:
    value = field.default if given is None else given
    if value is None:
        return EMPTY.get(field.kind)
    if field.kind == "area" and isinstance(value, tuple):
        return once(value)
    if field.kind == "rows" and isinstance(value, tuple):
        return tuple([_row(field, row) for row in value])
    return value


def _row(field: Field, row: Value) -> Value:
    """Return a row with every column filled in, and its other values."""
    cells = _cells(row)
    if cells is None:
        return row
    filled = {column.name: _value(column, cells.get(column.name)) for column in field.columns}
    return tuple((cells | filled).items())


def _cells(row: Value) -> dict[str, Value] | None:
    """Return the values of a row by their names, None if it is no row."""
    cells: dict[str, Value] = {}
    for cell in row if isinstance(row, tuple) else (None,):
        if not (isinstance(cell, tuple) and len(cell) == 2 and isinstance(cell[0], str)):
            return None
        cells[cell[0]] = cell[1]
    return cells


def _refusals(spec: ActionSpec, unknown: Sequence[str], wrong: Sequence[Refusal]) -> list[Refusal]:
    """Return the refusals, those that cannot be forced first."""
    names = ", ".join(sorted(field.name for field in spec.fields)) or "it has no fields"
    unknown_names = [
        Refusal("unknown_field", f'{spec.label} has no "{name}" ({names})', forcible=False, field=name)
        for name in unknown
    ]
    own = [] if spec.refusal is None else [spec.refusal]
    return sorted([*own, *unknown_names, *wrong], key=lambda refusal: refusal.forcible)


def _wrong(state: State, field: Field, value: Value) -> Refusal | None:
    if value is None or value == () or value == "":
        if field.required:
            none = ": nobody is on offer" if field.of_people and not field.options and not field.anybody else ""
            return _bad_field(field, f"{field.shown} is missing{none}")
        return None
    if field.kind == "choice" or field.kind == "combatant":
        return _unlisted(state, field, value)
    match field.kind:
        case "number":
            if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
                return _bad_field(field, f"{field.shown}: {value!r} is not a number")
            if (field.minimum is not None and value < field.minimum) or (
                field.maximum is not None and value > field.maximum
            ):
                low = "" if field.minimum is None else field.minimum
                high = "" if field.maximum is None else field.maximum
                return _bad_field(field, f"{field.shown}: {value} is outside {low}..{high}")
        case "flag":
            if not isinstance(value, bool):
                return _bad_field(field, f"{field.shown} is yes or no")
        case "text":
            if not isinstance(value, str):
                return _bad_field(field, f"{field.shown} is text")
        case "dice":
            try:
                Dice.parse(str(value))
            except ValueError as error:
                return _bad_field(field, f"{field.shown}: {error}")
        case "combatants" | "choices":
            if not isinstance(value, tuple):
                return _bad_field(field, f"{field.shown} is a list")
            if (miscounted := _miscounted(field, value)) is not None:
                return miscounted
            wrong = [refusal for item in value if (refusal := _unlisted(state, field, item))]
            return next((refusal for refusal in wrong if not refusal.forcible), wrong[0] if wrong else None)
        case "rows":
            return _wrong_rows(state, field, value)
        case "square":
            if not _is_square(value):
                return _bad_field(field, f"{field.shown} is a square, such as [3, 4]")
            if field.options:
                return _unlisted(state, field, ",".join(map(str, value)) if isinstance(value, tuple) else value)
        case "members":
            if not (isinstance(value, tuple) and all(isinstance(member, Member) for member in value)):
                return _bad_field(field, f"{field.shown} are stat blocks of the library")
        case "path" | "area":
            if not (isinstance(value, tuple) and all(_is_square(part) for part in value)):
                return _bad_field(field, f"{field.shown} is a list of squares")
    return None


def _miscounted(field: Field, values: tuple[Value, ...]) -> Refusal | None:
    if field.maximum is not None and len(values) > field.maximum:
        return _bad_field(field, f"{field.shown}: at most {field.maximum}")
    if field.minimum is not None and len(values) < field.minimum:
        return _bad_field(field, f"{field.shown}: at least {field.minimum}")
    return None


def _wrong_rows(state: State, field: Field, value: Value) -> Refusal | None:
    """Return what is wrong with rows whose columns are filled in."""
    if not isinstance(value, tuple):
        return _bad_field(field, f"{field.shown} is a list of rows")
    if (miscounted := _miscounted(field, value)) is not None:
        return miscounted
    columns = {column.name: column for column in field.columns}
    for row in value:
        cells = _cells(row)
        if cells is None:
            return _bad_field(field, f"{field.shown}: a row is made of names and values")
        if unknown := [name for name in cells if name not in columns]:
            return _bad_field(field, f'{field.shown} has no "{unknown[0]}"')
        for column in field.columns:
            refusal = _wrong(state, column, cells.get(column.name))
            if refusal is not None:
                return refusal
    return None


def _unlisted(state: State, field: Field, value: Value) -> Refusal | None:
    for option in field.options:
        if option.key == value:
            return option.refusal
    person = field.of_people
    if field.takes_all and isinstance(value, str) and value in state:
        return None
    if person and (not isinstance(value, str) or value not in state):
        return _bad_field(field, f"{field.shown}: {value} is not in the fight")
    shown = state.name(value) if person and isinstance(value, str) else value
    if person and not field.options:
        return _bad_field(field, f"{field.shown}: {shown} cannot be chosen: nobody is on offer")
    return _bad_field(field, f"{field.shown}: {shown} is not on offer ({_listed(field.options)})")


def _is_square(value: Value) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and all(isinstance(part, int) and not isinstance(part, bool) for part in value)
    )


def _listed(options: tuple[Option, ...]) -> str:
    return ", ".join(option.shown for option in options[:8]) + (" ..." if len(options) > 8 else "") or "nothing is"


def _bad_field(field: Field, text: str) -> Refusal:
    return Refusal("bad_field", text, forcible=False, field=field.name)
