"""Members: converts blocks of a file to `Member`s with checked stat blocks.

A broken block becomes a placeholder with its sound keys and its problems, so that the others are read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import UNSET, Struct, inspect
from msgspec.structs import replace

from tracker.core.clock.joining import MOST_COPIES
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import BadData
from tracker.core.terms.values import Data
from tracker.library.content.files import PARSERS, BlockKeys, MemberKeys, read_dice
from tracker.library.content.library import BlockEntry
from tracker.library.ruleset_errors import describe
from tracker.library.validation.convert import convert
from tracker.library.validation.issues import Issue
from tracker.library.validation.semantics import fields_of, other_spellings, usual_word
from tracker.library.yaml.problems import Path, Problem, described, did_you_mean

COMMON = ("ref", "count")
COUNTED = ("number", "amount", "quantity", "qty", "num", "times", "copies")
"""Other programs' names of `count`."""
COUNTS = "a number, or dice such as 1d4+1"
_RANGE = re.compile(r"\s*(\d{1,3})\s*(?:-|–|—|\.\.\.?|to)\s*(\d{1,3})\s*")
MARK = " (?)"
_T = TypeVar("_T")


class BlockSource(Struct, frozen=True):
    """A stat block with the keys that the encounter replaces in it, and the place of these."""

    entry: BlockEntry
    overrides: Mapping[str, object]
    overrides_entry: BlockEntry | None = None


def struct_keys(kind: type[Data] | None) -> tuple[str, ...]:
    return kind.__struct_encode_fields__ if kind is not None and issubclass(kind, Struct) else ()


def member_of(ruleset: Ruleset, keys: BlockSource, control: str) -> tuple[Member, list[Problem]]:
    """Build a member, even from a block with problems, which are returned too.

    Raises:
        BadData: with the problems, if the ruleset's stat blocks have no least values for a placeholder.
    """
    builder = _MemberBuilder(ruleset, keys)
    return builder.member(control), builder.problems


