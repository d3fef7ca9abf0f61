"""The meaning of keys and values: unknown names, unlikely numbers, and the description of each key."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator, Mapping
from functools import lru_cache
from typing import cast

from msgspec import Struct, inspect, to_builtins
from msgspec.structs import replace

from tracker.core.game.file_syntax import EVERYWHERE, FileSyntax, KeySyntax, ValueRule
from tracker.core.game.schema import Schema
from tracker.core.terms.encounter import Encounter, Member
from tracker.library.validation.issues import Issue, type_info
from tracker.library.yaml.problems import Path, described, nearest

NEAR = 0.75
MOST_NAMED = 12


# -- keys --------------------------------------------------------------------------------------------------------------


def syntax_of(schema: Schema) -> FileSyntax:
    return FileSyntax() if schema.file_syntax is None else schema.file_syntax()


@lru_cache(maxsize=64)  # to inspect a Struct takes milliseconds
def _fields(kind: Hashable) -> tuple[inspect.Field, ...]:
    info = type_info(kind)
    return info.fields if isinstance(info, inspect.StructType) else ()


def fields_of(kind: type) -> tuple[inspect.Field, ...]:
    return _fields(cast(Hashable, kind))


def keys_of(syntax: FileSyntax, kind: type, of: str, block: str = "") -> list[tuple[inspect.Field | None, KeySyntax]]:
    """Return the keys of a Struct with their fields, then those without a field.

    `of` is the Struct's name in a game's files, `block` the kind of stat block, if it is one.
    """
    own = {row.name: row for row in syntax.keys if row.of == of}
    own |= {row.name: row for row in syntax.keys if block and row.of == block}
    keys: list[tuple[inspect.Field | None, KeySyntax]] = []
    for field in fields_of(kind):
        described, row = _key(of, field), own.pop(field.encode_name, None)
        keys.append((field, described if row is None else replace(row, means=row.means or described.means)))
    return keys + [(None, row) for row in own.values()]


def _key(of: str, field: inspect.Field) -> KeySyntax:
    """Return the description of a key by its field's annotation."""
    name = field.encode_name
    info = field.type
    if not isinstance(info, inspect.Metadata):
        return KeySyntax(of, name, EVERYWHERE.get(name, ""))
    extra_schema, extra = info.extra_json_schema or {}, (info.extra or {}).get("key")
    means, like = extra_schema.get("description") or EVERYWHERE.get(name, ""), tuple(extra_schema.get("examples", ()))
    syntax = extra if isinstance(extra, KeySyntax) else KeySyntax("", "")
    return replace(syntax, of=of, name=name, means=means, like=like)


def other_spellings(schema: Schema, kind: str) -> dict[str, str]:
    """Return the other spellings of the keys of a kind of stat block, each with its key: `morale` is `ml`."""
    rows = keys_of(syntax_of(schema), dict(schema.blocks)[kind], kind, kind)
    return {word: row.name for _, row in rows for word in row.also}


def usual_word(schema: Schema, word: str, kind: str = "") -> str:
    """Return a hint with this game's word for a usual one, or "".

    In a stat block of a kind: the key of this kind, a similar key if the word is no usual one, or the kind that has the
    key.
    """
    syntax = syntax_of(schema)
    plain = word.casefold().replace(" ", "_").replace("-", "_")
    keys = [name for usual, name in syntax.words if usual == plain] or ([plain] if kind else [])
    if not kind:
        return f"did you mean {keys[0]}?" if keys else ""
    blocks = dict(schema.blocks)
    names = {of: _spelled(syntax, of, struct) for of, struct in blocks.items()}
    own = names[kind] | {usual: name for usual, name in syntax.words if name in names[kind]}
    meant = next((name for name in keys if name in names[kind]), "")
    others = [of for of in blocks if keys[0] in names[of]]
    if not meant and others:
        return f"{keys[0]} is a key of a {others[0]}, not of a {kind}"
    meant = meant or own.get(nearest(plain, own) or "", "")
    return f"did you mean {meant}?" if meant else ""


def _spelled(syntax: FileSyntax, of: str, struct: type) -> dict[str, str]:
    """Return every spelling of the keys of a stat block, with the key."""
    rows = [row for row in syntax.keys if row.of == of or of in row.of.split(" or ")]
    rows += [row for _, row in keys_of(syntax, struct, of)]
    return {spelling: row.name for row in rows for spelling in (row.name, *row.also)}


# -- values ------------------------------------------------------------------------------------------------------------


class NamesInUse(Struct, frozen=True):
    """The names of an encounter's combatants and sides."""

    combatants: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()

    @staticmethod
    def of(encounter: Encounter) -> NamesInUse:
        groups = [side.members for side in encounter.sides] + [wave.members for wave in encounter.waves]
        members = [member for group in groups for member in group]
        names = [name for member in members for name in (member.name, member.id, member.ref) if name]
        sides = [name for side in encounter.sides for name in (side.name, side.id)]
        return NamesInUse(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(sides)))


