"""Conscious, unconscious, dead: a combatant's status by its HP, and the Death Check.

SW-160, SW-R33, SW-R34, SW-R42.
"""

from __future__ import annotations

from rulesets.sword_world.stat_blocks.facts import Ruled
from rulesets.sword_world.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx


def is_down(state: State, who: Id) -> bool:
    """Tell whether a combatant's HP mean unconsciousness (SW-R33)."""
    limit = 0 if stats.rules(state).unconscious == "at_zero" else -1
    return state[who].hp <= limit


def fall(ctx: Ctx, who: Id, fresh: bool) -> None:
    """Make a combatant unconscious if its HP say so (SW-160, SW-R34).

    `fresh`: through damage, which may call for another Death Check.
    """
    combatant = ctx.state[who]
    if not is_down(ctx.state, who) or combatant.status not in ("up", "unconscious"):
        return
    newly = combatant.status == "up"
    if newly:
        ctx.fact(who, "ruled", None)
        ctx.status(who, "unconscious", "SW-160", "SW-R33")
    if (newly or fresh) and ctx.state[who].hp < 0 and stats.block(ctx.state, who).death_checks:
        if ctx.state[who].fact("death_check_due") is not True:
            ctx.note("a Death Check is due", "SW-160", "SW-R34", about=who)
        ctx.fact(who, "death_check_due", True, "SW-160", "SW-R34")


def settle_status(ctx: Ctx) -> None:
    for combatant in ctx.changed_since_settle("status", "pools", "facts"):
        if combatant.status not in ("up", "unconscious") or not combatant.has_pool("hp"):
            continue
        who, down, word = combatant.id, is_down(ctx.state, combatant.id), combatant.fact("ruled")
        ruled = word if isinstance(word, Ruled) else None
        if combatant.status == "up" and down and not (ruled and ruled.status == "up" and ruled.hp == combatant.hp):
            fall(ctx, who, fresh=False)
        elif (
            combatant.status == "unconscious"
            and not down
            and not (ruled and ruled.status == "unconscious" and combatant.hp <= ruled.hp)
        ):
            ctx.fact(who, "ruled", None)
            ctx.fact(who, "death_check_due", None, "SW-R42")
            ctx.status(who, "up", "SW-R42")
        elif ruled is not None and ruled.status == "up" and not down:
            ctx.fact(who, "ruled", None)
