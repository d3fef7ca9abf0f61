"""Spells and abilities: cost, targets, Spellcasting against Willpower, damage, healing, effects.

SW-089 to SW-091, SW-113 to SW-116, SW-126 to SW-150.
"""

from __future__ import annotations

from typing import cast as typed

from msgspec import Struct

from rulesets.sword_world.acts.attack import additions_of, crossfire, declare_feat, reach_rules
from rulesets.sword_world.acts.damage import Blow, Chain, hurt, impact_chain, restore, settled_damage
from rulesets.sword_world.blocks.canonical import Feat, Spell
from rulesets.sword_world.blocks.tables import crit_rate
from rulesets.sword_world.numbers import stats
from rulesets.sword_world.numbers.checks import Total, active_wins, failed_automatically, roll_total, stat_total
from rulesets.sword_world.numbers.durations import end_words, rounds_until
from rulesets.sword_world.order.zones import candidates
from tracker.core.fight.events import Checked
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.moments import At
from tracker.kit import fields

__all__ = ["cast", "contested", "spell_of"]


class _Casting(Struct, frozen=True):
    """One cast: who, what, with which feat and on which total."""

    action: Action
    who: Id
    spell: Spell
    feat: Feat | None
    total: Total | None
    resisted: tuple[Id, ...] = ()
    shared: Chain | None = None


def spell_of(state: State, who: Id, name: object) -> Spell | None:
    """Return a spell by name."""
    return next((one for one in stats.block(state, who).spells if one.name == name), None)


def contested(spell: Spell) -> bool:
    """Tell whether targets may resist (SW-R32)."""
    return spell.resist in ("half", "negate")


def cast(ctx: Ctx, action: Action) -> None:
    """Cast a spell: MP, dice for the targets, Spellcasting, then each target (4.4)."""
    who = str(action.by)
    spell = typed(Spell, spell_of(ctx.state, who, action.get("spell")))
    ctx.guard(lambda state: who in state, "the caster is gone")
    if spell.free_action:
        ctx.note(f"{spell.name} is cast as a free action", "SW-058", about=who)
    else:
        ctx.spend(who, "standard", "SW-050", "SW-051")
    feat = declare_feat(ctx, who, action.get("feat"))
    if spell.cost:
        held = ctx.state[who].pool("mp").now
        paid = min(spell.cost, held)  # less than the cost only on the GM's word
        ctx.change(who, "mp", held - paid, "SW-162", "SW-R35", parts=(Part("cost", -paid),), why=spell.name)
    targets = _targets(ctx, action, who, spell)
    if not targets:
        ctx.skip(spell.name, "nobody is hit", "SW-116", who=who)
        return
    ctx.note(
        f"{spell.name} is meant for {', '.join(ctx.state.name(one) for one in targets)}",
        *_reach(ctx.state, who, spell, targets),
        about=who,
    )
    total: Total | None = None
    automatic = stats.rules(ctx.state).automatic_results
    if contested(spell) or automatic:
        total = _spellcasting(ctx, action, who, spell)
        if failed_automatically(ctx.state, total):
            ctx.emit(Checked("Spellcasting", who, total.value, "failure", parts=total.parts), "SW-R36", "SW-R32")
            return
    casting = _Casting(action, who, spell, feat, total)
    if spell.impact is not None and stats.rules(ctx.state).impact_roll == "per_cast":
        _one_chain(ctx, casting, targets)
        return
    for target in targets:
        if target not in ctx.state:
            continue
        resisted = contested(spell) and _resists(ctx, casting, target)
        chain = _roll(ctx, casting, f"impact:{target}", can_critical=not resisted)
        _affect(ctx, casting, target, resisted, chain)


def _spellcasting(ctx: Ctx, action: Action, who: Id, spell: Spell) -> Total:
    extra = Part("modifier", fields.number(action, "modifier"))
    parts = (*stats.check_parts(ctx.state, who, "spellcasting", stats.block(ctx.state, who).spellcasting), extra)
    return roll_total(ctx, "spellcasting", who, "spellcasting", parts, "SW-R32", why=spell.name)


# -- whom it meets -----------------------------------------------------------------------------------------------------


