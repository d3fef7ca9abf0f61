"""The border of core, seen at run time.

What importing it brings along, through whatever detour.

The import-linter contracts in `pyproject.toml` read the source; they do not see what an imported library imports.
Neither msgspec nor the parts of the standard library that core uses load any of these modules, so no exception is
needed. `time` is not in the list: the interpreter itself loads it before the first line runs.
"""

import pkgutil
import subprocess
import sys

import pytest

import rulesets
import tracker.core

FORBIDDEN = (
    "asyncio",
    "platformdirs",
    "random",
    "rich",
    "secrets",
    "socket",
    "sqlite3",
    "subprocess",
    "textual",
    "yaml",
)
SCRIPT = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]; print(*sys.modules)"


def modules_below(package: str, paths: list[str]) -> list[str]:
    return [package, *(module.name for module in pkgutil.walk_packages(paths, f"{package}."))]


def loaded_by(*names: str) -> set[str]:
    """Import modules in a fresh interpreter, and return the top-level names it has loaded."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, *names], capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 0, run.stderr
    return {name.partition(".")[0] for name in run.stdout.split()}


@pytest.mark.parametrize("name", modules_below("tracker.core", list(tracker.core.__path__)))
def test_core_module_stands_alone(name: str) -> None:
    """Each module of core can be imported first, and brings nothing forbidden along."""
    loaded = loaded_by(name)

    assert sorted(loaded & set(FORBIDDEN)) == []


def test_rulesets_stand_on_core() -> None:
    """All rulesets together bring along nothing that core may not."""
    loaded = loaded_by(*modules_below("rulesets", list(rulesets.__path__)))

    assert sorted(loaded & set(FORBIDDEN)) == []


def test_a_forbidden_module_would_be_seen() -> None:
    """A module that needs SQLite in a roundabout way is found out."""
    loaded = loaded_by("sqlite3.dump")

    assert "sqlite3" in loaded
