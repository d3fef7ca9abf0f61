"""Spells and abilities: cost, targets, Spellcasting against Willpower, damage, healing, effects.

SW-089 to SW-091, SW-113 to SW-116, SW-126 to SW-150.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast as typed

from msgspec import UNSET, Struct
from msgspec.structs import replace

from rulesets.sword_world.actions.attack import additions_of, crossfire, declare_feat, reach_rules
from rulesets.sword_world.actions.damage import (
    BaseDamage,
    Chain,
    Needed,
    crit_of,
    fells,
    hurt,
    impact_chain,
    mixed,
    no_crit,
    restore,
    settled_damage,
    tell_critical,
)
from rulesets.sword_world.order.opening import ECONOMY, in_range, keep_able, there, within_reach
from rulesets.sword_world.order.zones import brawl, candidates
from rulesets.sword_world.stat_blocks.models import Feat, Spell
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.checks import (
    Contest,
    Total,
    active_wins,
    dice_total,
    failed_automatically,
    roll_total,
    stat_total,
)
from rulesets.sword_world.stats.effects import rounds_until
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.step.prompts import AskedIf
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.moments import At
from tracker.core.terms.words import listed, possessive
from tracker.kit.economy import budget

MOST_NAMED = 3
"""Targets that the question of a spell names."""


class _Casting(Struct, frozen=True):
    """One cast: who, what, with which feat and on which total.

    Attributes:
        near: the targets that were within reach when they were settled.
        laws: the rules by which it meets them.
    """

    action: Action
    who: Id
    spell: Spell
    feat: Feat | None
    total: Total | None
    near: tuple[Id, ...] = ()
    laws: tuple[str, ...] = ()

    def now(self, state: State) -> _Casting:
        """Return it with the Spellcasting total as it counts now."""
        natural = None if self.total is None else self.total.natural
        if natural is None:
            return self
        return replace(self, total=dice_total(natural, _spellcasting_parts(state, self.action, self.who)))


def spell_of(state: State, who: Id, name: object) -> Spell | None:
    return next((one for one in stats.block(state, who).spells if one.name == name), None)


def contested(spell: Spell) -> bool:
    """Tell whether targets may resist (SW-R32)."""
    return spell.resist in ("half", "negate")


def cast(ctx: Ctx, action: Action) -> None:
    """Cast a spell: MP, dice for the targets, Spellcasting, then each target (4.4)."""
    who = str(action.by)
    spell = typed(Spell, spell_of(ctx.state, who, action.get("spell")))
    decided = keep_able(ctx, who)  # a caster whom the spell fells, or who falls later, has cast it
    if spell.free_action:
        ctx.note("as a free action", "SW-058", about=who)
    else:
        ECONOMY.take(ctx, who, budget(standard=1), "SW-050", "SW-051")
    feat = declare_feat(ctx, who, action.get("feat"))
    if spell.cost:
        held = ctx.state[who].pool("mp").now
        paid = min(spell.cost, held)  # less than the cost only on the GM's word
        ctx.change(who, "mp", held - paid, "SW-162", "SW-R35")
    targets = targets_of(ctx, action, who, spell)
    if not targets:
        ctx.skip(spell.name, "nobody is hit", "SW-116", who=who)
        return
    laws = reach_of(ctx.state, who, spell, targets)
    near = tuple(one for one in targets if there(ctx.state, one) and meets(ctx.state, who, spell, one))
    total: Total | None = None
    if contested(spell) or stats.rules(ctx.state).automatic_results:
        base = partial(_spellcasting_parts, action=action, who=who)
        goal = partial(_to_beat, action=action, targets=near)
        whom = f"at {', '.join(ctx.state.name(one) for one in near)}" if 0 < len(near) <= MOST_NAMED else ""
        contest = Contest("Willpower", "gets through", above=True, whom=whom, goal=goal)
        rolled = roll_total(
            ctx, "spellcasting", who, "spellcasting", base, "SW-R32", *laws, why=spell.name, contest=contest
        )
        total = typed(Total, rolled)
        if failed_automatically(ctx.state, total):
            ctx.emit(
                Checked("Spellcasting", who, total.value, "failure", parts=total.parts, success=False),
                "SW-R36",
                "SW-R32",
            )
            return
    casting = _Casting(action, who, spell, feat, total, near, laws)
    if spell.impact is not None and stats.rules(ctx.state).impact_roll == "per_cast":
        _one_chain(ctx, casting, targets, decided)
        return
    for place, target in enumerate(targets):
        resisted = _resists(ctx, casting, target, now=not place)
        casting = casting if place else casting.now(ctx.state)
        decided()
        if resisted is not None:
            _one_target(ctx, casting, target, resisted)


def _spellcasting_parts(state: State, action: Action, who: Id) -> tuple[Part, ...]:
    own = stats.block(state, who).spellcasting
    parts = stats.check_parts(state[who], "spellcasting", own, "bonus")
    return (*parts, Part("modifier", fields.number(action, "modifier")))


def _one_target(ctx: Ctx, casting: _Casting, target: Id, resisted: bool) -> None:
    spell = casting.spell
    chain: Chain | None = None
    if spell.impact is not None and not (resisted and spell.resist == "negate"):
        on = f" on {ctx.state.name(target)}"
        met = partial(_met, casting=casting, target=target)
        needed = partial(_felling, casting=casting, target=target, resisted=resisted)
        key, many = f"impact:{target}", len(casting.near) > 1
        chain = _roll(
            ctx,
            casting,
            key,
            can_critical=not resisted,
            asks=on,
            on=on if many else "",
            needed=needed,
            asked_if=met,
        )
        if chain is None:
            _tell_unmet(ctx, casting, target)
            return
    _affect(ctx, casting, target, resisted, chain)


def _met(state: State, casting: _Casting, target: Id) -> bool:
    return there(state, target) and (target not in casting.near or meets(state, casting.who, casting.spell, target))


def _tell_unmet(ctx: Ctx, casting: _Casting, target: Id) -> None:
    why = "is out of reach" if there(ctx.state, target) else "is no longer there"
    ctx.skip(casting.spell.name, f"{ctx.state.name(target)} {why}", who=target)


def _to_beat(state: State, action: Action, targets: Sequence[Id]) -> int | None:
    if len(targets) != 1 or targets[0] not in state or action.get("roll_fixed") is True:
        return None
    fixed = stats.fixed(state[targets[0]], "willpower")
    if fixed is None:
        return None
    return sum(part.amount for part in stats.check_parts(state[targets[0]], "willpower", fixed)) + 1


def _resists(ctx: Ctx, casting: _Casting, target: Id, now: bool) -> bool | None:
    """Roll Willpower against Spellcasting, and return whether the target resists.

    None for a target that is not met any more. A tie resists (SW-133, SW-150, SW-R32). `now`: the Spellcasting total
    counts as it is when the Willpower is rolled.
    """
    if not contested(casting.spell):
        if _met(ctx.state, casting, target):
            return False
        _tell_unmet(ctx, casting, target)
        return None

    def spellcasting(state: State) -> Total:
        return typed(Total, (casting.now(state) if now else casting).total)

    roll_fixed = casting.action.get("roll_fixed") is True
    passive = stat_total(
        ctx,
        f"willpower:{target}",
        target,
        "willpower",
        "SW-R32",
        roll_fixed=roll_fixed,
        why=f"resisting {possessive(ctx.state.name(casting.who))} {casting.spell.name}",
        contest=Contest("Spellcasting", "resists", goal=lambda state: spellcasting(state).value),
        asked_if=partial(_met, casting=casting, target=target),
    )
    if passive is None:
        _tell_unmet(ctx, casting, target)
        return None
    active = spellcasting(ctx.state)
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
            success=not resisted,
        ),
        *("SW-R32", "SW-105"),
        *(("SW-150",) if resisted and casting.spell.impact is not None else ()),
        *(("SW-R49",) if resisted and casting.spell.resist == "negate" else ()),
    )
    return resisted


def _roll(
    ctx: Ctx,
    casting: _Casting,
    key: str,
    can_critical: bool,
    asks: str = "",
    on: str = "",
    needed: Needed = lambda state, before, rate: "",
    asked_if: AskedIf | None = None,
) -> Chain | None:
    """Roll a spell's Impact, None if it has none or the roll is not asked; `asks` is added to its question.

    Healing and resisted spells cannot critical (SW-128, SW-129, SW-146, SW-150).
    """
    spell = casting.spell
    if spell.impact is None:
        return None
    rules = ("SW-128", "SW-129") if spell.heal else ("SW-124", "SW-146", "SW-R51")
    crit = (lambda state: crit_of(spell.crit)) if can_critical and not spell.heal else no_crit
    return impact_chain(
        ctx,
        key,
        casting.who,
        spell.impact,
        crit,
        *rules,
        *casting.laws,
        on=on,
        needed=lambda *now: " · ".join(part for part in (f"{spell.name}{asks}", needed(*now)) if part),
        asked_if=asked_if,
    )


def _one_chain(ctx: Ctx, casting: _Casting, targets: tuple[Id, ...], decided: Callable[[], None]) -> None:
    """Roll one chain for all targets; its further rolls count for those who did not resist (SW-R31)."""
    spell = casting.spell
    met, resisted = list[Id](), list[Id]()
    for target in targets:
        outcome = _resists(ctx, casting, target, now=True)
        casting = casting.now(ctx.state)
        if outcome is not None:
            met.append(target)
        if outcome:
            resisted.append(target)
    decided()
    chain: Chain | None = None
    if met and not (spell.resist == "negate" and len(resisted) == len(met)):
        ctx.note("one Impact roll for all targets", "SW-R31", about=casting.who)
        chain = _roll(ctx, casting, "impact", can_critical=len(resisted) < len(met))
    for target in met:
        if _met(ctx.state, casting, target):
            _affect(ctx, casting, target, target in resisted, chain)
        else:
            _tell_unmet(ctx, casting, target)


def _affect(ctx: Ctx, casting: _Casting, target: Id, resisted: bool, chain: Chain | None) -> None:
    """Let the spell do its work on one target (SW-R49)."""
    spell = casting.spell
    if (spell.resist == "negate" and resisted) or (chain is not None and chain.failed):  # SW-126, SW-R49
        return
    if chain is not None:
        _points(ctx, casting, target, resisted, chain)
    if spell.effect is not None and target in ctx.state:
        _add(ctx, casting, target)  # SW-R49


def _points(ctx: Ctx, casting: _Casting, target: Id, resisted: bool, chain: Chain) -> None:
    """Deal or heal: Impact and Magic Power once, half of both where resisted (SW-128 to SW-133, SW-149, SW-R29)."""
    spell = casting.spell
    if spell.heal:
        parts = [*chain.parts(not resisted), Part("Magic Power", spell.bonus, "SW-149")]
        if not stats.present(ctx.state[target]):
            ctx.skip(spell.name, "the dead are not healed", "SW-R42", who=target)
            return
        amount = sum(part.amount for part in parts)
        restore(ctx, target, amount, pool=spell.pool, parts=parts, source=casting.who)
        return
    if not resisted:
        tell_critical(ctx, casting.who, target, chain)
    rules = ["SW-131", "SW-117"]
    rules += ["SW-133", "SW-R29"] if resisted and spell.resist == "half" else []
    rules += ["SW-139"] if spell.energy else []
    rules += ["SW-122", "SW-159"] if spell.damage_type == "magical" else ["SW-120", "SW-121"]
    direct, explained = settled_damage(ctx.state, target, _base_damage(ctx.state, casting, resisted, chain))
    direct = typed(int, ctx.ruling(f"damage:{target}", direct))
    hurt(ctx, target, direct, *rules, *mixed(explained), pool=spell.pool, parts=explained, source=casting.who)


def _base_damage(state: State, casting: _Casting, resisted: bool, chain: Chain) -> BaseDamage:
    """Return the damage of a spell before additions and reductions, half of it where resisted (SW-133, SW-R29)."""
    spell = casting.spell
    parts = [*chain.parts(not resisted), Part("Magic Power", spell.bonus, "SW-149")]
    if resisted and spell.resist == "half":
        whole = sum(part.amount for part in parts)
        up = stats.rules(state).halving == "up"
        parts.append(Part("half, resisted", (-(-whole // 2) if up else whole // 2) - whole, "SW-133"))
    kept = tuple(part for place, part in enumerate(parts) if part.amount or not place)
    return BaseDamage(kept, spell.damage_type, spell.energy, additions_of(casting.action, casting.feat))


def _felling(
    state: State, before: tuple[int, ...], rate: int | None, casting: _Casting, target: Id, resisted: bool
) -> str:
    """Return which Impact rolls of a spell drop its target, for the question."""
    spell = casting.spell
    if spell.heal or spell.impact is None or spell.pool != "hp":
        return ""

    def harm(chain: Chain) -> int:
        return settled_damage(state, target, _base_damage(state, casting, resisted, chain))[0]

    return fells(state, target, spell.impact, before, rate, harm)


def _add(ctx: Ctx, casting: _Casting, target: Id) -> None:
    """Add the spell's effect with an end that is fixed now (SW-023 to SW-026, SW-R05, SW-R06, SW-R55)."""
    spell = casting.spell
    if spell.duration == "combat" or spell.duration is None:
        until: tuple[At, ...] = (At("combat_end"),)
    else:
        rounds = fields.number(casting.action, "rounds", spell.duration)
        until = rounds_until(ctx.state, rounds, str(casting.action.get("ends_with") or ""))
    modifiers = tuple(Modifier(change.stat, change.amount, kind=change.type or UNSET) for change in spell.effect or ())
    rules = ["SW-023", "SW-024", "SW-R05", "SW-R06", "SW-R49", "SW-R55"]
    own = stats.camp_of(ctx.state, target)
    if own == stats.camp_of(ctx.state, casting.who):
        rules.append("SW-025" if stats.phase_of(ctx.state, own) == "leading" else "SW-026")
    effect = Effect(spell.name, target, source=casting.who, until=until, modifiers=modifiers)
    ctx.add_effect(effect, *rules, *casting.laws)


