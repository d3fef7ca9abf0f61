"""Attacks with weapons: crossfire, Accuracy against Evasion, Impact or damage dice.

SW-101 to SW-116, SW-165 to SW-167.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import cast

from msgspec import Struct

from rulesets.sword_world.actions.damage import (
    BaseDamage,
    Chain,
    crit_of,
    felling_words,
    fells,
    hurt,
    impact_chain,
    mixed,
    settled_damage,
    tell_critical,
)
from rulesets.sword_world.fields import ADDITIONAL, ROLL_FIXED, first, given, words
from rulesets.sword_world.order import zones
from rulesets.sword_world.order.opening import ECONOMY, WIDEST, in_range, keep, keep_able, there
from rulesets.sword_world.order.zones import brawl, candidates
from rulesets.sword_world.stat_blocks.models import Addition, Attack, DamageType, Feat, StatBlock
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.checks import (
    Contest,
    Total,
    active_wins,
    dice_total,
    failed_automatically,
    fixed_total,
    roll_total,
    stat_total,
)
from rulesets.sword_world.stats.effects import FEAT_USED
from rulesets.sword_world.stats.impact_table import HIGHEST
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Modifier
from tracker.core.terms.errors import Refusal
from tracker.core.terms.words import listed, possessive
from tracker.kit.economy import budget

UNTRAINED = "untrained attack"


def attacks_of(state: State, who: Id) -> tuple[Attack, ...]:
    """Return a combatant's attacks, an untrained one among them without a melee entry (SW-102)."""
    return attacks_in(stats.block(state, who))


def attacks_in(block: StatBlock) -> tuple[Attack, ...]:
    """Return the attacks of a stat block, an untrained one where none is for melee."""
    own = block.attacks
    return own if any(one.mode == "melee" for one in own) else (*own, Attack(UNTRAINED, impact=0))


def weapon_of(state: State, who: Id, name: str) -> Attack | None:
    return next((one for one in attacks_of(state, who) if one.name == name), None)


def declared(state: State, who: Id, name: object) -> Feat | None:
    return next((feat for feat in stats.block(state, who).feats if feat.declared and feat.name == name), None)


def declare_feat(ctx: Ctx, who: Id, name: object) -> Feat | None:
    """Switch a combat feat on before the roll, at most one a turn (SW-055, SW-056, SW-R50)."""
    feat = declared(ctx.state, who, name)
    if feat is None:
        return None
    ECONOMY.take(ctx, who, budget(feat=1), "SW-055", "SW-056", "SW-R50")
    if feat.note:
        ctx.note(f"{feat.name}: {feat.note}", "SW-055", "SW-R50", about=who)
    if feat.evasion:
        ctx.add_effect(FEAT_USED.on(who, modifiers=(Modifier("evasion", feat.evasion),), title=feat.name), "SW-R50")
    return feat


def crossfire(ctx: Ctx, who: Id, target: Id) -> Id:
    """Roll for the target that a shot into a brawl endangers.

    The die falls before the Accuracy check (SW-114, SW-165 to SW-167, SW-R22).
    """

    def endangered(state: State) -> tuple[Id, ...]:
        place = stats.place_of(state, target)
        if place is None or place == stats.zone_of(state, who):
            return ()  # SW-108, SW-109
        return tuple(candidates(state, place, target))

    def listed(state: State) -> str:
        return ", ".join(f"{number} {state.name(one)}" for number, one in enumerate(endangered(state), start=1))

    face = ctx.roll(
        "crossfire",
        lambda state: Dice.of(1, len(endangered(state))),
        *("SW-114", "SW-165", "SW-166", "SW-R22"),
        who=who,
        why=lambda state: f"crossfire: {listed(state)}",
        asked_if=lambda state: len(endangered(state)) > 1,
    )
    found = endangered(ctx.state)
    if face is None:
        return found[0] if found else target
    hit = found[face - 1]
    why = f"crossfire in {brawl(stats.place_of(ctx.state, target) or '')} ({listed(ctx.state)})"
    shown = f"{ctx.state.name(hit)}, the one meant" if hit == target else f"{ctx.state.name(hit)} instead"
    ctx.emit(Checked(why, who, face, shown), "SW-166", "SW-167")
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
    return "physical" if value == "physical" else "magical" if value == "magical" else None


