"""A small sound game, and the same game with one mistake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tests.kit import duel
from tests.support.common import encounter
from tracker.core.terms.labels import Rule, RuleBook
from tracker.kit import Action, ActionType, Ctx, Ruleset
from tracker.testing.inspection import Report, inspect

RULES = RuleBook(tuple(Rule(f"D-{number}", f"Rule {number}", "A rule of the duel.") for number in range(1, 10)))
SOUND = replace(duel.RULESET, rulebook=RULES)


def with_deed(perform: Callable[[Ctx, Action], None] = lambda ctx, action: None, **more: Any) -> Ruleset:
    """Return the game with one more action, which costs nothing."""
    types = (*duel.ACTIONS.types, ActionType("slip", "Slip", perform=perform, **more))
    return duel.playing(replace(duel.ACTIONS, types=types), rulebook=RULES)


def inspected(ruleset: Ruleset) -> Report:
    """Inspect the game in its fight."""
    return inspect(ruleset, {"brawl": encounter("duel")})


def slips(ruleset: Ruleset) -> list[str]:
    """Return the slips of the game, each as its line."""
    return [str(slip) for slip in inspected(ruleset).problems]
