"""The named effects of Worlds Without Number, and the ends an effect can have."""

from __future__ import annotations

from tracker.core.game.schema import NamedEffect
from tracker.core.terms.effects import Modifier
from tracker.core.terms.moments import At
from tracker.core.terms.moments.offered import Moment

NEXT_TURN = (At("turn_start", "bearer"),)
ROUND_END = (At("round_end"),)
COMBAT_END = (At("combat_end"),)

PRONE = NamedEffect("prone", "prone", (), "WN-095")
TOTAL_DEFENSE = NamedEffect(
    "total_defense",
    "Total Defense",
    NEXT_TURN,
    "WN-076",
    modifiers=lambda value: (Modifier("ac_melee", 2), Modifier("ac_ranged", 2)),
)
CHARGING = NamedEffect(
    "charging",
    "charging",
    ROUND_END,
    "WN-064",
    modifiers=lambda value: (Modifier("ac_melee", -2), Modifier("ac_ranged", -2)),
)
WITHDRAWN = NamedEffect("withdrawn", "withdrawn", ROUND_END, "WN-082")
SURPRISED = NamedEffect("surprised", "surprised", ROUND_END, "WN-018")
SHIELD_SPENT = NamedEffect("shield_spent", "shield spent", (At("round_start"),), "WN-143", quiet=True)
BROKEN = NamedEffect("broken", "broken", COMBAT_END, "WN-C20", quiet=True)
ALERT = NamedEffect("alert", "alert", COMBAT_END, "WN-172", quiet=True)
GRAPPLED = NamedEffect("grappled", "grappled", (), "WN-152")
FRAIL = NamedEffect("frail", "frail", (), "WN-C17")
TRAUMATIC = NamedEffect("traumatic", "traumatic hit", COMBAT_END, "WN-130", quiet=True)

EFFECTS = (
    PRONE,
    TOTAL_DEFENSE,
    CHARGING,
    WITHDRAWN,
    SURPRISED,
    SHIELD_SPENT,
    BROKEN,
    ALERT,
    GRAPPLED,
    FRAIL,
    TRAUMATIC,
)

# The plain ones come first: a counted one of the same end would stand for them.
MOMENTS = (
    Moment("until removed", ()),
    Moment("start of the bearer's next turn", (At("turn_start", "bearer"),)),
    Moment("{n} rounds", (At("turn_start", "bearer"),), whole=True),
    Moment("end of the bearer's phase", (At("turn_end", "bearer"),)),
    Moment("start of the source's next turn", (At("turn_start", "source"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of {n} rounds", (At("round_end"),)),
    Moment("end of the fight", (At("combat_end"),)),
)