def targets_of(ctx: Ctx, action: Action, who: Id, spell: Spell) -> tuple[Id, ...]:
    """Return the targets of a spell, all known before the first Spellcasting die (4.4, SW-R23, SW-R24)."""
    named = fields.texts(action.get("targets"))
    zone = action.get("zone")
    match spell.area:
        case "self":
            return (who,)
        case "shot":
            return (crossfire(ctx, who, named[0]),)
        case "radius" if isinstance(zone, str) and zone:
            return _at_random(ctx, action, zone, who, spell)
        case "line":
            hit: dict[Id, None] = {}
            rolled = set(named)  # one whom the GM moves meanwhile is in the way once
            for one in named:
                place = stats.place_of(ctx.state, one)
                met = [one] if place is None else _along_the_line(ctx, who, one, place, action, rolled)
                hit.update(dict.fromkeys(met))
            return tuple(hit)
        case _:
            return named


def meets(state: State, who: Id, spell: Spell, target: Id) -> bool:
    if spell.area == "touch":
        return target == who or within_reach(state, who, target)
    return in_range(state, who, target, spell.range) and stats.cover(state, who, target) is None


def reach_of(state: State, who: Id, spell: Spell, targets: tuple[Id, ...]) -> tuple[str, ...]:
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
    kept = action.get("candidates")
    found = candidates(state, zone) if stats.has_zone(state, zone) else ()
    return tuple(one for one in found if not isinstance(kept, tuple) or one in kept)


