"""The test-suite a ruleset gets in one line. Here that of the worked example, and what it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import example_ruleset
from tests.testing.slippery import RULES
from tracker.testing import suite, untested

FOLDER = Path(example_ruleset.__file__).parent

TestExample = suite(
    example_ruleset.RULESET,
    vectors=FOLDER / "example_vectors.yaml",
    encounters=FOLDER / "example_encounter.yaml",
    complete=False,
)


def test_a_suite_has_a_test_of_each_kind() -> None:
    """Vectors and encounters each bring their tests."""
    tests = sorted(name for name in dir(TestExample) if name.startswith("test_"))

    assert tests == [
        "test_encounter_is_sound",
        "test_every_rule_has_a_vector",
        "test_fight_has_no_problem",
        "test_fight_keeps_the_promises_of_core",
        "test_vector",
        "test_vectors_have_names_of_their_own",
        "test_vectors_name_existing_rules",
    ]


def test_a_rule_without_a_vector_fails() -> None:
    """A rule the program applies needs a vector, where that is asked for."""
    asked = suite(example_ruleset.RULESET, vectors=FOLDER / "example_vectors.yaml")

    with pytest.raises(AssertionError):
        asked().test_every_rule_has_a_vector()


def test_untested_rules_come_in_the_order_of_the_book() -> None:
    """Only rules of kind auto, ask or option count."""
    assert untested(RULES, {f"D-{number}" for number in range(1, 8)}) == ["D-8", "D-9"]
