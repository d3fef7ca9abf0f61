"""The attack actions: Melee, Ranged and Snap Attack, Charge, free attacks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from rulesets.without_number.stats import MODIFIERS
from rulesets.without_number.turn import MAIN, free_action, main_action
from rulesets.worlds_without_number.actions.fighting import reactions as answers
from rulesets.worlds_without_number.actions.fighting.strike import strike
from rulesets.worlds_without_number.actions.fighting.weapons import (
    attack_fields,
    attack_of,
    can_strike_freely,
    fits,
    misfit,
    routine,
)
from rulesets.worlds_without_number.stat_blocks.models import Monster, Use
from rulesets.worlds_without_number.stats.attack import Attack
from rulesets.worlds_without_number.stats.stats import block, is_pc
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import flag
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal, RulesBug

MELEE: tuple[Use, ...] = ("melee",)
SHOTS: tuple[Use, ...] = ("ranged", "thrown")
RUSH: tuple[Use, ...] = ("melee", "thrown")
ANY_USE: tuple[Use, ...] = ("melee", "ranged", "thrown")


def described(ctx: Ctx, action: Action, uses: tuple[Use, ...], target: Id | None = None, tag: str = "") -> Attack:
    """Return the attack of an accepted form."""
    attack = attack_of(ctx.state, action, uses, target, tag)
    if attack is None:
        raise RulesBug(f"{action.key} was accepted without an attack")
    return attack


def begin(ctx: Ctx, attack: Attack) -> None:
    """Open an attack: held turns come before it (4.5, point 2)."""
    if attack.answers:
        answers.declared(ctx, attack.actor, attack.target)


def make(ctx: Ctx, attack: Attack) -> None:
    """Make one attack: begin and strike."""
    begin(ctx, attack)
    strike(ctx, attack)


def _fields(uses: tuple[Use, ...]) -> Callable[[State, Action], tuple[Field, ...]]:
    return lambda state, action: attack_fields(state, action, uses, several=True)


def _with(action: Action, weapon: str) -> Action:
    """Return an attack with another weapon, without what was typed of the first one's use."""
    kept = tuple(pair for pair in action.fields if pair[0] not in ("use", "attribute", "skill", "dual"))
    return replace(action, fields=kept).put(weapon=weapon)


def _attack(uses: tuple[Use, ...]) -> Callable[[Ctx, Action], None]:
    return lambda ctx, action: _several(ctx, action, uses)


def _several(ctx: Ctx, action: Action, uses: tuple[Use, ...]) -> None:
    """Make all attacks of one action, each with its own target (R33)."""
    first, before = described(ctx, action, uses), ctx.state
    begin(ctx, first)
    named = action.get("targets")
    targets = tuple(str(target) for target in named) if isinstance(named, tuple) else ()
    for place, weapon in enumerate(routine(ctx.state[first.actor], first.weapon, uses)):
        target = targets[min(place, len(targets) - 1)] if targets else first.target
        if target not in ctx.state:
            continue
        if not place and target == first.target and ctx.state is before:
            strike(ctx, first)
            continue
        blow = action if weapon == first.weapon.name else _with(action, weapon)
        strike(ctx, described(ctx, blow, uses, target, f"#{place + 1}" if place else ""))


def _snap(ctx: Ctx, action: Action) -> None:
    """Attack out of turn (WN-048, R20).

    As an answer to another action it opens no windows of its own.
    """
    attack = described(ctx, action, ANY_USE)
    if ctx.depth > 1 and flag(action, "simultaneous"):
        answers.at_once(ctx, attack.target)
    make(ctx, replace(attack, extra=(Part("Snap Attack", MODIFIERS["snap_attack"], "WN-048"),), answers=ctx.depth == 1))


def _snap_refusal(state: State, action: Action) -> Refusal | None:
    who = action.by
    if who is None:
        return None
    stat_block = block(state[who])
    if not is_pc(state, who) and not (isinstance(stat_block, Monster) and stat_block.disciplined):
        return Refusal("not_disciplined", f"{state.name(who)} is not disciplined enough for a Snap Attack", "WN-051")
    return misfit(state, action, ANY_USE)


def _snap_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        *attack_fields(state, action, ANY_USE),
        Field("simultaneous", "flag", "at the same moment", default=False, note="in answer to an Instant"),
    )


def _free(ctx: Ctx, action: Action) -> None:
    """Strike at a combatant that runs (WN-080).

    The attack costs nothing and is screened and answered like any other.
    """
    strike(ctx, described(ctx, action, MELEE))


def _free_refusal(state: State, action: Action) -> Refusal | None:
    if action.by is not None and not can_strike_freely(state, action.by):
        return Refusal("unarmed", f"{state.name(action.by)} is not armed for melee", "WN-080")
    return misfit(state, action, MELEE)


ACTIONS = (
    main_action("melee_attack", "Melee Attack", "WN-042", _attack(MELEE), _fields(MELEE), fits(MELEE)),
    main_action("ranged_attack", "Ranged Attack", "WN-044", _attack(SHOTS), _fields(SHOTS), fits(SHOTS)),
    ActionType(
        "snap_attack",
        "Snap Attack",
        "WN-048",
        "Instant: Main",
        MAIN,
        "round",
        _snap,
        _snap_fields,
        _snap_refusal,
        cites=("WN-049", "WN-051"),
    ),
    free_action(
        "free_attack", "Free attack", "WN-080", _free, partial(attack_fields, uses=MELEE), _free_refusal, listed=False
    ),
)
