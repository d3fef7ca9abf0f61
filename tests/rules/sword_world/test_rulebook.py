"""The rulebook is complete and its switches exist."""

from __future__ import annotations

from collections import Counter

from rulesets.sword_world import RULESET
from rulesets.sword_world.stat_blocks.models import HouseRules

RULES = RULESET.rulebook.rules


def test_every_rule_is_there_once() -> None:
    """181 rules and 55 rulings, each under its own id."""
    ids = [rule.id for rule in RULES]

    assert ids == [f"SW-{number:03}" for number in range(1, 182)] + [f"SW-R{number:02}" for number in range(1, 56)]


def test_kinds() -> None:
    """As many of each kind as the game has."""
    assert Counter(rule.kind for rule in RULES) == {
        "auto": 137,
        "option": 22,
        "ask": 14,
        "reference": 5,
        "manual": 3,
        "ruling": 55,
    }


def test_switches() -> None:
    """Every switch of the rulings is a house rule, and the other way round."""
    assert {rule.switch for rule in RULES if rule.switch} == set(HouseRules.__struct_fields__)


def test_texts() -> None:
    """Every rule has a title and a text of its own."""
    texts = [rule.text for rule in RULES]

    assert all(rule.title and rule.text.endswith(".") for rule in RULES)
    assert len(set(texts)) == len(texts)
