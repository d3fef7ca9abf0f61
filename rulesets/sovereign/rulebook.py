"""The rulebook of Sovereign: every rule under its id, in the order of the book, then the borrowed facts and the rulings."""

from __future__ import annotations

from rulesets.sovereign.rulebook_actions import ACTIONS
from rulesets.sovereign.rulebook_attacks import ATTACKS
from rulesets.sovereign.rulebook_order import ORDER
from rulesets.sovereign.rulebook_public import PUBLIC
from rulesets.sovereign.rulebook_rulings import RULINGS
from tracker.core.terms.rulebook import RuleBook

__all__ = ["RULEBOOK"]

RULEBOOK = RuleBook((*ORDER, *ACTIONS, *ATTACKS, *PUBLIC, *RULINGS))
