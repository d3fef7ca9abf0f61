"""Condition: what a combatant takes from one fight into the next.

What is carried over stands in the encounter, so a fight can be done again from its journal alone. Nothing here is bound
to the clock of the fight it comes from: no counted end, no turn, nobody else's grip.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.encounter import Condition
from tracker.core.terms.values import Value


def condition_after(
    state: State,
    who: Id,
    bound: Collection[str] = (),
    becomes: Mapping[str, str] | None = None,
    facts: Mapping[str, Value] | None = None,
) -> Condition:
    """Return a combatant's condition at the end of a fight.

    Pools, status, and every effect that lasts until it is removed.

    `bound` are names of effects that mean nothing outside their fight (up to a colon in the name), `becomes` what a
    status has turned into by the
    next one, `facts` what the ruleset adds.
    """
    combatant = state[who]
    lasting = tuple(
        replace(effect, id=0, bearer="", source=None, born=(0, ""))
        for effect in combatant.effects
        if not effect.until
        and effect.parent is None
        and effect.data is None
        and effect.name.partition(":")[0] not in bound
    )
    status = (becomes or {}).get(combatant.status, combatant.status)
    kept = tuple(sorted((key, value) for key, value in (facts or {}).items() if value is not None))
    return Condition(tuple((pool.key, pool.now) for pool in combatant.pools), status, kept, lasting)
