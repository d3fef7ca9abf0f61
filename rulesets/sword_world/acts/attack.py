"""Attacks with weapons: crossfire, Accuracy against Evasion, Impact or damage dice.

SW-101 to SW-116, SW-165 to SW-167.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rulesets.sword_world.acts.damage import Blow, hurt, impact_chain, settled_damage
from rulesets.sword_world.blocks.canonical import Addition, Attack, DamageType, Feat
from rulesets.sword_world.blocks.tables import crit_rate
from rulesets.sword_world.fields import words
from rulesets.sword_world.numbers import stats
from rulesets.sword_world.numbers.checks import (
    Total,
    active_wins,
    failed_automatically,
    fixed_total,
    roll_total,
    stat_total,
)
from rulesets.sword_world.numbers.effects import FEAT_USED
from rulesets.sword_world.order.zones import candidates, zone_name
from tracker.core.fight.events import Checked
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Modifier
from tracker.kit import fields

__all__ = [
    "UNTRAINED",
    "additions_of",
    "attack",
    "attacks_of",
    "crit_parts",
    "crossfire",
    "declare_feat",
    "declared",
    "reach_rules",
    "weapon_of",
]

UNTRAINED = "untrained attack"


def attacks_of(state: State, who: Id) -> tuple[Attack, ...]:
    """Return a combatant's attacks, an untrained one among them without a melee entry (SW-102)."""
    own = stats.block(state, who).attacks
    return own if any(one.mode == "melee" for one in own) else (*own, Attack(UNTRAINED, impact=0))


def weapon_of(state: State, who: Id, name: str) -> Attack | None:
    """Return an attack by name."""
    return next((one for one in attacks_of(state, who) if one.name == name), None)


def declared(state: State, who: Id, name: object) -> Feat | None:
    """Return a declared combat feat by name."""
    return next((feat for feat in stats.block(state, who).feats if feat.declared and feat.name == name), None)


def declare_feat(ctx: Ctx, who: Id, name: object) -> Feat | None:
    """Switch a combat feat on before the roll, at most one a turn.

    SW-055, SW-056, SW-R50.
    """
    feat = declared(ctx.state, who, name)
    if feat is None:
        return None
    ctx.spend(who, "feat", "SW-055", "SW-056")
    ctx.note(f"declares {feat.name}" + (f" ({feat.note})" if feat.note else ""), "SW-055", "SW-R50", about=who)
    if feat.evasion:
        ctx.add_effect(
            FEAT_USED.on(who, modifiers=(Modifier("evasion", feat.evasion),), title=feat.name),
            "SW-R50",
        )
    return feat


def crossfire(ctx: Ctx, who: Id, target: Id) -> Id:
    """Roll for the target that a shot into a brawl endangers.

    The die falls before the Accuracy check (SW-114, SW-165 to SW-167, SW-R22).
    """
    place = stats.place_of(ctx.state, target)
    if place is None or place == stats.zone_of(ctx.state, who):
        return target  # SW-108, SW-109
    found = candidates(ctx.state, place, target)
    if len(found) < 2:
        return found[0] if found else target
    listed = ", ".join(f"{number} {ctx.state.name(one)}" for number, one in enumerate(found, start=1))
    where = zone_name(ctx.state, place)
    face = ctx.roll(
        "crossfire", Dice.of(1, len(found)), "SW-114", "SW-165", "SW-166", "SW-R22", who=who, why=f"crossfire: {listed}"
    )
    hit = found[face - 1]
    shown = f"{ctx.state.name(hit)}, the one meant" if hit == target else f"{ctx.state.name(hit)} instead"
    ctx.emit(Checked(f"crossfire in {where}", who, face, shown), "SW-166", "SW-167")
    return hit


def reach_rules(state: State, who: Id, target: Id) -> tuple[str, ...]:
    """Return the rules by which an attack or a Shot reaches its target.

    Inside one zone, out of one, or into one (SW-106 to SW-114).
    """
    here, there = stats.zone_of(state, who), stats.place_of(state, target)
    if here is not None and here == there:
        return ("SW-106", "SW-108")
    into = ("SW-112", "SW-114") if there is not None else ()
    return ("SW-109", *into) if here is not None else into


