"""Converts plain values to typed Structs, quickly, or with every issue.

Structs do not forbid unknown fields themselves: msgspec would stop at the first one, without a hint. The quick way
compares keys and leaves the rest to msgspec; only if that fails, `tracker.library.validation.issues` walks the value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import inspect

from tracker.core.terms.errors import RulesBug
from tracker.library.guard import guarded_call
from tracker.library.ruleset_errors import RulesetError, describe
from tracker.library.validation.issues import LISTS, SCALARS, Issue, IssueFinder, type_info
from tracker.library.yaml.problems import Path, Problem
from tracker.library.yaml.tree import Tree

T = TypeVar("T")

Parser = Callable[[Any], object]
"""Converts a file's value to a custom type; raises ValueError(message) or ValueError(message, hint)."""

_Prepare = Callable[[Any], Any]


class _Unknown(Exception):
    """A key that no field has, or a text that its parser refuses: the value has to be walked."""


def convert(
    value: object, kind: type[T], parsers: Mapping[type, Parser] | None = None, *, other_keys: Collection[str] = ()
) -> tuple[T | None, tuple[Issue, ...]]:
    """Return `value` as `kind`, or None and every issue.

    `parsers` read custom types, such as dice from text. `other_keys` are keys of the same block that other code reads:
    they are ignored.
    """
    converter: _Converter[T] = _converter(cast(Hashable, kind), frozenset((parsers or {}).items()))
    plain = converter.without(value, other_keys)
    try:
        return guarded_call(kind.__name__, converter.quick, plain, allowed=(ValueError, TypeError, _Unknown)), ()
    except RulesetError as error:
        return None, (Issue((), f"{kind.__name__} cannot be made: {describe(error)}"),)
    except (msgspec.ValidationError, _Unknown) as error:
        return None, converter.issues(plain, str(error), other_keys)


def convert_sound(
    value: object, kind: type[T], parsers: Mapping[type, Parser] | None = None, *, other_keys: Collection[str] = ()
) -> tuple[T | None, object, tuple[Issue, ...]]:
    """Return `value` as `kind` without its wrong parts, the plain value without them, and every issue.

    Both are None if a required part is missing or wrong.
    """
    issues: dict[Path, Issue] = {}
    while value is not _GONE:
        result, further = convert(value, kind, parsers, other_keys=other_keys)
        for issue in further:
            issues.setdefault(issue.path, issue)
        if result is not None:
            return result, value, tuple(issues.values())
        for path in sorted({issue.path for issue in further}, reverse=True):
            value = _without(value, path)
    return None, None, tuple(issues.values())


_GONE = object()


def _without(value: Any, path: Path) -> Any:
    """Return a value without its part at a path; `_GONE` if it has no such part, as then the whole is wrong."""
    if not path:
        return _GONE
    step, *below = path
    if isinstance(value, dict) and step in value:
        inner = _without(value[step], tuple(below))
        return {key: inner if key == step else part for key, part in value.items() if key != step or inner is not _GONE}
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        inner = _without(value[step], tuple(below))
        return [*value[:step], *([] if inner is _GONE else [inner]), *value[step + 1 :]]
    return _GONE


def located(issues: Iterable[Issue], tree: Tree, at: Path = ()) -> tuple[Problem, ...]:
    problems = (tree.problem((*at, *issue.path), issue.message, issue.hint, key=issue.at_key) for issue in issues)
    return tuple(sorted(problems))


@lru_cache(maxsize=512)
def _converter(kind: Any, parsers: frozenset[tuple[type, Parser]]) -> _Converter[Any]:
    return _Converter(kind, dict(parsers))


