"""The effects of Sword World with their ends, and the ends on offer."""

from __future__ import annotations

from tracker.core.game.schema import NamedEffect
from tracker.core.terms.moments import At
from tracker.core.terms.moments.offered import Moment

__all__ = ["EFFECTS", "FEAT_USED", "FULL_MOVE", "LEAVING", "MOMENTS", "PRONE", "STOOD_UP", "SURPRISED"]

NEXT_TURN = (At("turn_start", "bearer"),)

PRONE = NamedEffect("prone", "prone", (At("combat_end"),), "SW-060")
STOOD_UP = NamedEffect("stood_up", "stood up", (At("turn_end", "bearer"),), "SW-061")
FULL_MOVE = NamedEffect("full_move", "full movement", NEXT_TURN, "SW-042")
LEAVING = NamedEffect("leaving", "leaving the brawl", NEXT_TURN, "SW-096")
FEAT_USED = NamedEffect("feat_used", "feat used", NEXT_TURN, "SW-R50")
SURPRISED = NamedEffect("surprised", "surprised", (At("phase_start", "bearer_side"),), "SW-173")

EFFECTS = (NamedEffect("prone", until=PRONE.until, rule=PRONE.rule),)
"""Those the game master can give by name; the others come with an action alone."""

MOMENTS = (
    Moment("until removed", ()),
    Moment("{n} rounds", (At("phase_start", "bearer_side"),)),
    Moment("start of the bearer's side's next phase", (At("phase_start", "bearer_side"),)),
    Moment("start of the source's side's next phase", (At("phase_start", "source_side"),)),
    Moment("start of the bearer's next turn", (At("turn_start", "bearer"),)),
    Moment("end of the bearer's turn", (At("turn_end", "bearer"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of the fight", (At("combat_end"),)),
)
"""The ends the duration picker offers; a round is counted by phases of the affected side."""
