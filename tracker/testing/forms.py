"""What a form accepts: whether each of its fields shows a value that can stand."""

from __future__ import annotations

from typing import cast

from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.values import Value


def open_options(options: tuple[Option, ...]) -> list[str]:
    """Return the keys of the options that are not refused."""
    return [option.key for option in options if option.refusal is None]


def as_offered(spec: ActionSpec) -> Action:
    """Return the action as its form stands: every field at its default."""
    given = ((field.name, field.default) for field in spec.fields if field.default is not None)
    return Action(spec.key, spec.by, tuple(sorted(given)))


def whole(spec: ActionSpec, given: dict[str, Value], state: State) -> bool:
    """Tell whether a form that is not refused can be performed with these values."""
    return spec.refusal is None and all(fits(field, given.get(field.name), state) for field in spec.fields)


def fits(field: Field, given: Value, state: State) -> bool:
    """Tell whether a field shows this value, or its default, as possible."""
    value = field.default if given is None else given
    if value is None or value in ((), ""):
        return not field.required
    legal = open_options(field.options)
    match field.kind:
        case "combatant" | "choice":
            return value in legal or (field.takes_all and value in state)
        case "combatants" | "choices":
            values = value if isinstance(value, tuple) else ()
            each = replace(field, kind="combatant" if field.kind == "combatants" else "choice")
            return _counts(field, values) and all(fits(each, one, state) for one in values)
        case "number":
            number = value if isinstance(value, int | float) else 0
            least, most = field.minimum, field.maximum
            return (least is None or number >= least) and (most is None or number <= most)
        case "rows":
            rows = value if isinstance(value, tuple) else ()
            cells = [dict(cast("tuple[tuple[str, Value], ...]", row)) for row in rows]
            return _counts(field, rows) and all(
                fits(column, row.get(column.name), state) for row in cells for column in field.columns
            )
        case _:
            return True


def _counts(field: Field, values: tuple[Value, ...]) -> bool:
    return (field.minimum or 0) <= len(values) <= (len(values) if field.maximum is None else field.maximum)
