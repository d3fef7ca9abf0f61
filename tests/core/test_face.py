"""The face of the core: names, docstrings, and nothing loaded early."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import tracker.core

PLAIN = {
    "ANY",
    "Answer",
    "Answers",
    "Asked",
    "COMMANDS",
    "Edge",
    "Event",
    "FIGHT",
    "FieldKind",
    "Id",
    "MOMENTS",
    "Outcome",
    "Request",
    "Shape",
    "Source",
    "Square",
    "Until",
    "Value",
}  # values and names of types, which carry no docstring of their own


@pytest.mark.parametrize("name", tracker.core.__all__)
def test_public_names_have_a_docstring(name: str) -> None:
    """What is in `__all__` can be had, and says in a line what it is."""
    found = getattr(tracker.core, name)

    said = inspect.getdoc(found) or ""
    generated = said.startswith(f"{name}(")
    assert (name in PLAIN) or (said.strip() and not generated)


def test_all_names_what_can_be_had() -> None:
    """`dir` and `__all__` say the same."""
    assert sorted(tracker.core.__all__) == dir(tracker.core) == sorted(tracker.core._WHERE)


def test_unknown_names_are_attribute_errors() -> None:
    """A name that is not there is refused like any attribute."""
    with pytest.raises(AttributeError, match="has no Sword"):
        tracker.core.Sword  # noqa: B018 - the asking is what is tested


def test_importing_the_core_loads_nothing_of_it() -> None:
    """A module of the core is loaded only for its names."""
    code = "import sys, tracker.core; print([name for name in sys.modules if name.startswith('tracker.')])"

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "['tracker.core']"