def additions_of(action: Action, feat: Feat | None, *more: Addition) -> tuple[Addition, ...]:
    """Return the additional damage typed in a form and that of a declared feat."""
    typed = tuple(
        Addition(fields.whole(row.get("amount")), damage_type(row.get("type")), "additional")
        for row in action.rows("additional")
    )
    from_feat = (Addition(feat.damage, feat.damage_type, feat.name),) if feat is not None and feat.damage else ()
    return (*more, *from_feat, *typed)


def damage_type(value: object) -> DamageType | None:
    """Return a type of damage, None for that of the attack."""
    return "physical" if value == "physical" else "magical" if value == "magical" else None


def crit_parts(state: State, who: Id, target: Id, feat: Feat | None, extra: int = 0) -> tuple[Part, ...]:
    """Return what changes the crit rate of a weapon attack (SW-152, SW-153, SW-155, SW-156)."""
    own = stats.block(state, who)
    parts = [Part("Fencer", -1, "SW-152")] if own.fencer else []
    parts += [Part(one.name, one.crit, "SW-153") for one in own.feats if not one.declared and one.crit]
    if feat is not None and feat.crit:
        parts.append(Part(feat.name, feat.crit, "SW-155" if feat.crit > 0 else "SW-153"))
    parts += stats.effect_parts(state, who, "crit")
    if stats.block(state, target).armor == "metal":
        parts.append(Part("metal armor", 1, "SW-156"))
    return (*parts, Part("form", extra)) if extra else tuple(parts)


def attack(ctx: Ctx, action: Action) -> None:
    """Make a melee or ranged attack.

    From the crossfire die to the damage it is one unit (SW-050, SW-051, SW-054, SW-104).
    """
    who, meant = str(action.by), str(action.get("target"))
    weapon = cast(Attack, weapon_of(ctx.state, who, str(action.get("weapon"))))
    if weapon.name == UNTRAINED:
        weapon = Attack(
            UNTRAINED,
            impact=fields.number(action, "impact"),
            crit=fields.number(action, "crit"),
            bonus=fields.number(action, "bonus"),
        )
    ctx.guard(lambda state: who in state and meant in state, "the attacker or the target is gone")
    ctx.spend(who, "standard", "SW-050", "SW-051", "SW-054", *(("SW-102",) if weapon.name == UNTRAINED else ()))
    feat = declare_feat(ctx, who, action.get("feat"))
    mode = ("SW-101", *reach_rules(ctx.state, who, meant), *(() if weapon.mode == "melee" else ("SW-103",)))
    target = meant if weapon.mode == "melee" else crossfire(ctx, who, meant)
    sure = action.get("no_evasion") is True and target == meant
    if sure:
        ctx.note("cannot dodge: the attack hits", "SW-R52", about=target)
    elif not _hits(ctx, action, who, target, weapon, feat, mode):
        return
    _strike(ctx, action, who, target, weapon, feat)


def _hits(
    ctx: Ctx, action: Action, who: Id, target: Id, weapon: Attack, feat: Feat | None, mode: Sequence[str]
) -> bool:
    """Roll Accuracy against Evasion, and return whether the attack hits.

    A tie misses (SW-104, SW-105, SW-R48).
    """
    roll_fixed = action.get("roll_fixed") is True
    dodge = (Part("modifier", fields.number(action, "evasion_modifier")),)
    active = _accuracy(ctx, action, who, target, weapon, feat)
    failed = failed_automatically(ctx.state, active)
    passive = Total(None, (Part("no Evasion roll", 0),))
    if not failed:
        passive = stat_total(
            ctx,
            "evasion",
            target,
            "evasion",
            "SW-104",
            extra=dodge,
            roll_fixed=roll_fixed,
            why=f"evade {weapon.name}",
            goal=active.value,
        )
    hit = ctx.ruling("hit", active_wins(ctx.state, active, passive)) is True
    ctx.emit(
        Checked(
            "Accuracy",
            who,
            active.value,
            "hit" if hit else "miss",
            target,
            active.parts,
            passive.value,
            "Evasion",
            passive.parts,
        ),
        "SW-104",
        *(("SW-105",) if active.value == passive.value else ()),
        *mode,
        *(("SW-R36",) if stats.rules(ctx.state).automatic_results else ()),
    )
    return hit


