"""Members: from what a file says of a combatant to a `Member` with a checked stat block.

One broken block never hides the others: it becomes a placeholder, built from what can be used of it, that says what is
wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import UNSET, Struct, inspect
from msgspec.structs import replace

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import BadData
from tracker.core.terms.values import Data
from tracker.library.checking.convert import convert
from tracker.library.shelves.shelf import Entry
from tracker.library.slips import told
from tracker.library.yaml.problems import Path, Problem, described, did_you_mean

__all__ = ["PARSERS", "Keys", "keys_of", "member_of"]


def _dice(plain: object) -> Dice:
    if isinstance(plain, bool) or not isinstance(plain, str | int | float):
        raise ValueError(f"should be dice, not {described(plain)}", "such as 2d6+1")
    return Dice.parse(str(plain))


PARSERS: dict[type, Callable[[Any], object]] = {Dice: _dice}
"""How custom types are read from text; a parser raises ValueError with what is wrong."""

_Complaint: TypeAlias = tuple[Path, str, str]
COMMON = ("ref", "count")
MARK = " (?)"


class _Everywhere(Struct, frozen=True):
    """The keys every stat block may have, of whatever game."""

    id: str = ""
    name: str = ""
    notes: str = ""


class Keys(Struct, frozen=True):
    """What the encounter says of a member beside its stat block: the keys laid over the block, and where they stand."""

    entry: Entry
    over: Mapping[str, object]
    over_entry: Entry | None = None


def keys_of(kind: type[Data] | None) -> tuple[str, ...]:
    """Return the names of a Struct's fields as a file spells them."""
    return (
        tuple(field.encode_name for field in msgspec.structs.fields(kind))
        if kind is not None and issubclass(kind, Struct)
        else ()
    )


def member_of(ruleset: Ruleset, keys: Keys, control: str) -> tuple[Member, list[Problem]]:
    """Build a member, whatever is wrong with it; the problems say what.

    Raises: BadData: with the problems, where the ruleset's stat blocks have no least values and so no placeholder can
        be made.
    """
    problems: list[Problem] = []
    own = keys_of(ruleset.schema.member)
    typed = {**keys.entry.plain, **{name: value for name, value in keys.over.items() if name not in COMMON}}
    data = _member_keys(ruleset, keys, {name: typed.pop(name) for name in own if name in typed}, problems)
    count = _count(keys, typed.pop("count", None), problems)
    if "count" in keys.over:
        count = _count(keys, keys.over["count"], problems)
    kind = _kind(ruleset, keys.entry, typed, control)
    key = str(typed.get("id") or "")
    common = _everywhere(dict(ruleset.schema.blocks)[kind], keys, typed, problems)
    name = common.name or str(typed.get("name") or keys.entry.name)
    block = _block(ruleset, keys, kind, name, typed, problems)
    if problems:
        name += MARK
    return Member(block, name, kind, count, data, id=key, ref=keys.entry.ref, notes=common.notes or UNSET), problems


def _everywhere(struct: type[Data], keys: Keys, typed: dict[str, object], problems: list[Problem]) -> _Everywhere:
    """Take what every stat block may have and this Struct has no field for."""
    own = keys_of(struct)
    plain = {name: typed.pop(name) for name in _Everywhere.__struct_fields__ if name in typed and name not in own}
    value, complaints = convert(plain, _Everywhere)
    problems += [_at(keys, _first(each.path), each.message, each.hint, each.path) for each in complaints]
    return value or _Everywhere()


def _kind(ruleset: Ruleset, entry: Entry, typed: dict[str, object], control: str) -> str:
    """Decide which stat block it is: by its own word, by the list it stands in, by who controls its side."""
    kinds = [kind for kind, _ in ruleset.schema.blocks]
    word = typed.get("kind")
    if isinstance(word, str) and word in kinds:
        del typed["kind"]
        return word
    if entry.listed:
        return kinds[0] if entry.listed == "pc" else kinds[-1]
    return kinds[0] if control == "players" else kinds[-1]


