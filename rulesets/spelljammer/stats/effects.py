"""The effects of the percentile game with their ends, and the ends on offer."""

from __future__ import annotations

from msgspec.structs import replace

from tracker.core.game.schema import NamedEffect
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.moments import At, Moment

ROUND = (At("round_end"),)
NEXT_ROUND = (At("round_end", count=2),)

STUNNED = NamedEffect("stunned", "stunned", ROUND, "SJ-038")
BLEEDING = NamedEffect(
    "bleeding",
    "bleeding",
    (),
    "SJ-164",
    value=1,
    modifiers=lambda value: (Modifier("bleeding", value),),
    stacking="by_source",
)
FALLEN = NamedEffect("fallen", "fallen", (), "SJ-022")
GRIEVOUS_WOUND = NamedEffect("grievous_wound", "grievous wound", (), "SJ-035", stacking="add")
NO_MOVEMENT = NamedEffect("no_movement", "no movement", ROUND, "SJ-016")
DAMAGED_ARMOUR = NamedEffect(
    "damaged_armour",
    "damaged armour",
    (),
    "SJ-036",
    modifiers=lambda value: (Modifier("armour", -1),),
    stacking="add",
)
DEFENDING = NamedEffect("defending", "defending", ROUND, "SJ-112")
FULL_DEFENSE = NamedEffect("full_defense", "full defence", ROUND, "SJ-117")
DESPERATE_DEFENSE = NamedEffect("desperate_defense", "desperate defence", ROUND, "SJ-121")
CAREFUL_AIM = NamedEffect("careful_aim", "careful aim", ROUND, "SJ-150")
AIMED = NamedEffect("aimed", "has taken aim", NEXT_ROUND, "SJ-A22")
HELD_ACTION = NamedEffect("held_action", "held action", NEXT_ROUND, "SJ-031")
RETRIEVING = NamedEffect("retrieving", "retrieving", ROUND, "SJ-126")
SPELL_WAITING = NamedEffect("spell_waiting", "spell waiting", NEXT_ROUND, "SJ-030")


def quietly(effect: Effect) -> Effect:
    """Return an effect that the log tells in other words.

    A declaration or a note says it, with its numbers.
    """
    return replace(effect, quiet=True)


EFFECTS = (
    STUNNED,
    BLEEDING,
    FALLEN,
    GRIEVOUS_WOUND,
    NO_MOVEMENT,
    FULL_DEFENSE,
    DESPERATE_DEFENSE,
    CAREFUL_AIM,
    HELD_ACTION,
    DAMAGED_ARMOUR,
)
"""Those the GM can give by name; the others come with a declaration alone."""

MOMENTS = (
    Moment("until removed", ()),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of the next round", (At("round_end", count=2),)),
    Moment("{n} rounds", (At("round_end"),)),
    Moment("end of the fight", (At("combat_end"),)),
)
