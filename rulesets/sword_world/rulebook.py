"""The rulebook of Sword World 2.0: every rule under its id, in the order of the book, then the rulings."""

from __future__ import annotations

from tracker.core.rulebook import RuleBook

__all__ = ["RULEBOOK"]

RULEBOOK = RuleBook(())
