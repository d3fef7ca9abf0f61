"""What docs/scripts.md shows as entries and expectations can be read."""

from __future__ import annotations

import re
from pathlib import Path

from tracker.library.yaml.tree import parse
from tracker.script.reader import EXPECTED, KINDS, entries_of

PAGE = (Path(__file__).parents[2] / "docs" / "scripts.md").read_text(encoding="utf-8")


def test_every_kind_of_entry_is_described() -> None:
    """Each has a row of the table of entries."""
    rows = "\n".join(line for line in PAGE.splitlines() if line.startswith("| "))

    assert [kind for kind in KINDS if f"`{kind}" not in rows] == []


def test_every_expectation_is_described() -> None:
    """Each key of `expect` stands in the table of expectations, or is the game's name."""
    section = PAGE.partition("## Expectations")[2].partition("## Answers")[0]

    assert [key for key in EXPECTED if f"`{key}" not in section and key != "ruleset"] == []


def test_expectations_of_the_table_can_be_read() -> None:
    """The first column is YAML as it stands, inside `expect`."""
    section = PAGE.partition("## Expectations")[2].partition("## Answers")[0]
    shown = re.findall(r"^\| `(\w+: .+?)` \|", section, re.MULTILINE)
    script = "".join(f"- expect: {{{each}}}\n" for each in shown if each.partition(":")[0] in EXPECTED)

    assert len(entries_of(parse(script.encode(), "page.yaml"))) == script.count("\n") > 7
