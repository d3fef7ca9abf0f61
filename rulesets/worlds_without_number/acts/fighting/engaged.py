"""Who is in a melee with whom (R16), and who is on the alert (R28)."""

from __future__ import annotations

from rulesets.without_number.numbers import grappling
from rulesets.worlds_without_number.blocks.canonical import Monster
from rulesets.worlds_without_number.numbers.stats import able, bare_handed, block
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx

ENGAGED = "engaged"
ALERT = "alert"


def engage(ctx: Ctx, attacker: Id, target: Id, melee: bool) -> None:
    """Remember that two have met: on the alert, and perhaps in a melee."""
    alert(ctx, target)
    if melee and ctx.state[attacker].side != ctx.state[target].side:
        for one, other in ((attacker, target), (target, attacker)):
            known = engaged(ctx.state, one)
            if other not in known:
                ctx.fact(one, ENGAGED, (*known, other))


def engaged(state: State, who: Id) -> tuple[Id, ...]:
    """Return those with whom a combatant is in a melee."""
    known = state[who].fact(ENGAGED)
    return tuple([other for other in map(str, known) if other in state]) if isinstance(known, tuple) else ()


def leave(ctx: Ctx, who: Id) -> None:
    """Forget the melee of a combatant that Runs, Charges or Screens."""
    for other in engaged(ctx.state, who):
        left = tuple(one for one in engaged(ctx.state, other) if one != who)
        ctx.fact(other, ENGAGED, left or None, "WN-R16")
    ctx.fact(who, ENGAGED, None, "WN-R16")


def can_strike_freely(state: State, who: Id) -> bool:
    """Tell whether a combatant could make a free attack: able and armed.

    Fangs and claws count as arms, bare hands do not.
    """
    if not able(state, who):
        return False
    stat_block = block(state[who])
    if isinstance(stat_block, Monster) and stat_block.attacks == 0:
        return False
    held = grappling(state, who)
    return any("melee" in arm.kind and not bare_handed(arm) and (arm.natural or not held) for arm in stat_block.arms)


def alert(ctx: Ctx, who: Id) -> None:
    """Remember that a combatant has acted or was attacked, so that it suspects danger (R28)."""
    ctx.fact(who, ALERT, True)


def alerted(state: State, who: Id) -> bool:
    """Tell whether a combatant is on the alert."""
    return state[who].fact(ALERT) is True or state[who].has(ALERT)