def crit_parts(state: State, who: Id, target: Id, feat: Feat | None, extra: int = 0) -> tuple[Part, ...]:
    """Return what changes the crit rate of a weapon attack (SW-152, SW-153, SW-155, SW-156)."""
    own = stats.block(state, who)
    parts = [Part("Fencer", -1, "SW-152")] if own.fencer else []
    parts += [Part(one.name, one.crit, "SW-153") for one in own.feats if not one.declared and one.crit]
    if feat is not None and feat.crit:
        parts.append(Part(feat.name, feat.crit, "SW-155" if feat.crit > 0 else "SW-153"))
    parts += stats.effect_parts(state[who], "crit")
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
    aim = [meant]
    decided = keep_able(ctx, who)
    _guard(ctx, who, aim, weapon)
    ECONOMY.take(
        ctx,
        who,
        budget(standard=1),
        *("SW-050", "SW-051", "SW-054"),
        *(("SW-102",) if weapon.name == UNTRAINED else ()),
    )
    feat = declare_feat(ctx, who, action.get("feat"))
    awake = stats.able(ctx.state, meant)
    if weapon.mode != "melee" and (hit := crossfire(ctx, who, meant)) != meant:
        aim[0] = hit
        _guard(ctx, who, aim, weapon)
    sure = action.get("no_evasion") is True and aim[0] == meant
    strike = _Strike(action, who, aim[0], weapon, feat, sure, awake and aim[0] == meant)
    if _hits(ctx, strike):
        decided()
        _strike(ctx, strike)


class _Strike(Struct, frozen=True):
    """One attack under way: who, at whom, with what.

    Attributes:
        sure: it hits without a roll.
        awake: the target is the one meant, and could dodge when the attack began.
    """

    action: Action
    who: Id
    target: Id
    weapon: Attack
    feat: Feat | None
    sure: bool
    awake: bool

    def undodged(self, state: State) -> bool:
        """Tell whether the target cannot dodge, or cannot any more (SW-R52)."""
        return self.sure or (self.awake and not stats.able(state, self.target))


def _guard(ctx: Ctx, who: Id, aim: list[Id], weapon: Attack) -> None:
    """Let an attack go on only while its target is there and within reach (SW-054).

    `aim` holds the one that is shot at; after crossfire the one meant matters no more.
    """
    target, name = aim[0], ctx.state.name(aim[0])
    reach = WIDEST if weapon.mode == "melee" else weapon.range
    keep(ctx, lambda state: aim[0] != target or there(state, target), f"{name} is no longer there")
    if weapon.mode == "melee":
        keep(ctx, lambda state: _in_melee(state, who, target), f"{name} is out of reach")
    else:
        covered = f"{name} is behind a brawl"
        keep(ctx, lambda state: aim[0] != target or stats.cover(state, who, target) is None, covered)
    keep(ctx, lambda state: aim[0] != target or in_range(state, who, target, reach), f"{name} is out of range")


def _in_melee(state: State, who: Id, target: Id) -> bool:
    """Tell whether two are in one brawl (SW-106, SW-R25), or were until one of them fell in it."""
    here, place = stats.zone_of(state, who), stats.place_of(state, target)
    if not stats.able(state, who):
        return True
    return here == place and (here is not None or not stats.able(state, target))


def _hits(ctx: Ctx, strike: _Strike) -> bool:
    """Roll Accuracy against Evasion, and return whether the attack hits.

    A tie misses (SW-104, SW-105, SW-R48). A target that falls meanwhile cannot dodge any more (SW-R52).
    """
    action, who, target = strike.action, strike.who, strike.target
    mode = ("SW-101", *reach_rules(ctx.state, who, target), *(() if strike.weapon.mode == "melee" else ("SW-103",)))
    active, passive = _accuracy(ctx, strike), None
    if active is not None and failed_automatically(ctx.state, active):
        passive = Total(None, (Part("no Evasion roll", 0),))
    elif active is not None:
        against = active.value
        passive = stat_total(
            ctx,
            "evasion",
            target,
            "evasion",
            "SW-104",
            extra=(Part("modifier", fields.number(action, "evasion_modifier")),),
            roll_fixed=action.get("roll_fixed") is True,
            why=f"evading {possessive(ctx.state.name(who))} {strike.weapon.name}",
            contest=Contest("Accuracy", "evades", goal=lambda state: against),
            asked_if=lambda state: not strike.undodged(state),
        )
    if active is None or passive is None:
        ctx.note("cannot dodge: the attack hits", "SW-R52", about=target)
        return True
    if active.natural is not None or _stated(strike) is not None:
        active = _accuracy_total(ctx.state, strike, active.natural)
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
            success=hit,
        ),
        "SW-104",
        *(("SW-105",) if active.value == passive.value else ()),
        *mode,
        *(("SW-R36",) if stats.rules(ctx.state).automatic_results else ()),
    )
    return hit


