"""Answers to an attack: the windows it opens, and what those who used them left behind for it (R20, R21)."""

from __future__ import annotations

from itertools import count

from msgspec import Struct

from tracker.core.fight.state import FIGHT, Id, State
from tracker.core.step.ctx import Ctx

__all__ = ["INSTANT", "INTERRUPTED", "SIMULTANEOUS", "Heard", "after_roll", "declared", "goes_on"]

INTERRUPTED = "interrupted"
INSTANT = "instant"
SIMULTANEOUS = "simultaneous"


class Heard(Struct, frozen=True):
    """What an answer does to the attack in hand.

    Attributes:
        interrupted: it is stopped: no damage, no Shock.
        verdict: a power has made it a hit or a miss.
        simultaneous: it goes on from the state before the answer.
    """

    interrupted: bool = False
    verdict: bool | None = None
    simultaneous: bool = False


def goes_on(state: State, who: Id) -> bool:
    """Tell whether somebody's action in hand goes on: it is up, or has been answered simultaneously (R20)."""
    combatant = state.get(who)
    return combatant is not None and (combatant.status == "up" or combatant.fact(SIMULTANEOUS) is True)


def declared(ctx: Ctx, actor: Id, target: Id | None) -> None:
    """Let held turns come before an action; one that is interrupted ends here (4.5, point 2)."""
    why = f"{ctx.state.name(actor)} sets out to attack {ctx.state.name(target)}"
    for times in count(1):
        key = "declared" if times == 1 else f"declared:{times}"
        if not ctx.window(key, actor, target, why=why, again=False):
            return
        if _read(ctx, actor, target).interrupted:
            ctx.stop("interrupted")


def after_roll(ctx: Ctx, key: str, actor: Id, target: Id, why: str, hit: bool) -> Heard | None:
    """Let others answer an attack roll; None where nobody does (4.5, point 5)."""
    if not ctx.window(key, actor, target, why=why, info=("hit" if hit else "miss",), again=False):
        return None
    return _read(ctx, actor, target)


def _read(ctx: Ctx, actor: Id, target: Id | None) -> Heard:
    """Take what the answers left behind."""
    state = ctx.state
    verdict = (
        True
        if state.fact(actor, INSTANT) == "hit"
        else False
        if target and state.fact(target, INSTANT) == "miss"
        else None
    )
    heard = Heard(state.fact(FIGHT, INTERRUPTED) is True, verdict, state.fact(actor, SIMULTANEOUS) is True)
    ctx.fact(FIGHT, INTERRUPTED, None)
    ctx.fact(actor, SIMULTANEOUS, None)
    ctx.fact(actor, INSTANT, None)
    if target is not None:
        ctx.fact(target, INSTANT, None)
    return heard
