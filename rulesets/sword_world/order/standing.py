"""What must still hold while something is asked.

Who acts, who is meant, and that the one reaches the other: the game master may remove, fell or move combatants before
any question.
"""

from __future__ import annotations

from collections.abc import Callable

from rulesets.sword_world.numbers import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx

WIDEST = 6.0
"""The radius of the widest brawl: a blow reaches no farther (SW-078)."""


def keep(ctx: Ctx, holds: Callable[[State], bool], why: str) -> None:
    """Let the action go on only while something holds that held at its start.

    What the GM has forced does not stop at the next question.
    """
    if holds(ctx.state):
        ctx.guard(holds, why)


def keep_here(ctx: Ctx, who: Id) -> None:
    """Let the action go on only while a combatant is in the fight."""
    ctx.guard(lambda state: who in state, f"{ctx.state.name(who)} has left the fight")


def keep_able(ctx: Ctx, who: Id) -> None:
    """Let the action go on only while its actor is able."""
    keep_here(ctx, who)
    keep(ctx, lambda state: stats.able(state, who), f"{ctx.state.name(who)} is no longer able")


def there(state: State, who: Id) -> bool:
    """Tell whether a combatant is there, conscious or not."""
    combatant = state.get(who)
    return combatant is not None and stats.present(combatant)


def within_reach(state: State, who: Id, target: Id) -> bool:
    """Tell whether two are in one brawl, or both in none (SW-106, SW-107, SW-R25)."""
    return stats.zone_of(state, who) == stats.place_of(state, target)


def in_range(state: State, who: Id, target: Id, reach: float | None) -> bool:
    """Tell whether a target is within a range, as far as places are known (SW-112)."""
    metres = stats.distance(state, who, target)
    return metres is None or reach is None or metres <= reach
