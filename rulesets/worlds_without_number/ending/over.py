"""When a fight seems to be over, and the offer to end it."""

from __future__ import annotations

from rulesets.worlds_without_number.ending.wounds import DOWN
from tracker.core.fight.events import FightEnded
from tracker.core.fight.memo import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, State
from tracker.core.step.ctx import Ctx

OFFERED = "end_offered"


@per_state
def sides_left(state: State) -> tuple[Id, ...]:
    """Return the sides with a combatant who stands and has not broken."""
    standing = {one.side for one in state.combatants if one.status == "up" and not one.has("broken")}
    return tuple(side.id for side in state.sides if side.id in standing)


def finished(state: State) -> str | None:
    """Return why the fight seems to be over: at most one side fights on."""
    if state.clock.over:
        return None
    standing = sides_left(state)
    if len(standing) > 1 or len(state.sides) < 2:
        return None
    if not standing:
        return "nobody is left standing"
    winner = standing[0]
    losers = " and ".join(side.name for side in state.sides if side.id != winner)
    down = all(
        member.status in (*DOWN, "gone")
        for side in state.sides
        if side.id != winner
        for member in state.members(side.id)
    )
    return f"no fighter of {losers} is left" if down else f"the fighters of {losers} are broken"


def offer(ctx: Ctx) -> None:
    """Offer the end of the fight, once for each reason.

    It waits where others are still to come.
    """
    why = finished(ctx.state)
    if why == ctx.state.fact(FIGHT, OFFERED):
        return
    ctx.fact(FIGHT, OFFERED, why)
    fought = sum(bool(ctx.state.members(side.id)) for side in ctx.state.sides) > 1
    if why is None or not fought or not ctx.state.clock.in_round or any(wave.when for wave in ctx.state.waves):
        return
    if ctx.confirm("end_combat", "WN-001", default=False, to="gm", why=f"{why}. End the fight?"):
        ctx.emit(FightEnded(why), "WN-001")
        ctx.end_fight()
        ctx.walk()
