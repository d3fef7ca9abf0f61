"""What a declaration costs, and what speaks against it, in the order of section 6."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.spelljammer.stat_blocks.facts import Declaration
from rulesets.spelljammer.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, State
from tracker.core.terms.errors import Refusal

ONLY_MOVES = {"full": 1.0, "run": 2.0, "sprint": 3.0, "fast_sprint": 4.0}
MOVING = {"half_then_act": 0.5, "act_then_half": 0.5, "run_then_act": 1.0, **ONLY_MOVES}
"""Movement modes that cover ground, and how many times TMR at most."""
STILL = ("free", "none")
AMBUSHED = {3: "SJ-059", 4: "SJ-060", 5: "SJ-061"}


def fives(declared: Declaration) -> int:
    """Count what costs -5 initiative (SJ-089, A-36)."""
    return (declared.movement == "half_then_act") + declared.draw + declared.sheath


def attacks_lost(n: int, declared: Declaration) -> tuple[tuple[int, str], ...]:
    """Return the attacks a declaration costs, each with its rule."""
    if declared.movement in STILL and not _has_extras(declared):
        return ()
    losses = (
        (n // 2 if declared.movement == "half_then_act" else 0, "SJ-072"),
        (n - max(1, n // 2) if declared.movement == "run_then_act" else 0, "SJ-085"),
        ((n + 1) // 2 if declared.ready_shield else 0, "SJ-090"),
        ((n + 1) // 2 if declared.potion == "attacks" else 0, "SJ-092"),
        (1 if declared.careful_aim else 0, "SJ-153"),
        (max(0, fives(declared) - 1), "SJ-089"),
        (max(0, declared.free_actions - 1), "SJ-096"),
    )
    return tuple(loss for loss in losses if loss[0])


def attacks_left(n: int, declared: Declaration) -> int:
    """Return the attacks that are left of `n` (T-11)."""
    return max(0, n - sum(lost for lost, _ in attacks_lost(n, declared)))


def extra_rules(declared: Declaration) -> tuple[tuple[bool, str], ...]:
    """Return which rules the extras of a declaration bring in."""
    return (
        (declared.draw, "SJ-087"),
        (declared.draw and declared.sheath, "SJ-088"),
        (declared.potion != "none", "SJ-091"),
        (declared.potion != "none", "SJ-092"),
        (declared.ready_shield, "SJ-090"),
        (declared.free_actions > 0, "SJ-093"),
        (declared.free_actions > 0, "SJ-095"),
        (declared.careful_aim, "SJ-150"),
        (declared.main == "full_defense", "SJ-120"),
        (declared.main == "desperate_defense", "SJ-124"),
        (declared.main == "retrieve_weapon", "SJ-126"),
        (declared.defend > 0, "SJ-113"),
        (any(blow.offhand for blow in declared.blows), "SJ-125"),
    )


def too_late(state: State) -> Refusal | None:
    """Return that declarations are closed (SJ-001), or None."""
    if state.clock.phase == "declare" and not state.fact(FIGHT, "closed"):
        return None
    return Refusal("late_declaration", "declarations are closed for this round", "SJ-001", forcible=False)


def legal(state: State, who: Id, declared: Declaration) -> Refusal | None:
    """Return the first reason against a declaration, or None."""
    combatant = state[who]
    if (refusal := too_late(state)) is not None:
        return refusal
    if stats.down(combatant):
        return Refusal("down", f"{combatant.name} is down", "SJ-001", forcible=False)
    return (
        _ambushed(state, who, declared)
        or _excluded(declared)
        or _movement(state, who, declared)
        or _extras(state, who, declared)
        or _budget(state, who, declared)
    )


def _has_extras(declared: Declaration) -> bool:
    return bool(
        declared.defend
        or declared.careful_aim
        or declared.draw
        or declared.sheath
        or declared.ready_shield
        or declared.potion != "none"
        or declared.free_actions
    )


def _ambushed(state: State, who: Id, declared: Declaration) -> Refusal | None:
    level, name = stats.ambush_level(state, who), state.name(who)
    if level < 2:
        return None
    acts = declared.main != "nothing" or declared.movement != "free" or _has_extras(declared)
    if level >= 3 and acts:
        return Refusal("ambushed", f"{name} does not see it coming", AMBUSHED[level])
    one_act = declared.main == "attack" and len(declared.blows) <= 1 and declared.movement == "free"
    if acts and (_has_extras(declared) or not (one_act or declared.main == "nothing")):
        return Refusal("ambushed", f"{name} may strike back once, or move, and nothing else", "SJ-058")
    return None


def _excluded(declared: Declaration) -> Refusal | None:
    if declared.main == "desperate_defense" and (
        _has_extras(declared) or declared.movement != "free" or declared.blows
    ):
        return Refusal("desperate_excludes_all", "a desperate defence allows nothing else", "SJ-124")
    if declared.main == "full_defense" and (declared.defend or declared.blows):
        return Refusal("defence_excludes_attack", "a full defence allows no attack and no other parrying", "SJ-118")
    return None


def _movement(state: State, who: Id, declared: Declaration) -> Refusal | None:
    if declared.movement in ONLY_MOVES and declared.main in ("attack", "cast", "retrieve_weapon", "other"):
        return Refusal(
            "moving_excludes_attack",
            f"no act is possible with the movement {declared.movement.replace('_', ' ')}",
            "SJ-071",
        )
    if declared.movement == "act_then_half" and declared.main != "attack":
        return Refusal("no_attack", "attack and move needs an attack", "SJ-075")
    if declared.withdraw and not stats.engaged(state, who):
        return Refusal("not_engaged", f"{state.name(who)} is in no melee", "SJ-128")
    if declared.withdraw and declared.movement not in MOVING:
        return Refusal("withdrawal_needs_movement", "withdrawing needs more than five feet", "SJ-128")
    most = (
        stats.tmr(state, who) * MOVING[declared.movement]
        if declared.movement in MOVING
        else 5.0
        if declared.movement == "free"
        else 0.0
    )
    if declared.potion == "movement":
        most /= 2
    if declared.distance is not None and declared.distance > most:
        rule = {"free": "SJ-074", "none": "SJ-017", "run_then_act": "SJ-082", "act_then_half": "SJ-076"}.get(
            declared.movement, "SJ-071"
        )
        return Refusal("distance", f"{declared.distance:g} ft is too far: at most {most:g} ft", rule, field="distance")
    return None


def _extras(state: State, who: Id, declared: Declaration) -> Refusal | None:
    if not _has_extras(declared):
        return None
    block = stats.block(state, who)
    if declared.defend:
        rank = stats.weapon(state, who, declared.weapon or block.weapons[0].name).rank
        if declared.defend > 5 * rank:
            return Refusal(
                "sacrifice_too_high",
                f"at most {5 * rank} SC can be given up with rank {rank}",
                "SJ-114",
                field="defend",
            )
    if declared.careful_aim and (refusal := _aim(state, who, declared)):
        return refusal
    if declared.ready_shield and stats.shield_ready(state, who):
        return Refusal("shield_already_ready", "the shield is ready", "SJ-090")
    if declared.potion != "none" and state[who].fact("engaged_at_start"):
        return Refusal("in_melee", f"{state.name(who)} has been in melee since the start of the round", "SJ-091")
    if declared.potion == "movement" and declared.movement not in ONLY_MOVES:
        return Refusal("potion_needs_movement", "paying with movement needs a round of movement only", "SJ-A29")
    return None


def _aim(state: State, who: Id, declared: Declaration) -> Refusal | None:
    """Return what speaks against careful aim (SJ-150, SJ-153, SJ-154, A-22)."""
    block = stats.block(state, who)
    waits = block.attacks < 2 and stats.rules(state).careful_aim_carries_over
    aimed = block.weapons if waits else [stats.weapon(state, who, blow.weapon) for blow in declared.blows]
    if not any(weapon.kind == "ranged" for weapon in aimed) and (block.attacks > 1 or waits):
        return Refusal("no_ranged_slot", "careful aim needs a ranged attack", "SJ-150")
    if declared.movement not in ("free", "none"):
        return Refusal("not_standing_still", "careful aim needs standing still", "SJ-150")
    if block.attacks < 2 and not waits:
        return Refusal("aim_needs_two_attacks", "with one attack there is nothing left to shoot", "SJ-A22")
    if any(blow.double_shots for blow in declared.blows):
        return Refusal("aim_double_shot", "careful aim and Double Shots exclude each other", "SJ-154")
    return None


def _budget(state: State, who: Id, declared: Declaration) -> Refusal | None:
    n = stats.block(state, who).attacks
    losses = attacks_lost(n, declared)
    left = max(0, n - sum(lost for lost, _ in losses))
    without = attacks_left(n, replace(declared, free_actions=0)) if declared.free_actions else left
    rule = losses[0][1] if losses else "SJ-009"
    if declared.free_actions - 1 > without:
        return Refusal(
            "no_action_left",
            f"{without} actions are left for {declared.free_actions - 1} further free actions",
            "SJ-096",
        )
    if declared.main in ("cast", "other") and left < 1:
        return Refusal("no_action_left", "no action is left for that", rule)
    if declared.main == "cast" and stats.spell(state, who, declared.spell) is None:
        return Refusal("no_spell", f"{state.name(who)} has no such spell", "SJ-003", forcible=False)
    most = left if declared.main == "attack" else 1
    if declared.main in ("attack", "retrieve_weapon") and len(declared.blows) > most:
        return Refusal("too_many_attacks", f"{most} of {n} attacks are left, {len(declared.blows)} are declared", rule)
    return None
