"""The page about the inside names what is there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.tables import for_each

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "inside.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROOTS = ("", "tracker", "tracker/session")
LONGEST, LONGEST_CONTRIBUTING = 150, 40


def paths(text: str) -> list[str]:
    """Return the files and folders that a page names, but for those of any game."""
    named = re.findall(r"`([a-z_]+/[\w./*<>-]+)", text)
    return [path.rstrip("/") for path in dict.fromkeys(named) if "<" not in path and "*" not in path]


@for_each("path", paths(PAGE) + paths(CONTRIBUTING))
def test_what_it_names_is_there(path: str) -> None:
    assert any((ROOT / root / path).exists() for root in ROOTS), path


def test_the_pages_are_short() -> None:
    assert len(PAGE.splitlines()) <= LONGEST
    assert len(CONTRIBUTING.splitlines()) <= LONGEST_CONTRIBUTING


def test_every_folder_of_the_program_is_named() -> None:
    """A folder of `tracker` has its line."""
    folders = {path.name for path in (ROOT / "tracker").iterdir() if path.is_dir() and path.name[0] not in "_."}

    assert [name for name in sorted(folders) if f"tracker/{name}" not in PAGE] == []
