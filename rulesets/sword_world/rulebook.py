"""The rulebook of Sword World 2.0: every rule under its id, in the order of the book, then the rulings."""

from __future__ import annotations

from rulesets.sword_world.rulebook_attacks import ATTACKS
from rulesets.sword_world.rulebook_brawls import BRAWLS
from rulesets.sword_world.rulebook_order import ORDER
from rulesets.sword_world.rulebook_rulings import RULINGS
from tracker.core.terms.rulebook import RuleBook

__all__ = ["RULEBOOK"]

RULEBOOK = RuleBook((*ORDER, *BRAWLS, *ATTACKS, *RULINGS))