class _Converter(Generic[T]):
    def __init__(self, kind: type[T], parsers: Mapping[type, Parser]) -> None:
        self.kind = kind
        self.parsers = parsers
        self.info = type_info(kind)
        self._known: dict[Any, _Prepare] = {}  # Structs may contain themselves
        self.prepare = self._compiled(self.info)

    def quick(self, value: object) -> T:
        """Return the typed value; raises ValidationError, or _Unknown for a key or a custom type's text."""
        prepared = value if self.prepare is None else self.prepare(value)
        return msgspec.convert(prepared, self.kind, str_keys=True, dec_hook=self._custom)

    def without(self, value: object, extra_keys: Collection[str]) -> object:
        if not extra_keys or not isinstance(value, dict) or not isinstance(self.info, inspect.StructType):
            return value
        own = {field.encode_name for field in self.info.fields}
        return {key: entry for key, entry in value.items() if key in own or key not in extra_keys}

    def issues(self, value: object, message: str, other_keys: Collection[str]) -> tuple[Issue, ...]:
        def convert_part(kind: Any, part: object) -> object:
            return _converter(kind, frozenset(self.parsers.items())).quick(part)

        finder = IssueFinder(self.parsers, convert_part, other_keys)
        finder.check(self.info, value, ())
        return tuple(finder.found) or (Issue.from_message(message),)

    def _custom(self, kind: type, value: object) -> object:
        return value if isinstance(value, kind) else self.parsers[kind](value)

    def _compiled(self, info: inspect.Type) -> _Prepare | None:
        """Return the function that compares keys and parses custom Structs before msgspec converts, or None."""
        match info:
            case inspect.Metadata():
                return self._compiled(info.type)
            case inspect.StructType() if info.cls in self.parsers:
                return self._parsed(info.cls)
            case inspect.StructType():
                return self._struct(info)
            case inspect.CustomType():
                if info.cls not in self.parsers:
                    raise RulesBug(f"{self.kind}: nothing reads {info.cls.__name__} from a file")
                return None
            case inspect.DictType():
                return _each_value(self._compiled(info.value_type))
            case inspect.TupleType():
                return _each_place([self._compiled(item) for item in info.item_types])
            case inspect.UnionType():
                return self._union(info)
            case _:
                return _each_entry(self._compiled(info.item_type)) if isinstance(info, LISTS) else None

    def _parsed(self, kind: type) -> _Prepare:
        parser = self.parsers[kind]

        def prepare(value: Any) -> Any:
            if isinstance(value, kind):
                return value
            try:
                return parser(value)
            except ValueError as error:
                raise _Unknown from error

        return prepare

    def _struct(self, info: inspect.StructType) -> _Prepare:
        if info.cls in self._known:
            return self._known[info.cls]
        names = {field.encode_name for field in info.fields} | ({info.tag_field} if info.tag_field else set())
        inner: list[tuple[str, _Prepare]] = []

        def prepare(value: Any) -> Any:
            if value.__class__ is not dict:
                return value
            if not value.keys() <= names:
                raise _Unknown
            changed = value
            for name, below in inner:
                if name in value:
                    old = value[name]
                    new = below(old)
                    if new is not old:
                        if changed is value:
                            changed = dict(value)
                        changed[name] = new
            return changed

        self._known[info.cls] = prepare
        for field in info.fields:
            below = self._compiled(field.type)
            if below is not None:
                inner.append((field.encode_name, below))
        return prepare

    def _union(self, info: inspect.UnionType) -> _Prepare | None:
        """Return the choice by the file's value: a block, a list, or a single value."""
        tagged: dict[object, _Prepare] = {}
        tag_field = ""
        block = entries = custom = None
        words: set[object] = set()  # single values that no parser reads
        scalars: set[type] = set()
        for part in info.types:
            below = self._compiled(part)
            part = part.type if isinstance(part, inspect.Metadata) else part
            match part:
                case inspect.StructType() if part.cls in self.parsers:
                    custom = below
                case inspect.StructType() if part.tag_field and below is not None:
                    tag_field = part.tag_field
                    tagged[part.tag] = below
                case inspect.StructType() | inspect.DictType():
                    block = below
                case inspect.LiteralType():
                    words.update(part.values)
                case inspect.EnumType():
                    words.update(member.value for member in part.cls)
                case _ if type(part) in SCALARS:
                    scalars.update(SCALARS[type(part)])
                case _:
                    entries = below or entries
        if not (tagged or block or entries or custom):
            return None

        def prepare(value: Any) -> Any:
            below: _Prepare | None = None
            if value.__class__ is dict:
                below = tagged.get(value.get(tag_field), block) if tagged else block
            elif value.__class__ in (list, tuple):
                below = entries
            elif custom is not None and value.__class__ not in scalars and value not in words:
                below = custom
            return value if below is None else below(value)

        return prepare


def _each_value(below: _Prepare | None) -> _Prepare | None:
    if below is None:
        return None

    def prepare(value: Any) -> Any:
        return {key: below(entry) for key, entry in value.items()} if value.__class__ is dict else value

    return prepare


def _each_entry(below: _Prepare | None) -> _Prepare | None:
    if below is None:
        return None

    def prepare(value: Any) -> Any:
        return [below(entry) for entry in value] if value.__class__ in (list, tuple) else value

    return prepare


def _each_place(places: Sequence[_Prepare | None]) -> _Prepare | None:
    if not any(places):
        return None

    def prepare(value: Any) -> Any:
        if value.__class__ not in (list, tuple) or len(value) != len(places):
            return value
        return [entry if below is None else below(entry) for below, entry in zip(places, value, strict=True)]

    return prepare
