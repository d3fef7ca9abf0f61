"""Every rule the program applies, asks about or offers is held by a vector."""

from __future__ import annotations

from pathlib import Path

from rulesets.sword_world import RULESET
from tracker.testing.vectors import VectorFile

HELD = ("auto", "ask", "option")
BOOK = VectorFile(RULESET, *sorted((Path(__file__).parent / "vectors").glob("*.yaml")))


def test_every_held_rule_has_a_vector() -> None:
    """Given the rulebook, no rule of kind auto, ask or option is without a vector."""
    held = [rule.id for rule in RULESET.rulebook.rules if rule.kind in HELD]
    covered = BOOK.rules()

    missing = [rule for rule in held if rule not in covered]

    assert len(held) == 173
    assert not missing, f"{len(missing)} rules without a vector: {', '.join(missing)}"


def test_vectors_name_existing_rules() -> None:
    """Given the vectors, each rule they name is in the rulebook."""
    unknown = sorted(rule for rule in BOOK.rules() if RULESET.rulebook.find(rule) is None)

    assert unknown == []


def test_vectors_have_names_of_their_own() -> None:
    """Given the vectors, no two have the same id, so that a failure names one."""
    names = [vector["id"] for vector in BOOK.vectors]

    assert len(names) == len(set(names))
