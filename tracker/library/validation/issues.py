"""Finds every issue of a value, by its type.

Only values that msgspec has refused are walked, so this may be slow; it has to be complete, with hints what to type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, inspect

from tracker.core.terms.values import build_type
from tracker.library.yaml.problems import Path, described, did_you_mean, nearest

_YES_NO = {
    **dict.fromkeys(("yes", "y", "on", "true"), "true"),
    **dict.fromkeys(("no", "n", "off", "false"), "false"),
}
_NUMBER = re.compile(r"\s*([-+]?)0*([0-9]{1,18})\s*")
LISTS = (inspect.ListType, inspect.VarTupleType, inspect.SetType, inspect.FrozenSetType, inspect.CollectionType)
SCALARS: dict[type, tuple[type, ...]] = {
    inspect.StrType: (str,),
    inspect.IntType: (int,),
    inspect.FloatType: (float, int),
    inspect.BoolType: (bool,),
    inspect.NoneType: (type(None),),
}
_KINDS: dict[type, tuple[type, ...]] = {
    **SCALARS,
    **dict.fromkeys((inspect.StructType, inspect.DictType), (Mapping,)),
    **dict.fromkeys((inspect.TupleType, *LISTS), (list, tuple)),
}
_WORDS: dict[type, str] = {
    inspect.BoolType: "true or false",
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.StrType: "text",
    inspect.NoneType: "nothing",
    **dict.fromkeys((inspect.StructType, inspect.DictType), "a block of keys"),
    **dict.fromkeys(LISTS, "a list"),
}


def type_info(kind: Any) -> inspect.Type:
    """Return msgspec's description of a type, whose fields it collects as for a decoder."""
    build_type(kind)
    return inspect.type_info(kind)


def is_a(info: inspect.Type, value: object) -> bool:
    """Tell whether a value is of the type's kind (text, number, list, block), with any content."""
    if isinstance(value, bool) and isinstance(info, inspect.IntType | inspect.FloatType):
        return False
    return isinstance(value, _KINDS.get(type(info), object))


def expected_words(infos: Sequence[inspect.Type], custom: Collection[type]) -> str:
    """Return the types of a field in words: `a whole number or text`; custom types have their own name."""
    words = [_type_words(info, custom) for info in infos if not isinstance(info, inspect.NoneType)]
    return _joined_with_or(words or ["nothing"])


def listed_words(values: Sequence[object]) -> str:
    return _joined_with_or(
        ["nothing" if value is None else str(value) for value in values if value is not None or len(values) == 1]
    )


def remedy(infos: Sequence[inspect.Type], value: object) -> str:
    """Return the hint what to type instead, "" if that is not clear."""
    kinds = {type(info) for info in infos}
    number = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    if isinstance(value, str) and inspect.BoolType in kinds and value.casefold() in _YES_NO:
        return f"did you mean {_YES_NO[value.casefold()]}?"
    if number is not None and kinds & {inspect.IntType, inspect.FloatType}:
        return f"did you mean {number[1].replace('+', '')}{number[2]}? Numbers have no quotes and no leading zeros"
    if isinstance(value, (bool, int, float)) and inspect.StrType in kinds:
        return f'did you mean "{described(value)}"?'
    if isinstance(value, Mapping) and kinds.intersection(LISTS):
        return 'each entry of a list begins with "- "'
    if value not in (None, "") and not isinstance(value, (list, tuple)) and kinds.intersection(LISTS):
        return f"did you mean [{value if isinstance(value, str) else described(value)}]?"
    return ""


def _type_words(info: inspect.Type, custom: Collection[type]) -> str:
    match info:
        case inspect.Metadata():
            return _type_words(info.type, custom)
        case inspect.StructType() | inspect.CustomType() if info.cls in custom:
            return info.cls.__name__.casefold()
        case inspect.LiteralType():
            return listed_words(info.values)
        case inspect.EnumType():
            return listed_words([member.value for member in info.cls])
        case inspect.TupleType():
            return f"a list of exactly {len(info.item_types)}"
        case _:
            return _WORDS.get(type(info)) or type(info).__name__.removesuffix("Type").casefold()


def _joined_with_or(parts: Sequence[str]) -> str:
    unique = list(dict.fromkeys(parts))
    return unique[0] if len(unique) == 1 else f"{', '.join(unique[:-1])} or {unique[-1]}"


MOST_NAMED = 16  # known keys that a hint lists

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")


class Issue(Struct, frozen=True):
    """A mistake in a value; `at_key`: the key is wrong, not its value."""

    path: Path
    message: str
    hint: str = ""
    at_key: bool = False

    @staticmethod
    def from_message(message_with_path: str) -> Issue:
        """Parse msgspec's own message, which ends in a path: "- at `$.monsters[3].hp`"."""
        message, _, place = message_with_path.rpartition(" - at `$")
        if not message:
            return Issue((), message_with_path or "this is not understood")
        steps: list[str | int] = []
        readable = place.rstrip("`").partition("[...]")[0]  # msgspec does not name a mapping's key
        for match in _STEP.finditer(readable):
            steps.append(match[1] if match[1] is not None else int(match[2]))
        return Issue(tuple(steps), message)


