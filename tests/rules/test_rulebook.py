"""The rulebook of every game has each rule once, in order, with words of its own, and a house rule for every switch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.rules.test_vectors import GAMES
from tests.support.tables import table

BOOKS: dict[str, dict[str, Any]] = table(__file__, "books")
SHARED_TITLES, SHARED_TEXTS = {"sword_world"}, {"sovereign", "spelljammer"}
"""The games in which two rules have one title, or one text."""
OF_THE_SETUP = {"sovereign": {"grid", "friendly"}}
"""Switches that are keys of the set-up."""


def named(ranges: list[str]) -> Iterator[str]:
    """Yield the ids of ranges such as `WN-001..183`."""
    for part in ranges:
        first, _, last = part.partition("..")
        prefix, number = re.fullmatch(r"(.*?)(\d+)", first).groups()  # type: ignore[union-attr]  # an id has a number
        yield from (f"{prefix}{place:0{len(number)}}" for place in range(int(number), int(last) + 1))


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_there_once_and_of_its_kind(game: str) -> None:
    """All ids in their order, as many of each kind as the game has, and those that only the GM applies."""
    rules, book = GAMES[game].rulebook.rules, BOOKS[game]

    assert [rule.id for rule in rules] == list(named(book["ids"]))
    assert Counter(rule.kind for rule in rules) == book["kinds"]
    for kind, ids in book["listed"].items():
        assert [rule.id for rule in rules if rule.kind == kind] == ids


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_says_something(game: str) -> None:
    """A title that fits a line, a few sentences, a kind that fits the id."""
    for rule in GAMES[game].rulebook.rules:
        assert 2 <= len(rule.title) <= 50, rule
        assert 3 <= len(rule.text) <= 300, rule
        assert rule.text.endswith((".", "?")), rule
        assert (rule.kind == "ruling") == (re.search("-[RA]", rule.id) is not None), rule


@pytest.mark.parametrize("game", GAMES)
def test_words_tell_rules_apart(game: str) -> None:
    """No two rules have the same title, and none the same text."""
    rules = GAMES[game].rulebook.rules

    assert game in SHARED_TITLES or len({rule.title for rule in rules}) == len(rules)
    assert game in SHARED_TEXTS or len({rule.text for rule in rules}) == len(rules)


@pytest.mark.parametrize("game", GAMES)
def test_switches_exist(game: str) -> None:
    """The switches of the rules are the house rules, and the other way round."""
    named = {switch for rule in GAMES[game].rulebook.rules for switch in rule.switch.split(", ") if switch}

    house_rules: Any = GAMES[game].schema.house_rules
    assert named - OF_THE_SETUP.get(game, set()) == set(house_rules.__struct_fields__)


@pytest.mark.parametrize(
    ("game", "words", "found"),
    [("worlds_without_number", "shields shock", "WN-143"), ("spelljammer", "stuck arrows", "SJ-164")],
)
def test_rules_are_found_by_words(game: str, words: str, found: str) -> None:
    """A GM who looks for a shield against Shock finds it."""
    assert GAMES[game].rulebook.search(words)[0].id == found
