"""Leaving: what happens to effects when a combatant goes."""

from __future__ import annotations

from msgspec.structs import replace

from tracker.core.fight.events import CombatantLeft, EffectChanged
from tracker.core.fight.slots import Id
from tracker.core.step.ctx import Ctx
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, Edge, OnUse, side_anchor, who_anchor
from tracker.core.visibility.reveal import on_leave

# The owner of a fact about two: `pair:<a>|<b>`.
PAIR = "pair:"


def leave(ctx: Ctx, who: Id, reason: str, *rules: str) -> None:
    """Take a combatant out of the fight.

    What waits for its edges is tied to others, what holds on it ends, what is known of it and another is forgotten.
    """
    reanchor(ctx, who)
    for owner, key, _ in ctx.state.facts:
        if owner.startswith(PAIR) and who in owner.removeprefix(PAIR).split("|"):
            ctx.fact(owner, key, None)
    for effect in ctx.state[who].effects:
        held = ctx.state.effect(who, effect.id)
        if held is not None:
            ctx.end_effect(held, f"{ctx.state.name(who)} leaves the fight")
    on_leave(ctx, who)
    ctx.emit(CombatantLeft(ctx.state[who], reason), *rules)


def reanchor(ctx: Ctx, who: Id) -> None:
    """Tie what waits for a leaver's edges to other edges.

    To the same edge of its side, or of the round where the side has nobody else.
    """
    side = ctx.state[who].side
    company = any(member.id != who for member in ctx.state.members(side))
    for effect in ctx.state.all_effects:
        if effect.bearer == who:
            continue
        until = tuple(_reanchored(end, who, side, company) for end in effect.until)
        if until != effect.until:
            _tell(ctx, effect, until, who)


def _reanchored(end: At | OnUse, who: Id, side: Id, company: bool) -> At | OnUse:
    if (
        not isinstance(end, At)
        or end.anchor not in (who_anchor(who), side_anchor(side))
        or (end.anchor == side_anchor(side) and company)
    ):
        return end
    if company:
        return replace(end, anchor=side_anchor(side))
    edge: Edge = "round_start" if end.edge.endswith("start") else "round_end"
    return replace(end, edge=edge, anchor="any", phase=None, segment=None)


def _tell(ctx: Ctx, effect: Effect, until: tuple[At | OnUse, ...], who: Id) -> None:
    ctx.emit(
        EffectChanged(
            effect,
            replace(effect, until=until),
            f"{ctx.state.name(who)} leaves; it ends with the side or the round instead",
        )
    )