def warnings_of(schema: Schema, member: Member) -> tuple[str, ...]:
    return () if schema.warnings is None else schema.warnings(member.block)


def issues_in(schema: Schema, value: object, block: object = None, names: NamesInUse | None = None) -> list[Issue]:
    """Return the issues of the values of a game's Struct.

    `block` is the stat block that belongs to a member's own keys, `names` are those of the encounter, if they are to be
    checked.
    """
    if value is None:
        return []
    own: object = to_builtins(block if block is not None else value, enc_hook=str)
    words: dict[str, str] | None = None
    issues: list[Issue] = []
    plain = to_builtins(value, enc_hook=str)
    for field in fields_of(type(value)):
        for path, rule, part in _ruled(field.type, plain.get(field.encode_name), (field.encode_name,)):
            words = dict(syntax_of(schema).words) if words is None else words
            wrong = _issue(rule, part, own, words, names)
            if wrong is not None:
                issues.append(Issue(path, *wrong))
    return issues


def _ruled(info: inspect.Type, value: object, path: Path) -> Iterator[tuple[Path, ValueRule, object]]:
    if value in (None, ""):
        return
    match info:
        case inspect.Metadata():
            rule = (info.extra or {}).get("rule")
            if isinstance(rule, ValueRule):
                yield path, rule, value
            yield from _ruled(info.type, value, path)
        case inspect.UnionType():
            for part in info.types:
                yield from _ruled(part, value, path)
        case inspect.StructType() if isinstance(value, Mapping):
            for field in info.fields:
                yield from _ruled(field.type, value.get(field.encode_name), (*path, field.encode_name))
        case inspect.DictType() if isinstance(value, Mapping):
            for name, part in value.items():
                yield from _ruled(info.value_type, part, (*path, str(name)))
        case inspect.TupleType() if isinstance(value, list | tuple):
            for place, (kind, part) in enumerate(zip(info.item_types, value, strict=False)):
                yield from _ruled(kind, part, (*path, place))
        case inspect.VarTupleType() | inspect.ListType() if isinstance(value, list | tuple):
            for place, part in enumerate(value):
                yield from _ruled(info.item_type, part, (*path, place))
        case _:
            pass


def _issue(
    rule: ValueRule, value: object, own: object, words: Mapping[str, str], names: NamesInUse | None
) -> tuple[str, str] | None:
    """Return message and hint for a value that breaks its rule, or None."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _unlikely(rule, value)
    if rule.of and names is None:
        return None
    known = _names_of(rule, own, names)
    if not (known or rule.of or rule.own) or _is_known(str(value), known):
        return None
    usual = words.get(str(value).casefold(), "")
    near = usual if usual in known else nearest(str(value), known)
    if rule.own_words and (not near or (near != usual and not _is_misspelt(str(value), near))):
        return None
    what = rule.what or rule.of
    where = " of this encounter" if rule.of else " it has" if rule.own else " of this game"
    shown = list({name.casefold().replace("-", " "): name for name in reversed(known)}.values())[::-1]
    listed = f"there are {', '.join(shown)}" if len(shown) <= MOST_NAMED else ""
    return f"{described(value)} is no {what}{where}", f"did you mean {near}?" if near else listed


def _names_of(rule: ValueRule, own: object, names: NamesInUse | None) -> list[str]:
    """Return the names a value may be one of."""
    known = [*rule.names, *(_names_in(own, rule.own.split(".")) if rule.own else ())]
    if rule.of and names is not None:
        known += names.sides if "side" in rule.of else ()
        known += names.combatants if rule.of != "side" else ()
    return known


def _names_in(value: object, steps: list[str]) -> list[str]:
    """Return the texts at a path of keys, of every entry of a list in it."""
    if isinstance(value, list | tuple):
        return [name for part in value for name in _names_in(part, steps)]
    if steps:
        return _names_in(value.get(steps[0]), steps[1:]) if isinstance(value, Mapping) else []
    return [] if value in (None, "") else [str(value)]


def _is_misspelt(word: str, known: str) -> bool:
    """Tell whether a word is so similar to a known one that it is probably misspelt."""
    from difflib import SequenceMatcher  # only a check needs it

    return SequenceMatcher(None, word.casefold(), known).ratio() >= NEAR


def _is_known(name: str, known: Collection[str]) -> bool:
    """Tell whether a name is known, with or without the number of a copy."""
    wanted = {name.casefold(), re.sub(r"[ -]\d+$", "", name).casefold()}
    plain = {word.casefold() for word in known}
    return bool(wanted & (plain | {word.replace(" ", "-") for word in plain}))


def _unlikely(rule: ValueRule, number: float) -> tuple[str, str] | None:
    least, most = rule.likely
    too_low, too_high = least is not None and number < least, most is not None and number > most
    if not (too_low or too_high):
        return None
    if least is not None and most is not None:
        usual = f"usual are {least:g} to {most:g}"
    else:
        usual = f"usual is {'at least' if too_low else 'at most'} {least if too_low else most:g}"
    return f"{number:g} is hardly meant", usual
