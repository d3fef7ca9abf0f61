"""Riders of a monster's attack: their triggers, saves and effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rulesets.githack.actions.attack_dice import Blow, Die, concerns
from rulesets.githack.order.rounds import counted
from rulesets.githack.stat_blocks.models import HAZARDS, Ability, Part, Special
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import PLAIN, Words, ask_ability, save
from rulesets.githack.stats.facts import STUCK
from rulesets.githack.stats.stats import Delayed, Grip
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.prompts import AskedIf
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, OnUse


def in_play(state: State, blow: Blow, parts: Sequence[Part]) -> tuple[Special, ...]:
    """Return the specials that these parts can bring and that have a use left (GH-069)."""
    own = (*stats.monster(state, blow.who).specials, *blow.mode.specials)
    return tuple(
        special
        for special in own
        if special.when != "instead_of_attack"
        and stats.uses_left(state, blow.who, special) != 0
        and (not special.part or any(concerns(special, part.label) for part in parts))
    )


def spend_use(ctx: Ctx, who: Id, special: Special) -> None:
    """Count one use of a special, a rider's when it is triggered (GH-069, A26)."""
    if special.uses is not None and who in ctx.state:
        used = ctx.state[who].fact(f"used:{special.name}", 0)
        ctx.fact(who, f"used:{special.name}", (used if isinstance(used, int) else 0) + 1, "GH-069", "GH-A26")


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
    """Roll a rider's save, if any, and return whether the rider takes hold (GH-055, GH-110, A17, A18)."""
    if not special.save:
        return True
    times = hits if special.effect == "paralysed" and stats.rules(ctx.state).paralysis_saves == "per_hit" else 1
    held = [saved(ctx, blow, special, place) for place in range(1, times + 1)]
    return False in held


def saved(
    ctx: Ctx, blow: Blow, special: Special, place: int = 1, words: Words = PLAIN, asked_if: AskedIf | None = None
) -> bool | None:
    """Roll the one save against a special (GH-108 to GH-110).

    None if it is not rolled: by `asked_if`, or because the target has left or died.
    """
    key = f"save:{special.name}:{blow.target}" + (f"#{place}" if place > 1 else "")
    offered = _offered(ctx.state, special)
    ability = offered[0] if blow.save_ability == "usual" else cast(Ability, blow.save_ability)
    if blow.save_ability == "ask":
        asked = ask_ability(ctx, key, blow.target, special.name, offered, asked_if)
        if asked is None:
            return None
        ability, asked_if = asked, None
    what, rules = f"save against {special.name}", _save_rules(special)
    made = save(ctx, key, blow.target, ability, what, *rules, edge=blow.save_edge, words=words, asked_if=asked_if)
    return None if made is None else made.success


def _save_rules(special: Special) -> tuple[str, ...]:
    own = ("GH-067", "GH-A17") if special.effect == "paralysed" else ()
    return ("GH-108", "GH-109", "GH-110", *(("GH-055",) if special.when in ("harm", "wound") else ()), *own)


def _offered(state: State, special: Special) -> tuple[Ability, ...]:
    """Return the abilities of a save, WIS first where the switch says so (GH-108)."""
    own = special.save or HAZARDS["default"]
    return tuple(dict.fromkeys(("wis", *own))) if stats.rules(state).save_ability == "wis" else own


def inflict(ctx: Ctx, blow: Blow, special: Special) -> None:
    """Put a special's effect on its target (section 7).

    The same effect from the same source only starts its rounds again.
    """
    name = stats.lasting(special)
    if not name or not stats.here(ctx.state, blow.target):
        return
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
    grip = Grip(special.continuing or name == STUCK.name, special.destroys_ac)
    data = None if grip == Grip() else grip
    ctx.add_effect(Effect(name, blow.target, source=blow.who, until=until, data=data, stacking="add"), *rules)


def waits(special: Special) -> bool:
    """Tell whether a special's effect comes only after the fight (GH-057)."""
    return special.timing == "after_combat"


def put_off(blow: Blow, special: Special, state: State, boxes: Sequence[int | None], *, saved: bool = False) -> Delayed:
    """Return a rider that waits, with what the form says about its save (A28).

    With `saved` its one save has been rolled already.
    """
    offered = _offered(state, special) if special.save and not saved else ()
    asked = blow.save_ability == "ask" and len(offered) > 0
    chosen = blow.save_ability if blow.save_ability not in ("usual", "ask") else offered[0] if offered else ""
    return Delayed(
        blow.target,
        special.name,
        chosen if offered else "",
        tuple(box for box in boxes if box is not None),
        worsen=special.worsen,
        deep=special.deep,
        effect=stats.lasting(special),
        source=blow.who,
        edge=blow.save_edge,
        asked=offered if asked else (),
    )


def queue(ctx: Ctx, delayed: Delayed) -> None:
    """Keep a rider for the end of the fight (GH-057, A28)."""
    held = ctx.state.fact("fight", "delayed", ())
    ctx.fact("fight", "delayed", (*(held if isinstance(held, tuple) else ()), delayed), "GH-057", "GH-A28")
    ctx.note(f"{delayed.special} waits for the end of the combat", "GH-057", about=delayed.who)
