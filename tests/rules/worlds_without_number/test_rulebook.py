"""The rulebook has every rule, in order, with words of its own."""

from typing import get_args, get_type_hints

import pytest

from rulesets.worlds_without_number import RULESET
from rulesets.worlds_without_number.stat_blocks.models import HouseRules
from tests.support.tables import rows
from tracker.core.terms.labels import Rule

RULEBOOK = RULESET.rulebook
KINDS = get_args(get_type_hints(Rule)["kind"])
COMPANION = (*range(1, 19), *range(20, 24), 30, 31)


def test_every_rule_is_there_in_order() -> None:
    """WN-001 to WN-183, then the companion facts, then the rulings R01 to R48."""
    expected = [f"WN-{number:03}" for number in range(1, 184)]
    expected += [f"WN-C{number:02}" for number in COMPANION]
    expected += [f"WN-R{number:02}" for number in range(1, 49)]

    assert [rule.id for rule in RULEBOOK.rules] == expected


@pytest.mark.parametrize("rule", RULEBOOK.rules, ids=lambda rule: rule.id)
def test_every_rule_says_something(rule: Rule) -> None:
    """A title that fits a line, one to four sentences, a known kind."""
    assert 3 <= len(rule.title) <= 50
    assert rule.text[0] == rule.text[0].upper()
    assert rule.text.endswith(".")
    assert 20 <= len(rule.text) <= 300
    assert rule.kind in KINDS
    assert (rule.kind == "ruling") == rule.id.startswith("WN-R")


def test_titles_tell_rules_apart() -> None:
    """No two rules have the same title or text."""
    assert len({rule.title for rule in RULEBOOK.rules}) == len(RULEBOOK.rules)
    assert len({rule.text for rule in RULEBOOK.rules}) == len(RULEBOOK.rules)


def test_switches_exist() -> None:
    """The switches of the rules are those of the encounter, and the other way round."""
    named = {switch for rule in RULEBOOK.rules for switch in rule.switch.split(", ") if switch}

    assert named == set(HouseRules.__struct_fields__)


@pytest.mark.parametrize(("kind", "ids"), rows(__file__, "who_applies_a_rule"))
def test_who_applies_a_rule(kind: str, ids: list[str]) -> None:
    """Everything that is not listed here is applied by the program."""
    assert [rule.id for rule in RULEBOOK.rules if rule.kind == kind] == ids


def test_rules_are_found_by_words() -> None:
    """A GM who looks for a shield against Shock finds it."""
    assert RULEBOOK.search("shields shock")[0].id == "WN-143"
