"""Guarded rulesets: each call ends in time, and fails with one kind of error.

1. A call with a `Ctx` belongs to a step, which has a time limit of its own; the app gives its steps the bare ruleset.
2. Any other call has `DRAWING` seconds, one that reads files or prints `READING`.
3. Any exception, a call that does not end and a result of the wrong type are a `RulesetError`. For the same state and
   arguments the function is not called again: it fails at once, in the same words.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.game.ruleset import MapRules, Ruleset
from tracker.core.game.schema import Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.errors import BadData, Refused
from tracker.core.terms.labels import RuleBook
from tracker.library.ruleset_errors import RulesetError, error_line, place_of, place_of_function
from tracker.library.time_limit import TimedCall, TimeOver, call_within, under_way

DRAWING, READING = 0.3, 1.0
"""Time limits of a call, in seconds of computing: for a drawing, and for files."""
MOST, MOST_SQUARES, MOST_LETTERS = 10_000, 100_000, 100_000
"""The most rows, squares and letters in one result."""
MOST_DEFECTS = 3
ALLOWED: Mapping[str, type[Exception]] = {"shorthand": ValueError, "importer": ValueError, "source": BadData}
"""Exceptions that are results of a function."""
RECORD_MODULES = ("tracker.core.game.", "tracker.core.terms.labels")
"""The modules of the records that a ruleset is made of."""
NOT_EMPTY = ("blocks", "statuses")
"""Fields that may not be empty."""

_T = TypeVar("_T")
_S = TypeVar("_S", bound=Struct)
_Function = Callable[..., Any]


def guarded(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset with guards, itself if it has them; raises RulesetError if a field has the wrong type."""
    if "bare" in ruleset.__dict__:
        return ruleset
    result = ruleset.__dict__.get("guarded")
    if result is None:
        if flaws := tuple(islice(_defects(ruleset), MOST_DEFECTS)):
            raise RulesetError(f"the ruleset {str(ruleset.key)[:40]} cannot be used: {'; '.join(flaws)}")
        result = _record(ruleset, "")
        result.__dict__["bare"] = ruleset
        ruleset.__dict__["guarded"] = result
    return cast(Ruleset, result)


def unwrapped(ruleset: Ruleset) -> Ruleset:
    return cast(Ruleset, ruleset.__dict__.get("bare", ruleset))


