"""JSON Schema (draft 7, which every editor reads) of Structs, with their other spellings and shorthands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, inspect, to_builtins

from tracker.core.game.file_syntax import KeySyntax
from tracker.core.game.schema import Schema
from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data
from tracker.library.content.files import Moment, Text
from tracker.library.validation.issues import type_info
from tracker.library.validation.semantics import keys_of, syntax_of

Json: TypeAlias = dict[str, Any]
"""A schema, which is JSON."""

DICE: Json = {
    "type": ["string", "integer"],
    "description": "dice as they are written: 1d8+1",
    "pattern": r"^\s*[-+]?\s*(\d*\s*[dD]\s*\d+|\d+)(\s*[-+]\s*(\d*\s*[dD]\s*\d+|\d+))*\s*$",
}
MOMENT: Json = {
    "type": "string",
    "pattern": r"^\s*(until |at )?(the )?(([Ss]tart|[Bb]eginning|[Ee]nd) of )?(the )?[Rr]ound [1-9]\d{0,3}\s*$",
    "examples": ["round 3", "end of round 2"],
}
"""A round's opening or end."""
CUSTOM: dict[type, Json] = {
    Dice: {"$ref": "#/definitions/Dice"},
    Text: {"type": ["string", "number"]},
    Moment: MOMENT,
}
PLAIN: dict[str, Json] = {
    "number": {"type": "integer"},
    "text": {"type": "string"},
    "flag": {"type": "boolean"},
    "list": {"type": "array"},
    "words": {"type": "array", "items": {"type": "string"}},
    "block": {"type": "object"},
    "numbers": {"type": "object", "additionalProperties": {"type": "integer"}},
    "dice": {"$ref": "#/definitions/Dice"},
    "nothing": {"type": "null"},
}


def named(schema: Schema) -> dict[type, str]:
    """Return the names of the Structs of a game's files: kinds of stat blocks, `set-up`, else their own."""
    tables = (("switches", schema.house_rules), ("set-up", schema.setup), ("side", schema.side))
    names: dict[type, str] = {kind: name for name, kind in (*tables, ("member", schema.member)) if kind is not None}
    kinds: dict[type, list[str]] = {}
    for word, struct in schema.blocks:
        kinds.setdefault(struct, []).append(word)
    names |= {struct: " or ".join(words) for struct, words in kinds.items()}
    pending = list(names)
    while pending:
        for below in _below(pending.pop(0)):
            if below not in names:
                names[below] = below.__name__
                pending.append(below)
    return names


def unlinked(text: str) -> str:
    """Return a text without its links, which work on its own page only."""
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)


def block(properties: Json, needed: list[str] | None = None) -> Json:
    """Return the schema of a block with these keys and no others."""
    schema: Json = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": needed} if needed else schema


