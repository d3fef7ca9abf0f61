"""What a hit does: damage, wounds, stun, a lost spell (4.7, points 7 to 13).

The target may have left the fight, or fallen, before any question.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import chain, count

from msgspec.structs import replace

from rulesets.spelljammer.actions.spells import interrupt
from rulesets.spelljammer.stat_blocks.models import Weapon
from rulesets.spelljammer.stat_blocks.tables import AMBUSH, D100, GRIEVOUS_CLASS, MISSILES, Result, stun_threshold
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.chance import Options, ambush
from rulesets.spelljammer.stats.effects import DAMAGED_ARMOUR, GRIEVOUS_WOUND, STUNNED, quietly
from tracker.core.fight.events import Checked, EffectChanged
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.words import felling


def hit(ctx: Ctx, who: Id, target: Id, weapon: Weapon, options: Options, result: Result) -> None:
    """Roll the damage of a hit, and see what it leaves behind."""
    special = result in ("critical", "grievous")
    bonus = _bonus(ctx.state, who, target, weapon, options)
    rolled = ctx.roll(
        "damage",
        weapon.dmg,
        "SJ-009",
        who=who,
        why=f"damage of {weapon.name}",
        needed=lambda state: _needed(state, who, target, weapon, bonus, options, special),
        asked_if=lambda state: target in state and not _harmless(state, who, target, weapon, options, bonus, special),
    )
    if target not in ctx.state:
        ctx.skip("the damage", f"{ctx.state.name(target)} has left the fight", "SJ-004", who=who)
        return
    if who in ctx.state:  # it has struck already, even if it is gone by now
        bonus = _bonus(ctx.state, who, target, weapon, options)
    dice = weapon.dmg.natural
    faces = Part(f"{dice} at most", dice.maximum, "SJ-A39") if rolled is None else Part(str(dice), rolled)
    damage, parts = _damage(ctx.state, target, [faces, *bonus], special)
    shown = tuple(part for place, part in enumerate(parts) if part.amount or not place)
    rules = ("SJ-034",) if special else ("SJ-037",)
    ctx.change(target, "hp", ctx.state[target].hp - damage, *rules, parts=shown, source=who)
    wounded = _grievous(ctx, who, target, weapon) if result == "grievous" else False
    if special and weapon.missile is not None and weapon.kind == "ranged" and target in ctx.state:
        _stick(ctx, who, target, weapon.missile, wounded)
    ctx.settle()
    if not stun(ctx, target, damage, who):
        disturb(ctx, target, damage)


def _harmless(
    state: State, who: Id, target: Id, weapon: Weapon, options: Options, bonus: Sequence[Part], special: bool
) -> bool:
    """Tell whether even the most that a weapon's dice show does no harm (A39)."""
    if who in state:
        bonus = _bonus(state, who, target, weapon, options)
    return _damage(state, target, [Part("", weapon.dmg.natural.maximum), *bonus], special)[0] == 0


def _damage(state: State, target: Id, parts: list[Part], special: bool) -> tuple[int, list[Part]]:
    """Return the damage of dice with their bonus, and all its parts (SJ-034, SJ-037)."""
    total = sum(part.amount for part in parts)
    if special:
        parts = [*parts, Part("doubled", total, "SJ-034")]
    else:
        parts = [*parts, Part("PROT", -stats.prot(state, target), "SJ-037")]
    damage = max(0, sum(part.amount for part in parts))
    return damage, [*parts, Part("no less than 0", damage - sum(part.amount for part in parts))]


def _needed(
    state: State,
    who: Id,
    target: Id,
    weapon: Weapon,
    bonus: Sequence[Part],
    options: Options,
    special: bool,
) -> str:
    """Return what the question of a damage roll says besides: to whom, and which rolls fell the target."""
    whose = f"to {state.name(target)}"
    if not stats.stands(state, target):
        return whose
    if who in state:
        bonus = _bonus(state, who, target, weapon, options)

    def loss(rolled: int) -> int:
        return _damage(state, target, [Part("", rolled), *bonus], special)[0]

    word = "kills" if stats.dead(state, 0) else "drops"
    lives = word == "drops" and state.side_of(target).control == "players"  # points below 0 have to be healed
    words = felling(weapon.dmg.natural, loss, state[target].hp, word, below=lives)
    return f"{whose} · {words}" if words else whose


def _bonus(state: State, who: Id, target: Id, weapon: Weapon, options: Options) -> tuple[Part, ...]:
    """Return what is added to the dice before a critical hit doubles them."""
    offhand = (options.offhand or weapon.offhand) and not stats.block(state, who).ambidextrous
    return (
        Part("weapon", weapon.dmg.plus),
        Part("off hand", -2 if offhand else 0, "SJ-125"),
        Part("ambush", AMBUSH[ambush(state, who, target)][1], "SJ-061"),
    )


