"""Members: blocks of a file made into `Member`s with checked stat blocks.

One broken block never hides the others: it becomes a placeholder, built from what can be used of it, that says what is
wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
"""What `count` is called elsewhere."""
COUNTS = "a number, or dice such as 1d4+1"
_RANGE = re.compile(r"\s*(\d{1,3})\s*(?:-|–|—|\.\.\.?|to)\s*(\d{1,3})\s*")
MARK = " (?)"


class BlockSource(Struct, frozen=True):
    """The keys the encounter lays over a stat block, and their places in the file."""

    entry: BlockEntry
    overrides: Mapping[str, object]
    overrides_entry: BlockEntry | None = None


def struct_keys(kind: type[Data] | None) -> tuple[str, ...]:
    return kind.__struct_encode_fields__ if kind is not None and issubclass(kind, Struct) else ()


def member_of(ruleset: Ruleset, keys: BlockSource, control: str) -> tuple[Member, list[Problem]]:
    """Build a member, even if something is wrong with it.

    The problems say what.

    Raises:
        BadData: with the problems, where the ruleset's stat blocks have no least values and so no placeholder can be
            made.
    """
    maker = _MemberBuilder(ruleset, keys)
    return maker.member(control), maker.problems


class _MemberBuilder:
    """The making of one member; `typed` holds the keys that are not read yet."""

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
        """Leave out a key that the encounter gives in another spelling: its `morale` replaces the file's `ml`."""
        if not self.keys.overrides_entry:
            return
        spellings = other_spellings(self.ruleset.schema, kind)
        for word in self.keys.overrides:
            key = spellings.get(_as_spelled(word))
            if key is not None and key not in self.keys.overrides:
                self.typed.pop(key, None)

    def _typed_key(self, key: str) -> str:
        """Return what a key is called in the file, which may spell it in another way."""
        if not key or key in self.typed:
            return key
        spellings = other_spellings(self.ruleset.schema, self.kind)
        return next((word for word in self.typed if spellings.get(_as_spelled(word)) == key), key)

    def _everywhere(self, struct: type[Data]) -> BlockKeys:
        """Take what every stat block may have and this Struct has no field for."""
        own = struct_keys(struct)
        common = [name for name in BlockKeys.__struct_fields__ if name in self.typed and name not in own]
        value, complaints = convert({name: self.typed.pop(name) for name in common}, BlockKeys, PARSERS)
        self._complain(complaints)
        return value or BlockKeys()

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
        """Tell whether only the last kind fits a block: its keys, or all of it."""
        blocks = dict(self.ruleset.schema.blocks)
        first, last = (set(struct_keys(blocks[kind])) for kind in (kinds[0], kinds[-1]))
        if self.typed.keys() & (first ^ last):
            return bool(self.typed.keys() & last - first) and not self.typed.keys() & first - last
        return not self._reads(kinds[0]) and self._reads(kinds[-1])

    def _reads(self, kind: str) -> bool:
        plain, complaints = _shorthand(self.ruleset, kind, dict(self.typed))
        return not complaints and not convert(plain, dict(self.ruleset.schema.blocks)[kind], PARSERS)[1]

    def _count(self, value: object) -> Dice:
        if issue := _range_issue(value):
            self._complain([issue])
            return Dice(plus=1)
        try:
            dice = Dice(plus=1) if value is None else read_dice(value)
        except ValueError as error:
            self._complain([Issue(("count",), str(error.args[0]), COUNTS)])
            return Dice(plus=1)
        if 0 <= dice.maximum <= MOST_COPIES:
            return dice
        if dice.maximum < 0:
            self._complain([Issue(("count",), f"{described(value)} is less than none", COUNTS)])
        else:
            message = f"{dice} is more than a fight can hold"
            self._complain([Issue(("count",), message, f"at most {MOST_COPIES}")])
        return Dice(plus=1)

    def _data(self) -> Data | None:
        kind = self.ruleset.schema.member
        if kind is None:
            return None
        own = [name for name in struct_keys(kind) if name in self.typed]
        value, complaints = convert({name: self.typed.pop(name) for name in own}, kind, PARSERS)
        self._complain(complaints)
        return value

    def _block(self, struct: type[Data], kind: str, name: str) -> Data:
        usable, blamed = dict(self.typed), set[str]()
        fields = {field.encode_name: field for field in fields_of(struct)}
        if "name" in fields:
            usable["name"] = name
        for _ in range(len(usable) + len(fields) + 2):
            plain, issues = _shorthand(self.ruleset, kind, usable)
            if not issues:
                block, issues = convert(plain, struct, PARSERS)
                if block is not None and not issues:
                    return block
            causes = _causes([self._as_typed(issue) for issue in issues], self.typed)
            self._complain([cause for cause in causes if _first(cause.path) not in blamed])
            before = dict(usable)
            for cause in causes:
                culprit = _first(cause.path)
                usable.pop(culprit, None)
                field = fields.get(culprit)
                missing = culprit not in self.typed or cause.message.startswith("missing")
                if culprit and (missing or (field is not None and field.required)):
                    usable[culprit] = None if field is None else least_value(field.type, name)
            if usable == before:
                break  # nothing more can be left out
            blamed |= {_first(cause.path) for cause in causes}
        placeholder = _placeholder(struct, usable, name)
        if placeholder is None:
            self._complain([Issue((), f"no stat block can be made of {described(name)}")])
            raise BadData(self.problems)
        return placeholder

    def _as_typed(self, issue: Issue) -> Issue:
        """Return an issue at the key as it is spelled in the file."""
        key = _first(issue.path)
        typed = self._typed_key(key)
        return issue if typed == key else replace(issue, path=(typed, *issue.path[1:]))

    def _complain(self, complaints: Iterable[Issue]) -> None:
        """Note problems at the keys to blame, in the encounter if it changes them, else in the block's file."""
        for complaint in complaints:
            issue = (self._usual_word_hint(complaint) or complaint) if complaint.path else complaint
            overriding = self.keys.overrides_entry if _first(complaint.path) in self.keys.overrides else None
            entry = overriding or self.keys.entry
            path = (*entry.path, *complaint.path)
            self.problems.append(entry.tree.problem(path, issue.message, issue.hint))

    def _usual_word_hint(self, complaint: Issue) -> Issue | None:
        """Return a complaint about an unknown key with this game's word for it, or None."""
        if not complaint.at_key and "unknown key" not in complaint.message:
            return None
        if len(complaint.path) == 1 and str(complaint.path[0]).casefold() in COUNTED:
            return replace(complaint, hint="did you mean count?")
        kind = self.kind if len(complaint.path) == 1 else ""
        word = str(complaint.path[-1])
        hint = usual_word(self.ruleset.schema, word, kind)
        if kind and not hint and not complaint.hint.startswith("did you mean"):
            hint = did_you_mean(word, MemberKeys.__struct_fields__)
        return replace(complaint, hint=hint) if hint else None


