"""The named effects of Sovereign, and the ends an effect can have."""

from __future__ import annotations

from tracker.core.game.schema import NamedEffect
from tracker.core.terms.effects import Modifier
from tracker.core.terms.moments import At
from tracker.core.terms.moments.offered import Moment

# R03: the start of the next turn is the start of the side's next phase.
NEXT_TURN = (At("phase_start", "bearer_side"),)
ROUND_END = (At("round_end"),)
COMBAT_END = (At("combat_end"),)

PRONE = NamedEffect("prone", "prone", (), "SV-109")
DISENGAGED = NamedEffect("disengaged", "disengaged", ROUND_END, "SV-099")
SURPRISED = NamedEffect("surprised", "surprised", ROUND_END, "SV-022")
UNAWARE = NamedEffect("unaware", "unaware", (), "SV-159")
SHIELD_USED = NamedEffect("shield_used", "shield used", (At("round_start"),), "SV-139", quiet=True)
HURT = NamedEffect("damaged_this_round", "hurt this round", (At("round_start"),), "SV-P17", quiet=True)
RETREATING = NamedEffect("retreating", "retreating", COMBAT_END, "SV-169")
FRAIL = NamedEffect("frail", "frail", (), "SV-P11")
GRAPPLED = NamedEffect("grappled", "grappled", (), "SV-146")

TOTAL_DEFENSE = NamedEffect(
    "total_defense", "Total Defense", NEXT_TURN, "SV-089", modifiers=lambda value: (Modifier("ac", 2),)
)
CHARGING = NamedEffect("charging", "charging", NEXT_TURN, "SV-075", modifiers=lambda value: (Modifier("ac", -2),))

EFFECTS = (
    PRONE,
    TOTAL_DEFENSE,
    CHARGING,
    DISENGAGED,
    SURPRISED,
    UNAWARE,
    SHIELD_USED,
    HURT,
    RETREATING,
    FRAIL,
    GRAPPLED,
)

MOMENTS = (
    Moment("until removed", ()),
    Moment("{n} rounds", (At("phase_start", "bearer_side", 1),), whole=True),
    Moment("start of the bearer's next turn", (At("phase_start", "bearer_side"),)),
    Moment("end of the bearer's phase", (At("phase_end", "bearer_side"),)),
    Moment("start of the source's next turn", (At("phase_start", "source_side"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of {n} more rounds", (At("round_end", count=1),)),
    Moment("end of the fight", (At("combat_end"),)),
)