def stun(ctx: Ctx, target: Id, damage: int, source: Id | None = None) -> bool:
    """Stun a target that takes more damage at once than it stands (SJ-038 to SJ-042).

    Return whether it is stunned by it.
    """
    if target not in ctx.state or stats.down(ctx.state[target]) or damage <= stats.threshold(ctx.state, target):
        return False
    block, most_hp = stats.block(ctx.state, target), stats.full_hp(ctx.state, target)
    size = ("SJ-041",) if block.size in ("large", "giant") else ()
    more = ("SJ-040",) if stun_threshold(block.con, block.size, most_hp) > 25 else ()
    big = ("SJ-042",) if most_hp > 100 else ()
    most = stats.threshold(ctx.state, target)
    ctx.add_effect(quietly(STUNNED.on(target, source, stacking="keep")), "SJ-038", *size, *more, *big)
    ctx.note(f"stunned until the round ends ({damage} over {most})", "SJ-038", *size, *more, *big, about=target)
    ctx.settle()
    return True


def _grievous(ctx: Ctx, who: Id, target: Id, weapon: Weapon) -> bool:
    """Damage the armour and ask for a wound (SJ-035, SJ-036, A-35)."""
    damaged = -sum(part.amount for part in stats.modified(ctx.state, target, "armour"))
    if damaged < stats.block(ctx.state, target).prot:
        before = stats.prot(ctx.state, target)
        ctx.add_effect(quietly(DAMAGED_ARMOUR.on(target, stacking="add", title="damaged armour")), "SJ-036")
        ctx.note(f"PROT {before}→{stats.prot(ctx.state, target)}", "SJ-036", about=target)
    if not stats.rules(ctx.state).grievous_wounds:
        return False
    known = (
        weapon.grievous_chance if weapon.grievous_chance is not None else GRIEVOUS_CLASS.get(weapon.wound_class or "")
    )
    if known is not None:
        why = f"a grievous wound of {ctx.state.name(target)}: {known} or less wounds"
        rolled = ctx.roll(
            "grievous",
            D100,
            "SJ-035",
            "SJ-A35",
            who=who,
            why=why,
            asked_if=lambda state: target in state,
        )
        if rolled is None:
            return False
        wounded = rolled <= known
        result, parts = "wounded" if wounded else "no wound", (Part("d100", rolled),)
        ctx.emit(
            Checked("grievous wound", who, rolled, result, target, parts, known, "up to", success=wounded), "SJ-035"
        )
    else:
        asked = ctx.confirm(
            "grievous",
            "SJ-035",
            "SJ-A35",
            default=False,
            who=target,
            why="a grievous wound?",
            to="gm",
            asked_if=lambda state: target in state,
        )
        wounded = asked is True
    if wounded:
        title = _numbered("grievous wound", _titles(ctx.state, target))
        ctx.add_effect(quietly(GRIEVOUS_WOUND.on(target, who, stacking="add", title=title)), "SJ-035")
    return wounded


def _stick(ctx: Ctx, who: Id, target: Id, kind: str, wounded: bool) -> None:
    dex, bleeding, rule = MISSILES[kind]
    modifiers = (Modifier("dex", dex - 1 if wounded else dex), Modifier("bleeding", bleeding))
    title = _numbered(f"stuck {kind}", _titles(ctx.state, target))
    effect = Effect("stuck_missile", target, source=who, modifiers=modifiers, stacking="add", title=title, rule=rule)
    ctx.add_effect(effect, rule, "SJ-163", *(("SJ-167",) if wounded else ()))


def _titles(state: State, who: Id) -> set[str]:
    return {effect.shown for effect in state[who].effects}


def _numbered(title: str, taken: Container[str]) -> str:
    """Return a title by which one more of the same can be told apart."""
    names = chain((title,), (f"{title} {number}" for number in count(2)))
    return next(name for name in names if name not in taken)


def tell_wounds_apart(ctx: Ctx, who: Id) -> None:
    """Number the wounds and missiles of hits at the same moment, which did not know of each other."""
    taken: set[str] = set()
    for effect in ctx.state[who].effects:
        if effect.name in ("grievous_wound", "stuck_missile") and effect.shown in taken:
            title = _numbered(effect.shown, _titles(ctx.state, who))
            ctx.emit(EffectChanged(effect, replace(effect, title=title)), effect.rule)
            taken.add(title)
        taken.add(effect.shown)


def disturb(ctx: Ctx, target: Id, damage: int, key: str = "interrupt") -> None:
    """Ask whether a hit interrupts a spell (SJ-007, A-10)."""

    def casts(state: State) -> bool:
        return target in state and stats.casting(state[target]) is not None

    mode = stats.rules(ctx.state).spell_interrupt
    stops: bool | None = mode == "always" or (mode == "damage" and damage > 0)
    if mode == "ask":
        why = "is the spell interrupted?"
        stops = ctx.confirm(key, "SJ-007", "SJ-A10", default=True, who=target, why=why, to="gm", asked_if=casts)
    if stops and casts(ctx.state):
        interrupt(ctx, target, "interrupted", "SJ-006", "SJ-007")