def _accuracy(ctx: Ctx, action: Action, who: Id, target: Id, weapon: Attack, feat: Feat | None) -> Total:
    """Roll Accuracy, or take its fixed value (SW-104, SW-R48)."""
    roll_fixed = action.get("roll_fixed") is True
    stated = None if roll_fixed else weapon.accuracy_fixed
    base, label = (weapon.accuracy, "accuracy") if stated is None else (stated, "accuracy (fixed)")
    parts = (
        *stats.check_parts(ctx.state, who, "accuracy", base, label),
        *((Part(feat.name, feat.accuracy),) if feat is not None and feat.accuracy else ()),
        Part("modifier", fields.number(action, "modifier")),
    )
    if stated is not None:
        return fixed_total(parts)
    fixed = None if roll_fixed else stats.fixed(ctx.state, target, "evasion")
    goal = None
    if fixed is not None:
        dodge = Part("modifier", fields.number(action, "evasion_modifier"))
        goal = sum(part.amount for part in (*stats.check_parts(ctx.state, target, "evasion", fixed), dodge)) + 1
    return roll_total(ctx, "accuracy", who, "accuracy", parts, "SW-104", why=weapon.name, goal=goal)


def _strike(ctx: Ctx, action: Action, who: Id, target: Id, weapon: Attack, feat: Feat | None) -> None:
    """Work out and deal the damage of a hit (SW-119 to SW-144)."""
    kind = weapon.damage_type
    laws: tuple[str, ...] = (
        ("SW-119", "SW-120", "SW-121", "SW-158") if kind == "physical" else ("SW-119", "SW-122", "SW-141", "SW-142")
    )
    if weapon.impact is not None:
        changes = crit_parts(ctx.state, who, target, feat, fields.number(action, "crit_modifier"))
        rate = crit_rate(weapon.crit, *(part.amount for part in changes))
        shown = ", ".join(f"{part.amount:+d} {part.label}" for part in changes)
        if changes:
            result = "never" if rate is None else str(rate)
            ctx.note(
                f"crit rate {weapon.crit} {shown}: {result}",
                "SW-145",
                "SW-154",
                "SW-157",
                "SW-R27",
                *(part.rule for part in changes if part.rule),
            )
        chain = impact_chain(
            ctx, "impact", who, weapon.impact, rate, "SW-124", "SW-145", *(("SW-155",) if weapon.crit > 10 else ())
        )
        if chain.failed:
            return
        parts = (*chain.parts(), Part("bonus", weapon.bonus, "SW-149"))
    else:
        dice = cast(Dice, weapon.damage)
        rolled = ctx.roll("damage", dice, "SW-R53", who=who, why=weapon.name)
        parts = (Part(str(dice.natural), rolled, "SW-R53"), Part("fixed part", dice.plus), Part("bonus", weapon.bonus))
    own = tuple(Addition(amount, own_type, label) for amount, own_type, label in stats.added_damage(ctx.state, who))
    energy = words(action, "energy")
    additions = additions_of(action, feat, *weapon.additional, *own)
    blow = Blow(tuple(part for place, part in enumerate(parts) if part.amount or not place), kind, energy, additions)
    direct, explained = settled_damage(ctx.state, target, blow)
    direct = cast(int, ctx.ruling("damage", direct))
    laws += (*(("SW-139",) if blow.energy else ()), *(("SW-R30",) if blow.additions else ()))
    hurt(ctx, target, direct, "SW-131", "SW-132", *laws, parts=explained, source=who, why=weapon.name)
