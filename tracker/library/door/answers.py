"""Answers of a ruleset: whether one is what its function promises.

The promise is read from the annotation, so a new member of a ruleset is looked at without more ado.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import UnionType
from typing import Literal, TypeAlias, get_origin

from msgspec import Struct

from tracker.core.terms.actions import ActionSpec, Field

__all__ = ["MOST", "promise_of", "wrong_at", "wrong_in"]

MOST, MOST_SQUARES, MOST_LETTERS = 10_000, 100_000, 100_000
"""The most rows, squares and letters in one answer."""
FUNCTION = "Callable["
GAME = ("tracker.core.game.", "tracker.core.terms.rulebook")
"""Where the records are that a ruleset is made of."""
NEEDED = ("blocks", "statuses")
"""Lists that may not be empty."""

_Check: TypeAlias = Callable[[object], str]


def promise_of(owner: type, name: str) -> str:
    """Return what the function under a name of a Struct promises.

    "" where it keeps no function.
    """
    written = str(owner.__annotations__.get(name, ""))
    if not written.startswith(FUNCTION):
        return ""
    _, promised = _parts(_inside(written.removesuffix(" | None")))
    return promised


def wrong_in(owner: type, promise: str) -> _Check:
    """Return what says why an answer is not what was promised, or ""."""
    return _check(owner.__module__, promise)


def wrong_at(record: Struct) -> Iterator[str]:
    """Yield what is wrong with the members of a record."""
    owner = type(record)
    for name in owner.__struct_fields__:
        written, value = str(owner.__annotations__[name]), getattr(record, name)
        if written.startswith(FUNCTION):
            if not callable(value) and not (value is None and written.endswith(" | None")):
                yield f"{name} is {_called(value)}, not a function"
        elif flaw := _check(owner.__module__, written)(value):
            yield f"{name} is {flaw}"
        elif name in NEEDED and not value:
            yield f"{name} is empty"
        else:
            rows: tuple[object, ...] = value if isinstance(value, tuple) else (value,)
            told = (row for row in rows if isinstance(row, Struct) and type(row).__module__.startswith(GAME))
            yield from (f"{name}: {flaw}" for row in told for flaw in wrong_at(row))


@cache
def _check(module: str, promise: str) -> _Check:
    known = vars(sys.modules[module])
    if promise.endswith(" | None"):
        inner = _check(module, promise.removesuffix(" | None"))
        return lambda answer: "" if answer is None else inner(answer)
    if promise == "None":
        return lambda answer: ""
    if promise.startswith("tuple["):
        return _rows(module, promise, _parts(_inside(promise)))
    named = "str" if promise.startswith("Literal[") else promise.partition("[")[0]
    kind = known.get(named, vars(sys.modules["builtins"]).get(named))
    if kind is None:  # a union, say
        return lambda answer: ""
    if not isinstance(kind, type | UnionType):  # an alias, such as `Kind` or `Square`
        kind = str if get_origin(kind) is Literal else tuple

    def check(answer: object) -> str:
        if not isinstance(answer, kind):
            return f"{_called(answer)} where {promise} is wanted"
        if kind is str and len(str(answer)) > MOST_LETTERS:
            return f"{len(str(answer)):,} letters, the most are {MOST_LETTERS:,}"
        return _too_many_in(answer) if isinstance(answer, ActionSpec) else ""

    return check


def _rows(module: str, promise: str, parts: list[str]) -> _Check:
    """Return the check of a tuple.

    It has any length and one kind of rows, or a fixed make.
    """
    most = MOST_SQUARES if "Square" in promise else MOST
    if parts[-1] == "..." or "Square" not in promise:
        inner = _check(module, parts[0])

    def check(answer: object) -> str:
        if not isinstance(answer, tuple):
            return f"{_called(answer)} where {promise} is wanted"
        if parts[-1] != "...":
            return "" if len(answer) == len(parts) else f"{len(answer)} values where {promise} is wanted"
        if len(answer) > most:
            return f"{len(answer):,} rows, the most are {most:,}"
        for row in answer:
            if flaw := inner(row):
                return flaw
        return ""

    return check


def _too_many_in(spec: ActionSpec) -> str:
    """Return what is wrong with the size of a form, or ""."""
    fields: object = spec.fields
    if not isinstance(fields, tuple) or len(fields) > MOST:
        return f"{_called(fields)} as fields of a form"
    for field in fields:
        if not isinstance(field, Field):
            return f"{_called(field)} as a field of a form"
        options: object = field.options
        if not isinstance(options, tuple) or len(options) > MOST:
            return f"{_called(options)} as options of a field"
    return ""


def _called(answer: object) -> str:
    if isinstance(answer, tuple):
        return f"a tuple of {len(answer):,}"
    return "None" if answer is None else f"a value of type {type(answer).__name__}"


def _inside(written: str) -> str:
    """Return what stands in the outermost brackets."""
    return written.partition("[")[2].removesuffix("]")


def _parts(written: str) -> list[str]:
    """Return the parts of a list that are set apart by commas."""
    parts, depth = [""], 0
    for sign in written:
        depth += (sign == "[") - (sign == "]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
