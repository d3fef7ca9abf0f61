"""The worked examples and the rules of Worlds Without Number, played as vectors."""

from __future__ import annotations

from pathlib import Path

from rulesets.worlds_without_number import RULESET
from tracker.testing import suite
from tracker.testing.vectors import HELD, VectorFile

FOLDER = Path(__file__).parent / "vectors"
BOOK = VectorFile(RULESET, *sorted(FOLDER.glob("*.yaml")))

TestWorldsWithoutNumber = suite(RULESET, vectors=FOLDER)


def test_the_held_rules_are_many() -> None:
    """Given the rulebook, the rules that need a vector are all there."""
    held = [rule for rule in RULESET.rulebook.rules if rule.kind in HELD]

    assert len(held) > 190


def test_every_worked_example_is_a_vector() -> None:
    """Given the 76 worked examples of the rules, each is played, some in several parts."""
    played = {str(vector["id"]).partition("-")[0] for vector in BOOK.vectors}

    assert {f"E{number:02}" for number in range(1, 77)} <= played
