"""Instant powers: their uses, and their effect on an attack (WN-036 to WN-039)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from msgspec import Struct

from rulesets.without_number.turn import FREE
from rulesets.worlds_without_number.stat_blocks.models import Instant
from rulesets.worlds_without_number.stats.stats import block
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import text
from tracker.core.terms.actions import Action, Field, Option, Response
from tracker.core.terms.errors import Refusal

# What an answer gives back; an Instant power gives the result it makes, `hit` or `miss`.
INTERRUPTED = "interrupted"
SIMULTANEOUS = "simultaneous"


class ReactionResult(Struct, frozen=True):
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
        if reaction_result(responses, actor, target).interrupted:
            ctx.stop("")


def reaction_result(responses: Sequence[Response], actor: Id, target: Id | None) -> ReactionResult:
    """Return what the answers to an attack come to."""
    given = [(response.action.by, response.value) for response in responses]
    verdict = True if (actor, "hit") in given else False if (target, "miss") in given else None
    values = [value for _, value in given]
    return ReactionResult(INTERRUPTED in values, verdict, (SIMULTANEOUS, actor) in values)


USED = "used:"
# Under what outcome of an attack a power helps, and what it makes of it.
FITS = {"miss_to_hit": ("miss", "hit"), "hit_to_miss": ("hit", "miss")}


def powers(state: State, who: Id) -> tuple[Instant, ...]:
    return block(state[who]).instants


def left(state: State, who: Id, power: Instant) -> int:
    used = state[who].fact(USED + power.name)
    return power.uses - (used if isinstance(used, int) else 0)


def helping(state: State, who: Id, outcome: str) -> list[Instant]:
    """Return the powers left against an attack of this outcome, `miss` or `hit`."""
    found = powers(state, who)
    return [one for one in found if one.does in FITS and FITS[one.does][0] == outcome and left(state, who, one) > 0]


def _fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    who = action.by
    options = tuple(_option(state, who, power) for power in powers(state, who))
    default = next((option.key for option in options if option.refusal is None), None)
    return (Field("instant", "choice", default=default, options=options, required=True),)


def _option(state: State, who: Id, power: Instant) -> Option:
    spent = left(state, who, power) <= 0
    return Option(
        power.name,
        note=power.does.replace("_", " "),
        refusal=Refusal("used_up", f"{power.name} is used up in this fight", "WN-036") if spent else None,
    )


def _refusal(state: State, action: Action) -> Refusal | None:
    if action.by is not None and not powers(state, action.by):
        return Refusal("no_power", f"{state.name(action.by)} has no Instant power", "WN-036", forcible=False)
    return None


def _use(ctx: Ctx, action: Action) -> None:
    """Use a power (WN-037, WN-038).

    What it makes of an attack in hand is left to that attack.
    """
    who = str(action.by)
    power = next(power for power in powers(ctx.state, who) if power.name == text(action, "instant"))
    used = power.uses - left(ctx.state, who, power)
    ctx.fact(who, USED + power.name, used + 1, "WN-036", "WN-039")
    if power.does == "note" or ctx.depth == 1:
        ctx.note(f"used, {power.uses - used - 1} left in this fight", "WN-036", about=who)
        return
    ctx.return_value(FITS[power.does][1])


def _interrupt(ctx: Ctx, action: Action) -> None:
    """Stop the attack in hand: the GM has resolved elsewhere what stops it."""
    ctx.return_value(INTERRUPTED)


def _interrupt_refusal(state: State, action: Action) -> Refusal | None:
    return None if state.clock.in_round else Refusal("not_now", "there is no attack to interrupt", "WN-037")


ACTIONS = (ActionType("use", "Use an Instant power", "WN-036", "Instant", FREE, "round", _use, _fields, _refusal),)
GM = (ActionType("interrupted", "Interrupted", "WN-037", perform=_interrupt, refusal=_interrupt_refusal, listed=False),)
