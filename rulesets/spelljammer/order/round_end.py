"""The last moment of a round: a stop if something is left to see.

A drive-back may follow the last blow (SJ-122); a stun by it, or ground covered after it, would be gone unseen.
"""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.spelljammer.numbers import stats
from tracker.core.fight.events import EffectAdded, Event, FactSet, OrderSet
from tracker.core.fight.memo import per_state
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx

END = "end"
"""The phase of a round's last moment."""


def end_slot(state: State) -> Slot:
    """Return the slot of a round's last moment.

    The clock passes it unless it is told to stop.
    """
    return Slot(f"r{state.clock.round}/{END}", "End of the round", END, stop=False, turns="none")


def driven(state: State, who: Id) -> tuple[Combatant, ...]:
    """Return the desperate defenders whom a combatant may still drive back in this round (SJ-122)."""
    return tuple([foe for one, foe in drives(state) if one.id == who])


@per_state
def drives(state: State) -> tuple[tuple[Combatant, Combatant], ...]:
    """Return who may still drive back which desperate defender in this round (SJ-122)."""
    standing = stats.standing(state)
    defenders = [one for one in standing if one.effects and one.has("desperate_defense")]
    return tuple([(one, foe) for one in standing for foe in defenders if one.fact(f"drives:{foe.id}")])


def stop_at_end(ctx: Ctx) -> None:
    """Stop at a round's end where this step has brought what ends with it."""
    clock = ctx.state.clock
    seen = any(_passes(ctx.state, entry.event) for entry in ctx.entries)
    owed = bool(drives(ctx.state))
    here = clock.current
    if here is not None and not here.stop and (seen or owed):
        slots = tuple(replace(slot, stop=True) if slot.id == here.id else slot for slot in clock.slots)
        ctx.emit(OrderSet(clock.slots, slots), "SJ-122" if owed else "SJ-027")


def _passes(state: State, event: Event) -> bool:
    """Tell whether an event has changed what ends with the round.

    That is ground covered, and a blow that stuns.
    """
    match event:
        case FactSet(key="covered", now=now):
            return now is not None
        case EffectAdded(effect=effect):
            return effect.name == "stunned" and effect.source is not None and effect.bearer in state
    return False
