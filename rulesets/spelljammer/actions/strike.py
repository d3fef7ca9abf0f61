"""One attack in the order of 4.7: target, aim, chance, dice, harm."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.spelljammer.actions.hits import hit
from rulesets.spelljammer.actions.targets import Aim, aim, recheck_target, retarget
from rulesets.spelljammer.stat_blocks.models import Weapon
from rulesets.spelljammer.stat_blocks.tables import (
    D100,
    NATURAL_FRIEND,
    SPEC_BONUS,
    UNSEEN,
    Result,
    into_melee,
    judge,
    multiple,
)
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.chance import STRUCK, Options, chance, usual_movement
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.words import up_to


def strike(ctx: Ctx, who: Id, target: Id, weapon: Weapon, options: Options) -> None:
    """Make one attack (4.7, points 2 to 13)."""
    begun = aim(ctx.state, who, target, weapon, options)
    sent = _into_melee(ctx, begun) if weapon.kind == "ranged" and not options.free else begun
    seen = None if sent is None else _unseen(ctx, sent)
    held = None if seen is None else recheck_target(ctx, seen, "attack")
    if held is None:
        return
    before = ctx.state
    odds = chance(before, who, held.target, weapon, held.options, held.seen)
    msc, _ = odds
    most = max(3, min(95, msc.value))  # SJ-138 to SJ-141: 3 and less always hit, 96 and more never
    why = f"{weapon.name} at {before.name(held.target)}: {up_to(most, D100.maximum, 'hits')}"
    roll = ctx.roll("attack", D100, "SJ-009", "SJ-032", who=who, why=why)
    if ctx.state is not before:  # something has happened meanwhile
        odds = chance(ctx.state, who, held.target, weapon, held.options, held.seen)
    _judge(ctx, held, roll, odds)


def _judge(ctx: Ctx, held: Aim, roll: int, odds: tuple[Derived, Derived]) -> None:
    """Compare a roll with the chance, and go on from there."""
    who, target, weapon, options = held.who, held.target, held.weapon, held.options
    msc, defence = odds
    table = stats.rules(ctx.state).crit_table
    result = judge(roll, msc.value, table)
    cited = _rules_of(roll, result)
    ctx.emit(
        Checked(
            "attack",
            who,
            roll,
            result,
            target,
            (Part("d100", roll),),
            msc.value,
            "SC",
            msc.parts,
            success=result != "miss",
        ),
        *cited,
        *_cited(msc, defence),
        *_also(ctx, target, weapon, options),
        *(("SJ-A21",) if weapon.kind == "melee" and options.attackers < 0 and _outnumbered(msc) else ()),
    )
    if result == "miss" and roll <= msc.value:
        ctx.note("96 or more never hits", "SJ-138", about=who)
    if weapon.kind == "melee":
        ctx.fact(target, f"{STRUCK}{who}", True, "SJ-101", "SJ-103")
        drives = ctx.state[target].has("desperate_defense") and not stats.down(ctx.state[target])
        if drives and not options.free and ctx.state[who].fact(f"drives:{target}") is None:
            ctx.fact(who, f"drives:{target}", True, "SJ-122")
    elif ctx.state[who].has("careful_aim") or ctx.state[who].has("aimed"):
        ctx.fact(who, "aimed_shots", True, "SJ-150")
    if result != "miss":
        hit(ctx, who, target, weapon, options, result)
    if weapon.kind == "melee":
        engage(ctx, *((target, who) if result != "miss" else (who, target)))


def _cited(*numbers: Derived) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            part.rule
            for number in numbers
            for part in number.parts
            if part.rule and (part.amount or part.rule in ("SJ-144",))
        )
    )


def _outnumbered(chance: Derived) -> bool:
    """Tell whether several attackers of the target raise a strike chance."""
    return any(part.amount and part.rule in ("SJ-101", "SJ-104") for part in chance.parts)


def _also(ctx: Ctx, target: Id, weapon: Weapon, options: Options) -> tuple[str, ...]:
    """Return rules that leave no number behind.

    No shield in retreat, medium size, attacks before a withdrawal.
    """
    declared, slot = stats.declaration(ctx.state, target), ctx.state.clock.current
    early = declared is not None and declared.withdraw and slot is not None and (slot.segment or 0) > 10
    shot = weapon.kind == "ranged"
    medium = shot and stats.block(ctx.state, target).size == "medium"
    walks = shot and (options.target_movement or usual_movement(ctx.state, target)) == "walking"
    cases = ((options.free, "SJ-133"), (early, "SJ-137"), (walks, "SJ-144"), (medium, "SJ-159"))
    return tuple(rule for holds, rule in cases if holds)


def _rules_of(roll: int, result: Result) -> tuple[str, ...]:
    if roll >= 96:
        return ("SJ-138",)
    automatic = ("SJ-141",) if roll == 1 else ("SJ-140",) if roll == 2 else ("SJ-139",) if roll == 3 else ()
    table = ("SJ-033",) if result in ("critical", "grievous") else ("SJ-032",)
    return (*automatic, *table, "SJ-034") if result in ("critical", "grievous") else (*automatic, *table)


def engage(ctx: Ctx, who: Id, target: Id) -> None:
    """Count a pair as in melee, hit or miss (4.7)."""
    one, other = ctx.state.get(who), ctx.state.get(target)
    if one is None or other is None or one.side == other.side or stats.down(one) or stats.down(other):
        return
    if target not in stats.engaged(ctx.state, who):
        ctx.fact(stats.pair(who, target), "engaged", True, "SJ-128")
        ctx.note(f"in melee with {other.name}", "SJ-128", about=who)


def _melee(state: State, held: Aim) -> tuple[list[Id], int]:
    """Return the friends in a melee that is shot into, and the number of foes."""
    who, target, options = held.who, held.target, held.options
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
    more = [one.id for one in stats.standing(state) if one.side == side and one.id not in (who, target, *friends)]
    return (
        (friends + more)[:friend_count],  # the GM may know of friends who have not struck yet
        max(1, options.opponents if options.opponents >= 0 else len(opponents)),
    )


def _around(ctx: Ctx, held: Aim) -> str:
    return f"the shot into the melee around {ctx.state.name(held.target)}"


def _into_melee(ctx: Ctx, held: Aim) -> Aim | None:
    """See at whom a shot into a melee really goes (SJ-169 to SJ-177)."""
    who, weapon = held.who, held.weapon
    now = recheck_target(ctx, held, "into_melee")
    if now is None:
        return None
    friends, opponents = _melee(ctx.state, now)
    if not friends:
        return now
    most, rule = into_melee(len(friends), opponents)
    added = [
        Part("rank", weapon.rank),
        Part("Master Bowman", 2 * stats.block(ctx.state, who).master_bowman),
        Part(weapon.spec, SPEC_BONUS[weapon.spec]),
    ]
    die = max(NATURAL_FRIEND[weapon.spec], most - sum(part.amount for part in added))
    aims = up_to(die, 100, "aims at a friend")
    roll = ctx.roll("into_melee", D100, "SJ-169", who=who, why=f"{_around(ctx, now)}: {aims}")
    parts = [Part("d100", roll), *added]
    total, natural = sum(part.amount for part in parts), roll <= NATURAL_FRIEND[weapon.spec]
    at_friend = natural or total <= most
    kept = tuple(part for part in parts if part.amount)
    cited = (rule, "SJ-169", *(("SJ-177",) if natural else ()), "SJ-176")
    result = "at a friend" if at_friend else "at the foe"
    ctx.emit(Checked("into the melee", who, total, result, now.target, kept, most, "up to"), *cited)
    return _friend(ctx, now, friends, rule) if at_friend else now


def _friend(ctx: Ctx, held: Aim, friends: list[Id], rule: str) -> Aim | None:
    """Return the shot at a friend in the melee, drawn by lot among several."""
    now = recheck_target(ctx, held, "friend")
    left = [friend for friend in friends if friend in ctx.state and not stats.down(ctx.state[friend])]
    if now is None or not left:
        return now
    drawn = 1
    if len(left) > 1:
        drawn = ctx.roll("friend", Dice.of(1, len(left)), rule, who=held.who, why="which friend")
    return retarget(ctx.state, now, left[drawn - 1])


def _unseen(ctx: Ctx, held: Aim) -> Aim | None:
    """Return the attack with what an unseen combatant does to it (SJ-097 to SJ-100).

    One PER roll counts per pair and round.
    """
    sight = _sight(ctx, held, held.who, held.target, ("target", "both"))
    if sight is None:
        return None
    now, (sc, _) = sight
    sight = _sight(ctx, now, now.target, now.who, ("attacker", "both"))
    if sight is None:
        return None
    now, (_, deff) = sight
    return replace(now, seen=(sc, deff)) if now.options.unseen != "none" else now


def _sight(ctx: Ctx, held: Aim, blind: Id, foe: Id, cases: tuple[str, ...]) -> tuple[Aim, tuple[int, int]] | None:
    """Return the attack, and what not seeing the foe does in these cases.

    None: it is lost.
    """
    if held.options.unseen not in cases:
        return held, (0, 0)
    now = recheck_target(ctx, held, f"per:{blind}")
    if now is None:
        return None
    return now, _unseen_row(ctx, blind, foe) if now.target == held.target else (0, 0)


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
