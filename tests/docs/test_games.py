"""The games' pages and the Structs say the same, and what the pages show loads."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from msgspec import Struct

from tests.docs.reference import (
    FOLDER,
    GENERAL,
    Row,
    Table,
    page_of,
    tables_in,
    tables_of,
    told,
    updated,
    updated_general,
)
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.values import Data
from tracker.library.content.effect_presets import read_presets
from tracker.library.content.encounters import is_encounter
from tracker.library.content.lint import lint_file
from tracker.library.yaml.problems import Problem
from tracker.library.yaml.tree import parse
from tracker.script.reader import KINDS, entries_of
from tracker.session.rulesets import registry

ROOT = FOLDER.parents[1]
GAMES = [registry.find(path.name) for path in sorted((ROOT / "rulesets").iterdir()) if (path / "ruleset.py").exists()]
PAGES = [game for game in GAMES if game is not None]
IDS = [game.key for game in PAGES]
_YAML = re.compile(r"```yaml\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("game", PAGES, ids=IDS)
def test_a_page_has_every_table_as_the_structs_have_it(game: Ruleset) -> None:
    """Every field, switch and key stands in the page, with values and default.

    `python -m tests.docs.update` writes the tables anew.
    """
    page = page_of(game).read_text(encoding="utf-8")

    assert set(tables_in(page)) == {table.name for table in tables_of(game.schema)} | set(told(game.schema))
    assert updated(page, game) == page


@pytest.mark.parametrize("game", PAGES, ids=IDS)
def test_every_row_says_what_it_means(game: Ruleset) -> None:
    """The meaning of a field comes from the game's table of what may be typed."""
    tables = tables_in(page_of(game).read_text(encoding="utf-8"))

    assert tables
    assert [f"{name}.{key}" for name, rows in tables.items() for key, meaning in rows.items() if not meaning] == []


def test_the_general_page_has_the_keys_of_files_as_their_structs_have_them() -> None:
    """`python -m tests.docs.update` writes the tables anew."""
    page = (ROOT / "docs" / "yaml.md").read_text(encoding="utf-8")

    assert set(re.findall(r"<!-- table: (.+?) -->", page)) == set(GENERAL)
    assert updated_general(page) == page


def examples() -> list[tuple[str, str, str]]:
    """Return every YAML block of the pages, with page and game."""
    found = []
    for game in PAGES:
        page = page_of(game)
        found += [(page.name, game.key, block) for block in _YAML.findall(page.read_text(encoding="utf-8"))]
    general = (ROOT / "docs" / "yaml.md").read_text(encoding="utf-8")
    return found + [("yaml.md", "worlds_without_number", block) for block in _YAML.findall(general)]


EXAMPLES = examples()


@pytest.mark.parametrize(
    ("game", "block"),
    [pytest.param(game, block, id=f"{page}-{number}") for number, (page, game, block) in enumerate(EXAMPLES)],
)
def test_every_example_loads(game: str, block: str, tmp_path: Path) -> None:
    """What a page shows can be typed as it stands, beside the game's own files."""
    assert problems_of(game, block, tmp_path) == []


def test_every_effect_of_a_page_is_read(tmp_path: Path) -> None:
    """A list of effects can be put into the file of one's own."""
    blocks = [(game, block) for _, game, block in EXAMPLES if _completed(game, block) is None and "game:" in block]
    file = tmp_path / "effects.yaml"
    for game, block in blocks:
        file.write_text(block, encoding="utf-8")
        found = registry.find(game)
        assert found is not None
        assert read_presets(file, found)[1] == ()

    assert len(blocks) > 1


def problems_of(game: str, block: str, folder: Path) -> list[str]:
    """Return what is wrong with an example, as `tracker check` says it."""
    for path in (ROOT / "encounters" / game).glob("*.yaml"):
        shutil.copy(path, folder)
    text = _completed(game, block)
    if text is None:
        return []
    is_campaign = "carry:" in text
    file = folder / ("campaign.yaml" if is_campaign else "example.yaml")
    (folder / "bestiaries").mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    tree = parse(text.encode(), file.name)
    if isinstance(tree.value, list) and any(
        isinstance(part, dict) and next(iter(part), "") in KINDS for part in tree.value
    ):
        entries_of(tree)
        return []
    found: tuple[Problem, ...] = lint_file(file, registry.find, (), registry.rulesets())
    return [problem.render() for problem in found if not problem.is_warning]


def _completed(game: str, block: str) -> str | None:
    """Return an example with what an encounter or a bestiary needs around it.

    None for a file of effects, which has a test of its own.
    """
    value = parse(block.encode(), "example.yaml").value
    head = f"ruleset: {game}\n"
    if isinstance(value, list):
        if any(isinstance(part, dict) and next(iter(part), "") in KINDS for part in value):
            return block
        if any(isinstance(part, dict) and {"modifiers", "duration"} & set(part) for part in value):
            return None
        return head + "monsters:\n" + "".join(f"  {line}\n" for line in block.splitlines())
    if isinstance(value, dict) and "ruleset" not in value:
        if is_encounter(value) or "characters" in value or "monsters" in value:
            return head + block
        return head + "sides: [{name: Party, control: players, members: party.yaml}]\n" + block
    return block


def test_the_index_lists_every_page() -> None:
    """`docs/games/README.md` leads to each game, and every link leads to a page."""
    links = re.findall(r"\]\(([a-z_]+\.md)\)", (FOLDER / "README.md").read_text(encoding="utf-8"))

    assert sorted(links) == sorted(path.name for path in FOLDER.glob("*.md") if path.name != "README.md")


class Claw(Struct, frozen=True):
    """A block in a block."""

    name: str
    reach: int = 1


class Beast(Struct, Data, frozen=True, tag=True):
    """A stat block."""

    name: str
    claws: tuple[Claw, ...] = ()
    swims: bool = False


def test_meanings_stay_while_fields_come_and_go() -> None:
    """A new field gets a row without a meaning, a gone one loses its row."""
    table = Table("beast", "Field", (Row("name", "text", "required"), Row("swims", "`true`, `false`", "`false`")))
    page = "<!-- table: beast -->\n" + table.text({"swims": "like a fish"}) + "<!-- end -->\n"

    assert tables_in(page) == {"beast": {"name": "", "swims": "like a fish"}}
    shorter = Table("beast", "Field", table.rows[1:]).text(tables_in(page)["beast"])
    assert shorter.endswith("| `swims` | `true`, `false` | `false` | like a fish |\n")
    assert "`name`" not in shorter
