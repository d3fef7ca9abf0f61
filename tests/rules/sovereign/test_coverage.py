"""Every rule the program applies, asks about or offers is held by a vector."""

from __future__ import annotations

from pathlib import Path

from rulesets.sovereign import RULESET
from tracker.testing.vectors import Book

HELD = ("auto", "ask", "option")
BOOK = Book(RULESET, *sorted((Path(__file__).parent / "vectors").glob("*.yaml")))
NUMBERS = {
    *(f"SV-{number:03}" for number in range(1, 178)),
    *(f"SV-P{number:02}" for number in range(1, 19)),
    *(f"SV-R{number:02}" for number in range(1, 47)),
}


def test_every_held_rule_has_a_vector() -> None:
    """Given the rulebook, no rule of kind auto, ask or option is without a vector."""
    held = [rule.id for rule in RULESET.rulebook.rules if rule.kind in HELD]
    covered = BOOK.rules()

    missing = [rule for rule in held if rule not in covered]

    assert len(held) == 180
    assert not missing, f"{len(missing)} rules without a vector: {', '.join(missing)}"


def test_vectors_name_existing_rules() -> None:
    """Given the vectors, each rule they name is in the rulebook."""
    unknown = sorted(rule for rule in BOOK.rules() if RULESET.rulebook.find(rule) is None)

    assert unknown == []


def test_vectors_have_names_of_their_own() -> None:
    """Given the vectors, no two have the same id, so that a failure names one."""
    names = [vector["id"] for vector in BOOK.vectors]

    assert len(names) == len(set(names))


def test_every_worked_example_is_played() -> None:
    """Given the examples SV-E01 to SV-E61, each has a vector of its name."""
    names = {str(vector["id"]) for vector in BOOK.vectors}

    assert [f"SV-E{number:02}" for number in range(1, 62) if f"SV-E{number:02}" not in names] == []


def test_the_rulebook_is_complete() -> None:
    """Given the rulebook, it holds every rule, borrowed fact and ruling once, and every switch belongs to a ruling."""
    ids = [rule.id for rule in RULESET.rulebook.rules]
    switches = {rule.switch for rule in RULESET.rulebook.rules if rule.switch}

    assert set(ids) == NUMBERS
    assert len(ids) == len(set(ids))
    assert switches - {"grid", "friendly"} == set(RULESET.schema.house_rules.__struct_fields__)  # type: ignore[union-attr]  # a Struct
