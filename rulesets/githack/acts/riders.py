"""Riders of a monster's attack: their triggers, saves and effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rulesets.githack.acts.attack_dice import Blow, Die, concerns
from rulesets.githack.blocks.canonical import Ability, Special
from rulesets.githack.blocks.tables import HAZARDS
from rulesets.githack.numbers import stats
from rulesets.githack.numbers.checks import save
from rulesets.githack.numbers.data import Delayed
from rulesets.githack.numbers.effects import STUCK
from rulesets.githack.order.rounds import counted
from tracker.core.step.ctx import Ctx
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, OnUse

__all__ = ["applies", "inflict", "queue", "saved", "triggered", "usual_save"]


def triggered(ctx: Ctx, special: Special, dice: Sequence[Die]) -> bool:
    """Tell whether a rider comes into play (GH-054, GH-055, GH-067, A09)."""
    own = [die for die in dice if concerns(special, die.part)]
    when = (
        "harm"
        if special.when == "connect" and special.effect == "stuck" and stats.rules(ctx.state).sticks_on == "harm"
        else special.when
    )
    if when == "connect":
        return True
    return any(die.mark for die in own) if when == "harm" else any(die.wounds for die in own)


def applies(ctx: Ctx, blow: Blow, special: Special, hits: int) -> bool:
    """Roll a rider's save, if any, and return whether the rider takes hold.

    GH-055, GH-110, A17, A18.
    """
    target = blow.target
    if special.effect == "paralysed" and ctx.state[target].has("paralysed"):
        return False
    if not special.save:
        return True
    times = hits if special.effect == "paralysed" and stats.rules(ctx.state).paralysis_saves == "per_hit" else 1
    held = [saved(ctx, blow, special, place) for place in range(1, times + 1)]
    return not all(held)


def saved(ctx: Ctx, blow: Blow, special: Special, place: int = 1) -> bool:
    """Roll the one save against a special (GH-108 to GH-110)."""
    key = f"save:{special.name}:{blow.target}" + (f"#{place}" if place > 1 else "")
    ability = _save_ability(ctx, blow, special, key)
    return save(
        ctx, key, blow.target, ability, f"save against {special.name}", *_save_rules(special), edge=blow.save_edge
    ).success


def _save_rules(special: Special) -> tuple[str, ...]:
    own = ("GH-067", "GH-A17") if special.effect == "paralysed" else ()
    return ("GH-108", "GH-109", "GH-110", *(("GH-055",) if special.when in ("harm", "wound") else ()), *own)


def _save_ability(ctx: Ctx, blow: Blow, special: Special, key: str) -> Ability:
    offered = special.save or HAZARDS["default"]
    if blow.save_ability == "ask":
        return cast(
            Ability,
            ctx.choose(
                f"{key}/ability",
                offered,
                "GH-109",
                default=offered[0],
                who=blow.target,
                why=f"save against {special.name} with",
            ),
        )
    if blow.save_ability != "usual":
        return cast(Ability, blow.save_ability)
    return usual_save(ctx, special)


def usual_save(ctx: Ctx, special: Special) -> Ability:
    """Return the first ability of a special, or WIS where the switch says so."""
    return "wis" if stats.rules(ctx.state).save_ability == "wis" else (special.save or HAZARDS["default"])[0]


def inflict(ctx: Ctx, blow: Blow, special: Special) -> None:
    """Put a special's effect on its target (section 7).

    The same effect from the same source only starts its rounds again.
    """
    if not special.effect and special.dice is not None:
        return
    if not special.effect and (special.worsen or special.deep):
        return
    name = special.effect or special.name
    until: tuple[At | OnUse, ...] = ()
    if special.until == "end_of_combat" or name == STUCK.name:
        until = STUCK.until
    elif special.until == "rounds":
        until = counted(ctx.state, special.rounds)
    usual = ("GH-058", "GH-054") if special.when == "instead_of_damage" else ("GH-054", "GH-055")
    rules = {"paralysed": ("GH-067", "GH-A18"), "stuck": ("GH-072", "GH-A09")}.get(name, usual)
    same = next(
        (effect for effect in ctx.state[blow.target].effects if effect.name == name and effect.source == blow.who), None
    )
    if same is not None and not special.rounds:
        return
    if same is not None:
        ctx.end_effect(same, "starts again", *rules)
    ctx.add_effect(Effect(name, blow.target, source=blow.who, until=until, stacking="add"), *rules)


def queue(ctx: Ctx, delayed: Delayed) -> None:
    """Keep a rider for the end of the fight (GH-057, A28)."""
    held = ctx.state.fact("fight", "delayed", ())
    ctx.fact("fight", "delayed", (*(held if isinstance(held, tuple) else ()), delayed), "GH-057", "GH-A28")
