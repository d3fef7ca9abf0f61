"""Tables at which the tests of the core play."""

from __future__ import annotations

from tests.support import individual
from tests.support.common import encounter, member
from tracker.core.game.ruleset import Ruleset
from tracker.testing.table import Table


def duel(ruleset: Ruleset = individual.RULESET) -> Table:
    """Return a fight at Ada's slot. Ada, Gog and Bo act in this order, each in a slot of their own."""
    fight = encounter(ruleset.key, party=(member("Ada", kind="pc"), member("Bo", kind="pc")), foes=(member("Gog"),))
    return Table(ruleset, fight, {"initiative:ada": 9, "initiative:gog": 6, "initiative:bo": 3})


ORDER = ("ada", "gog", "bo")
