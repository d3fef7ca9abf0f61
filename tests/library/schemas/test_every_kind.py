"""The schemas of whole files: all the reader takes, with a meaning for every key."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.test_games import EXAMPLES, _completed
from tests.library.schemas.judging import judge, schema_of, wrong
from tests.library.schemas.test_schemas import GAMES, _properties
from tests.support.tables import for_each
from tracker.cli.commands.files import GAME_FILES, OTHER_FILES
from tracker.core.terms.errors import BadData
from tracker.library.content import encounters, library
from tracker.library.content.effect_presets import read_presets
from tracker.library.yaml import problems
from tracker.library.yaml.tree import parse
from tracker.script.reader import entries_of
from tracker.session.rulesets import registry

ROOT = Path(__file__).resolve().parents[3]
GAME = "worlds_without_number"
CODE = ("tracker/library/content", "tracker/script", "tracker/core/terms/encounter.py")


def test_effects_keys_and_the_first_fight_of_the_docs_are_right() -> None:
    """The schema of effects knows the numbers of every game."""
    blocks = [block for _, game, block in EXAMPLES if _completed(game, block) is None]

    assert len(blocks) > 1
    assert [said for block in blocks for said in wrong(judge("", "effects"), block)] == []
    (keymap,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "keys.md").read_text("utf-8"), re.DOTALL)
    (fight,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert (wrong(judge("", "keys"), keymap), wrong(judge(GAME, "encounter"), fight)) == ([], [])
    for slip in ("nmae: x", "game: chess", "modifiers: {attack: much}", f"game: {GAME}, modifiers: {{atack: 1}}"):
        assert wrong(judge("", "effects"), f"- {{name: blessed, {slip}}}") != [], slip


VECTORS = "vectors: [{id: a, given: {sides: {party: [ansa]}}, do: [next, {do: shoot, dice: [3]}]}]"
SLIPS = {"given": "gven", "sides": "side", "next": "nxt", "rules: [WN-001]": "rules: [WN-0001]"}


def test_vectors_of_the_rules_are_right() -> None:
    """A long run looks at those of every game; an author's slip is found."""
    assert strange_vectors("spelljammer") == []
    sound = VECTORS.replace("id: a", "id: a, rules: [WN-001]")
    assert wrong(judge(GAME, "vectors"), sound) == []
    for word, slip in SLIPS.items():
        assert wrong(judge(GAME, "vectors"), sound.replace(word, slip, 1)) != [], slip


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_all_vectors_are_right(game: str) -> None:
    assert strange_vectors(game) == []