def _targets(ctx: Ctx, action: Action, who: Id, spell: Spell) -> tuple[Id, ...]:
    """Return the targets of a spell, all known before the first Spellcasting die.

    4.4, SW-R23, SW-R24.
    """
    named = fields.texts(action.get("targets"))
    zone = action.get("zone")
    match spell.area:
        case "self":
            return (who,)
        case "shot":
            return (crossfire(ctx, who, named[0]),)
        case "radius" if isinstance(zone, str) and zone:
            return _at_random(ctx, _ticked(ctx.state, action, zone), who, spell)
        case "line" if named and stats.place_of(ctx.state, named[0]) is not None:
            return _along_the_line(ctx, who, named[0], typed(str, stats.place_of(ctx.state, named[0])), action)
        case _:
            return named


def _reach(state: State, who: Id, spell: Spell, targets: tuple[Id, ...]) -> tuple[str, ...]:
    """Return the rules by which a spell meets its targets (SW-107, SW-109, SW-113, SW-R24)."""
    if spell.area == "shot":
        return ("SW-R24", *reach_rules(state, who, targets[0]))
    inside = [one for one in targets if stats.place_of(state, one) is not None]
    if spell.area == "touch":
        return ("SW-R25", *(("SW-107",) if inside else ()))
    return (
        "SW-R24",
        *(("SW-113",) if spell.area == "target" and inside else ()),
        *(("SW-089",) if spell.area == "radius" and inside else ()),
    )


def _ticked(state: State, action: Action, zone: str) -> tuple[Id, ...]:
    """Return the candidates in a zone that are not unticked in the form."""
    kept = action.get("candidates")
    return tuple(one for one in candidates(state, zone) if not isinstance(kept, tuple) or one in kept)


def _at_random(ctx: Ctx, found: tuple[Id, ...], who: Id, spell: Spell) -> tuple[Id, ...]:
    """Pick random targets up to the maximum, without putting back (SW-090, SW-116, SW-R23)."""
    most = spell.max_targets
    if most is None or most >= len(found):
        ctx.note(f"{spell.name} meets all {len(found)} in the zone", "SW-116", "SW-R23", about=who)
        return found
    rest, picked = list(found), list[Id]()
    for number in range(1, most + 1):
        listed = ", ".join(f"{place} {ctx.state.name(one)}" for place, one in enumerate(rest, start=1))
        face = ctx.roll(
            f"random:{number}",
            Dice.of(1, len(rest)),
            "SW-090",
            "SW-116",
            "SW-R23",
            who=who,
            why=f"{spell.name}: {listed}",
        )
        picked.append(rest.pop(face - 1))
        ctx.note(f"is met by {spell.name}", "SW-090", about=picked[-1])
    return tuple(picked)


def _along_the_line(ctx: Ctx, who: Id, meant: Id, zone: str, action: Action) -> tuple[Id, ...]:
    """Hit the target meant, and others in the zone that roll 3 or less (SW-091)."""
    hit = [meant]
    for other in _ticked(ctx.state, action, zone):
        if other in (meant, who):
            continue
        face = ctx.roll(f"line:{other}", Dice.of(1, 6), "SW-091", who=other, why="in the line on 3 or less")
        ctx.emit(
            Checked("line", other, face, "hit" if face <= 3 else "not hit", against=3, against_what="3 or less"),
            "SW-091",
        )
        if face <= 3:
            hit.append(other)
    return tuple(hit)


# -- what it does ------------------------------------------------------------------------------------------------------


def _resists(ctx: Ctx, casting: _Casting, target: Id) -> bool:
    """Roll Willpower against Spellcasting, and return whether the target resists.

    A tie resists (SW-133, SW-150, SW-R32).
    """
    active = typed(Total, casting.total)
    roll_fixed = casting.action.get("roll_fixed") is True
    passive = stat_total(
        ctx,
        f"willpower:{target}",
        target,
        "willpower",
        "SW-R32",
        roll_fixed=roll_fixed,
        why=f"resist {casting.spell.name}",
        goal=active.value,
    )
    resisted = not active_wins(ctx.state, active, passive)
    resisted = ctx.ruling(f"resisted:{target}", resisted) is True
    ctx.emit(
        Checked(
            "Spellcasting",
            casting.who,
            active.value,
            "resisted" if resisted else "not resisted",
            target,
            active.parts,
            passive.value,
            "Willpower",
            passive.parts,
        ),
        "SW-R32",
        "SW-105",
        *(("SW-150",) if resisted and casting.spell.impact is not None else ()),
    )
    return resisted


