"""Every rule the program applies, asks about or offers is held by a vector."""

from __future__ import annotations

from pathlib import Path

from rulesets.sovereign import RULESET
from tracker.testing.vectors import VectorFile

HELD = ("auto", "ask", "option")
BOOK = VectorFile(RULESET, *sorted((Path(__file__).parent / "vectors").glob("*.yaml")))
NUMBERS = {
    *(f"SV-{number:03}" for number in range(1, 178)),
    *(f"SV-P{number:02}" for number in range(1, 19)),
    *(f"SV-R{number:02}" for number in range(1, 47)),
}


def test_the_held_rules_are_many() -> None:
    """Given the rulebook, the rules that need a vector are all there."""
    held = [rule for rule in RULESET.rulebook.rules if rule.kind in HELD]

    assert len(held) == 180


def test_every_worked_example_is_played() -> None:
    """Given the examples SV-E01 to SV-E61, each has a vector of its name."""
    names = {str(vector["id"]) for vector in BOOK.vectors}

    assert [f"SV-E{number:02}" for number in range(1, 62) if f"SV-E{number:02}" not in names] == []


def test_the_rulebook_is_complete() -> None:
    """The rulebook holds every rule and ruling once, and every switch has a ruling."""
    ids = [rule.id for rule in RULESET.rulebook.rules]
    switches = {rule.switch for rule in RULESET.rulebook.rules if rule.switch}

    assert set(ids) == NUMBERS
    assert len(ids) == len(set(ids))
    assert RULESET.schema.house_rules is not None
    assert switches - {"grid", "friendly"} == set(RULESET.schema.house_rules.__struct_fields__)