class Shapes:
    """The schemas of one game's Structs.

    Attributes:
        definitions: schemas that other ones refer to, each made at its first use.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema, self.syntax = schema, syntax_of(schema)
        self.names = named(schema)
        self.definitions: dict[str, Json] = {"Dice": DICE}
        self._kinds = {name: kind for kind, name in self.names.items()}

    def of(self, kind: type[Struct] | type[Data], name: str = "") -> Json:
        """Return the schema of a Struct; `name` is the kind of stat block, if it is one."""
        properties, needed = self.keys(kind, name)
        schema = block(properties, needed)
        if (name or self._called(kind)) in self.syntax.any_case:  # as printed: in capitals and with a full stop
            schema["patternProperties"] = {_any_case(key): part for key, part in properties.items()}
        return schema

    def keys(self, kind: type[Struct] | type[Data], name: str = "") -> tuple[Json, list[str]]:
        """Return the schemas of a Struct's keys, and the required keys."""
        properties: Json = {}
        needed: list[str] = []
        rows = keys_of(self.syntax, kind, self._called(kind), name)
        for field, row in rows:
            stored: Json = {}
            if field is not None:
                stored = self._type(field.type.type if isinstance(field.type, inspect.Metadata) else field.type)
            properties[row.name] = self._key(row, stored, None if field is None else _default(field))
            if row.needed or (row.needed is None and field is not None and field.required):
                needed.append(row.name)
        for _, row in rows:
            for word in row.also:
                properties[word] = described(properties[row.name], f"`{row.name}`: {unlinked(row.means)}")
        return properties, needed

    def _called(self, kind: type[Struct] | type[Data]) -> str:
        return self.names.get(kind, kind.__name__)

    def refer(self, kind: type[Struct] | type[Data]) -> Json:
        """Return a reference to a Struct, whose schema is made once."""
        name = self._called(kind).replace(" ", "_")
        if name not in self.definitions:
            self.definitions[name] = {}  # Structs may contain themselves
            self.definitions[name] = self.of(kind)
        return {"$ref": f"#/definitions/{name}"}

    def _key(self, row: KeySyntax, stored: Json, default: object) -> Json:
        parts: list[Json] = []
        for words in row.takes.split(" or "):
            if words == "stored":
                parts += stored.get("anyOf", [stored])
            elif words == "text" and row.form:
                parts.append({"type": "string", "pattern": f"^\\s*(?:{row.form})\\s*$"})
            else:
                parts.append(self._named(words))
        schema = dict(parts[0]) if len(parts) == 1 else {"anyOf": parts}
        more = {} if default is None else {"default": default}
        more |= {"examples": list(row.like)} if row.like else {}
        if more:
            schema = {**({"allOf": [schema]} if "$ref" in schema else schema), **more}
        return described(schema, unlinked(row.means))

    def _named(self, words: str) -> Json:
        if words.startswith("list of "):
            items = [self._named(part) for part in words.removeprefix("list of ").split("/")]
            return {"type": "array", "items": items[0] if len(items) == 1 else {"anyOf": items}}
        if words.startswith("part of "):
            return self._part(words.removeprefix("part of "))
        if words in self.definitions:
            return {"$ref": f"#/definitions/{words}"}
        return PLAIN[words] if words in PLAIN else self.refer(self._kinds[words])

    def _part(self, name: str) -> Json:
        """Return a reference to a Struct without required keys."""
        self.refer(self._kinds[name])
        part = f"part_of_{name}"
        if part not in self.definitions:
            whole = self.definitions[name]
            self.definitions[part] = {key: value for key, value in whole.items() if key != "required"}
        return {"$ref": f"#/definitions/{part}"}

    def _type(self, info: inspect.Type) -> Json:
        match info:
            case inspect.Metadata():
                return {**self._type(info.type), **(info.extra_json_schema or {})}
            case inspect.UnionType():
                flat = [each for part in map(self._type, info.types) for each in part.get("anyOf", [part])]
                return flat[0] if len(flat) == 1 else {"anyOf": flat}
            case inspect.BoolType():
                return {"type": "boolean"}
            case inspect.IntType() | inspect.FloatType():
                return _number(info)
            case inspect.StrType():
                return {"type": "string"} | ({"pattern": info.pattern} if info.pattern else {})
            case inspect.LiteralType():
                return {"enum": list(info.values)}
            case inspect.NoneType():
                return {"type": "null"}
            case inspect.StructType():
                return self.refer(info.cls)
            case inspect.TupleType(item_types=parts):
                many = len(parts)
                return {"type": "array", "items": list(map(self._type, parts)), "minItems": many, "maxItems": many}
            case inspect.VarTupleType() | inspect.ListType():
                return {"type": "array", "items": self._type(info.item_type)}
            case inspect.DictType():
                return {"type": "object", "additionalProperties": self._type(info.value_type)}
            case inspect.CustomType() if info.cls in CUSTOM:
                return dict(CUSTOM[info.cls])
            case _:
                return {}  # a home-made game may have types of its own: then anything goes


def described(schema: Json, text: str) -> Json:
    if not text:
        return dict(schema)
    if "$ref" in schema:
        schema = {"allOf": [schema]}
    return {"description": text, **{key: part for key, part in schema.items() if key != "description"}}


def _number(info: inspect.IntType | inspect.FloatType) -> Json:
    bounds = {"minimum": info.ge, "maximum": info.le, "exclusiveMinimum": info.gt, "exclusiveMaximum": info.lt}
    bounds["multipleOf"] = info.multiple_of
    kind = "integer" if isinstance(info, inspect.IntType) else "number"
    return {"type": kind, **{key: bound for key, bound in bounds.items() if bound is not None}}


def _default(field: inspect.Field) -> object:
    """Return a field's default where an editor can show it."""
    value = to_builtins(field.default, enc_hook=str) if field.default is not msgspec.NODEFAULT else None
    return value if isinstance(value, str | int | float) and value != "" else None


def _any_case(name: str) -> str:
    letters = (
        f"[{sign.upper()}{sign.lower()}]" if sign.isalpha() else "[ _]" if sign in " _" else sign for sign in name
    )
    return f"^{''.join(letters)}\\.?$"


def _below(kind: type) -> Iterator[type]:
    info = type_info(kind)
    for field in info.fields if isinstance(info, inspect.StructType) else ():
        yield from _structs(field.type)


def _structs(info: inspect.Type) -> Iterator[type]:
    match info:
        case inspect.Metadata():
            yield from _structs(info.type)
        case inspect.StructType():
            yield info.cls
        case inspect.UnionType(types=parts) | inspect.TupleType(item_types=parts):
            for part in parts:
                yield from _structs(part)
        case inspect.VarTupleType() | inspect.ListType():
            yield from _structs(info.item_type)
        case inspect.DictType():
            yield from _structs(info.value_type)
        case _:
            pass
