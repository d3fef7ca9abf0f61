"""Every promise of `docs/reliability.md` names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = [
    line
    for line in (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| \d+ \|", line)
]


def test_all_promises_are_listed() -> None:
    """The list is whole."""
    assert [int(line.split("|")[1]) for line in TABLE] == list(range(1, 30))


@pytest.mark.parametrize("line", TABLE, ids=[line.split("|")[1].strip() for line in TABLE])
def test_a_promise_names_its_tests(line: str) -> None:
    """Each named file is there and holds the test."""
    named = re.findall(r"`(tests/[\w/.]+?\.py)(?:::(\w+))?`", line)
    assert named
    for file, test in named:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert f"def {test or 'test_'}" in text, f"{file}::{test}"


LONG = [
    file
    for folder in (".", "kills", "long_runs")
    for file in sorted((ROOT / "tests" / "faults" / folder).glob("test_*.py"))
    if "\n@pytest.mark.long" in file.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("file", LONG, ids=[file.stem for file in LONG])
def test_the_counts_of_the_long_runs_are_told(file: Path) -> None:
    """Each harness that can run longer has a line of its own."""
    lines = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8").splitlines()

    (told,) = (line for line in lines if f"`pytest -m long {file.relative_to(ROOT).as_posix()}`" in line)

    for name, count in re.findall(r'environ\.get\("(TRACKER_\w+)", "(\d+)"\)', file.read_text(encoding="utf-8")):
        assert f"`{name}`" in told
        assert f"{int(count):,} " in told
