"""The game of three actions, installed and tested like any home-made one."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from tracker.cli.main import main
from tracker.session.rulesets import registry
from tracker.testing import suite

HERE = Path(__file__).parent
PACKAGE = HERE / "three_actions"
RULESET = registry.find("three_actions")

TestThreeActions = suite(RULESET, vectors=HERE / "vectors.yaml", encounters=HERE / "bridge.yaml")


def test_it_is_found_by_its_entry_point() -> None:
    """The package is installed beside the program, which knows it by its key."""
    assert "three_actions" in registry.rulesets()


def test_it_is_written_against_the_kit_and_core_alone() -> None:
    """No module of the game imports anything else of the program."""
    imported = {
        name
        for path in PACKAGE.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom | ast.Import)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }

    assert sorted(name for name in imported if name.startswith("tracker")) == ["tracker.kit"]


def test_it_is_small() -> None:
    """A whole game with initiative, reactions, dying and spells takes some six hundred lines."""
    assert sum(len(path.read_text("utf-8").splitlines()) for path in PACKAGE.glob("*.py")) <= 600


def test_a_script_plays_it(capsys: pytest.CaptureFixture[str]) -> None:
    """`tracker run` plays a delay, a readied strike, a ward, fear, and a second die."""
    status = main(["run", str(HERE / "bridge.yaml"), "--script", str(HERE / "script.yaml")])

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (status, len(lines), lines[-1]["state"]["clock"]["slot"]) == (0, 26, "r2/asta")
