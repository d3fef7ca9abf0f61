"""Every applied, asked or offered rule is held by a test.

By a vector, a printed format or a test of what it is about.
"""

from __future__ import annotations

import re
from pathlib import Path

from rulesets.githack import RULESET
from tracker.testing.vectors import VectorFile

HELD = ("auto", "ask", "option")
FOLDER = Path(__file__).parent
BOOK = VectorFile(RULESET, *sorted((FOLDER / "vectors").glob("*.yaml")))


def elsewhere() -> set[str]:
    """Return the rules named by the docstrings of the tests here, ranges written out."""
    found: set[str] = set()
    for path in FOLDER.glob("test_*.py"):
        for text in re.findall(r'^    """(.*?)"""', path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            for first, last in re.findall(r"GH-(\d{3})(?: to GH-(\d{3}))?", text):
                found |= {f"GH-{number:03}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_every_held_rule_is_tested() -> None:
    """Given the rulebook, no rule of kind auto, ask or option is without a test."""
    held = [rule.id for rule in RULESET.rulebook.rules if rule.kind in HELD]

    missing = [rule for rule in held if rule not in BOOK.rules() | elsewhere()]

    assert len(held) == 140
    assert not missing, f"{len(missing)} rules without a test: {', '.join(missing)}"


def test_vectors_name_existing_rules() -> None:
    """Given the vectors, each rule they name is in the rulebook."""
    unknown = sorted(rule for rule in BOOK.rules() if RULESET.rulebook.find(rule) is None)

    assert unknown == []


def test_vectors_have_names_of_their_own() -> None:
    """Given the vectors, no two have the same id, so that a failure names one."""
    names = [vector["id"] for vector in BOOK.vectors]

    assert len(names) == len(set(names))


def test_events_cite_existing_rules() -> None:
    """Given all vectors played, every rule an event cites is in the rulebook."""
    cited = {rule for vector in BOOK.vectors for rule in BOOK.play({**vector, "expect": {}}).cited if rule}

    assert sorted(rule for rule in cited if RULESET.rulebook.find(rule) is None) == []
