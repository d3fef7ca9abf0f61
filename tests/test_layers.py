"""The border of core, seen at run time."""

import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import rulesets
import tracker.core

FOLDER = Path(tracker.__path__[0])
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
# Each module is imported as if it were the first of core: the others are forgotten before it.
SCRIPT = """
import importlib, sys
for line in sys.stdin.read().splitlines():
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tracker", "rulesets")]:
        del sys.modules[name]
    for name in line.split():
        importlib.import_module(name)
    print(*sys.modules)
"""


def modules_below(package: str, paths: list[str]) -> list[str]:
    return [package, *(module.name for module in pkgutil.walk_packages(paths, f"{package}."))]


def loaded_by(*lines: str) -> list[set[str]]:
    """Import modules in a fresh interpreter, one line after the other.

    Return the top-level names that it has loaded by the end of each.
    """
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], input="\n".join(lines), capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stderr
    return [{name.partition(".")[0] for name in line.split()} for line in run.stdout.splitlines()]


def test_core_modules_stand_alone() -> None:
    """Each module of core can be imported first, and brings nothing forbidden along."""
    names = modules_below("tracker.core", list(tracker.core.__path__))

    found = {name: sorted(loaded & set(FORBIDDEN)) for name, loaded in zip(names, loaded_by(*names), strict=True)}
    assert {name: brought for name, brought in found.items() if brought} == {}


def test_rulesets_stand_on_core() -> None:
    """All rulesets together bring along nothing that core may not."""
    [loaded] = loaded_by(" ".join(modules_below("rulesets", list(rulesets.__path__))))

    assert sorted(loaded & set(FORBIDDEN)) == []


def test_a_forbidden_module_would_be_seen() -> None:
    """A module that needs SQLite in a roundabout way is found out."""
    [loaded] = loaded_by("sqlite3.dump")

    assert "sqlite3" in loaded


def test_msgspec_collects_the_fields_of_types_in_one_place() -> None:
    """Where a type is inspected or decoded without it, two threads may collect its fields at once, and crash."""
    calls = re.compile(r"\.type_info\(|\.decode\([^\n]*\btype=|\bmsgspec\.convert\(")
    found = {
        path.relative_to(FOLDER).as_posix()
        for path in (FOLDER).rglob("*.py")
        if calls.search(path.read_text(encoding="utf-8"))
    }

    assert found == {
        "core/terms/values.py",
        "library/validation/convert.py",  # of a type that `type_info` has described
        "library/validation/issues.py",
        "session/store/queries.py",  # behind `build_type`
    }
