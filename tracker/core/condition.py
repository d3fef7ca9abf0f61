"""Condition: how somebody comes out of one fight and into the next.

What is carried over stands in the encounter, so a fight can be done again from its journal alone. Nothing here is bound to the clock of the fight it
comes from: no counted end, no turn, nobody else's grip.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.effects import Effect
from tracker.core.values import Value

if TYPE_CHECKING:
    from tracker.core.ctx import Ctx
    from tracker.core.state import Id, State

__all__ = ["Condition", "as_left", "give"]

WHY = "carried over"


class Condition(Struct, frozen=True):
    """What a newcomer has of an earlier fight, on top of a fresh stat block.

    Attributes:
        pools: what is left of them, by key.
        status: a key of the ruleset's statuses; "": the one it joins with.
        facts: the ruleset's facts about it.
        effects: what still holds; bearer and number are given when it joins.
    """

    pools: tuple[tuple[str, int], ...] = ()
    status: str = ""
    facts: tuple[tuple[str, Value], ...] = ()
    effects: tuple[Effect, ...] = ()


def as_left(
    state: State, who: Id, bound: Collection[str] = (), becomes: Mapping[str, str] | None = None, facts: Mapping[str, Value] | None = None
) -> Condition:
    """Return how somebody stands at the end of a fight: pools, status, and every effect that lasts until it is removed.

    `bound` are names of effects that mean nothing outside their fight (up to a colon in the name), `becomes` what a status has turned into by the
    next one, `facts` what the ruleset adds.
    """
    combatant = state[who]
    lasting = tuple(
        replace(effect, id=0, bearer="", source=None, born=(0, ""))
        for effect in combatant.effects
        if not effect.until and effect.parent is None and effect.data is None and effect.name.partition(":")[0] not in bound
    )
    status = (becomes or {}).get(combatant.status, combatant.status)
    kept = tuple(sorted((key, value) for key, value in (facts or {}).items() if value is not None))
    return Condition(tuple((pool.key, pool.now) for pool in combatant.pools), status, kept, lasting)


def give(ctx: Ctx, who: Id, condition: Condition) -> None:
    """Give a newcomer what it brings along; pools stay within what its stat block has now."""
    for key, now in condition.pools:
        if ctx.state[who].has_pool(key):
            held = ctx.state[who].pool(key)
            if held.now != min(now, held.max):
                ctx.change(who, key, min(now, held.max), why=WHY)
    for key, value in condition.facts:
        ctx.fact(who, key, value)
    if condition.status:
        ctx.status(who, condition.status)
    for effect in condition.effects:
        ctx.add_effect(replace(effect, bearer=who))