def _accuracy(ctx: Ctx, strike: _Strike) -> Total | None:
    """Roll Accuracy, or take its fixed value, None if the target cannot dodge (SW-104, SW-R48)."""
    if _stated(strike) is not None:
        return None if strike.undodged(ctx.state) else _accuracy_total(ctx.state, strike, None)

    def goal(state: State) -> int | None:
        roll_fixed = strike.action.get("roll_fixed") is True
        fixed = None if roll_fixed else stats.fixed(state[strike.target], "evasion")
        if fixed is None:
            return None
        parts = stats.check_parts(state[strike.target], "evasion", fixed)
        return sum(part.amount for part in parts) + fields.number(strike.action, "evasion_modifier") + 1

    return roll_total(
        ctx,
        "accuracy",
        strike.who,
        "accuracy",
        lambda state: _accuracy_parts(state, strike),
        "SW-104",
        why=strike.weapon.name,
        contest=Contest("Evasion", "hits", True, f"at {ctx.state.name(strike.target)}", goal),
        asked_if=lambda state: not strike.undodged(state),
    )


def _stated(strike: _Strike) -> int | None:
    """Return the fixed Accuracy of a weapon, unless dice are wanted in its place."""
    return None if strike.action.get("roll_fixed") is True else strike.weapon.accuracy_fixed


def _accuracy_parts(state: State, strike: _Strike) -> tuple[Part, ...]:
    stated, feat = _stated(strike), strike.feat
    base, label = (strike.weapon.accuracy, "bonus") if stated is None else (stated, "fixed")
    return (
        *stats.check_parts(state[strike.who], "accuracy", base, label),
        *((Part(feat.name, feat.accuracy),) if feat is not None and feat.accuracy else ()),
        Part("modifier", fields.number(strike.action, "modifier")),
    )


def _accuracy_total(state: State, strike: _Strike, natural: int | None) -> Total:
    """Return Accuracy as it counts now, whatever has changed since the dice fell."""
    parts = _accuracy_parts(state, strike)
    return fixed_total(parts) if natural is None else dice_total(natural, parts)


def _impact_parts(weapon: Attack, chain: Chain) -> tuple[Part, ...]:
    return (*chain.parts(), Part("bonus", weapon.bonus, "SW-149"))


def _dice_parts(weapon: Attack, dice: Dice, rolled: int) -> tuple[Part, ...]:
    return (Part(str(dice.natural), rolled, "SW-R53"), Part(weapon.name, dice.plus), Part("bonus", weapon.bonus))


def _base_damage(state: State, strike: _Strike, parts: tuple[Part, ...]) -> BaseDamage:
    """Return the damage of a hit before additions and reductions."""
    weapon = strike.weapon
    own = tuple(Addition(amount, own_type, label) for amount, own_type, label in stats.added_damage(state[strike.who]))
    additions = additions_of(strike.action, strike.feat, *weapon.additional, *own)
    kept = tuple(part for place, part in enumerate(parts) if part.amount or not place)
    return BaseDamage(kept, weapon.damage_type, words(strike.action, "energy"), additions)


def _impact_needed(state: State, before: tuple[int, ...], rate: int | None, strike: _Strike) -> str:
    """Return what the question of an Impact roll says besides: at whom, and which rolls drop it."""

    def harm(chain: Chain) -> int:
        return settled_damage(state, strike.target, _base_damage(state, strike, _impact_parts(strike.weapon, chain)))[0]

    words = fells(state, strike.target, cast(int, strike.weapon.impact), before, rate, harm)
    return " · ".join(part for part in (f"against {state.name(strike.target)}", words) if part)


def _damage_needed(state: State, strike: _Strike, dice: Dice) -> str:
    def loss(rolled: int) -> int:
        return settled_damage(
            state, strike.target, _base_damage(state, strike, _dice_parts(strike.weapon, dice, rolled))
        )[0]

    words = felling_words(state, strike.target, dice.natural, loss)
    return " · ".join(part for part in (f"against {state.name(strike.target)}", words) if part)


