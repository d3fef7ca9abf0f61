"""Answers to an attack: its windows, and what the answers give back (R20, R21)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.step.ctx import Ctx
from tracker.core.step.windows import Response

# What an answer gives back; an Instant power gives the result it makes, `hit` or `miss`.
INTERRUPTED = "interrupted"
SIMULTANEOUS = "simultaneous"


class Heard(Struct, frozen=True):
    """What answers do to the attack in hand.

    Attributes:
        interrupted: it is stopped: no damage, no Shock.
        verdict: a power has made it a hit or a miss.
        simultaneous: it goes on from the state before the answer.
    """

    interrupted: bool = False
    verdict: bool | None = None
    simultaneous: bool = False


def at_once(ctx: Ctx, target: Id) -> None:
    """Let an answer and the target's action happen at once (WN-040, R20)."""
    ctx.suspend_guards()
    ctx.note("at the same moment", "WN-040", about=target)
    ctx.return_value((SIMULTANEOUS, target))


def declared(ctx: Ctx, actor: Id, target: Id | None) -> None:
    """Let held turns come before an action or stop it (4.5, point 2)."""
    why = f"{ctx.state.name(actor)} sets out to attack {ctx.state.name(target)}"
    for times in count(1):
        key = "declared" if times == 1 else f"declared:{times}"
        responses = ctx.window(key, actor, target, why=why, again=False)
        if not responses:
            return
        if heard(responses, actor, target).interrupted:
            ctx.stop("")


def heard(responses: Sequence[Response], actor: Id, target: Id | None) -> Heard:
    """Return what the answers to an attack come to."""
    given = [(response.action.by, response.value) for response in responses]
    verdict = True if (actor, "hit") in given else False if (target, "miss") in given else None
    values = [value for _, value in given]
    return Heard(INTERRUPTED in values, verdict, (SIMULTANEOUS, actor) in values)
