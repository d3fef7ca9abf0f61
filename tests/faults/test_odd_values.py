"""An odd value is refused by its field, in words for people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import inspect

from tests.faults.harness.games import BLOCK_FILES, ENCOUNTERS, FIGHTS, GAMES
from tests.faults.test_bad_yaml import check_problem
from tracker.cli.loading import find_ruleset
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.errors import BadData
from tracker.library.content.encounters import load_encounter
from tracker.library.content.library import BlockEntry, entries_in
from tracker.library.content.members import BlockSource, member_of
from tracker.library.yaml.problems import Path as Place
from tracker.library.yaml.problems import Problem
from tracker.library.yaml.tree import parse
from tracker.session.rulesets import registry

LEFT_OUT = object()
ODD: tuple[object, ...] = ([], {"x": 1}, None, -1, "", True, LEFT_OUT)
ODDER: tuple[object, ...] = (*ODD, ["x"], [{}], [None], [[1]], {"name": []}, {}, 0, 1.5, 10**30, "x", "1d6+", False)
# What only a programmer understands: exceptions, values as Python writes them, the words of libraries.
MACHINE_WORDS = re.compile(
    r"[A-Z]\w*(Error|Exception)\b|unhashable|Traceback|cannot read this|xpected `"
    r"|\bNone\b|\bTrue\b|\bFalse\b|\[\]|\{\}|<\w+|invalid literal|'\w+' object"
)


def places(value: object, info: inspect.Type | None, most: int) -> Iterator[Place]:
    """Yield every place in a typed value, and the untyped fields of its Struct.

    Of lists only the first entries count.
    """
    if isinstance(value, dict):
        fields = {field.encode_name: field.type for struct in structs(info) for field in struct.fields}
        for name in dict.fromkeys([*value, *fields]):
            yield (name,)
            for below in places(value.get(name), fields.get(name), most):
                yield (name, *below)
    elif isinstance(value, list):
        for place, item in enumerate(value[:most]):
            yield (place,)
            for below in places(item, info, most):
                yield (place, *below)


def structs(info: inspect.Type | None) -> list[inspect.StructType]:
    """Return the Structs that may stand where this type is wanted."""
    match info:
        case inspect.StructType():
            return [info]
        case inspect.Metadata():
            return structs(info.type)
        case inspect.UnionType():
            return [struct for part in info.types for struct in structs(part)]
        case inspect.ListType() | inspect.VarTupleType():
            return structs(info.item_type)
        case _:
            return []


def put(value: object, place: Place, new: object) -> object:
    """Return a typed value with something else in one place."""
    if not place:
        return new
    step, *rest = place
    changed: dict[object, object] | list[object]
    if isinstance(value, list):
        changed = list(value)
        if not rest and new is LEFT_OUT:
            del changed[int(step)]
        else:
            changed[int(step)] = put(changed[int(step)], tuple(rest), new)
        return changed
    changed = dict(value) if isinstance(value, dict) else {}
    if not rest and new is LEFT_OUT:
        changed.pop(step, None)
    else:
        changed[step] = put(changed.get(step), tuple(rest), new)
    return changed


def in_plain_words(problems: list[Problem], place: Place, new: object) -> None:
    """Each problem has its line and its field. One of them is about the field with the odd value."""
    for problem in problems:
        check_problem(problem)
        assert problem.path, problem.render()
        assert not MACHINE_WORDS.search(f"{problem.message} {problem.hint}"), problem.render()
    keys = [step for step in place if isinstance(step, str)]
    said = [f"{problem.path} {problem.message}" for problem in problems]
    assert not problems or new is LEFT_OUT or any(key in line for key in keys for line in said), said


def typed(plain: object) -> str:
    """Return a value as YAML of one line."""
    return json.dumps(plain, ensure_ascii=False)


def samples(ruleset: Ruleset, every: bool) -> list[tuple[BlockEntry, inspect.Type]]:
    """Return the bundled stat blocks of a game with the Struct of each. Or of each kind the one that types most."""
    kinds = [inspect.type_info(kind) for _, kind in ruleset.schema.blocks]
    files = [path for name in BLOCK_FILES if (path := ENCOUNTERS / ruleset.key / f"{name}.yaml").is_file()]
    blocks = [
        (entry, kinds[0 if entry.listed == "pc" else -1])
        for path in files
        for entry in entries_in(parse(path.read_bytes(), path.name))
    ]
    if every:
        return blocks
    lists = [[block for block in blocks if block[0].listed == listed] for listed in ("pc", "monster")]
    return [max(listed, key=lambda block: len(list(places(block[0].plain, None, 1)))) for listed in lists]


def spoil(
    ruleset: Ruleset, sample: BlockEntry, info: inspect.Type, odd: tuple[object, ...], most: int, every: int = 1
) -> int:
    """Put each odd value in each place of a stat block. Return how many of these blocks had problems."""
    changes = [(place, new) for place in places(sample.plain, info, most) for new in odd][::every]
    text = "\n".join(f"- {typed(put(sample.plain, place, new))}" for place, new in changes)
    wrong = 0
    for (place, new), entry in zip(changes, entries_in(parse(text.encode(), "odd.yaml")), strict=True):
        try:
            member, problems = member_of(
                ruleset, BlockSource(BlockEntry(entry.tree, entry.path, entry.plain, sample.listed), {}), "gm"
            )
            assert member.name.endswith("(?)") == bool(problems)
            in_plain_words(problems, place, new)
        except BaseException as error:
            error.add_note(f"{ruleset.key}, {sample.name}: {place} is {'left out' if new is LEFT_OUT else typed(new)}")
            raise
        wrong += bool(problems)
    return wrong


@pytest.mark.parametrize("key", GAMES)
def test_odd_values_in_a_stat_block(key: str) -> None:
    """Of each kind of stat block, each field. What is refused leaves a placeholder."""
    ruleset = registry.find(key)
    for sample, info in samples(ruleset, every=False):
        assert spoil(ruleset, sample, info, ODD, 1, every=3) > 7


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_odd_values_in_every_stat_block(key: str) -> None:
    """Every bundled stat block, with more odd values."""
    ruleset = registry.find(key)
    for sample, info in samples(ruleset, every=True):
        assert spoil(ruleset, sample, info, ODDER, 3) > 20


def spoil_encounter(folder: Path, key: str, odd: tuple[object, ...], every: int) -> int:
    """Put odd values in each place of an encounter file.

    Its switches, sides and set-up are among them. Return how many of these files had problems.
    """
    for sibling in (ENCOUNTERS / key).glob("*.yaml"):
        (folder / sibling.name).write_bytes(sibling.read_bytes())
    schema = registry.find(key).schema
    plain = parse(FIGHTS[key][0].read_bytes(), "fight.yaml").value
    assert isinstance(plain, dict)
    own = {"house_rules": schema.house_rules, "setup": schema.setup}
    every_place = [*places(plain, None, 2)]
    for name, kind in own.items():
        if kind is not None:
            every_place += [(name, *below) for below in places(plain.get(name, {}), inspect.type_info(kind), 2)]
    for name, kind in (("side", schema.side), ("member", schema.member)):
        if kind is not None and isinstance(plain.get("sides"), list):
            below = [(field.encode_name,) for struct in structs(inspect.type_info(kind)) for field in struct.fields]
            every_place += [("sides", 1, *(("members", 0) if name == "member" else ()), *place) for place in below]
    wrong = 0
    changes = [(place, new) for place in dict.fromkeys(every_place) for new in odd][::every]
    for place, new in changes:
        path = folder / "odd.yaml"
        path.write_text(typed(put(plain, place, new)), encoding="utf-8")
        try:
            loaded = load_encounter(path, find_ruleset, (), registry.rulesets())
            for problem in loaded.problems:
                check_problem(problem)
                assert not MACHINE_WORDS.search(f"{problem.message} {problem.hint}"), problem.render()
            assert loaded.encounter is not None or loaded.problems
        except BaseException as error:
            error.add_note(f"{key}: {place} is {'left out' if new is LEFT_OUT else typed(new)}")
            raise
        wrong += bool(loaded.problems)
    return wrong


@pytest.mark.parametrize("key", GAMES)
def test_odd_values_in_an_encounter(tmp_path: Path, key: str) -> None:
    """The same in the encounter itself: its switches, its sides, who takes part."""
    assert spoil_encounter(tmp_path, key, ODD, 17) > 4


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_odd_values_everywhere_in_an_encounter(tmp_path: Path, key: str) -> None:
    """In every place of it."""
    assert spoil_encounter(tmp_path, key, ODDER, 1) > 100


def test_a_placeholder_is_always_made() -> None:
    """A character of whom nothing can be used still takes a place."""
    ruleset = registry.find("githack")
    tree = parse(b"- {name: Nobody, weapons: [{dice: 1d6}], harm_max: -1, str: []}\n", "party.yaml")
    (entry,) = entries_in(tree)

    try:
        member, problems = member_of(ruleset, BlockSource(entry, {}), "players")
    except BadData as error:
        pytest.fail(f"no placeholder: {error}")

    assert member.name == "Nobody (?)"
    assert [problem.render() for problem in problems] == [
        "party.yaml:1:61: [0].str: a single value is needed here",
        "party.yaml:1:28: [0].weapons[0].name: missing: what the weapon is called",
        "party.yaml:1:52: [0].harm_max: must be at least 1, not -1",
    ]
