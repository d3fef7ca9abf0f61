"""Whether an action still applies to those it is about, whenever it asks (R20, R33)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rulesets.worlds_without_number.stats.attack import Attack
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx

Lapse: TypeAlias = Callable[[State], str]
"""Why something does not go on, or an empty text."""

REMOVED = ("dead", "gone")


def removed(state: State, who: Id) -> str:
    """Return why nothing can be done to a combatant: it is dead or gone."""
    combatant = state.get(who)
    return f"{state.name(who)} is beyond harm" if combatant is None or combatant.status in REMOVED else ""


def standing(state: State, who: Id) -> str:
    """Return why a combatant can resist nothing: it is down or gone."""
    combatant = state.get(who)
    return "" if combatant is not None and combatant.status == "up" else f"{state.name(who)} is out of it"


def attack_lapse(state: State, attack: Attack) -> str:
    """Return why an attack lapses: its target is gone, or a friend by now."""
    why = removed(state, attack.target)
    attacker = state.get(attack.actor)
    if not why and attack.hostile and attacker is not None and attacker.side == state[attack.target].side:
        return f"{state.name(attack.target)} is on the same side by now"
    return why


def lapses(ctx: Ctx, what: str, who: Id | None, why: str, *rules: str) -> bool:
    """Tell whether there is a reason why something does not go on, and say it."""
    if why:
        ctx.skip(what, why, *(rules or ("WN-R33",)), who=who)
    return bool(why)


def goes_on(ctx: Ctx, key: str, what: str, who: Id | None, lapse: Lapse) -> bool:
    """Tell whether an action that does something just before a request still applies.

    The GM's interruptions of the request come first.
    """
    ctx.run_interrupts(key)
    return not lapses(ctx, what, who, lapse(ctx.state))