def _as_spelled(word: object) -> str:
    return str(word).casefold().rstrip(".").replace("_", " ")


def _range_issue(value: object) -> Issue | None:
    """Return what is wrong with a count such as `2-4`, with the dice that have this range, or None if it is none."""
    found = _RANGE.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    least, most = sorted((int(found[1]), int(found[2])))
    dice = Dice(((1, most - least + 1),), least - 1) if most > least else Dice(plus=most)
    return Issue(("count",), f"{described(value)} is a range; a count is a number or dice", f"such as {dice}")


def _causes(complaints: Sequence[Issue], typed: Mapping[str, object]) -> Sequence[Issue]:
    """Return the complaints about what is typed; those that follow from it wait until these are mended."""
    own = {_first(complaint.path) for complaint in complaints if complaint.path and _exists(typed, complaint.path)}
    return [complaint for complaint in complaints if _first(complaint.path) in own] or complaints


def _exists(value: object, path: Path) -> bool:
    for step in path:
        listed = isinstance(value, list | tuple) and isinstance(step, int) and step < len(value)
        if not listed and not (isinstance(value, Mapping) and step in value):  # a single value counts as a list of one
            return isinstance(step, int) and not isinstance(value, Mapping | list | tuple)
        value = value[step]  # type: ignore[index]  # looked at above
    return True


def _shorthand(ruleset: Ruleset, kind: str, typed: dict[str, object]) -> tuple[dict[str, object], Sequence[Issue]]:
    """Let the ruleset read its notations; its complaints are lines of `field: message`."""
    if ruleset.schema.shorthand is None:
        return dict(typed), ()
    try:
        return ruleset.schema.shorthand(kind, dict(typed)), ()
    except ValueError as error:
        return {}, [_complaint_of(line, typed) for line in str(error).splitlines()]
    except Exception as error:  # noqa: BLE001 - a slip of a home-made ruleset costs this block, not the file
        message = f"{ruleset.title} cannot read this: {describe(error)}"
        return {}, [Issue((), message, "look for a key that is missing or misspelt")]


def _complaint_of(line: str, typed: Mapping[str, object]) -> Issue:
    field, _, message = line.partition(": ")
    parts = field.replace("[", ".").replace("]", "").split(".") if message else []
    path: Path = tuple(int(part) if part.isdigit() else part for part in parts)
    hint = did_you_mean(_first(path), typed) if path and _first(path) not in typed else ""
    return Issue(path, message or field, hint)


def _first(path: Path) -> str:
    return str(path[0]) if path else ""


def _placeholder(struct: type[Data], usable: Mapping[str, object], name: str) -> Data | None:
    """Return a block of the least values with what is sound of it, or None if there can be none."""
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