def _without_blank(key: str, names: Collection[str]) -> tuple[str, str] | None:
    """Return the field and the hint for `name:Foes` and `-ref`, which YAML reads as a key, or None."""
    name, colon, value = key.partition(":")
    if colon and name in names:
        return name, f'a blank is missing behind the ":": {name}: {value}'
    if key[:1] == "-" and key[1:2].isalpha():
        return key[1:], f'a blank is missing behind the "-": - {key[1:]}'
    return None


class IssueFinder:
    """Collects the mistakes of a value; `other_keys` of its outermost block are read by other code."""

    def __init__(
        self,
        parsers: Mapping[type, Callable[[Any], object]],
        convert: Callable[[type, object], object],
        other_keys: Collection[str] = (),
    ) -> None:
        self.found: list[Issue] = []
        self._parsers, self._convert, self._other_keys = parsers, convert, other_keys

    def check(self, info: inspect.Type, value: Any, path: Path) -> None:
        match info:
            case inspect.Metadata():
                self.check(info.type, value, path)
            case inspect.AnyType() | inspect.RawType():
                pass
            case inspect.UnionType():
                self._union(info, value, path)
            case inspect.StructType() | inspect.CustomType() if info.cls in self._parsers:
                self._custom(info.cls, value, path)
            case inspect.StructType() | inspect.EnumType() if isinstance(value, info.cls):
                pass
            case _ if not is_a(info, value):
                self._wrong_type([info], value, path)
            case inspect.StructType():
                self._struct(info, value, path)
            case inspect.DictType():
                self._dict(info, value, path)
            case inspect.TupleType():
                self._places(info, value, path)
            case _ if isinstance(info, LISTS):
                self._entries(info, value, path)
            case inspect.LiteralType():
                self._one_of(info.values, value, path)
            case inspect.EnumType():
                self._one_of([member.value for member in info.cls], value, path)
            case inspect.IntType() | inspect.FloatType():
                self._bounds(info, value, path)
            case inspect.StrType():
                self._text(info, str(value), path)
            case _:
                pass

    def _add(self, path: Path, message: str, hint: str = "", *, at_key: bool = False) -> None:
        self.found.append(Issue(path, message, hint, at_key))

    # Blocks

    def _struct(self, info: inspect.StructType, value: Mapping[str, object], path: Path) -> None:
        before = len(self.found)
        names = [field.encode_name for field in info.fields]
        tag = info.tag_field
        if tag is not None and tag in value and value[tag] != info.tag:
            self._one_of([info.tag], value[tag], (*path, tag))
        meant = self._unknown_keys(value, [*names, tag] if tag and tag != "type" else names, path, tag)
        for field in info.fields:
            if field.encode_name in value:
                self.check(field.type, value[field.encode_name], (*path, field.encode_name))
            elif field.required and field.encode_name not in meant:
                self._add((*path, field.encode_name), "missing: it has to be given")
        if len(self.found) == before and hasattr(info.cls, "__post_init__"):
            self._check_whole(info.cls, value, path)

    def _unknown_keys(self, value: Mapping[str, object], names: Sequence[str], path: Path, tag: str | None) -> set[str]:
        """Report keys that no field has, and return the fields they were probably meant for."""
        aside = self._other_keys if not path else ()
        free = [name for name in (*names, *aside) if name not in value]
        meant: set[str] = set()
        for key in value:
            if key in names or key in aside or key == tag:
                continue
            if unspaced := _without_blank(str(key), (*names, *aside)):
                meant.add(unspaced[0])
                self._add((*path, str(key)), "unknown key", unspaced[1], at_key=True)
                continue
            near = nearest(str(key), free) or nearest(str(key), names)
            if near is not None:
                meant.add(near)
            listed = len(names) <= MOST_NAMED
            hint = f"did you mean {near}?" if near else f"known: {', '.join(names)}" if listed and names else ""
            self._add((*path, str(key)), "unknown key", hint, at_key=True)
        return meant

    def _check_whole(self, kind: type, value: Mapping[str, object], path: Path) -> None:
        """Report a Struct's own error about its fields taken together."""
        try:
            self._convert(kind, value)
        except msgspec.ValidationError as error:
            issue = Issue.from_message(str(error))
            self._add((*path, *issue.path), issue.message)

    def _dict(self, info: inspect.DictType, value: Mapping[str, object], path: Path) -> None:
        self._length(info, len(value), "keys", path)
        for key, entry in value.items():
            self._key(info.key_type, str(key), (*path, str(key)))
            self.check(info.value_type, entry, (*path, str(key)))

    def _key(self, info: inspect.Type, key: str, path: Path) -> None:
        number = re.fullmatch(r"-?(0|[1-9]\d*)", key) is not None
        typed: object = int(key) if number and not self._trial(info, int(key), path) else key
        for issue in self._trial(info, typed, path):
            self.found.append(msgspec.structs.replace(issue, at_key=True))

    # Lists

    def _entries(self, info: Any, value: Sequence[object], path: Path) -> None:
        self._length(info, len(value), "entries", path)
        for place, entry in enumerate(value):
            self.check(info.item_type, entry, (*path, place))

    def _places(self, info: inspect.TupleType, value: Sequence[object], path: Path) -> None:
        if len(value) != len(info.item_types):
            self._wrong_type([info], value, path)
            return
        for place, (part, entry) in enumerate(zip(info.item_types, value, strict=True)):
            self.check(part, entry, (*path, place))

    def _length(self, info: Any, count: int, counted: str, path: Path) -> None:
        if info.min_length is not None and count < info.min_length:
            self._add(path, f"needs at least {info.min_length} {counted}, not {count}")
        elif info.max_length is not None and count > info.max_length:
            self._add(path, f"takes at most {info.max_length} {counted}, not {count}")

    # Unions

    def _union(self, info: inspect.UnionType, value: object, path: Path) -> None:
        parts = [part.type if isinstance(part, inspect.Metadata) else part for part in info.types]
        structs = [part for part in parts if isinstance(part, inspect.StructType)]
        tagged = [part for part in structs if part.tag_field and part.cls not in self._parsers]
        if isinstance(value, Mapping) and tagged:
            self._tagged(tagged, value, path)
            return
        closest: list[Issue] | None = None
        for part in parts:
            tried = self._trial(part, value, path)
            if not tried:
                return
            if self._was_meant(part, value) and closest is None:
                closest = tried
        if closest is None:
            self._wrong_type(parts, value, path)
        else:
            self.found += closest

    def _tagged(self, parts: Sequence[inspect.StructType], value: Mapping[str, object], path: Path) -> None:
        by_tag = {part.tag: part for part in parts}
        field = parts[0].tag_field or ""
        tag = value.get(field)
        if field not in value:
            self._add((*path, field), f"missing: it has to be {listed_words(list(by_tag))}")
        elif isinstance(tag, (str, int)) and tag in by_tag:
            self.check(by_tag[tag], value, path)
        else:
            self._one_of(list(by_tag), tag, (*path, field))

    def _trial(self, info: inspect.Type, value: object, path: Path) -> list[Issue]:
        finder = IssueFinder(self._parsers, self._convert, self._other_keys)
        finder.check(info, value, path)
        return finder.found

    def _was_meant(self, info: inspect.Type, value: object) -> bool:
        """Tell whether a value was meant for this part of a union, so that its issues are the useful ones."""
        match info:
            case inspect.StructType() | inspect.CustomType() if info.cls in self._parsers:
                return value is not None and not isinstance(value, (Mapping, list, tuple))
            case inspect.LiteralType() | inspect.EnumType():
                return isinstance(value, str)
            case _:
                return is_a(info, value)

    # Single values

    def _custom(self, kind: type, value: object, path: Path) -> None:
        if isinstance(value, kind):
            return
        try:
            self._parsers[kind](value)
        except ValueError as error:
            message, hint, *_ = (*map(str, error.args or (f"{described(value)} is not understood",)), "")
            self._add(path, message, hint)

    def _one_of(self, values: Sequence[object], value: object, path: Path) -> None:
        if any(value == allowed and type(value) is type(allowed) for allowed in values):
            return
        texts = [allowed for allowed in values if isinstance(allowed, str)]
        hint = did_you_mean(value, texts) if isinstance(value, str) else ""
        self._add(path, f"{described(value)} is not {listed_words(values)}", hint)

    def _bounds(self, info: inspect.IntType | inspect.FloatType, value: Any, path: Path) -> None:
        if info.ge is not None and value < info.ge:
            self._add(path, f"must be at least {info.ge}, not {value}")
        elif info.gt is not None and value <= info.gt:
            self._add(path, f"must be more than {info.gt}, not {value}")
        elif info.le is not None and value > info.le:
            self._add(path, f"must be at most {info.le}, not {value}")
        elif info.lt is not None and value >= info.lt:
            self._add(path, f"must be less than {info.lt}, not {value}")
        elif info.multiple_of is not None and value % info.multiple_of:
            self._add(path, f"must be a multiple of {info.multiple_of}, not {value}")

    def _text(self, info: inspect.StrType, value: str, path: Path) -> None:
        if info.min_length is not None and len(value) < info.min_length:
            short = f"{described(value)} is too short: at least {info.min_length} characters"
            self._add(path, short if value else "must not be empty")
        elif info.max_length is not None and len(value) > info.max_length:
            self._add(path, f"{described(value)} is too long: at most {info.max_length} characters")
        elif info.pattern is not None and re.search(info.pattern, value) is None:
            self._add(path, f"{described(value)} does not have the form it needs: {info.pattern}")

    def _wrong_type(self, infos: Sequence[inspect.Type], value: object, path: Path) -> None:
        message = f"should be {expected_words(infos, self._parsers)}, not {described(value)}"
        self._add(path, message, remedy(infos, value))
