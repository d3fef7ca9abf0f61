"""The face of the kit: its names are there, documented, and loaded on demand."""

import inspect
from types import FunctionType, ModuleType

import pytest

import tracker.kit

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


@pytest.mark.parametrize("name", tracker.kit.__all__)
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