def _count(keys: Keys, value: object, problems: list[Problem]) -> Dice:
    if value is None:
        return Dice(plus=1)
    try:
        dice = _dice(value)
    except ValueError as error:
        problems.append(_at(keys, "count", str(error.args[0]), "a number, or dice such as 1d4+1"))
        return Dice(plus=1)
    if dice.maximum > 500 or dice.maximum < 0:
        problems.append(_at(keys, "count", f"{dice} is more than a fight can hold", "at most 500"))
        return Dice(plus=1)
    return dice


def _member_keys(ruleset: Ruleset, keys: Keys, plain: dict[str, object], problems: list[Problem]) -> Data | None:
    kind = ruleset.schema.member
    if kind is None:
        return None
    value, found = _converted(plain, kind)
    problems += [_at(keys, _first(path), message, hint, path) for path, message, hint in found]
    return value


def _block(
    ruleset: Ruleset, keys: Keys, kind: str, name: str, typed: dict[str, object], problems: list[Problem]
) -> Data:
    struct = dict(ruleset.schema.blocks)[kind]
    usable, blamed, required = dict(typed), set[str](), _required(struct)
    if "name" in keys_of(struct):
        usable["name"] = name
    for _ in range(len(usable) + len(keys_of(struct)) + 2):
        plain, complaints = _shorthand(ruleset, kind, usable)
        if not complaints:
            block, complaints = _converted(plain, struct)
            if block is not None and not complaints:
                return block
        blamed_now: set[str] = set()
        before = dict(usable)
        for path, message, hint in _causes(complaints, typed):
            culprit = _first(path)
            if culprit not in blamed:
                problems.append(_at(keys, culprit, message, hint, path))
            blamed_now.add(culprit)
            usable.pop(culprit, None)
            if culprit and (culprit in required or culprit not in typed or message.startswith("missing")):
                usable[culprit] = _stand_in(struct, culprit, name)
        if usable == before:
            break  # nothing more can be left out
        blamed |= blamed_now
    block = _placeholder(struct, usable, name)
    if block is None:
        raise BadData([*problems, _at(keys, "", f"no stat block can be made of {described(name)}")])
    return block


def _causes(complaints: list[_Complaint], typed: Mapping[str, object]) -> list[_Complaint]:
    """Return the complaints about what was typed; those about what follows from it, if they are still there, have their turn when nothing else is wrong."""
    own = {_first(path) for path, _, _ in complaints if path and _stands(typed, path)}
    return [complaint for complaint in complaints if _first(complaint[0]) in own] or complaints


def _stands(value: object, path: Path) -> bool:
    """Tell whether there is something at a path."""
    for step in path:
        listed = isinstance(value, list | tuple) and isinstance(step, int) and step < len(value)
        if not listed and not (isinstance(value, Mapping) and step in value):
            return isinstance(step, int) and not isinstance(
                value, Mapping | list | tuple
            )  # a single value counts as a list of one
        value = value[step]  # type: ignore[index]  # looked at above
    return True


def _required(struct: type[Data]) -> frozenset[str]:
    return frozenset(field.encode_name for field in _fields(struct) if field.required)


def _fields(struct: type[Data]) -> tuple[inspect.Field, ...]:
    return _looked_into(cast(Hashable, struct))


@lru_cache(maxsize=64)  # looking into a Struct takes milliseconds
def _looked_into(struct: Hashable) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(struct)
    return info.fields if isinstance(info, inspect.StructType) else ()


