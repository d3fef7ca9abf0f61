"""One attack in the order of 4.7: target, aim, chance, dice, harm."""

from __future__ import annotations

from rulesets.spelljammer.acts.spells import interrupt
from rulesets.spelljammer.blocks.canonical import Weapon
from rulesets.spelljammer.blocks.tables import (
    AMBUSH,
    D100,
    GRIEVOUS_CLASS,
    MISSILES,
    NATURAL_FRIEND,
    SPEC_BONUS,
    UNSEEN,
    Result,
    into_melee,
    judge,
    multiple,
    special_hits,
)
from rulesets.spelljammer.numbers import stats
from rulesets.spelljammer.numbers.chance import Options, ambush, chance, usual_movement
from rulesets.spelljammer.numbers.effects import DAMAGED_ARMOUR, GRIEVOUS_WOUND, STUNNED
from tracker.core.fight.events import Checked
from tracker.core.fight.state import Id
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier

__all__ = ["engage", "strike"]


def strike(ctx: Ctx, who: Id, target: Id, weapon: Weapon, options: Options) -> None:
    """Make one attack on a target that stands (4.7, points 2 to 13)."""
    if weapon.kind == "ranged" and not options.free:
        target = _into_melee(ctx, who, target, weapon, options)
    seen = _unseen(ctx, who, target, options)
    msc, defence = chance(ctx.state, who, target, weapon, options, seen)
    table = stats.rules(ctx.state).crit_table
    grievous, critical = special_hits(msc.value, table)
    classes = tuple(sorted({1, 2, 3, grievous + 1, critical + 1, max(3, min(95, msc.value)) + 1, 96}))
    roll = ctx.roll(
        "attack", D100, "SJ-009", "SJ-032", who=who, why=f"{weapon.name}: {msc.value} or less", classes=classes
    )
    result = judge(roll, msc.value, table)
    cited = _rules_of(roll, result, grievous, critical)
    ctx.emit(
        Checked("attack", who, roll, result, target, (Part("d100", roll),), msc.value, "strike chance", msc.parts),
        *cited,
        *_cited(msc, defence),
        *_also(ctx, target, weapon, options),
    )
    if weapon.kind == "melee":
        engage(ctx, who, target)
        ctx.fact(target, f"struck_by:{who}", True, "SJ-101", "SJ-103")
        if (
            ctx.state[target].has("desperate_defense")
            and not options.free
            and ctx.state[who].fact(f"drives:{target}") is None
        ):
            ctx.fact(who, f"drives:{target}", True, "SJ-122")
    elif ctx.state[who].has("careful_aim") or ctx.state[who].has("aimed"):
        ctx.fact(who, "aimed_shots", True, "SJ-150")
    if result != "miss":
        _hit(ctx, who, target, weapon, options, result)


def _cited(*numbers: Derived) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            part.rule
            for number in numbers
            for part in number.parts
            if part.rule and (part.amount or part.rule in ("SJ-144",))
        )
    )


def _also(ctx: Ctx, target: Id, weapon: Weapon, options: Options) -> tuple[str, ...]:
    """Return rules that leave no number behind.

    No shield in retreat, medium size, attacks before a withdrawal.
    """
    said, slot = stats.declaration(ctx.state, target), ctx.state.clock.current
    early = said is not None and said.withdraw and slot is not None and (slot.segment or 0) > 10
    shot = weapon.kind == "ranged"
    medium = shot and stats.block(ctx.state, target).size == "medium"
    walks = shot and (options.target_movement or usual_movement(ctx.state, target)) == "walking"
    cases = ((options.free, "SJ-133"), (early, "SJ-137"), (walks, "SJ-144"), (medium, "SJ-159"))
    return tuple(rule for holds, rule in cases if holds)


def _rules_of(roll: int, result: Result, grievous: int, critical: int) -> tuple[str, ...]:
    if roll >= 96:
        return ("SJ-138",)
    automatic = {1: ("SJ-141",), 2: ("SJ-140",), 3: ("SJ-139",)}.get(roll, ())
    table = ("SJ-033",) if result in ("critical", "grievous") else ("SJ-032",)
    return (*automatic, *table, "SJ-034") if result in ("critical", "grievous") else (*automatic, *table)


def engage(ctx: Ctx, who: Id, target: Id) -> None:
    """Count a pair as in melee, hit or miss (4.7)."""
    if (
        ctx.state[who].side != ctx.state[target].side
        and not stats.down(ctx.state[who])
        and not stats.down(ctx.state[target])
    ):
        ctx.fact(stats.pair(who, target), "engaged", True, "SJ-128")


