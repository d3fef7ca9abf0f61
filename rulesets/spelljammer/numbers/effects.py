"""The effects with a name of their own, each with its end, and the ends that an effect can have."""

from __future__ import annotations

from tracker.core.game.schema import Moment, NamedEffect
from tracker.core.terms.moments import At

__all__ = ["EFFECTS", "MOMENTS"]

MOMENTS = (
    Moment("until removed", ()),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of the next round", (At("round_end", count=2),)),
    Moment("{n} rounds", (At("round_end"),)),
    Moment("end of the fight", (At("combat_end"),)),
)

EFFECTS = (
    NamedEffect("stunned", "stunned", (At("round_end"),), "SJ-038"),
    NamedEffect("bleeding", "bleeding", (), "SJ-164"),
    NamedEffect("fallen", "fallen", (), "SJ-022"),
    NamedEffect("grievous_wound", "grievous wound", (), "SJ-035"),
    NamedEffect("no_movement", "no movement", (At("round_end"),), "SJ-016"),
)
