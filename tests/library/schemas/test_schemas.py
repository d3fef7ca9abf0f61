"""JSON Schemas of the games' files take what the reader takes, and explain every key."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.docs.test_games import EXAMPLES, _completed
from tests.library.schemas.judging import jsonschema_rs, judge, wrong
from tests.support.tables import for_each, table
from tracker.cli.commands.files import text_of
from tracker.core.terms.errors import TrackerError
from tracker.library.content.encounters import is_encounter
from tracker.library.content.library import entries_in
from tracker.library.content.members import BlockSource, member_of
from tracker.library.schemas.files import bestiary_schema, encounter_schema, game_schema
from tracker.library.yaml import problems
from tracker.library.yaml.tree import parse
from tracker.script.reader import KINDS, read_script
from tracker.script.schema import script_schema
from tracker.session.rulesets import registry
from tracker.ui.keys.keymap import keymap_schema, template

ROOT = Path(__file__).resolve().parents[3]
GAMES = ("githack", "sovereign", "spelljammer", "sword_world", "worlds_without_number")


def kind_of(value: object, name: str) -> str:
    first = value[0] if isinstance(value, list) and value else None
    if isinstance(first, str) or (isinstance(first, dict) and next(iter(first), "") in KINDS):
        return "script"
    if isinstance(value, dict) and "carry" in value:
        return "campaign"
    if is_encounter(value):
        return "encounter"
    return "party" if "party" in name else "bestiary"


@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_file_and_every_block_of_the_docs_is_right(game: str) -> None:
    """By the schema of its kind. Encounters and stat blocks also by that of the whole game."""
    files = [(path.name, path.read_text("utf-8")) for path in sorted((ROOT / "encounters" / game).glob("*.yaml"))]
    shown = [(page, whole) for page, of, block in EXAMPLES if of == game and (whole := _completed(of, block))]
    found = []
    for name, text in [*files, *shown]:
        kind = kind_of(parse(text.encode(), name).value, name)
        found += [f"{name}: {said}" for said in wrong(judge(game, kind), text)]
        if kind != "script" and name != "yaml.md":
            found += [f"{name}: {said}" for said in wrong(judge(game), text)]

    assert len(files) > 4
    assert found == []


def test_every_script_of_the_tests_is_right() -> None:
    """Scripts of golden fights and e2e, as they are."""
    scripts = [path for path in (ROOT / "tests").rglob("*script*.yaml") if _reads(path)]

    assert [said for path in scripts for said in wrong(judge("", "script"), path.read_text("utf-8"))] == []


def _reads(path: Path) -> bool:
    try:
        return bool(read_script(path))
    except TrackerError:
        return False


def test_the_keymap_template_is_right() -> None:
    """What `tracker keys` prints can be typed; another word is none."""
    judged = jsonschema_rs.Draft7Validator(keymap_schema())

    assert wrong(judged, template()) == []
    assert wrong(judged, "actt: y") != []


@pytest.mark.parametrize("game", GAMES)
def test_the_schemas_beside_the_examples_are_those_of_the_program(game: str) -> None:
    """`tracker schema GAME -o encounters/GAME/schema.json` writes them; each file names its own."""
    folder = ROOT / "encounters" / game

    assert (folder / "schema.json").read_text("utf-8") == text_of(game_schema(registry.find(game)))
    heads = {path.read_text("utf-8").partition("\n")[0] for path in folder.glob("*.yaml")}
    assert heads == {"# yaml-language-server: $schema=schema.json"}


@pytest.mark.parametrize("game", GAMES)
def test_every_key_says_what_it_means(game: str) -> None:
    """An editor shows it beside the key."""
    found = [
        place
        for made in (encounter_schema, bestiary_schema)
        for place, key in _properties(made(registry.find(game)), "")
        if not key.get("description")
    ]

    assert found == []


def _properties(held: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every key of a schema, with its own schema."""
    if isinstance(held, list):
        for each in held:
            yield from _properties(each, place)
    elif isinstance(held, dict):
        for name, below in held.items():
            if name == "properties" and isinstance(below, dict) and "if" not in place:
                for key, own in below.items():
                    if "const" not in own:
                        yield f"{place}.{key}", own
            if name not in ("examples", "default", "enum"):
                yield from _properties(below, f"{place}.{name}")


# A sound stat block of each game whose lists and blocks can be given any word besides.
WHOLE: dict[str, dict[str, Any]] = table(__file__, "whole")


