"""The effects of GitHack with their ends, and the ends on offer."""

from __future__ import annotations

from tracker.core.game.schema import NamedEffect
from tracker.core.terms.moments import At
from tracker.core.terms.moments.offered import Moment

COMBAT = (At("combat_end"),)

PARALYSED = NamedEffect("paralysed", "paralysed", COMBAT, "GH-067")
HIDDEN = NamedEffect("hidden", "hidden", COMBAT, "GH-016")
ADVISED = NamedEffect("advised", "advised", (At("round_end", count=2),), "GH-218")
READY = NamedEffect("ready", "ready", COMBAT, "GH-219")
STUCK = NamedEffect("stuck", "stuck", COMBAT, "GH-072")
POISONED = NamedEffect("poisoned", "poisoned", COMBAT, "GH-055")
GUARDING = NamedEffect("guarding", "guarding", COMBAT, "GH-209")
DISTURBED = NamedEffect("disturbed", "disturbed", COMBAT, "GH-221")
SPOILED_TURN = NamedEffect("spoiled_turn", "spoiled turn", (At("round_end"),), "GH-214")
DYING = NamedEffect("dying", "dying", (), "GH-122")

EFFECTS = (PARALYSED, HIDDEN, ADVISED, READY, STUCK, POISONED)
"""Those the referee can give by name; the others come with an action alone."""

ROUNDS = "{n} rounds"

MOMENTS = (
    Moment("until removed", ()),
    Moment(ROUNDS, (At("round_start"),)),
    Moment("{n} monster phases", (At("phase_start", phase="monsters"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of the next round", (At("round_end", count=2),)),
    Moment("start of the next monster phase", (At("phase_start", phase="monsters"),)),
    Moment("end of the combat", (At("combat_end"),)),
)