def _shorthand(ruleset: Ruleset, kind: str, typed: dict[str, object]) -> tuple[dict[str, object], list[_Complaint]]:
    """Let the ruleset read its notations; it complains in lines of `field: message`, fields as paths."""
    if ruleset.schema.shorthand is None:
        return dict(typed), []
    try:
        return ruleset.schema.shorthand(kind, dict(typed)), []
    except ValueError as error:
        complaints: list[_Complaint] = []
        for line in str(error).splitlines():
            field, _, message = line.partition(": ")
            parts = field.replace("[", ".").replace("]", "").split(".") if message else []
            path: Path = tuple(int(part) if part.isdigit() else part for part in parts)
            complaints.append(
                (
                    path,
                    message or field,
                    did_you_mean(_first(path), typed) if path and _first(path) not in typed else "",
                )
            )
        return {}, complaints
    except Exception as error:  # noqa: BLE001 - a home-made ruleset may stumble over what it did not expect; that costs this block, not the file
        return {}, [
            (
                (),
                f"{ruleset.title} cannot read this: {told(error)}",
                "look for a key that is missing or misspelt",
            )
        ]


def _converted(plain: dict[str, object], struct: type[Data]) -> tuple[Data | None, list[_Complaint]]:
    value, complaints = convert(plain, struct, PARSERS)
    return value, [(complaint.path, complaint.message, complaint.hint) for complaint in complaints]


def _first(path: Path) -> str:
    return str(path[0]) if path else ""


def _placeholder(struct: type[Data], usable: Mapping[str, object], called: str) -> Data | None:
    """Return a block of the least values, past the ruleset's notations, that keeps what can be used as it stands; None where even that makes none."""
    fields = _fields(struct)
    least: dict[str, object] = {field.encode_name: _least(field.type, called) for field in fields if field.required}
    best, complaints = _converted(least, struct)
    if best is None or complaints:
        return None
    for name in (field.encode_name for field in fields if field.encode_name in usable):
        better, complaints = _converted(least | {name: usable[name]}, struct)
        if better is not None and not complaints:
            best, least = better, least | {name: usable[name]}
    return best


def _stand_in(struct: type[Data], name: str, called: str) -> Any:
    """Return something for a required field that is missing or unusable: the least number, a text, a list as short as may be."""
    for field in _fields(struct):
        if field.encode_name == name:
            return _least(field.type, called)
    return None


def _least(kind: inspect.Type, called: str) -> Any:
    """Return the least value of a type, as a file would hold it."""
    match kind:
        case inspect.Metadata():
            return _least(kind.type, called)
        case inspect.IntType() | inspect.FloatType():
            return max(1, kind.ge or 1) if kind.gt is None else max(1, kind.gt + 1)
        case inspect.StrType():
            return called
        case inspect.BoolType():
            return False
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.UnionType():
            return (
                None
                if any(isinstance(part, inspect.NoneType) for part in kind.types)
                else _least(kind.types[0], called)
            )
        case inspect.StructType():
            return {field.encode_name: _least(field.type, called) for field in kind.fields if field.required}
        case inspect.TupleType():
            return [_least(part, called) for part in kind.item_types]
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            return [_least(kind.item_type, called) for _ in range(kind.min_length or 0)]
        case inspect.CustomType():
            return "1"
        case inspect.DictType():
            return {}
        case _:
            return None


def _at(keys: Keys, field: str, message: str, hint: str = "", path: Path = ()) -> Problem:
    """Return a problem at the key that is to blame: in the encounter where it is laid over, else in the block's own file."""
    entry = keys.over_entry if keys.over_entry is not None and field in keys.over else keys.entry
    return entry.tree.problem((*entry.path, *(path or ((field,) if field else ()))), message, hint)


def annotated(member: Member, problems: list[Problem]) -> Member:
    """Return a member whose notes say what is wrong with its stat block."""
    if not problems:
        return member
    said, block = "; ".join(problem.render() for problem in problems), member.block
    if isinstance(block, Struct) and "notes" in block.__struct_fields__:
        return replace(member, block=replace(block, notes=f"{said}  {getattr(block, 'notes', '')}".strip()))
    return replace(member, notes=f"{said}  {member.notes or ''}".strip())
