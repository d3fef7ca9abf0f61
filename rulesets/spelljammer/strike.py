"""One attack, in the order of 4.7: target, aim, chance, dice, harm and all that follows from a hit."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from rulesets.spelljammer import stats
from rulesets.spelljammer.blocks import Weapon
from rulesets.spelljammer.data import Casting, Missile
from rulesets.spelljammer.schedule import D100
from rulesets.spelljammer.tables import (
    AMBUSH,
    COVER,
    ENCUMBERED,
    GRIEVOUS_CLASS,
    LIGHTING,
    MISSILES,
    MOVEMENT,
    NATURAL_FRIEND,
    RANGED_IN_MELEE,
    SIZES,
    SPEC_BONUS,
    UNSEEN,
    Result,
    into_melee,
    judge,
    multiple,
    special_hits,
)
from tracker.core.ctx import Ctx
from tracker.core.derived import Derived, Part
from tracker.core.dice import Dice
from tracker.core.effects import Effect, Modifier
from tracker.core.events import Checked
from tracker.core.moments import At
from tracker.core.state import Id, State

__all__ = ["Options", "attackers_of", "chance", "engage", "interrupt", "strike", "usual_movement"]


class Options(Struct, frozen=True):
    """What the form of an attack says beyond weapon and target; None and -1: as the state has it."""

    surprise: Literal["none", "in_combat", "out_of_combat"] = "none"
    lighting: str = ""
    unseen: Literal["none", "target", "attacker", "both"] = "none"
    cover: Literal["none", "soft", "hard"] = "none"
    target_movement: str = ""
    attackers: int = -1
    friends: int = -1
    opponents: int = -1
    modifier: int = 0
    offhand: bool = False
    free: bool = False


def usual_movement(state: State, who: Id) -> str:
    """Return how a target of shots moves, for the whole round (A-23)."""
    said = stats.declaration(state, who)
    if state[who].has("no_movement") or state[who].has("careful_aim"):
        return "stationary"
    modes = {"run": "running", "run_then_act": "running", "sprint": "sprinting", "fast_sprint": "fast_sprinting"}
    return modes.get(said.movement, "walking") if said else "walking"


def attackers_of(state: State, target: Id, who: Id) -> int:
    """Count the attackers of a target: who has struck at it in this round or still will, and this one (SJ-101 to SJ-104, A-21)."""
    held = state[target].fact("attackers", ())
    names = dict.fromkeys(str(name) for name in held) if isinstance(held, tuple) else {}
    begun = set(state.clock.begun)
    for slot in state.clock.slots:
        act = stats.act_of(slot)
        if slot.id in begun or act is None or act.blow is None or act.blow.target != target or not slot.members or slot.members[0] not in state:
            continue
        if stats.weapon(state, slot.members[0], act.blow.weapon).kind == "melee":
            names[slot.members[0]] = None
    names[who] = None
    counted = [name for name in names if name == who or (name in state and not stats.unable(state[name]))]
    return sum(stats.block(state, name).attacker_count for name in counted)


def chance(state: State, who: Id, target: Id, weapon: Weapon, options: Options, seen: tuple[int, int] = (0, 0)) -> tuple[Derived, Derived]:
    """Return the modified strike chance and the DEF in it, each with its parts (T-3); `seen`: what not being seen adds to SC and DEF."""
    shooter, victim = stats.block(state, who), stats.block(state, target)
    ranged = weapon.kind == "ranged"
    light, light_rule = (0, "SJ-106") if shooter.darkvision else LIGHTING[options.lighting or stats.setup(state).lighting]
    unseen = seen[0]
    if not stats.rules(state).lighting_and_unseen_stack and light and unseen:
        light, unseen = (light, 0) if light <= unseen else (0, unseen)
    own = stats.parry(state[who])
    parts = [
        Part(weapon.name, weapon.sc, "SJ-032"),
        Part("surprise", {"none": 0, "in_combat": 10, "out_of_combat": 25}[options.surprise], "SJ-051" if options.surprise == "out_of_combat" else "SJ-050"),
        Part("target stunned", 10 if state[target].has("stunned") else 0, "SJ-105"),
        Part("lighting", light, light_rule),
        Part("foe unseen", unseen, "SJ-097"),
        Part("encumbered", ENCUMBERED[shooter.encumbered], "SJ-111"),
        Part("off hand", -20 if (options.offhand or weapon.offhand) and not shooter.ambidextrous else 0, "SJ-125"),
        Part("running", -25 if _runs(state, who) else 0, "SJ-084"),
        Part("defending", -own[1].sacrifice if own else 0, "SJ-135" if options.free else "SJ-112"),
        Part("wounds", *stats.wound(state, who)),
        Part("modifier", options.modifier, "SJ-142"),
    ]
    if not state.clock.round:
        level = stats.ambush_level(state, target)
        parts.append(Part("ambush", AMBUSH[level][0], AMBUSH[level][2]))
    parts += _shot(state, who, target, weapon, options) if ranged else _blow(state, who, target, options)
    defence = stats.defence(state, target, options.surprise, options.free, seen[1])
    parts.append(Part(f"DEF of {victim.name}", -defence.value, "SJ-032"))
    return Derived.total(parts), defence


def _runs(state: State, who: Id) -> bool:
    said = stats.declaration(state, who)
    return said is not None and said.movement == "run_then_act"


def _blow(state: State, who: Id, target: Id, options: Options) -> list[Part]:
    count = options.attackers if options.attackers >= 0 else attackers_of(state, target, who)
    more, field = 10 * (max(1, count) - 1), 2 * stats.block(state, target).range_of_field
    return [
        Part(f"{count} attackers", max(0, more - field) if more else 0, "SJ-102" if field else "SJ-101"),
        Part("target takes aim", 10 if state[target].has("careful_aim") else 0, "SJ-151"),
    ]


def _shot(state: State, who: Id, target: Id, weapon: Weapon, options: Options) -> list[Part]:
    movement = options.target_movement or usual_movement(state, target)
    parts = [
        Part(movement.replace("_", " "), *MOVEMENT[movement]),
        Part("careful aim", 15 if _aims(state, who) else 0, "SJ-150"),
        Part("cover", *COVER[options.cover]),
        Part("size", SIZES[stats.block(state, target).size], "SJ-158"),
    ]
    if weapon.type is not None and stats.engaged(state, who):
        table, rule = RANGED_IN_MELEE[weapon.type]
        parts.append(Part("in melee", table[weapon.spec], rule))
    return parts


def _aims(state: State, who: Id) -> bool:
    if not state[who].has("careful_aim"):
        return False
    return not (stats.rules(state).careful_aim_single_shot and state[who].fact("aimed_shots"))


def strike(ctx: Ctx, who: Id, target: Id, weapon: Weapon, options: Options) -> None:
    """Make one attack on a target that stands (4.7, points 2 to 13)."""
    if weapon.kind == "ranged":
        target = _into_melee(ctx, who, target, weapon, options)
    seen = _unseen(ctx, who, target, options)
    msc, defence = chance(ctx.state, who, target, weapon, options, seen)
    table = stats.rules(ctx.state).crit_table
    grievous, critical = special_hits(msc.value, table)
    classes = tuple(sorted({1, 2, 3, grievous + 1, critical + 1, max(3, min(95, msc.value)) + 1, 96}))
    roll = ctx.roll("attack", D100, "SJ-009", "SJ-032", who=who, why=f"{weapon.name}: {msc.value} or less", classes=classes)
    result = judge(roll, msc.value, table)
    cited = _rules_of(roll, result, grievous, critical)
    ctx.emit(Checked("attack", who, roll, result, target, (Part("d100", roll),), msc.value, "strike chance", msc.parts), *cited, *_cited(msc, defence))
    if weapon.kind == "melee":
        engage(ctx, who, target)
        held = ctx.state[target].fact("attackers", ())
        listed = held if isinstance(held, tuple) else ()
        ctx.fact(target, "attackers", (*listed, who) if who not in listed else listed, "SJ-101", "SJ-103")
    elif ctx.state[who].has("careful_aim"):
        ctx.fact(who, "aimed_shots", True, "SJ-150")
    if result != "miss":
        _hit(ctx, who, target, weapon, options, result)


def _cited(*numbers: Derived) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.rule for number in numbers for part in number.parts if part.rule and (part.amount or part.rule in ("SJ-144",))))


def _rules_of(roll: int, result: Result, grievous: int, critical: int) -> tuple[str, ...]:
    if roll >= 96:
        return ("SJ-138",)
    automatic = {1: ("SJ-141",), 2: ("SJ-140",), 3: ("SJ-139",)}.get(roll, ())
    table = ("SJ-033",) if result in ("critical", "grievous") else ("SJ-032",)
    return (*automatic, *table, "SJ-034") if result in ("critical", "grievous") else (*automatic, *table)


def engage(ctx: Ctx, who: Id, target: Id) -> None:
    """Count a pair as in melee, hit or miss (4.7)."""
    name, pairs = stats.pair(who, target), stats.engaged_pairs(ctx.state)
    if name not in pairs:
        ctx.fact("fight", "engaged", (*pairs, name), "SJ-128")


def _into_melee(ctx: Ctx, who: Id, target: Id, weapon: Weapon, options: Options) -> Id:
    """See at whom a shot into a melee really goes (SJ-169 to SJ-177)."""
    state = ctx.state
    side = state[who].side
    friends = [other for other in stats.engaged(state, target) if state[other].side == side and other != who and not stats.down(state[other])]
    opponents = {foe for friend in friends for foe in stats.engaged(state, friend) if state[foe].side != side} | {target}
    friend_count = options.friends if options.friends >= 0 else len(friends)
    opponent_count = options.opponents if options.opponents >= 0 else len(opponents)
    if friend_count < 1 or not friends:
        return target
    most, rule = into_melee(friend_count, max(1, opponent_count))
    roll = ctx.roll("into_melee", D100, "SJ-169", who=who, why=f"into the melee: {most} or less aims at a friend")
    parts = [
        Part("d100", roll),
        Part("rank", weapon.rank),
        Part("Master Bowman", 2 * stats.block(state, who).master_bowman),
        Part(weapon.spec, SPEC_BONUS[weapon.spec]),
    ]
    total, natural = sum(part.amount for part in parts), roll <= NATURAL_FRIEND[weapon.spec]
    at_friend = natural or total <= most
    kept = tuple(part for part in parts if part.amount)
    cited = (rule, "SJ-169", *(("SJ-177",) if natural else ()), *(("SJ-173",) if len(friends) > 1 and at_friend else ()), "SJ-176")
    ctx.emit(Checked("into the melee", who, total, "at a friend" if at_friend else "at the foe", target, kept, most, "at a friend up to"), *cited)
    if not at_friend:
        return target
    if len(friends) == 1:
        return friends[0]
    return friends[ctx.roll("friend", Dice.of(1, len(friends)), rule, who=who, why="which friend") - 1]


def _unseen(ctx: Ctx, who: Id, target: Id, options: Options) -> tuple[int, int]:
    """Return what not being seen does to SC and to DEF; one PER roll per pair and round (SJ-097 to SJ-100)."""
    sc = deff = 0
    if options.unseen in ("target", "both"):
        sc = _unseen_row(ctx, who, target)[0]
    if options.unseen in ("attacker", "both"):
        deff = _unseen_row(ctx, target, who)[1]
    return sc, deff


def _unseen_row(ctx: Ctx, blind: Id, foe: Id) -> tuple[int, int]:
    block = stats.block(ctx.state, blind)
    if block.targeting_sense:
        ctx.note(f"{ctx.state.name(blind)} senses where the foe is", "SJ-100", about=blind)
        return 0, 0
    held = ctx.state[blind].fact(f"unseen:{foe}")
    if isinstance(held, int):
        level = held
    else:
        roll = ctx.roll(f"per:{blind}", D100, "SJ-097", who=blind, why=f"PER {block.per} against an unseen foe")
        level = min(3, multiple(roll, block.per))
        ctx.fact(blind, f"unseen:{foe}", level, UNSEEN[level][2])
    sc, deff, _ = UNSEEN[level]
    return sc, deff


def _hit(ctx: Ctx, who: Id, target: Id, weapon: Weapon, options: Options, result: Result) -> None:
    special = result in ("critical", "grievous")
    rolled = ctx.roll("damage", weapon.dmg, "SJ-009", who=who, why=f"damage of {weapon.name}")
    offhand = (options.offhand or weapon.offhand) and not stats.block(ctx.state, who).ambidextrous
    ambush = AMBUSH[stats.ambush_level(ctx.state, target)][1] if not ctx.state.clock.round else 0
    parts = [
        Part(str(weapon.dmg.natural), rolled),
        Part("weapon", weapon.dmg.plus),
        Part("off hand", -2 if offhand else 0, "SJ-125"),
        Part("ambush", ambush, "SJ-061"),
    ]
    total = sum(part.amount for part in parts)
    if special:
        parts.append(Part("doubled", total, "SJ-034"))
    else:
        parts.append(Part("PROT", -stats.prot(ctx.state, target), "SJ-037"))
    damage = max(0, sum(part.amount for part in parts))
    shown = tuple(part for place, part in enumerate(parts) if part.amount or not place)
    rules = ("SJ-034",) if special else ("SJ-037",)
    before = ctx.state[target].hp
    ctx.change(target, "hp", before - damage, *rules, parts=shown, source=who)
    wounded = _grievous(ctx, who, target, weapon) if result == "grievous" else False
    if special and weapon.missile is not None:
        _stick(ctx, target, weapon.missile, wounded)
    ctx.settle()
    if stats.down(ctx.state[target]):
        return
    threshold = stats.threshold(ctx.state, target)
    if damage > threshold:
        size = ("SJ-041",) if stats.block(ctx.state, target).size in ("large", "giant") else ()
        more = ("SJ-040",) if stats.block(ctx.state, target).con > 25 else ()
        big = ("SJ-042",) if stats.block(ctx.state, target).hp_max > 100 else ()
        ctx.add_effect(Effect("stunned", target, source=who, until=(At("round_end"),), stacking="keep"), "SJ-038", "SJ-039", *size, *more, *big)
        interrupt(ctx, target, "stunned", "SJ-A06")
        ctx.settle()
        return
    _disturb(ctx, target, damage)


def _grievous(ctx: Ctx, who: Id, target: Id, weapon: Weapon) -> bool:
    """Damage the armour and ask for a wound (SJ-035, SJ-036, A-35)."""
    armour, lost = stats.block(ctx.state, target).prot, ctx.state[target].fact("prot_lost", 0)
    gone = lost if isinstance(lost, int) else 0
    if gone < armour:
        ctx.fact(target, "prot_lost", gone + 1, "SJ-036")
    if not stats.rules(ctx.state).grievous_wounds:
        return False
    known = weapon.grievous_chance if weapon.grievous_chance is not None else GRIEVOUS_CLASS.get(weapon.wound_class or "")
    if known is not None:
        wounded = ctx.roll("grievous", D100, "SJ-035", "SJ-A35", who=who, why=f"grievous wound on {known} or less") <= known
    else:
        wounded = ctx.confirm("grievous", "SJ-035", "SJ-A35", default=False, who=target, why="a grievous wound?", to="gm")
    if wounded:
        ctx.add_effect(Effect("grievous_wound", target, source=who, stacking="add"), "SJ-035")
    return wounded


def _stick(ctx: Ctx, target: Id, kind: str, wounded: bool) -> None:
    dex, bleeding, rule = MISSILES[kind]
    less = dex - 1 if wounded else dex
    rules = ("SJ-163", rule, *(("SJ-167",) if wounded else ()))
    missile = Missile(bleeding, ctx.state.clock.round, kind)
    ctx.add_effect(Effect("stuck_missile", target, modifiers=(Modifier("dex", less),), data=missile, stacking="add", title=f"stuck {kind}"), *rules)


def _disturb(ctx: Ctx, target: Id, damage: int) -> None:
    """Ask whether a hit interrupts a spell (SJ-007, A-10)."""
    if stats.casting(ctx.state[target]) is None:
        return
    mode = stats.rules(ctx.state).spell_interrupt
    stops = mode == "always" or (mode == "damage" and damage > 0)
    if mode == "ask":
        stops = ctx.confirm("interrupt", "SJ-007", "SJ-A10", default=True, who=target, why="is the spell interrupted?", to="gm")
    if stops:
        interrupt(ctx, target, "interrupted", "SJ-006", "SJ-007")


def interrupt(ctx: Ctx, who: Id, why: str, *rules: str) -> None:
    """Lose a spell under way."""
    effect = stats.casting(ctx.state[who])
    if effect is not None and isinstance(effect.data, Casting):
        ctx.end_effect(effect, why, *rules)
        ctx.skip(effect.data.spell, f"the spell is lost: {why}", *rules, who=who)