@pytest.mark.parametrize("game", GAMES)
def test_every_key_the_reader_takes_is_in_the_schema(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each word of the reader's code is tried as a key; in a stat block, and in all it holds."""
    monkeypatch.setattr(problems, "_nearest", lambda word, candidates: None)  # hints take most of the time
    made = bestiary_schema(registry.find(game))
    missing = []
    for struct, kind in {struct: kind for kind, struct in registry.find(game).schema.blocks}.items():
        names = {name for name in WHOLE[game] if name in getattr(struct, "__struct_encode_fields__", ())}
        whole = {"name": "x", "kind": kind, **{name: WHOLE[game][name] for name in names}}
        missing += [f"{kind}{path}" for path in _taken(game, made, f"{kind}_block", whole)]

    assert missing == []


def _taken(game: str, made: dict[str, Any], block: str, whole: dict[str, Any]) -> list[str]:
    """Return the words the reader takes at a place where the schema has none."""
    tried, asked = _with_words(made, {"$ref": f"#/definitions/{block}"}, whole, _words_of(game), "[0]")
    (entry,) = entries_in(parse(json.dumps([tried]).encode(), "page.yaml"))
    said = [problem.render() for problem in member_of(registry.find(game), BlockSource(entry, {}), "gm")[1]]
    assert said
    unknown = {text.split(": ")[1] for text in said if "known" in text}
    return [path for path in asked if path not in unknown]


def _with_words(
    made: dict[str, Any], schema: dict[str, Any], value: Any, words: tuple[str, ...], path: str
) -> tuple[Any, list[str]]:
    """Return a value with words its schema lacks in each block, and where those are."""
    if isinstance(value, list):
        inner = [_with_words(made, schema, part, words, f"{path}[{at}]") for at, part in enumerate(value)]
        return [part for part, _ in inner], [place for _, places in inner for place in places]
    if not isinstance(value, dict):
        return value, []
    known = _keys_of(made, schema)
    asked = [f"{path}.{word}" for word in words if word not in known]
    changed = {word: 1 for word in words if word not in known}
    for name, part in value.items():
        changed[name], more = _with_words(made, known.get(name, {}), part, words, f"{path}.{name}")
        asked += more
    return changed, asked


def _keys_of(made: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of a schema, of all its alternatives and entries."""
    found: dict[str, Any] = {"type": {}, "kind": {}}  # the tag of a Struct is its own word
    pending = [schema]
    while pending:
        each = pending.pop()
        if "$ref" in each:
            pending.append(made["definitions"][each["$ref"].rpartition("/")[2]])
            continue
        found = {word: {} for word in _spelled(each.get("patternProperties", {}))} | each.get("properties", {}) | found
        items = each.get("items", [])
        pending += [*each.get("anyOf", ()), *each.get("allOf", ()), *(items if isinstance(items, list) else [items])]
    return found


@cache
def _words_of(game: str) -> tuple[str, ...]:
    """Return the words in the code that reads a game's files."""
    paths = sorted((ROOT / "rulesets" / game / "stat_blocks").rglob("*.py"))
    paths += [ROOT / "rulesets" / "without_number" / "stat_blocks.py"] if game in ("sovereign", GAMES[-1]) else []
    trees = [ast.parse(path.read_text("utf-8")) for path in paths]
    found = {node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return tuple(sorted({word for word in found if isinstance(word, str) and word.isidentifier() and word.islower()}))


def _spelled(patterns: dict[str, Any]) -> set[str]:
    return {"".join(re.findall(r"\[.(.)\]", pattern)) for pattern in patterns}


MISTAKES: dict[str, Any] = table(__file__, "mistakes", tuples=True)


@for_each("mistake", MISTAKES)
def test_the_ten_mistakes_of_the_page_are_found(mistake: str) -> None:
    """Those of `docs/yaml.md`, in the schema of their file and in that of the game."""
    text, kind = MISTAKES[mistake]
    game = "worlds_without_number"

    assert wrong(judge(game, kind), f"ruleset: {game}\n{text}") != []
    assert wrong(judge(game), f"ruleset: {game}\n{text}") != []
    assert f"| {mistake} |" in (ROOT / "docs" / "yaml.md").read_text("utf-8")


def test_a_schema_is_one() -> None:
    """By the schema of schemas."""
    for game in GAMES:
        jsonschema_rs.meta.validate(game_schema(registry.find(game)))
    jsonschema_rs.meta.validate(script_schema())
    jsonschema_rs.meta.validate(keymap_schema())
