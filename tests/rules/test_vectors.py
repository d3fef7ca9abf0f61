"""The worked examples and the rules of every game, played as vectors; no applied rule is without a test."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rulesets.githack import RULESET as GH
from rulesets.sovereign import RULESET as SV
from rulesets.spelljammer import RULESET as SJ
from rulesets.sword_world import RULESET as SW
from rulesets.worlds_without_number import RULESET as WN
from tracker.testing.vectors import VectorFile, untested

FOLDER = Path(__file__).parent
GAMES = {game.key: game for game in (GH, SV, SJ, SW, WN)}
BOOKS = {key: VectorFile(game, *sorted((FOLDER / key / "vectors").glob("*.yaml"))) for key, game in GAMES.items()}
EVERY = [
    pytest.param(key, vector, id=f"{key}/{vector['id']}") for key, book in BOOKS.items() for vector in book.vectors
]
EXAMPLES = {
    "worlds_without_number": [f"E{number:02}" for number in range(1, 77)],
    "sovereign": [f"SV-E{number:02}" for number in range(1, 62)],
}
"""The worked examples of the rules, each of which is played, some in several parts."""


@pytest.mark.parametrize(("game", "vector"), EVERY)
def test_vector(game: str, vector: Mapping[str, Any]) -> None:
    """Given dice, the outcome, the requests and the rules are those of the vector; what is cited is in the rulebook."""
    expected = dict(vector.get("expect") or {})
    slots = expected.pop("slots", {})

    fight = BOOKS[game].play({**vector, "expect": expected})

    cited = fight.cited
    assert {slot.phase: list(slot.members) for slot in fight.state.clock.slots if slot.phase in slots} == slots
    assert [rule for rule in cited if rule and GAMES[game].rulebook.find(rule) is None] == []


def named_by_tests(game: str) -> set[str]:
    """Return the rules named by the docstrings of the game's tests, with ranges written out."""
    found: set[str] = set()
    for path in (FOLDER / game).glob("test_*.py"):
        for text in re.findall(r'^    """(.*?)"""', path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            for first, last in re.findall(r"GH-(\d{3})(?: to GH-(\d{3}))?", text):
                found |= {f"GH-{number:03}" for number in range(int(first), int(last or first) + 1)}
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_applied_rule_is_tested(game: str) -> None:
    """By a vector; in GitHack by a printed format or a test of what the rule is about as well."""
    elsewhere = named_by_tests(game) if game == "githack" else set[str]()

    assert untested(GAMES[game].rulebook, BOOKS[game].rules() | elsewhere) == []


@pytest.mark.parametrize("game", GAMES)
def test_vectors_name_existing_rules_and_have_names_of_their_own(game: str) -> None:
    """Each rule they name is in the rulebook, and no two have the same id, so that a failure names one."""
    book = BOOKS[game]
    names = [str(vector["id"]) for vector in book.vectors]

    assert sorted(rule for rule in book.rules() if GAMES[game].rulebook.find(rule) is None) == []
    assert len(names) == len(set(names))


@pytest.mark.parametrize("game", EXAMPLES)
def test_every_worked_example_is_a_vector(game: str) -> None:
    played = {re.sub(r"^((?:SV-)?E\d\d).*", r"\1", str(vector["id"])) for vector in BOOKS[game].vectors}

    assert [example for example in EXAMPLES[game] if example not in played] == []
