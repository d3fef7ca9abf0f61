"""The rulebook: every rule and ruling of a game by id.

In our own words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Literal

from msgspec import Struct

from tracker.core.terms.labels import folded

Kind = Literal["auto", "ask", "option", "manual", "reference", "ruling"]


class Rule(Struct, frozen=True):
    """One rule.

    `kind` says who applies it; a ruling also names the switch that changes it, if any; `chapter` heads it in a list.
    """

    id: str
    title: str
    text: str
    kind: Kind = "auto"
    switch: str = ""
    chapter: str = ""


class RuleBook(Struct, frozen=True, dict=True):
    """The rules in the order of the book.

    Given, or read from `source` when one is first looked up.
    """

    given: tuple[Rule, ...] = ()
    source: Callable[[], tuple[Rule, ...]] | None = None

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules (a memo)."""
        return self.given if self.source is None else self.source()

    @cached_property
    def by_id(self) -> dict[str, Rule]:
        """The rules by id (a memo)."""
        return {rule.id: rule for rule in self.rules}

    def find(self, key: str) -> Rule | None:
        """Return a rule by id."""
        return self.by_id.get(key)

    def search(self, words: str) -> tuple[Rule, ...]:
        """Return the rules that hold every word.

        Those with all of them in id or title come first.
        """
        wanted = folded(words).split()
        found = [
            rule
            for rule in self.rules
            if all(word in f"{rule.id} {rule.title} {rule.text}".casefold() for word in wanted)
        ]
        return tuple(
            sorted(found, key=lambda rule: not all(word in f"{rule.id} {rule.title}".casefold() for word in wanted))
        )
