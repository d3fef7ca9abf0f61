"""Rule coverage: which rules of a game no test holds."""

from __future__ import annotations

from collections.abc import Collection

from tracker.core.terms.rulebook import RuleBook

__all__ = ["HELD", "untested"]

# The kinds of rules that the program applies, asks about or offers; the others are only told.
HELD = ("auto", "ask", "option")


def untested(rulebook: RuleBook, tested: Collection[str]) -> list[str]:
    """Return the rules the program must hold to that are not among those tested, in the order of the book."""
    return [rule.id for rule in rulebook.rules if rule.kind in HELD and rule.id not in tested]