class _MemberBuilder:
    """Builds a member; `typed` has the keys that are not read yet."""

    def __init__(self, ruleset: Ruleset, keys: BlockSource) -> None:
        self.ruleset, self.keys = ruleset, keys
        self.problems: list[Problem] = []
        self.kind = ""
        over = {name: value for name, value in keys.overrides.items() if name not in COMMON}
        inherited = {key: value for key, value in keys.entry.plain.items() if key != "article" or "name" not in over}
        self.typed: dict[str, object] = {**inherited, **over}

    def member(self, control: str) -> Member:
        data = self._data()
        count = self._count(self.typed.pop("count", None))
        if "count" in self.keys.overrides:
            count = self._count(self.keys.overrides["count"])
        self.kind = kind = self._kind(control)
        struct = dict(self.ruleset.schema.blocks)[kind]
        self._replace_overridden(kind)
        key = str(self.typed.get("id") or "")
        common = self._everywhere(struct)
        name = str(common.name) or str(self.typed.get("name") or self.keys.entry.name)
        block = self._block(struct, kind, name)
        return Member(
            block=block,
            name=name + MARK if self.problems else name,
            kind=kind,
            count=count,
            data=data,
            id=key,
            ref=self.keys.entry.ref,
            notes=common.notes or UNSET,
            hidden=common.hidden or UNSET,
            public=common.public or UNSET,
        )

    def _replace_overridden(self, kind: str) -> None:
        """Remove a key that the encounter has in another spelling: its `morale` replaces the file's `ml`."""
        if not self.keys.overrides_entry:
            return
        spellings = other_spellings(self.ruleset.schema, kind)
        for word in self.keys.overrides:
            key = spellings.get(_as_spelled(word))
            if key is not None and key not in self.keys.overrides:
                self.typed.pop(key, None)

    def _typed_key(self, key: str) -> str:
        """Return the spelling of a key in the file."""
        if not key or key in self.typed:
            return key
        spellings = other_spellings(self.ruleset.schema, self.kind)
        return next((word for word in self.typed if spellings.get(_as_spelled(word)) == key), key)

    def _everywhere(self, struct: type[Data]) -> BlockKeys:
        """Read the keys that every stat block may have, except those of this Struct's own."""
        own = struct_keys(struct)
        common = [name for name in BlockKeys.__struct_fields__ if name in self.typed and name not in own]
        return self._popped(common, BlockKeys) or BlockKeys()

    def _popped(self, names: Sequence[str], kind: type[_T]) -> _T | None:
        """Read these of the typed keys as a Struct, None if that is impossible."""
        value, issues = convert({name: self.typed.pop(name) for name in names}, kind, PARSERS)
        self._report(issues)
        return value

    def _kind(self, control: str) -> str:
        kinds = [kind for kind, _ in self.ruleset.schema.blocks]
        word = self.typed.get("kind")
        if isinstance(word, str) and word in kinds:
            del self.typed["kind"]
            return word
        if self.keys.entry.listed:
            return kinds[0] if self.keys.entry.listed == "pc" else kinds[-1]
        return kinds[0] if control == "players" and not self._is_last(kinds) else kinds[-1]

    def _is_last(self, kinds: Sequence[str]) -> bool:
        """Tell whether only the last kind fits a block, by its keys or by reading it."""
        blocks = dict(self.ruleset.schema.blocks)
        first, last = (set(struct_keys(blocks[kind])) for kind in (kinds[0], kinds[-1]))
        if self.typed.keys() & (first ^ last):
            return bool(self.typed.keys() & last - first) and not self.typed.keys() & first - last
        return not self._reads(kinds[0]) and self._reads(kinds[-1])

    def _reads(self, kind: str) -> bool:
        return not self._converted(dict(self.ruleset.schema.blocks)[kind], kind, self.typed)[1]

    def _converted(
        self, struct: type[Data], kind: str, typed: Mapping[str, object]
    ) -> tuple[Data | None, Sequence[Issue]]:
        """Return a stat block, or the issues that stand in its way."""
        plain, issues = _shorthand(self.ruleset, kind, dict(typed))
        return (None, issues) if issues else convert(plain, struct, PARSERS)

    def _count(self, value: object) -> Dice:
        count = Dice(plus=1) if value is None else _count_of(value)
        if isinstance(count, Dice):
            return count
        self._report([count])
        return Dice(plus=1)

    def _data(self) -> Data | None:
        kind = self.ruleset.schema.member
        return None if kind is None else self._popped([key for key in struct_keys(kind) if key in self.typed], kind)

    def _block(self, struct: type[Data], kind: str, name: str) -> Data:
        usable, reported = dict(self.typed), set[str]()
        fields = {field.encode_name: field for field in fields_of(struct)}
        if "name" in fields:
            usable["name"] = name
        for _ in range(len(usable) + len(fields) + 2):
            block, issues = self._converted(struct, kind, usable)
            if block is not None:
                return block
            causes = _causes([self._as_typed(issue) for issue in issues], self.typed)
            self._report([cause for cause in causes if _first(cause.path) not in reported])
            left = self._without(usable, causes, fields, name)
            if left == usable:
                break  # no further key can be left out
            usable = left
            reported |= {_first(cause.path) for cause in causes}
        placeholder = _placeholder(struct, usable, name)
        if placeholder is None:
            self._report([Issue((), f"no stat block can be made of {described(name)}")])
            raise BadData(self.problems)
        return placeholder

    def _without(
        self, usable: Mapping[str, object], causes: Sequence[Issue], fields: Mapping[str, inspect.Field], name: str
    ) -> dict[str, object]:
        """Return keys without those at fault; a key that has to be given gets the least value."""
        left = dict(usable)
        for cause in causes:
            key = _first(cause.path)
            left.pop(key, None)
            field = fields.get(key)
            missing = key not in self.typed or cause.message.startswith("missing")
            if key and (missing or (field is not None and field.required)):
                left[key] = None if field is None else least_value(field.type, name)
        return left

    def _as_typed(self, issue: Issue) -> Issue:
        """Return an issue at the key as it is spelled in the file."""
        key = _first(issue.path)
        typed = self._typed_key(key)
        return issue if typed == key else replace(issue, path=(typed, *issue.path[1:]))

    def _report(self, issues: Iterable[Issue]) -> None:
        """Add problems at the wrong keys, in the encounter if it has them, else in the block's file."""
        for issue in issues:
            overriding = self.keys.overrides_entry if _first(issue.path) in self.keys.overrides else None
            entry = overriding or self.keys.entry
            hint = self._usual_word_hint(issue) or issue.hint
            self.problems.append(entry.tree.problem((*entry.path, *issue.path), issue.message, hint))

    def _usual_word_hint(self, issue: Issue) -> str:
        """Return the hint with this game's word for an unknown key, or ""."""
        if not issue.path or (not issue.at_key and "unknown key" not in issue.message):
            return ""
        if len(issue.path) == 1 and str(issue.path[0]).casefold() in COUNTED:
            return "did you mean count?"
        kind = self.kind if len(issue.path) == 1 else ""
        word = str(issue.path[-1])
        hint = usual_word(self.ruleset.schema, word, kind)
        if kind and not hint and not issue.hint.startswith("did you mean"):
            hint = did_you_mean(word, MemberKeys.__struct_fields__)
        return hint


def _as_spelled(word: object) -> str:
    return str(word).casefold().rstrip(".").replace("_", " ")