def _strike(ctx: Ctx, strike: _Strike) -> None:
    """Work out and deal the damage of a hit (SW-119 to SW-144)."""
    action, who, target, weapon = strike.action, strike.who, strike.target, strike.weapon
    kind = weapon.damage_type
    laws: tuple[str, ...] = (
        ("SW-119", "SW-120", "SW-121", "SW-158") if kind == "physical" else ("SW-119", "SW-122", "SW-141", "SW-142")
    )
    if weapon.impact is not None:
        more = fields.number(action, "crit_modifier")
        rolled_chain = impact_chain(
            ctx,
            "impact",
            who,
            weapon.impact,
            lambda state: crit_of(weapon.crit, crit_parts(state, who, target, strike.feat, more)),
            *("SW-124", "SW-145"),
            *(("SW-155",) if weapon.crit > 10 else ()),
            needed=partial(_impact_needed, strike=strike),
        )
        chain = cast(Chain, rolled_chain)
        if chain.failed:
            return
        tell_critical(ctx, who, target, chain)
        base = _base_damage(ctx.state, strike, _impact_parts(weapon, chain))
    else:
        dice = cast(Dice, weapon.damage)
        needed = partial(_damage_needed, strike=strike, dice=dice)
        rolled = ctx.roll("damage", dice, "SW-R53", who=who, why=weapon.name, needed=needed)
        base = _base_damage(ctx.state, strike, _dice_parts(weapon, dice, rolled))
    direct, explained = settled_damage(ctx.state, target, base)
    direct = cast(int, ctx.ruling("damage", direct))
    laws += (*(("SW-139",) if base.energy else ()), *mixed(explained))
    hurt(ctx, target, direct, "SW-131", "SW-132", *laws, parts=explained, source=who)


def around(state: State, who: Id) -> list[Combatant]:
    """Return every combatant that may be named, enemies before allies.

    In both groups the able come before the unconscious.
    """
    friends = {side.id for side in state.sides if stats.allied(state, side.id, state[who].side)}
    others = [one for one in state.combatants if one.id != who and stats.present(one)]
    return sorted(others, key=lambda one: (one.side in friends, one.status != "up"))


def feats_field(state: State, who: Id) -> Field:
    """Return the field of declared combat feats (SW-055, SW-056)."""
    used = None if state[who].left("feat") > 0 else Refusal("feat_used", "only one declared feat a turn", "SW-056")
    options = tuple(
        Option(feat.name, note=feat.note, refusal=used) for feat in stats.block(state, who).feats if feat.declared
    )
    return Field("feat", "choice", "declared feat", options=options)


def no_standard(state: State, who: Id) -> Refusal | None:
    """Return why there is no standard action left, or None (SW-050)."""
    return (
        None
        if state[who].left("standard") > 0
        else Refusal("no_standard", f"{state.name(who)} has no standard action left this turn", "SW-050")
    )


def attack_form(state: State, action: Action) -> ActionSpec:
    who = str(action.by)
    weapons = tuple(
        Option(one.name, note=_weapon_note(one), refusal=_unusable(state, who, one)) for one in attacks_of(state, who)
    )
    default = first(weapons)
    weapon = weapon_of(state, who, str(action.get("weapon") or default))
    targets = fields.options(around(state, who), _out_of_reach(state, who, weapon))
    usual = first(targets)
    chosen = action.get("target") if action.get("target") is not None else usual
    target = chosen if isinstance(chosen, str) and chosen in state else None
    far = weapon is not None and weapon.mode != "melee"
    shown = [
        Field("weapon", "choice", default=default, options=weapons, required=True),
        Field("target", "combatant", default=usual, options=targets, required=True),
        feats_field(state, who),
        Field("modifier", "number", "Accuracy modifier", default=0),
        Field("evasion_modifier", "number", default=0),
        Field("crit_modifier", "number", "crit rate modifier", default=0),
        ADDITIONAL,
        Field(
            "energy",
            "text",
            "special types",
            default=", ".join(weapon.energy) if weapon is not None else "",
            note="fire, ice ...: separated by commas",
        ),
        Field(
            "no_evasion", "flag", "hits without a roll", default=target is not None and not stats.able(state, target)
        ),
        ROLL_FIXED,
    ]
    if far:
        shown += [
            Field(
                "distance", "number", default=None if target is None else stats.distance(state, who, target), minimum=0
            ),
            between((stats.cover(state, who, target),) if target is not None else ()),
        ]
    if weapon is not None and weapon.name == UNTRAINED:
        shown += [
            Field("impact", "number", default=0, minimum=0, maximum=HIGHEST),
            Field("crit", "number", default=10, minimum=2),
            Field("bonus", "number", default=0),
        ]
    refusal = no_standard(state, who) or _too_far_moved(state, who, weapon)
    if refusal is None and far and weapon is not None and target is not None:
        refusal = blocked(state, action, who, target, weapon.range)
    risk = risked(state, who, target) if far and target is not None else ""
    return ActionSpec("attack", "Attack", who, "standard", "SW-051", tuple(shown), refusal, "standard", risk)


