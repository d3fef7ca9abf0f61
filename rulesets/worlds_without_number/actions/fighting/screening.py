"""Screening: attacks on a ward may go at its screeners (WN-065 to WN-074, R26)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from rulesets.without_number import stats as family
from rulesets.without_number.stats import Total, blocked, has_quota, new_target
from rulesets.worlds_without_number.aftermath.wounds import Ward
from rulesets.worlds_without_number.stats.attack import Attack
from rulesets.worlds_without_number.stats.checks import beats, resists_from, total
from rulesets.worlds_without_number.stats.stats import (
    COMBAT_SKILLS,
    able,
    best_attribute,
    block,
    check_parts,
    combat_skill,
    level,
)
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.core.terms.words import possessive

COUNTER = "screened_this_round"


class Blocked(family.Blocked, frozen=True, tag="wn_blocked"):
    """The attackers a screener has met in this round."""


def screeners(state: State, attack: Attack) -> tuple[Combatant, ...]:
    """Return the screeners that block this attack, in file order.

    They are able, not of the attacker's side, and their quota is not used up.
    """
    found = []
    if attack.actor not in state or attack.target not in state:
        return ()
    for other in state.combatants:
        if other.id in (attack.actor, attack.target) or not other.effects or other.side == state[attack.actor].side:
            continue
        wards = [
            effect.data.who for effect in other.effects if effect.name == "screening" and isinstance(effect.data, Ward)
        ]
        if (
            attack.target in wards
            and able(state, other.id)
            and has_quota(combat_skill(other).value, blocked(other, COUNTER), attack.actor)
        ):
            found.append(other)
    return tuple(found)


def redirect(ctx: Ctx, attack: Attack) -> Attack:
    """Return an attack with its target, which screeners may draw on themselves."""
    blocking = () if attack.screens == "off" else screeners(ctx.state, attack)
    if not blocking:
        return attack
    if attack.screens == "ask":
        answer = ctx.choose(
            f"screen{attack.tag}",
            ("on", "off"),
            "WN-074",
            "WN-067",
            default="on",
            to="gm",
            why=f"the screen before {ctx.state.name(attack.target)}",
            asked_if=lambda state: screeners(state, attack),
        )
        if answer != "on":
            return attack
    own = total(
        ctx,
        attack.actor,
        lambda state: _attacker_parts(state[attack.actor], attack),
        f"screen:{attack.actor}{attack.tag}",
        "WN-068",
        why="to reach the ward",
        asked_if=lambda state: screeners(state, attack),
    )
    if own is None:
        return attack
    successes = [(one.id, number) for one in blocking if (number := _met(ctx, attack, own, one.id)) is not None]
    successes = [(who, number) for who, number in successes if able(ctx.state, who)]
    found = new_target(successes)
    if found is None:
        return attack
    ctx.note(
        f"is attacked instead of {ctx.state.name(attack.target)}",
        "WN-070",
        *(("WN-073",) if len(blocking) > 1 else ()),
        about=found,
    )
    return replace(attack, target=found, cover="none")


def _met(ctx: Ctx, attack: Attack, own: Total, who: Id) -> int | None:
    """Return the total of a screener that blocks an attacker (WN-068 to WN-071).

    None too for one that screens no more.
    """
    key = f"screen:{who}{attack.tag}"
    theirs = total(
        ctx,
        who,
        lambda state: _screener_parts(state[who]),
        key,
        "WN-068",
        "WN-071",
        why="the screen",
        goal=partial(resists_from, initiator=attack.actor, own=own, opponent=who),
        asked_if=lambda state: who in [screener.id for screener in screeners(state, attack)],
    )
    if theirs is None:
        return None
    won = not beats(ctx.state, attack.actor, own, who, theirs)
    result = "blocks" if won else "too late"
    words = f"{possessive(ctx.state.name(attack.actor))} check"
    ctx.emit(
        Checked("screen", who, theirs.sum, result, None, theirs.parts, own.sum, words, own.parts, success=won),
        "WN-068",
        "WN-R06",
        "WN-070" if won else "WN-069",
    )
    _count(ctx, who, attack.actor)
    return theirs.sum if won else None


def _count(ctx: Ctx, screener: Id, attacker: Id) -> None:
    met = blocked(ctx.state[screener], COUNTER)
    if attacker not in met:
        ctx.add_effect(
            Effect(COUNTER, screener, until=(At("round_start"),), data=Blocked((*met, attacker)), quiet=True), "WN-071"
        )


def _attacker_parts(attacker: Combatant, attack: Attack) -> tuple[Part, ...]:
    """Return the attacker's check: the better of Str and Dex, and the attack's skill."""
    return check_parts(attacker, attack.skill, best_attribute(block(attacker), ("str", "dex")))


def _screener_parts(screener: Combatant) -> tuple[Part, ...]:
    """Return the screener's check: the better of Str and Dex, and its highest combat skill."""
    stat_block = block(screener)
    best = max(COMBAT_SKILLS, key=lambda skill: level(stat_block, skill))
    return check_parts(screener, best, best_attribute(stat_block, ("str", "dex")))
