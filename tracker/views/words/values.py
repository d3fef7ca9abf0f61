"""Values of forms, facts and stat blocks in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.actions import Field
from tracker.core.terms.encounter import Condition, Member
from tracker.core.terms.values import Value
from tracker.core.terms.words import listed, minus
from tracker.views.words.text import clean, key_words

MOST_SQUARES = 6
TIMES = {1: "", 2: "twice", 3: "three times", 4: "four times"}


def value_words(state: State, name: str, value: Value) -> str:
    """Return a value whose form is unknown in words, "" for an empty one."""
    if value is None or value is False or value == () or value == "":
        return ""
    if value is True:
        return key_words(name)
    if isinstance(value, int | float):
        return f"{key_words(name)} {plain_words(value)}"
    if isinstance(value, str):
        return state.name(value) if value in state else key_words(value)
    if squares := _squares(value):
        return path_words(squares)
    members = isinstance(value, tuple) and any(isinstance(item, Member) for item in value)
    return field_words(state, Field(name, "members" if members else "rows"), value)


def detail_words(state: State, field: Field, value: Value, sure: bool = True) -> str:
    """Return a value of a form for the log, "" for an empty value or the default.

    If the form is that of another moment, its defaults are not `sure`: then a switch that is off is not mentioned.
    """
    if value == field.default and not (field.required and field.kind in ("text", "choice", "choices", "members")):
        return ""
    if field.kind == "flag":
        return field.shown if value else f"not {field.shown}" if field.default and sure else ""
    if field.kind == "path" and (squares := _squares(value)):
        return path_words(squares)
    if field.kind == "rows" and isinstance(value, tuple):
        return clean("; ".join(_log_row(state, field, row) for row in value))
    words = field_words(state, field, value)
    return f"{field.shown} {words}" if words and field.kind in ("number", "dice", "square", "path", "area") else words


def path_words(squares: Sequence[tuple[float, float]]) -> str:
    """Return a path in words: all squares of a short one, the last square of a long one."""
    marks = [f"{x:g},{y:g}" for x, y in squares]
    if len(marks) > MOST_SQUARES:
        return f"to {marks[-1]} ({len(marks)} squares)"
    return f"along {' '.join(marks)}" if len(marks) > 1 else f"to {marks[0]}"


def _squares(value: Value) -> list[tuple[float, float]]:
    """Return the squares of a path; none if the value has other parts."""
    if not isinstance(value, tuple):
        return []
    squares = [
        (item[0], item[1])
        for item in value
        if isinstance(item, tuple) and len(item) == 2 and all(isinstance(part, int | float) for part in item)
    ]
    return squares if len(squares) == len(value) else []  # type: ignore[return-value]  # two numbers each


def blow_words(state: State, field: Field, value: Value) -> str:
    """Return rows of weapons and targets in words: `longsword at Ogre twice`; "" for other rows."""
    kinds = {column.kind: column.name for column in reversed(field.columns)}
    order = [column.kind for column in field.columns if column.kind in ("choice", "combatant")]
    if field.kind != "rows" or not isinstance(value, tuple) or order[:2] != ["choice", "combatant"]:
        return ""
    blows: dict[str, int] = {}
    for row in value:
        cells = dict(_cells(row))
        target, means = cells.get(kinds["combatant"]), plain_words(cells.get(kinds["choice"]) or "attack")
        flags = [column.shown for column in field.columns if column.kind == "flag" and cells.get(column.name) is True]
        aimed = f"{means} at {state.name(target)}" if isinstance(target, str) else means
        words = clean(", ".join((aimed, *flags)))
        blows[words] = blows.get(words, 0) + 1
    return listed([f"{words} {TIMES.get(times, f'{times} times')}".rstrip() for words, times in blows.items()])


def _cells(row: Value) -> list[tuple[str, Value]]:
    """Return the cells of a row with the names of their columns."""
    cells = [cell for cell in row if isinstance(cell, tuple) and len(cell) == 2] if isinstance(row, tuple) else []
    return [(name, value) for name, value in cells if isinstance(name, str)]


def field_words(state: State, field: Field, value: Value) -> str:
    if value is None or value in ("", ()):
        return ""
    options = {option.key: option.shown for option in field.options}
    is_choice = field.kind in ("choice", "choices")

    def shown(item: Value) -> str:
        if not isinstance(item, str):
            return plain_words(item)
        combatant = state.get(item)
        if combatant is not None and (is_choice or field.kind in ("combatant", "combatants")):
            return f"{combatant.label} {combatant.name}"
        return options.get(item, key_words(item) if is_choice else item)

    if field.kind == "flag":
        return "yes" if value else "no"
    if field.kind == "square":
        return plain_words(value)
    if not isinstance(value, tuple):
        return clean(shown(value))
    if field.kind == "rows":
        return clean("; ".join(_row(state, field, row) for row in value))
    if field.kind == "members":
        members = [item for item in value if isinstance(item, Member)]
        names = [item.name if str(item.count) == "1" else f"{item.count} × {item.name}" for item in members]
        return clean(listed(names))
    return clean(listed([shown(item) for item in value], 12))


def _row(state: State, field: Field, row: Value) -> str:
    if not isinstance(row, tuple):
        return plain_words(row)
    columns = {column.name: column for column in field.columns}
    words: list[str] = []
    for name, value in _cells(row):
        column = columns.get(name)
        if column is None:
            words.append(f"{key_words(name)} {plain_words(value)}")
        else:
            words.append(f"{column.shown} {field_words(state, column, value)}")
    return ", ".join(words)


def _log_row(state: State, field: Field, row: Value) -> str:
    """Return a row for the log: combatants by name alone, without defaults."""
    columns = {column.name: column for column in field.columns}
    parts: list[str] = []
    for name, value in _cells(row):
        column = columns.get(name)
        if column is None or value is None or value == column.default:
            continue
        if isinstance(value, str) and value in state:
            parts.append(state.name(value))
        else:
            words = field_words(state, column, value)
            parts.append(words if column.kind == "choice" else f"{column.shown} {words}")
    return ", ".join(parts) or plain_words(row)


def plain_words(value: object) -> str:
    """Return any value as text: `yes`, `bite 3`, squares as `5,9 6,9`."""
    match value:
        case tuple():
            return _several_words(value)
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case msgspec.Struct():
            return struct_words(value)
        case _:
            return key_words(str(value))


def _several_words(values: tuple[object, ...]) -> str:
    if len(values) == 2 and isinstance(values[0], str) and _is_number(values[1]):
        return " ".join(map(plain_words, values))
    if all(map(_is_number, values)):
        return ",".join(map(plain_words, values))
    squares = all(isinstance(value, tuple) and value and all(map(_is_number, value)) for value in values)
    return (" " if squares else ", ").join(map(plain_words, values))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def struct_words(struct: msgspec.Struct) -> str:
    """Return the fields of a Struct in one line, its name first; "" if all are defaults."""
    words: list[str] = []
    for field in fields_of(type(struct)):
        value, name = getattr(struct, field.name), key_words(field.name)
        if is_default(field, value):
            continue
        if field.name == "name":
            words.insert(0, str(value))
        else:
            words.append(name if value is True else f"{name} {plain_words(value)}")
    return ", ".join(words)


@lru_cache(maxsize=256)
def fields_of(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


def is_default(field: msgspec.structs.FieldInfo, value: object) -> bool:
    if field.default is not msgspec.NODEFAULT:
        return bool(value == field.default) and isinstance(value, bool) == isinstance(field.default, bool)
    return field.default_factory is not msgspec.NODEFAULT and bool(value == field.default_factory())


def switched_words(was: object, now: object) -> str:
    if not isinstance(was, msgspec.Struct) or not isinstance(now, msgspec.Struct):
        return "the house rules change"
    changes = [
        f"{key_words(field)} {plain_words(getattr(was, field, None))} → {plain_words(getattr(now, field))}"
        for field in now.__struct_fields__
        if getattr(was, field, None) != getattr(now, field)
    ]
    return f"house rule: {', '.join(changes)}" if changes else "the house rules stay"


def seconds_words(seconds: int) -> str:
    if seconds % 3600 == 0 and seconds:
        return f"{seconds // 3600} h"
    return f"{seconds // 60} min" if seconds % 60 == 0 and seconds else f"{seconds} s"


def condition_words(ruleset: Ruleset, state: State, who: Id, condition: Condition) -> str:
    combatant = state[who]
    amounts = [pool.shown if place == 0 else f"{pool.key} {pool.shown}" for place, pool in enumerate(combatant.pools)]
    if not amounts and ruleset.columns:
        amounts = [" ".join(minus(ruleset.columns[0].cell(state, who)).split())]
    status = status_of(ruleset, condition.status or "up")
    words = [*amounts, *(() if status.acts else (status.word,)), *(effect.shown for effect in condition.effects)]
    return clean(" ".join(words))