def _weapon_note(weapon: Attack) -> str:
    if weapon.impact is None:
        return f"{weapon.mode}, {weapon.damage}"
    return f"{weapon.mode}, Impact {weapon.impact}, crit {weapon.crit}, {weapon.bonus:+d}"


def _unusable(state: State, who: Id, weapon: Attack) -> Refusal | None:
    """Return why a weapon cannot be used: not in hand (SW-R46), or moved too far."""
    if state[who].kind == "character" and weapon.name != UNTRAINED and state[who].fact("hand", "") != weapon.name:
        return Refusal("not_in_hand", f"{weapon.name} is not in hand", "SW-R46")
    return _too_far_moved(state, who, weapon)


def _too_far_moved(state: State, who: Id, weapon: Attack | None) -> Refusal | None:
    kind = stats.moved(state, who)
    if kind == "full":
        return Refusal("full_move", "after full movement only free actions are left", "SW-043")
    if kind == "normal" and weapon is not None and weapon.mode != "melee":
        return Refusal("moved", "no ranged attack after normal movement", "SW-045")
    return None


def _out_of_reach(state: State, who: Id, weapon: Attack | None) -> Callable[[Combatant], Refusal | None] | None:
    """Return what refuses targets that a melee weapon does not reach.

    It reaches only inside one zone (SW-106, SW-110, SW-R25).
    """
    if weapon is None or weapon.mode != "melee":
        return None
    here, places, name = stats.zone_of(state, who), stats.places(state), state.name(who)

    def refusal(one: Combatant) -> Refusal | None:
        there = places.get(one.id)
        if there is None:
            return Refusal("no_brawl", f"{one.name} is in no brawl with {name}", "SW-R25")
        if here == there:
            return None
        return Refusal("other_brawl", f"no melee attack from outside the brawl on {one.name}", "SW-110")

    return refusal


def risked(state: State, who: Id, target: Id) -> str:
    """Return which friends the crossfire of a shot may hit, "" for none (SW-114)."""
    place = stats.place_of(state, target)
    if place is None or place == stats.zone_of(state, who):
        return ""
    own = stats.camp_of(state, who)
    found = [one for one in candidates(state, place, target) if one != target and stats.camp_of(state, one) == own]
    return f"may hit {listed([state.name(one) for one in found], 3)} instead" if found else ""


def blocked(state: State, action: Action, who: Id, target: Id, reach: float | None) -> Refusal | None:
    """Return why a shot or a spell does not reach: range, or a brawl between (SW-112, SW-115)."""
    typed = given(action, "distance")
    metres = stats.distance(state, who, target) if typed is None else typed
    if metres is not None and reach is not None and metres > reach:
        return Refusal("out_of_range", f"{metres:g} m is farther than {reach:g} m", "SW-112", field="distance")
    return covered(state, action, who, target)


def between(covers: Iterable[str | None]) -> Field:
    """Return the field for a brawl in between, ticked where one is known to cover a target (SW-115)."""
    return Field("zone_between", "flag", "a brawl lies between", True if any(covers) else None)


def covered(state: State, action: Action, who: Id, aim: str) -> Refusal | None:
    """Return why a brawl in between hides a target or another brawl, or None (SW-115).

    What is typed comes before the places that are known.
    """
    typed, key = action.get("zone_between"), stats.cover(state, who, aim)
    if stats.block(state, who).hawkeye or not (key is not None if typed is None else typed):
        return None
    name = "a brawl" if key is None else zones.brawl(key)
    text = f"{name} in between covers the target; only Hawkeye sees past it"
    return Refusal("zone_between", text, "SW-115", field="zone_between")