def _roll(ctx: Ctx, casting: _Casting, key: str, can_critical: bool) -> Chain | None:
    """Roll a spell's Impact.

    Healing and resisted spells cannot critical (SW-128, SW-129, SW-146, SW-150).
    """
    spell = casting.spell
    if spell.impact is None:
        return None
    rate = crit_rate(spell.crit) if can_critical and not spell.heal else None
    rules = ("SW-128", "SW-129") if spell.heal else ("SW-124", "SW-146", "SW-R51")
    return impact_chain(ctx, key, casting.who, spell.impact, rate, *rules)


def _one_chain(ctx: Ctx, casting: _Casting, targets: tuple[Id, ...]) -> None:
    """Roll one chain for all targets.

    Its further rolls count for those who did not resist (SW-R31).
    """
    resisted = [target for target in targets if contested(casting.spell) and _resists(ctx, casting, target)]
    ctx.note("one Impact roll for all targets", "SW-R31", about=casting.who)
    chain = _roll(ctx, casting, "impact", can_critical=len(resisted) < len(targets))
    for target in targets:
        _affect(ctx, casting, target, target in resisted, chain)


def _affect(ctx: Ctx, casting: _Casting, target: Id, resisted: bool, chain: Chain | None) -> None:
    """Let the spell do its work on one target (SW-R49)."""
    spell = casting.spell
    if target not in ctx.state:
        return
    if chain is not None and chain.failed:
        ctx.skip(spell.name, "automatic failure", "SW-126", who=target)
        return
    if spell.resist == "negate" and resisted:
        ctx.skip(spell.name, "resisted", "SW-R49", who=target)
        return
    if chain is not None:
        _points(ctx, casting, target, resisted, chain)
    if spell.effect is not None and target in ctx.state:
        _add(ctx, casting, target)  # SW-R49


def _points(ctx: Ctx, casting: _Casting, target: Id, resisted: bool, chain: Chain) -> None:
    """Deal or heal: Impact and Magic Power once, half of both where resisted.

    SW-128 to SW-133, SW-149, SW-R29.
    """
    spell = casting.spell
    parts = [*chain.parts(not resisted), Part("Magic Power", spell.bonus, "SW-149")]
    if spell.heal:
        if not stats.present(ctx.state[target]):
            ctx.skip(spell.name, "the dead are not healed", "SW-R42", who=target)
            return
        amount = sum(part.amount for part in parts)
        restore(ctx, target, amount, pool=spell.pool, parts=parts, source=casting.who)
        return
    rules = ["SW-131", "SW-117"]
    if resisted and spell.resist == "half":
        whole = sum(part.amount for part in parts)
        up = stats.rules(ctx.state).halving == "up"
        parts.append(Part("resisted: half", (-(-whole // 2) if up else whole // 2) - whole, "SW-133"))
        rules += ["SW-133", "SW-R29"]
    rules += ["SW-139"] if spell.energy else []
    rules += ["SW-122", "SW-159"] if spell.damage_type == "magical" else ["SW-120", "SW-121"]
    blow = Blow(
        tuple(part for place, part in enumerate(parts) if part.amount or not place),
        spell.damage_type,
        spell.energy,
        additions_of(casting.action, casting.feat),
    )
    direct, explained = settled_damage(ctx.state, target, blow)
    direct = typed(int, ctx.ruling(f"damage:{target}", direct))
    hurt(ctx, target, direct, *rules, pool=spell.pool, parts=explained, source=casting.who, why=spell.name)


def _add(ctx: Ctx, casting: _Casting, target: Id) -> None:
    """Add the spell's effect with an end that is fixed now.

    SW-023 to SW-026, SW-R05, SW-R06, SW-R55.
    """
    spell = casting.spell
    if spell.duration == "combat" or spell.duration is None:
        until: tuple[At, ...] = (At("combat_end"),)
    else:
        rounds = fields.number(casting.action, "rounds", spell.duration)
        until = rounds_until(ctx.state, rounds, str(casting.action.get("ends_with") or ""))
    modifiers = tuple(Modifier(change.stat, change.amount, change.type or "") for change in spell.effect or ())
    rules = ["SW-023", "SW-024", "SW-R05", "SW-R06", "SW-R49", "SW-R55"]
    own = stats.camp_of(ctx.state, target)
    if own == stats.camp_of(ctx.state, casting.who):
        rules.append("SW-025" if stats.phase_of(ctx.state, own) == "leading" else "SW-026")
    number = ctx.add_effect(Effect(spell.name, target, source=casting.who, until=until, modifiers=modifiers), *rules)
    held = ctx.state.effect(target, number)
    if held is not None:
        ctx.note(f"{spell.name} holds {end_words(ctx.state, held)}", "SW-024", "SW-R06", about=target)