def _count_of(value: object) -> Dice | Issue:
    """Return a count, or what is wrong with it; for a range such as `2-4` the hint has the dice with this range."""
    match = _RANGE.fullmatch(value) if isinstance(value, str) else None
    if match is not None:
        least, most = sorted((int(match[1]), int(match[2])))
        dice = Dice(((1, most - least + 1),), least - 1) if most > least else Dice(plus=most)
        return Issue(("count",), f"{described(value)} is a range; a count is a number or dice", f"such as {dice}")
    try:
        dice = read_dice(value)
    except ValueError as error:
        return Issue(("count",), str(error.args[0]), COUNTS)
    if dice.maximum < 0:
        return Issue(("count",), f"{described(value)} is less than none", COUNTS)
    if dice.maximum > MOST_COPIES:
        return Issue(("count",), f"{dice} is more than a fight can hold", f"at most {MOST_COPIES}")
    return dice


def _causes(issues: Sequence[Issue], typed: Mapping[str, object]) -> Sequence[Issue]:
    """Return the issues of typed keys, if there are any: others may be their consequences."""
    own = {_first(issue.path) for issue in issues if issue.path and _exists(typed, issue.path)}
    return [issue for issue in issues if _first(issue.path) in own] or issues


def _exists(value: object, path: Path) -> bool:
    for step in path:
        listed = isinstance(value, list | tuple) and isinstance(step, int) and step < len(value)
        if not listed and not (isinstance(value, Mapping) and step in value):  # a single value counts as a list of one
            return isinstance(step, int) and not isinstance(value, Mapping | list | tuple)
        value = value[step]  # type: ignore[index]  # checked above
    return True


def _shorthand(ruleset: Ruleset, kind: str, typed: dict[str, object]) -> tuple[dict[str, object], Sequence[Issue]]:
    """Let the ruleset read its notations; its error has a line `field: message` for each mistake."""
    if ruleset.schema.shorthand is None:
        return dict(typed), ()
    try:
        return ruleset.schema.shorthand(kind, dict(typed)), ()
    except ValueError as error:
        return {}, [_issue_of(line, typed) for line in str(error).splitlines()]
    except Exception as error:  # noqa: BLE001 - an error of a home-made ruleset costs this block, not the file
        message = f"{ruleset.title} cannot read this: {describe(error)}"
        return {}, [Issue((), message, "look for a key that is missing or misspelt")]


def _issue_of(line: str, typed: Mapping[str, object]) -> Issue:
    field, _, message = line.partition(": ")
    parts = field.replace("[", ".").replace("]", "").split(".") if message else []
    path: Path = tuple(int(part) if part.isdigit() else part for part in parts)
    hint = did_you_mean(_first(path), typed) if path and _first(path) not in typed else ""
    return Issue(path, message or field, hint)


def _first(path: Path) -> str:
    return str(path[0]) if path else ""


def _placeholder(struct: type[Data], usable: Mapping[str, object], name: str) -> Data | None:
    """Return a block of the least values with its sound keys, or None if that is impossible."""
    fields = fields_of(struct)
    least: dict[str, object] = {field.encode_name: least_value(field.type, name) for field in fields if field.required}
    best, issues = convert(least, struct, PARSERS)
    if best is None or issues:
        return None
    for key in (field.encode_name for field in fields if field.encode_name in usable):
        better, issues = convert(least | {key: usable[key]}, struct, PARSERS)
        if better is not None and not issues:
            best, least = better, least | {key: usable[key]}
    return best


def least_value(kind: inspect.Type, name: str) -> Any:
    match kind:
        case inspect.Metadata():
            return least_value(kind.type, name)
        case inspect.IntType() | inspect.FloatType():
            return max(1, kind.ge or 1) if kind.gt is None else max(1, kind.gt + 1)
        case inspect.StrType():
            return name
        case inspect.BoolType():
            return False
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.UnionType() if not any(isinstance(part, inspect.NoneType) for part in kind.types):
            return least_value(kind.types[0], name)
        case inspect.StructType():
            return {field.encode_name: least_value(field.type, name) for field in kind.fields if field.required}
        case inspect.TupleType():
            return [least_value(part, name) for part in kind.item_types]
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            return [least_value(kind.item_type, name) for _ in range(kind.min_length or 0)]
        case inspect.CustomType():
            return "1"
        case inspect.DictType():
            return {}
        case _:
            return None


def with_problems_noted(member: Member, problems: list[Problem]) -> Member:
    if not problems:
        return member
    message, block = "; ".join(problem.render() for problem in problems), member.block
    if isinstance(block, Struct) and "notes" in block.__struct_fields__:
        return replace(member, block=replace(block, notes=f"{message}  {getattr(block, 'notes', '')}".strip()))
    return replace(member, notes=f"{message}  {member.notes or ''}".strip())