def strange_vectors(game: str) -> list[str]:
    """Return what the schema says of a game's vectors."""
    judged = judge(game, "vectors")
    files = sorted((ROOT / "tests" / "rules" / game).rglob("vectors/*.yaml"))
    assert files
    return [
        f"{path.name} {list(error.instance_path)}: {error.message[:200]}"
        for path in files
        for error in judged.iter_errors(yaml.load(path.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    ]


@for_each("kind", [*GAME_FILES, *OTHER_FILES])
def test_every_key_of_every_kind_says_what_it_means(kind: str) -> None:
    """An editor shows it beside the key."""
    made = schema_of(kind, GAME)

    listed = [(place, list(alternatives(made, key))) for place, key in _properties(made, "")]

    assert len(listed) > 4
    assert [place for place, whole in listed if not any("description" in part for part in whole)] == []


# A sound file of each kind, and where each of its blocks stands.
PEOPLE = [{"name": "Ansa", "hp": 9, "hd": 1}]
WHOLE: dict[str, tuple[Any, tuple[tuple[str | int, ...], ...]]] = {
    "encounter": (
        {
            "ruleset": GAME,
            "sides": [{"name": "Party", "members": PEOPLE}],
            "waves": [{"side": "Party", "members": PEOPLE}],
            "reminders": [{"text": "Rain"}],
            "screen": {"map": False},
        },
        ((), ("sides", 0), ("waves", 0), ("reminders", 0), ("screen",)),
    ),
    "campaign": ({"ruleset": GAME, "screen": {"map": False}}, ((), ("screen",))),
    "effects": ([{"name": "blessed"}], ((0,),)),
    "script": (
        [
            {"start": {"answers": [1]}},
            {"advance": {"until": {"round": 2}}},
            {"override": {"key": "a", "value": 1}},
            {"amend": {"step": 1, "key": "a", "answer": 1}},
            {"branch": {"name": "a"}},
            {"expect": {"log": "a"}},
        ],
        (
            *((0, "start"), (1, "advance"), (1, "advance", "until"), (2, "override"), (3, "amend"), (4, "branch")),
            (5, "expect"),
        ),
    ),
}


@pytest.mark.parametrize("kind", WHOLE)
def test_schema_and_reader_know_the_same_keys(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each word of the readers' code and of the schema is tried in each block."""
    monkeypatch.setattr(problems, "_nearest", lambda word, candidates: None)  # hints take most of the time
    for module in (problems, encounters):
        monkeypatch.setattr(module, "MOST_PROBLEMS", 10_000)
    whole, places = WHOLE[kind]
    made = schema_of(kind, GAME)
    assert wrong(judge(GAME, kind), json.dumps(whole)) == []

    for place in places:
        shown = set(keys_at(made, place))
        tried = sorted({*words(), *shown} - set(at(whole, place)))
        files = [with_keys(whole, place, tried)]
        if kind == "script":  # of an entry only its first mistake is said
            files = [[at(with_keys(whole, place, [word]), place[:1]) for word in tried]]
        strange = {path for file in files for path in unknown(kind, file, tmp_path)}
        taken = {word for word in tried if word not in {path.rpartition(".")[2] for path in strange}}
        assert taken | set(at(whole, place)) == shown, place


def test_schema_and_reader_know_the_same_entries(tmp_path: Path) -> None:
    """Each word of the code is tried as an entry, and beside another."""
    made = OTHER_FILES["script"]()
    shown = set(keys_at(made, (0,)))

    others = [word for word in words() if word != "group"]
    beside = unknown("script", [{"group": [{"do": "pass"}], word: True} for word in others], tmp_path)
    alone = unknown("script", [{word: {}} for word in words()], tmp_path)
    refused = unknown("script", [{"refused": {"do": "pass"}, word: True} for word in words()], tmp_path)

    none = set.intersection(*({path.rpartition(".")[2] for path in tried} for tried in (beside, alone, refused)))
    assert {*words()} - none == shown | {"do"}


def unknown(kind: str, whole: Any, folder: Path) -> list[str]:
    """Return the paths of the keys a reader does not know."""
    name = "campaign.yaml" if kind == "campaign" else "file.yaml"
    (folder / name).write_text(json.dumps(whole), encoding="utf-8")
    found: Iterable[Any] = ()
    if kind == "encounter":
        found = encounters.load_encounter(folder / name, registry.find).problems
    elif kind == "campaign":
        read = library.campaign_of(folder)
        found = () if read is None else read.problems
    elif kind == "effects":
        found = read_presets(folder / name, registry.find(GAME))[1]
    else:
        try:
            entries_of(parse(json.dumps(whole).encode(), name))
        except BadData as error:
            found = error.problems
    texts = [problem.render() for problem in found]
    return [text.split(": ")[1] for text in texts if "known" in text or "is no entry" in text or "cannot be" in text]


def keys_at(made: dict[str, Any], place: tuple[str | int, ...]) -> dict[str, Any]:
    """Return the keys a schema has for the block at a place."""
    found: list[dict[str, Any]] = [made]
    for part in place:
        whole = [each for schema in found for each in alternatives(made, schema)]
        if isinstance(part, int):
            found = [each["items"] for each in whole if "items" in each]
        else:
            found = [each["properties"][part] for each in whole if part in each.get("properties", {})]
    parts = [each for schema in found for each in alternatives(made, schema)]
    return {key: held for each in parts for key, held in each.get("properties", {}).items()}


def alternatives(made: dict[str, Any], schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a schema and all that it is made of."""
    if "$ref" in schema:
        yield from alternatives(made, made["definitions"][schema["$ref"].rpartition("/")[2]])
        return
    yield schema
    for each in (*schema.get("anyOf", ()), *schema.get("allOf", ()), schema.get("else", {})):
        if each:
            yield from alternatives(made, each)


def at(whole: Any, place: tuple[str | int, ...]) -> Any:
    for part in place:
        whole = whole[part]
    return whole


def with_keys(whole: Any, place: tuple[str | int, ...], added: list[str]) -> Any:
    """Return a copy of a file with more keys in the block at a place."""
    copy = json.loads(json.dumps(whole))
    at(copy, place).update(dict.fromkeys(added, 1))
    return copy


@cache
def words() -> tuple[str, ...]:
    """Return the words in the code that reads files."""
    paths = [path for place in CODE for path in (sorted((ROOT / place).rglob("*.py")) or [ROOT / place])]
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    found = {node.value for node in nodes if isinstance(node, ast.Constant)}
    found |= {node.target.id for node in nodes if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    return tuple(sorted({word for word in found if isinstance(word, str) and word.isidentifier() and word.islower()}))
