"""Imports: no module imports another one that imports it, and rulesets emit only the events that are theirs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from tracker.core.fight.events import CoreEvent, RulesetEvent
from tracker.core.terms.actions import FieldKind

ROOT = Path(__file__).parents[1]
FOLDERS = ("tracker", "rulesets")


def modules() -> dict[str, Path]:
    """Return every module of the program and the games by its dotted name."""
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def imported(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """Yield the modules that a module imports, those for types only and those inside functions included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in known else node.module for name in names if node.module in known)


def circles(graph: dict[str, set[str]]) -> list[tuple[str, ...]]:
    """Return the groups of modules each of which reaches all others of its group."""
    return sorted(
        {
            tuple(sorted(other for other in reached if name in reach(other, graph)))
            for name in graph
            if name in (reached := reach(name, graph))
        }
    )


def reach(name: str, graph: dict[str, set[str]]) -> set[str]:
    """Return the modules that a module imports, directly or by others."""
    found: set[str] = set()
    open_ends = [name]
    while open_ends:
        new = graph[open_ends.pop()] - found
        found |= new
        open_ends += new
    return found


def test_a_circle_is_found() -> None:
    """Modules that reach themselves are a circle, those that only lead there are none."""
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"d"}}) == [("b", "c"), ("d",)]


def test_no_imports_form_a_circle() -> None:
    """No module imports itself by others, not even for types only or when a function is called."""
    known = modules()

    assert circles({name: set(imported(path, known)) for name, path in known.items()}) == []


@pytest.mark.parametrize("folder", ["rulesets", "tracker/kit"])
def test_rulesets_emit_only_events_of_their_own(folder: str) -> None:
    """What is emitted outside core is a `RulesetEvent`, so the other events need not be known to an author."""
    emitted = {
        node.args[0].func.id
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit"
        if node.args and isinstance(node.args[0], ast.Call) and isinstance(node.args[0].func, ast.Name)
    }

    assert emitted & {kind.__name__ for kind in get_args(CoreEvent)} == set()
    assert emitted & {kind.__name__ for kind in get_args(RulesetEvent)} != set()


@pytest.mark.parametrize("folder", ["rulesets", "tracker/kit"])
def test_rulesets_ask_only_by_kinds_of_field_of_their_own(folder: str) -> None:
    """No form outside core has a field for stat blocks, so an author need not know that kind."""
    asked = {
        node.args[1].value
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Field"
        if len(node.args) > 1 and isinstance(node.args[1], ast.Constant)
    }

    assert asked
    assert asked <= set(get_args(FieldKind))


WITHOUT_TERMINALS = """
import importlib, sys
for name in ("termios", "tty", "pty", "resource"):
    sys.modules[name] = None
for name in sys.stdin.read().split():
    importlib.import_module(name)
"""
"""Imports modules as on Windows, which has none of these."""


def test_the_program_can_be_imported_where_there_are_no_terminals_of_posix() -> None:
    """Every module but the driver for them."""
    names = [name for name in modules() if name not in ("tracker.__main__", "tracker.ui.platform.posix_driver")]

    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_TERMINALS], input="\n".join(names), capture_output=True, text=True, timeout=300
    )

    assert (ran.returncode, ran.stderr) == (0, "")