class Guarded:
    """An attribute for a ruleset, which guards each new value."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}"

    def __get__(self, instance: object, owner: type) -> Ruleset:
        return cast(Ruleset, getattr(instance, self._name))

    def __set__(self, instance: object, ruleset: Ruleset) -> None:
        setattr(instance, self._name, guarded(ruleset))


def guarded_call(
    what: str,
    function: Callable[..., _T],
    *arguments: object,
    seconds: float = READING,
    allowed: tuple[type[Exception], ...] = (ValueError, TypeError),
) -> _T:
    """Call code of a ruleset outside of its record: its module, or a stat block.

    Raises:
        RulesetError: if it fails or does not end.
        ValueError, TypeError: these and others in `allowed` pass, as they are results for a reader of files.
    """
    try:
        return call_within(TimedCall(seconds), function, *arguments)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, *allowed)):
            raise
        raise _error_of(error, what, seconds) from error


def _error_of(error: BaseException, what: str, seconds: float) -> RulesetError:
    if isinstance(error, RulesetError):
        return error
    if isinstance(error, TimeOver):
        place = place_of(error)
        return RulesetError(f"{what} did not end within {seconds:g} seconds{f' ({place})' if place else ''}")
    return RulesetError(error_line(error))


def _guard(owner: type, name: str, what: str, function: _Function) -> _Function:
    """Return a function that ends in time, returns the annotated type, and fails with a `RulesetError`."""
    seconds = READING if owner in (Schema, RuleBook) else DRAWING
    expected, allowed = _hints(owner)[name], ALLOWED.get(name, Refused)
    failed: dict[object, RulesetError] = {}  # of one state, by the other arguments
    first_argument: object = None

    def call(*arguments: object) -> object:
        nonlocal first_argument
        if under_way() or (arguments and isinstance(arguments[0], Ctx)):
            return function(*arguments)
        first, key = (arguments[0] if arguments else None), _key(arguments)
        if first is first_argument and (earlier := failed.get(key) or failed.get(TimeOver)) is not None:
            raise earlier.with_traceback(None)
        try:
            result = call_within(TimedCall(seconds, first), function, *arguments)
            if flaw := _defect(result, _returned(expected)):
                place = place_of_function(function)
                raise RulesetError(f"{what} gives {flaw}{f' ({place})' if place else ''}")
        except (allowed, KeyboardInterrupt):
            raise
        except BaseException as error:
            if first is not first_argument:
                failed.clear()
                first_argument = first
            failure = failed[TimeOver if isinstance(error, TimeOver) else key] = _error_of(error, what, seconds)
            raise failure from error
        return result

    return call


def _key(arguments: tuple[object, ...]) -> object:
    """Return the identity of a call beside its first argument; values of a ruleset may have no hash."""
    try:
        hash(arguments[1:])
    except BaseException:  # noqa: BLE001 - a hash is a ruleset's own code
        return tuple(map(id, arguments[1:]))
    return arguments[1:]


def _record(record: _S, path: str) -> _S:
    """Return a record with guards around its functions and those of its own records."""
    owner, changed = type(record), dict[str, object]()
    for name in owner.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, Schema | MapRules | RuleBook):
            changed[name] = _record(value, f"{path}{name}." if isinstance(value, RuleBook) else path)
        elif isinstance(value, tuple) and value and isinstance(value[0], Struct):
            changed[name] = tuple(_row(row, f"{path}{name}") for row in value)
        elif _is_function(owner, name) and callable(value) and value not in owner.__struct_defaults__:
            changed[name] = _guard(owner, name, f"{path}{name}", value)
    return replace(record, **{name: value for name, value in changed.items() if value is not getattr(record, name)})


def _row(row: Any, path: str) -> object:
    owner = type(row)
    called = getattr(row, "key", "") or getattr(row, "name", "")
    changed = {
        name: _guard(owner, name, f"{path} {called}: {name}", getattr(row, name))
        for name in getattr(owner, "__struct_fields__", ())
        if _is_function(owner, name) and callable(getattr(row, name))
    }
    return replace(row, **changed) if changed else row


# -- annotated types ---------------------------------------------------------------------------------------------------


@cache
def _hints(owner: type) -> Mapping[str, Any]:
    try:
        return get_type_hints(owner)
    except NameError:  # a ruleset may import types for mypy only: then nothing is checked
        return {}


def _is_function(owner: type, name: str) -> bool:
    return _returned(_hints(owner).get(name)) is not None


def _returned(hint: Any) -> Any:
    """Return the annotated type of a function's result, None if the annotation is not a function's."""
    parts = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    function = next((part for part in parts if get_origin(part) is Callable), None)
    return None if function is None else get_args(function)[1]


def _defects(record: Struct) -> Iterator[str]:
    owner = type(record)
    for name, hint in _hints(owner).items():
        value = getattr(record, name)
        if _is_function(owner, name):
            if not callable(value) and not (value is None and type(None) in get_args(hint)):
                yield f"{name} is {_type_name(value)}, not a function"
        elif flaw := _defect(value, hint):
            yield f"{name} is {flaw}"
        elif name in NOT_EMPTY and not value:
            yield f"{name} is empty"
        else:
            rows = value if isinstance(value, tuple) else (value,)
            inner = (row for row in rows if isinstance(row, Struct) and type(row).__module__.startswith(RECORD_MODULES))
            yield from (f"{name}: {flaw}" for row in inner for flaw in _defects(row))


def _defect(value: object, hint: Any) -> str:
    """Return why a value is not of the annotated type, or ""."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _defect_in_union(value, arguments)
    if origin is tuple:
        return _defect_in_rows(value, arguments, MOST_SQUARES if "int, int" in str(hint) else MOST)
    kind = str if origin is Literal else type(None) if hint is None else origin or hint
    if not isinstance(kind, type) or kind is object:
        return ""
    if not isinstance(value, kind) and not (kind is float and isinstance(value, int)):
        return f"{_type_name(value)} where {kind.__name__} is wanted"
    return f"{len(value):,} letters" if isinstance(value, str) and len(value) > MOST_LETTERS else ""


def _defect_in_union(value: object, parts: tuple[Any, ...]) -> str:
    flaws = [_defect(value, part) for part in parts if part is not type(None)]
    takes_none = len(flaws) < len(parts)
    if value is None and takes_none:
        return ""
    flaw = min(flaws, key=len)
    return flaw.replace(" is wanted", " or None is wanted") if takes_none else flaw


def _defect_in_rows(value: object, parts: tuple[Any, ...], most: int) -> str:
    if not isinstance(value, tuple):
        return f"{_type_name(value)} where rows are wanted"
    if len(value) > most:
        return f"{len(value):,} rows"
    kinds = [parts[0]] * len(value) if parts[-1:] == (Ellipsis,) else list(parts)
    if len(kinds) != len(value):
        return f"{len(value)} values where {len(kinds)} are wanted"
    return next((flaw for row, kind in zip(value, kinds, strict=True) if (flaw := _defect(row, kind))), "")


def _type_name(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