def _into_melee(ctx: Ctx, who: Id, target: Id, weapon: Weapon, options: Options) -> Id:
    """See at whom a shot into a melee really goes (SJ-169 to SJ-177)."""
    state = ctx.state
    side = state[who].side
    friends = [
        other
        for other in stats.engaged(state, target)
        if state[other].side == side and other != who and not stats.down(state[other])
    ]
    opponents = {foe for friend in friends for foe in stats.engaged(state, friend) if state[foe].side != side} | {
        target
    }
    friend_count = options.friends if options.friends >= 0 else len(friends)
    opponent_count = options.opponents if options.opponents >= 0 else len(opponents)
    more = [one.id for one in stats.standing(state) if one.side == side and one.id not in (who, target, *friends)]
    friends = (friends + more)[:friend_count]  # the GM may know of friends who have not struck yet
    if not friends:
        return target
    most, rule = into_melee(len(friends), max(1, opponent_count))
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
    cited = (rule, "SJ-169", *(("SJ-177",) if natural else ()), "SJ-176")
    ctx.emit(
        Checked(
            "into the melee",
            who,
            total,
            "at a friend" if at_friend else "at the foe",
            target,
            kept,
            most,
            "at a friend up to",
        ),
        *cited,
    )
    if not at_friend:
        return target
    if len(friends) == 1:
        return friends[0]
    return friends[ctx.roll("friend", Dice.of(1, len(friends)), rule, who=who, why="which friend") - 1]


def _unseen(ctx: Ctx, who: Id, target: Id, options: Options) -> tuple[int, int]:
    """Return what an unseen combatant does to SC and to DEF (SJ-097 to SJ-100).

    One PER roll counts per pair and round.
    """
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
    parts = [
        Part(str(weapon.dmg.natural), rolled),
        Part("weapon", weapon.dmg.plus),
        Part("off hand", -2 if offhand else 0, "SJ-125"),
        Part("ambush", AMBUSH[ambush(ctx.state, who, target)][1], "SJ-061"),
    ]
    total = sum(part.amount for part in parts)
    if special:
        parts.append(Part("doubled", total, "SJ-034"))
    else:
        parts.append(Part("PROT", -stats.prot(ctx.state, target), "SJ-037"))
    damage = max(0, sum(part.amount for part in parts))
    parts.append(Part("no less than 0", damage - sum(part.amount for part in parts)))
    shown = tuple(part for place, part in enumerate(parts) if part.amount or not place)
    rules = ("SJ-034",) if special else ("SJ-037",)
    before = ctx.state[target].hp
    ctx.change(target, "hp", before - damage, *rules, parts=shown, source=who)
    wounded = _grievous(ctx, who, target, weapon) if result == "grievous" else False
    if special and weapon.missile is not None and weapon.kind == "ranged":
        _stick(ctx, target, weapon.missile, wounded)
    ctx.settle()
    if ctx.state[target].hp <= 0 or stats.down(ctx.state[target]):
        return
    threshold = stats.threshold(ctx.state, target)
    if damage > threshold:
        size = ("SJ-041",) if stats.block(ctx.state, target).size in ("large", "giant") else ()
        more = ("SJ-040",) if stats.block(ctx.state, target).con > 25 else ()
        big = ("SJ-042",) if stats.full_hp(ctx.state, target) > 100 else ()
        ctx.add_effect(
            STUNNED.on(target, who, stacking="keep"),
            "SJ-038",
            *size,
            *more,
            *big,
        )
        interrupt(ctx, target, "stunned", "SJ-A06")
        ctx.settle()
        return
    _disturb(ctx, target, damage)


def _grievous(ctx: Ctx, who: Id, target: Id, weapon: Weapon) -> bool:
    """Damage the armour and ask for a wound (SJ-035, SJ-036, A-35)."""
    damaged = -sum(part.amount for part in stats.modified(ctx.state, target, "armour"))
    if damaged < stats.block(ctx.state, target).prot:
        ctx.add_effect(
            DAMAGED_ARMOUR.on(target, stacking="add", title="damaged armour"),
            "SJ-036",
        )
    if not stats.rules(ctx.state).grievous_wounds:
        return False
    known = (
        weapon.grievous_chance if weapon.grievous_chance is not None else GRIEVOUS_CLASS.get(weapon.wound_class or "")
    )
    if known is not None:
        why = f"grievous wound on {known} or less"
        wounded = ctx.roll("grievous", D100, "SJ-035", "SJ-A35", who=who, why=why, classes=(1, known + 1)) <= known
    else:
        wounded = ctx.confirm(
            "grievous", "SJ-035", "SJ-A35", default=False, who=target, why="a grievous wound?", to="gm"
        )
    if wounded:
        ctx.add_effect(GRIEVOUS_WOUND.on(target, who, stacking="add"), "SJ-035")
    return wounded


def _stick(ctx: Ctx, target: Id, kind: str, wounded: bool) -> None:
    dex, bleeding, rule = MISSILES[kind]
    modifiers = (Modifier("dex", dex - 1 if wounded else dex), Modifier("bleeding", bleeding))
    effect = Effect("stuck_missile", target, modifiers=modifiers, stacking="add", title=f"stuck {kind}", rule=rule)
    ctx.add_effect(effect, rule, "SJ-163", *(("SJ-167",) if wounded else ()))


def _disturb(ctx: Ctx, target: Id, damage: int) -> None:
    """Ask whether a hit interrupts a spell (SJ-007, A-10)."""
    if stats.casting(ctx.state[target]) is None:
        return
    mode = stats.rules(ctx.state).spell_interrupt
    stops = mode == "always" or (mode == "damage" and damage > 0)
    if mode == "ask":
        stops = ctx.confirm(
            "interrupt", "SJ-007", "SJ-A10", default=True, who=target, why="is the spell interrupted?", to="gm"
        )
    if stops:
        interrupt(ctx, target, "interrupted", "SJ-006", "SJ-007")
