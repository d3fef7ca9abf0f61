"""The rulebook of Worlds Without Number: every rule under its id, in the order of the book, then the companion facts and the rulings."""

from __future__ import annotations

from rulesets.worlds_without_number.rulebook_actions import ACTIONS
from rulesets.worlds_without_number.rulebook_attacks import ATTACKS
from rulesets.worlds_without_number.rulebook_companion import COMPANION
from rulesets.worlds_without_number.rulebook_manoeuvres import MANOEUVRES
from rulesets.worlds_without_number.rulebook_order import ORDER
from rulesets.worlds_without_number.rulebook_rulings import RULINGS
from tracker.core.terms.rulebook import RuleBook

__all__ = ["RULEBOOK"]

RULEBOOK = RuleBook((*ORDER, *ACTIONS, *ATTACKS, *MANOEUVRES, *COMPANION, *RULINGS))
