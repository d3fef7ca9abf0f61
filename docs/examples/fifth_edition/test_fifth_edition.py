"""The worked example: its vectors, its fights, and its fights played at random, as any home-made game is tested."""

import ast
from pathlib import Path

import yaml

from fifth_edition import RULESET
from tracker.testing import suite

HERE = Path(__file__).parent
TestFifthEdition = suite(RULESET, vectors=HERE / "vectors.yaml", encounters=HERE / "fights")


def test_it_is_written_against_the_kit_alone_and_small() -> None:
    """An author who copies it needs the kit, and what files and importers are written with."""
    files = sorted((HERE / "fifth_edition").glob("*.py"))
    imported = {
        node.module or ""
        for path in files
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
    }

    others = {name for name in imported if name.startswith("tracker.") and not name.startswith("tracker.kit")}
    assert others <= {"tracker.core.game.file_syntax", "tracker.core.game.foreign"}
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= 1500


def test_it_has_eight_characters_twenty_creatures_and_three_fights() -> None:
    """Their blocks load, each fight opens."""
    documents = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in (HERE / "fights").glob("*.yaml")}

    assert (len(documents["party"]["characters"]), len(documents["bestiary"]["monsters"])) == (8, 20)
    assert sorted(documents) == ["bestiary", "cinder", "crypt", "first_fight", "party"]


def test_the_attribution_is_in_the_package() -> None:
    assert "System Reference Document 5.1" in (HERE / "NOTICE").read_text("utf-8")
