"""Types in the words of people who type a file."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from msgspec import inspect

from tracker.library.yaml.problems import described

__all__ = ["is_a", "remedy", "wanted", "words"]

_YES_NO = {
    **dict.fromkeys(("yes", "y", "on", "true"), "true"),
    **dict.fromkeys(("no", "n", "off", "false"), "false"),
}
_NUMBER = re.compile(r"\s*([-+]?)0*([0-9]{1,18})\s*")
_LISTS = (inspect.ListType, inspect.VarTupleType, inspect.SetType, inspect.FrozenSetType, inspect.CollectionType)


def is_a(info: inspect.Type, value: object) -> bool:
    """Tell whether a value is of the type's kind: text, number, list, block.

    What stands inside is not looked at.
    """
    match info:
        case inspect.NoneType():
            return value is None
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case inspect.FloatType():
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.StructType() | inspect.DictType():
            return isinstance(value, Mapping)
        case inspect.TupleType():
            return isinstance(value, (list, tuple))
        case _:
            return not isinstance(info, _LISTS) or isinstance(value, (list, tuple))


def wanted(infos: Sequence[inspect.Type], custom: Collection[type]) -> str:
    """Name what a field takes: `a whole number or text`.

    Custom types, typed as text, go by their own name.
    """
    return _either([_named(info, custom) for info in infos if not isinstance(info, inspect.NoneType)] or ["nothing"])


def words(values: Sequence[object]) -> str:
    """Name the allowed words: `melee, ranged or none`."""
    return _either(
        ["nothing" if value is None else str(value) for value in values if value is not None or len(values) == 1]
    )


def remedy(infos: Sequence[inspect.Type], value: object) -> str:
    """Return what to type instead, where that is plain from what was typed."""
    kinds = {type(info) for info in infos}
    number = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    if isinstance(value, str) and inspect.BoolType in kinds and value.casefold() in _YES_NO:
        return f"did you mean {_YES_NO[value.casefold()]}?"
    if number is not None and kinds & {inspect.IntType, inspect.FloatType}:
        return f"did you mean {number[1].replace('+', '')}{number[2]}? Numbers have no quotes and no leading zeros"
    if isinstance(value, (bool, int, float)) and inspect.StrType in kinds:
        return f'did you mean "{described(value)}"?'
    if isinstance(value, Mapping) and kinds.intersection(_LISTS):
        return 'each entry of a list begins with "- "'
    if value not in (None, "") and not isinstance(value, (list, tuple)) and kinds.intersection(_LISTS):
        return f"did you mean [{value if isinstance(value, str) else described(value)}]?"
    return ""


def _named(info: inspect.Type, custom: Collection[type]) -> str:
    match info:
        case inspect.Metadata():
            return _named(info.type, custom)
        case inspect.StructType() | inspect.CustomType() if info.cls in custom:
            return info.cls.__name__.casefold()
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a whole number"
        case inspect.FloatType():
            return "a number"
        case inspect.StrType():
            return "text"
        case inspect.NoneType():
            return "nothing"
        case inspect.LiteralType():
            return words(info.values)
        case inspect.EnumType():
            return words([member.value for member in info.cls])
        case inspect.StructType() | inspect.DictType():
            return "a block of keys"
        case inspect.TupleType():
            return f"a list of exactly {len(info.item_types)}"
        case _ if isinstance(info, _LISTS):
            return "a list"
        case _:
            return type(info).__name__.removesuffix("Type").casefold()


def _either(parts: Sequence[str]) -> str:
    unique = list(dict.fromkeys(parts))
    return unique[0] if len(unique) == 1 else f"{', '.join(unique[:-1])} or {unique[-1]}"
