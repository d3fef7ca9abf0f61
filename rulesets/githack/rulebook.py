"""The rulebook of GitHack: every rule under its id, then the rulings."""

from __future__ import annotations

from rulesets.githack.rulebook_combat import COMBAT
from rulesets.githack.rulebook_play import IMPORT, PLAY, STANCES
from rulesets.githack.rulebook_rulings import RULINGS
from tracker.core.terms.rulebook import RuleBook

__all__ = ["RULEBOOK"]

RULEBOOK = RuleBook((*COMBAT, *PLAY, *STANCES, *IMPORT, *RULINGS))
