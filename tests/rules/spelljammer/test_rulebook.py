"""The rulebook has every rule, in order, with words of its own."""

from __future__ import annotations

import pytest

from rulesets.spelljammer import RULESET
from rulesets.spelljammer.stat_blocks.models import HouseRules
from tracker.core.terms.labels import Rule

RULEBOOK = RULESET.rulebook
NO_CODE = (8, 18, 19, 20, 52, 53, 54, 66, 70, 74, 155)


def test_every_rule_is_there_in_order() -> None:
    """SJ-001 to SJ-178, then the rulings A01 to A38."""
    expected = [f"SJ-{number:03}" for number in range(1, 179)] + [f"SJ-A{number:02}" for number in range(1, 39)]

    assert [rule.id for rule in RULEBOOK.rules] == expected


@pytest.mark.parametrize("rule", RULEBOOK.rules, ids=lambda rule: rule.id)
def test_every_rule_says_something(rule: Rule) -> None:
    """A title fits a line, a text has few sentences, a kind fits its id."""
    assert 3 <= len(rule.title) <= 50
    assert 20 <= len(rule.text) <= 300
    assert rule.text.endswith(".")
    assert (rule.kind == "ruling") == rule.id.startswith("SJ-A")


def test_titles_tell_rules_apart() -> None:
    """No two rules have the same title."""
    assert len({rule.title for rule in RULEBOOK.rules}) == len(RULEBOOK.rules)


def test_switches_exist() -> None:
    """Every switch of a ruling is the encounter's, and each has a ruling."""
    named = {switch for rule in RULEBOOK.rules for switch in rule.switch.split(", ") if switch}

    assert named == set(HouseRules.__struct_fields__)


def test_who_applies_a_rule() -> None:
    """What is only advice or another chapter's is told, not applied."""
    assert [rule.id for rule in RULEBOOK.rules if rule.kind == "reference"] == [f"SJ-{number:03}" for number in NO_CODE]
    assert [rule.id for rule in RULEBOOK.rules if rule.kind == "manual"] == ["SJ-168"]


def test_rules_are_found_by_words() -> None:
    """A GM who looks for arrows in a wound finds them."""
    assert RULEBOOK.search("stuck arrows")[0].id == "SJ-164"