def _at_random(ctx: Ctx, action: Action, zone: str, who: Id, spell: Spell) -> tuple[Id, ...]:
    """Pick random targets up to the maximum, without putting back (SW-090, SW-116, SW-R23)."""
    most, picked = spell.max_targets, list[Id]()
    found = _ticked(ctx.state, action, zone)

    def rest(state: State) -> list[Id]:
        now = _ticked(state, action, zone) if stats.has_zone(state, zone) or not picked else found
        return [one for one in now if one not in picked and there(state, one)]

    def numbers(state: State) -> str:
        return ", ".join(f"{place} {state.name(one)}" for place, one in enumerate(rest(state), start=1))

    for number in range(1, (most or 0) + 1):
        face = ctx.roll(
            f"random:{number}",
            lambda state: Dice.of(1, len(rest(state))),
            *("SW-090", "SW-116", "SW-R23"),
            who=who,
            why=lambda state: f"{spell.name}: {numbers(state)}",
            asked_if=lambda state: len(rest(state)) > (most or 0) - len(picked),
        )
        found = found if picked else _ticked(ctx.state, action, zone)
        if face is None:
            break
        hit, what = rest(ctx.state)[face - 1], f"target {number} in {brawl(zone)} ({numbers(ctx.state)})"
        picked.append(hit)
        ctx.emit(Checked(what, who, face, ctx.state.name(hit)), "SW-090")
    if not picked and (most is None or most >= len(found)):
        everyone = stats.has_zone(ctx.state, zone) and found == candidates(ctx.state, zone)
        names = f": {listed([ctx.state.name(one) for one in found], len(found))}" if everyone else ""
        ctx.note(f"into {brawl(zone)}{names}", "SW-116", "SW-R23", about=who)
        return found
    # where some are gone meanwhile, all others are hit
    return tuple(picked) if len(picked) == most else (*picked, *rest(ctx.state))


def _in_line(state: State, who: Id, zone: str) -> bool:
    return there(state, who) and (not stats.has_zone(state, zone) or stats.place_of(state, who) == zone)


def _along_the_line(ctx: Ctx, who: Id, meant: Id, zone: str, action: Action, rolled: set[Id]) -> tuple[Id, ...]:
    """Hit the target meant, and others in the zone that roll 3 or less (SW-091)."""
    hit = [meant]
    for other in _ticked(ctx.state, action, zone):
        if other in (meant, who) or other in rolled:
            continue
        rolled.add(other)
        face = ctx.roll(
            f"line:{other}",
            Dice.of(1, 6),
            "SW-091",
            who=other,
            why="the line of fire",
            needed="3 or less is hit",
            asked_if=partial(_in_line, who=other, zone=zone),
        )
        if face is None:
            continue
        ctx.emit(
            Checked("in the line", other, face, "hit" if face <= 3 else "missed", against=3, against_what="3 or less"),
            "SW-091",
        )
        if face <= 3:
            hit.append(other)
    return tuple(hit)
