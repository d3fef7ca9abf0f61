"""A copy of the tree: no fault is ever put into the tree itself."""

from __future__ import annotations

import compileall
import os
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = ("tracker", "rulesets", "tests")
PATHS = (
    *CODE,
    "encounters",
    "docs",
    ".ci",
    "pyproject.toml",
    "Makefile",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "NOTICE",
    ".gitignore",
)
"""What the tests read."""
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info")
GAMES = (Path("tests", "three_actions"), Path("docs", "examples", "fifth_edition"))
"""The games that are packages of their own."""


def make_copy(folder: Path) -> Path:
    """Copy the tree into a folder, with its byte code."""
    for name in PATHS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=LEFT_OUT)
        elif source.exists():
            shutil.copy2(source, folder / name)
    for name in CODE:
        compileall.compile_dir(folder / name, quiet=2)
    return folder


def environment_of(folder: Path) -> dict[str, str]:
    """Return the environment in which Python imports the copy, in programs that tests start too."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TEXTUAL_")}
    for name in ("PYTHONDONTWRITEBYTECODE", "HYPOTHESIS_PROFILE", "PYTEST_ADDOPTS"):
        environment.pop(name, None)
    return environment | {"PYTHONPATH": os.pathsep.join(map(str, (folder, *(folder / game for game in GAMES))))}
