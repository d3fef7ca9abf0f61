"""The rulebook of the percentile game: every rule under its id, in the order of the document, then the rulings."""

from __future__ import annotations

from rulesets.spelljammer.rulebook_actions import ACTIONS
from rulesets.spelljammer.rulebook_hits import HITS
from rulesets.spelljammer.rulebook_melee import MELEE
from rulesets.spelljammer.rulebook_ranged import RANGED
from rulesets.spelljammer.rulebook_round import ROUND
from rulesets.spelljammer.rulebook_rulings import RULINGS
from tracker.core.terms.rulebook import RuleBook

__all__ = ["RULEBOOK"]

RULEBOOK = RuleBook((*ROUND, *HITS, *ACTIONS, *MELEE, *RANGED, *RULINGS))
