"""The effects of Sword World with their ends, and the ends on offer."""

from __future__ import annotations

from rulesets.sword_world.blocks.tables import FULL_MOVE_EVASION, STANDING_UP, SURPRISE_PENALTY
from tracker.core.game.schema import NamedEffect
from tracker.core.terms.effects import Modifier
from tracker.core.terms.moments import At
from tracker.core.terms.moments.offered import Moment

NEXT_TURN = (At("turn_start", "bearer"),)


def _exposed(value: int) -> tuple[Modifier, ...]:
    """Return the Evasion lost by full movement, and by leaving a brawl."""
    return (Modifier("evasion", FULL_MOVE_EVASION),)


PRONE = NamedEffect("prone", "prone", (At("combat_end"),), "SW-060")
STOOD_UP = NamedEffect(
    "stood_up",
    "stood up",
    (At("turn_end", "bearer"),),
    "SW-061",
    modifiers=lambda value: (Modifier("fortitude", STANDING_UP), Modifier("willpower", STANDING_UP)),
)
FULL_MOVE = NamedEffect("full_move", "full movement", NEXT_TURN, "SW-042", modifiers=_exposed)
LEAVING = NamedEffect("leaving", "leaving the brawl", NEXT_TURN, "SW-096", modifiers=_exposed)
FEAT_USED = NamedEffect("feat_used", "feat used", NEXT_TURN, "SW-R50")
SURPRISED = NamedEffect(
    "surprised",
    "surprised",
    (At("phase_start", "bearer_side"),),
    "SW-173",
    modifiers=lambda value: (Modifier("all_checks", SURPRISE_PENALTY),),
)

EFFECTS = (
    NamedEffect("prone", until=PRONE.until, rule=PRONE.rule),
    SURPRISED,
    NamedEffect("full movement", until=NEXT_TURN, rule=FULL_MOVE.rule, modifiers=_exposed),
)
"""Those the game master can give by name; the others come with an action alone."""

ROUNDS = "{n} rounds"
MOMENTS = (
    Moment("until removed", ()),
    Moment(ROUNDS, (At("phase_start", "bearer_side"),)),
    Moment("start of the bearer's side's next phase", (At("phase_start", "bearer_side"),)),
    Moment("start of the source's side's next phase", (At("phase_start", "source_side"),)),
    Moment("start of the bearer's next turn", (At("turn_start", "bearer"),)),
    Moment("end of the bearer's turn", (At("turn_end", "bearer"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of the fight", (At("combat_end"),)),
)
"""The ends the duration picker offers; a round is counted by phases of the affected side."""
