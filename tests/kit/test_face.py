"""The faces of the kit and of `tracker.testing`: their names are there, documented, and loaded on demand."""

from __future__ import annotations

import inspect
import subprocess
import sys
from types import FunctionType, ModuleType

import pytest

import tracker.kit
import tracker.testing
from tests.support.tables import for_each

ALIASES = {
    "Answer",
    "Budget",
    "FIGHT",
    "Id",
    "Rank",
    "Request",
    "Shape",
    "Square",
    "TACTICS",
    "Tactics",
    "Until",
    "Value",
}  # names of types and values, which carry no docstring


@for_each("name", tracker.kit.__all__)
def test_public_names_have_a_docstring(name: str) -> None:
    """What is in `__all__` can be had, and says in a line what it is."""
    found = getattr(tracker.kit, name)

    assert name in ALIASES or (inspect.getdoc(found) or "").strip()


def test_functions_of_the_modules_have_a_docstring() -> None:
    """Every public function and class of a module of the kit says what it is."""
    modules = [value for name in tracker.kit.__all__ if isinstance(value := getattr(tracker.kit, name), ModuleType)]

    missing = [
        f"{module.__name__}.{name}"
        for module in modules
        for name, found in vars(module).items()
        if isinstance(found, type | FunctionType)
        and found.__module__ == module.__name__
        and not name.startswith("_")
        and not inspect.getdoc(found)
    ]

    assert (len(modules) >= 2, missing) == (True, [])


WITHOUT = """
import sys
sys.modules["pytest"] = sys.modules["hypothesis"] = None
from tracker.testing import VectorFile, Problem, Table, inspect, untested
from tracker.cli.commands import check_ruleset
print(sorted(name for name in ("textual", "hypothesis.stateful") if name in sys.modules))
"""


@for_each("name", tracker.testing.__all__)
def test_every_name_is_there_and_says_what_it_is(name: str) -> None:
    """Whatever is public can be imported, twice, and has a docstring."""
    first, second = getattr(tracker.testing, name), getattr(tracker.testing, name)

    assert first is second
    assert callable(first)
    assert first.__doc__


def test_nothing_else_is_there() -> None:
    """A name that is not public is an AttributeError."""
    with pytest.raises(AttributeError):
        _ = tracker.testing.nonsense  # type: ignore[attr-defined]  # on purpose


def test_the_inspection_needs_no_test_library() -> None:
    """`tracker check --ruleset` works where neither pytest nor Hypothesis is installed, and loads no interface."""
    run = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False, timeout=60)

    assert (run.returncode, run.stdout.strip()) == (0, "[]"), run.stderr
