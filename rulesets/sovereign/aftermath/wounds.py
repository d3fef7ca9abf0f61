"""Harm and zero hit points (SV-P07 to SV-P11, R36, R37).

Harm is dealt here; what it means is decided in `settle` alone, so that a GM's correction leads to the same ends as a
blow.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from rulesets.sovereign.cites import CITES
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack_outcomes import FRAIL, GRAPPLED, HURT, PRONE
from rulesets.sovereign.stats.stats import block, friendly, rules, unarmed
from rulesets.without_number import aftermath as shared
from rulesets.without_number.aftermath import HARM, condition
from tracker.core.fight.events import EffectChanged
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.core.terms.values import Data

DOWN = ("mortal", "stable", "dead", "down")
LYING = ("mortal", "stable", "down")
# What ends on a combatant that is no longer up; what others have done to it stays.
BROKEN = ("screening", "held", "grappling", "grappled", "disengaged")
# What has to be looked at again when others change, beside screens and holds of other names.
TIES = ("dying", "swarm", "screening", "grappling", "grappled")
MORTAL_ROUNDS = 6
# The fallen may be screened as well.
WARDABLE = ("up", "down", "mortal", "stable")


class Ward(shared.Ward, frozen=True, tag="sv_ward"):
    """The combatant a screener protects."""


class Grip(shared.Grip, frozen=True, tag="sv_grip"):
    """The combatant a grappler holds, and the penalty for its size (R15)."""

    penalty: int = 0


class Fallen(Struct, Data, frozen=True, tag="sv_fallen"):
    """The round in which a combatant fell."""

    round: int


def deal(
    ctx: Ctx,
    who: Id,
    amount: int,
    *cited: str,
    parts: Sequence[Part] = (),
    why: str = "",
    source: Id | None = None,
    mortal: bool = False,
) -> None:  # fmt: skip - a signature
    """Take hit points, down to 0 at most.

    What 0 means is left to `settle`. `mortal`: an execution (SV-165).
    """
    combatant = ctx.state[who]
    left = max(0, combatant.hp - amount)
    if mortal and combatant.hp > 0 and left == 0:
        ctx.fact(who, HARM, "execution", "SV-165")
    ctx.change(who, "hp", left, *cited, parts=parts, why=why, source=source)
    if amount > 0 and combatant.status == "up":
        mark(ctx, who)


def mark(ctx: Ctx, who: Id) -> None:
    """Remember that a combatant was hurt or jostled in this round (SV-P17).

    A caster cannot cast then.
    """
    if ctx.state.clock.in_round:
        ctx.add_effect(HURT.on(who, stacking="keep"), "SV-P17")


def settle(ctx: Ctx) -> None:
    """Draw the conclusions from hit points and statuses.

    Who falls, who is back, which holds, screens and swarms are broken.
    """
    for combatant in ctx.changed_since_settle():
        if combatant.status != "up" or combatant.hp == 0:
            _judge(ctx, combatant.id)
    if not ctx.changed_since_settle("status", "position", "side", "effects"):  # what ties two together depends on both
        return
    for combatant in ctx.state.combatants:
        if combatant.status in LYING or (combatant.effects and _tied(combatant)):
            _mend(ctx, combatant.id)


def _tied(combatant: Combatant) -> bool:
    """Tell whether what it bears depends on others, or on its being up."""
    for effect in combatant.effects:
        if effect.name in TIES or isinstance(effect.data, shared.Ward | shared.Grip):
            return True
    return False


def _judge(ctx: Ctx, who: Id) -> None:
    combatant = ctx.state[who]
    if combatant.status == "up":
        _fall(ctx, who)
    elif combatant.status in ("mortal", "stable", "down") and combatant.hp > 0:
        _rise(ctx, who)
    if ctx.state[who].status != "up":
        shared.break_off(ctx, who, BROKEN, ())


def _fall(ctx: Ctx, who: Id) -> None:
    """Give the status that 0 hit points mean (SV-P07, SV-P08, SV-P11, R37)."""
    combatant, stat_block = ctx.state[who], block(ctx.state[who])
    executed = combatant.fact(HARM) == "execution"
    ctx.fact(who, HARM, None)
    cites = ("SV-165",) if executed else ()
    if not rules(ctx.state).mortal_injury:
        ctx.status(who, "down", "SV-R37", *cites)
    elif combatant.has("frail") or stat_block.frail:
        ctx.status(who, "dead", "SV-P11", *cites)
    elif stat_block.named:
        ctx.status(who, "mortal", "SV-P07", *cites)
    else:
        ctx.status(who, "dead", "SV-P08", *cites)
    if ctx.state[who].status != "dead":
        field.stand_apart(ctx, who)


def fall_word(state: State, who: Id) -> str:
    """Return what the loss of the last hit point does to a combatant that is up, for a question."""
    dies = state[who].has("frail") or block(state[who]).frail or not block(state[who]).named
    return "kills" if rules(state).mortal_injury and dies else "drops"


def _rise(ctx: Ctx, who: Id) -> None:
    """Bring a combatant back whose hit points have risen above 0, prone and Frail (SV-P11)."""
    ctx.status(who, "up", "SV-P10", "SV-P11")
    if rules(ctx.state).mortal_injury:
        ctx.add_effect(FRAIL.on(who, stacking="keep"), "SV-P11")


def _mend(ctx: Ctx, who: Id) -> None:
    """Make effects fit as in both games.

    A swarm needs a target that is up, and members that are (R08).
    """
    combatant = ctx.state[who]
    if combatant.status != "up":
        ctx.end_named(who, "swarm", f"{combatant.name} is {condition(combatant)}", "SV-R08")
    shared.leave_swarm(ctx, who, "SV-R08")
    _pair(ctx, who)
    shared.mend(ctx, who, _fallen, WARDABLE, CITES)
    for effect in ctx.state[who].effects:
        if why := _parted(ctx.state, effect):
            ctx.end_effect(effect, why, CITES.screen_ends if effect.name == "screening" else CITES.hold_ends)
    if ctx.state[who].status in LYING:
        ctx.add_effect(PRONE.on(who, stacking="keep"), "SV-P07")


def hold(ctx: Ctx, held: Effect, who: Id, penalty: int, *rules: str) -> None:
    """Let a combatant hold another, whose half of the hold is there already."""
    title = f"grapples {ctx.state.name(held.bearer)}"
    grip = Grip(held.bearer, penalty)
    ctx.add_effect(Effect("grappling", who, source=who, parent=held.id, data=grip, title=title, quiet=True), *rules)


def _parted(state: State, effect: Effect) -> str:
    """Return what has come between two that an effect ties together, or ""."""
    if (
        isinstance(effect.data, Ward)
        and effect.data.who in state
        and not friendly(state, effect.bearer, effect.data.who)
    ):
        return f"{state.name(effect.data.who)} is no friend any more"
    if effect.name != "grappled" or effect.source not in state or effect.source is None:
        return ""
    feet = field.feet_between(state, effect.source, effect.bearer)
    return "out of reach" if feet is not None and feet > unarmed(state[effect.source]).reach else ""


def _pair(ctx: Ctx, who: Id) -> None:
    """Give the holder its half of a hold that the GM has given by hand."""
    for effect in ctx.state[who].effects:
        other = effect.source
        if effect.name != "grappled" or effect.title not in ("", GRAPPLED.title) or other is None:
            continue
        if other in ctx.state and ctx.state[other].status == "up" and not ctx.state[other].has("grappling"):
            named = replace(effect, title=f"grappled by {ctx.state.name(other)}")
            ctx.emit(EffectChanged(effect, named), "SV-146")
            hold(ctx, named, other, 0, "SV-146")


def _fallen(state: State, who: Id) -> Effect:
    """Return the countdown of a combatant that falls now.

    Within a round the end of this one does not count.
    """
    ends = MORTAL_ROUNDS + (1 if state.clock.in_round else 0)
    until, data = (At("round_end", count=ends),), Fallen(state.clock.round)
    return Effect("dying", who, until=until, data=data, title="dying")


def grapplers(state: State, victim: Id) -> tuple[Id, ...]:
    """Return the grapplers of a victim, in the order they grappled (4.2)."""
    return tuple(
        effect.source for effect in state[victim].effects if effect.name == "grappled" and effect.source is not None
    )


def rounds_down(state: State, victim: Combatant) -> int:
    """Return how many rounds have passed since a victim fell (SV-P09)."""
    dying = victim.effect("dying")
    return max(0, state.clock.round - dying.data.round) if dying is not None and isinstance(dying.data, Fallen) else 0
