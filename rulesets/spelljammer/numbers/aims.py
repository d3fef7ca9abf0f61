"""Whom a blow or a spell can be aimed at."""

from __future__ import annotations

from rulesets.spelljammer.numbers import stats
from tracker.core.fight.memo import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.actions import Option


def targets(state: State, who: Id) -> tuple[Option, ...]:
    """Return everybody else who can be struck.

    Standing foes come first, then friends, then those who are down.
    """
    return tuple([option for option in _struck(state, state[who].side) if option.key != who])


@per_state
def _struck(state: State, side: Id) -> tuple[Option, ...]:
    kinds = [(status, own) for status in ("up", "down") for own in (False, True)]
    found: dict[tuple[str, bool], list[Option]] = {kind: [] for kind in kinds}
    for one in state.combatants:
        found.get((one.status, one.side == side), []).append(Option(one.id, one.name))
    return tuple([option for kind in kinds for option in found[kind]])


def unlikely(state: State, who: Id, target: Id) -> bool:
    """Tell whether only purpose makes this a target: a friend, or one who is down."""
    one = state[target]
    return stats.down(one) or one.side == state[who].side
