"""Melee, Ranged and Snap Attack as actions, and Veteran's Luck (SV-053 to SV-063, SV-P14)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from rulesets.sovereign.actions.fighting.attack_form import (
    ANY_USE,
    MELEE,
    SHOTS,
    attack_fields,
    attack_of,
    fits,
    misfit,
)
from rulesets.sovereign.actions.fighting.harm import strike
from rulesets.sovereign.actions.payment import spent_for_good
from rulesets.sovereign.stat_blocks.models import Use
from rulesets.sovereign.stats.attack import Attack, impossible
from rulesets.sovereign.stats.stats import able, block, enemies
from rulesets.without_number.actions import go_on_while_up
from rulesets.without_number.stats import MODIFIERS
from rulesets.without_number.turn import FREE, MAIN, main_action
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal, RulesBug

USED = "luck_used"


def described(ctx: Ctx, action: Action, uses: tuple[Use, ...], target: Id | None = None) -> Attack:
    attack = attack_of(ctx.state, action, uses, target)
    if attack is None:
        raise RulesBug(f"{action.key} was accepted without an attack")
    return attack


def _attacks(state: State, who: Id | None) -> int:
    return 1 if who is None else block(state[who]).multiattack


def _fields(uses: tuple[Use, ...]) -> Callable[[State, Action], tuple[Field, ...]]:
    return lambda state, action: attack_fields(state, action, uses, _attacks(state, action.by))


def _several(ctx: Ctx, action: Action, uses: tuple[Use, ...]) -> None:
    """Make all attacks of one action in turn, each with its own target (SV-P16, R42)."""
    who = str(action.by)
    go_on_while_up(ctx, who)
    first = described(ctx, action, uses)
    named = action.get("targets")
    targets = tuple(str(target) for target in named) if isinstance(named, tuple) else ()
    times = _attacks(ctx.state, who)
    if times > 1:
        ctx.note(f"{times} attacks", "SV-P16", "SV-R42", about=who)
    for place in range(times):
        planned = targets[min(place, len(targets) - 1)] if targets else first.target
        target = planned if place == 0 else _next_target(ctx, action, uses, planned, place + 1)
        if target not in ctx.state:
            continue
        attack = first
        if place or target != first.target:
            form, tag = (_afresh(action), f"#{place + 1}") if place else (action, "")
            attack = replace(described(ctx, form, uses, target), tag=tag)
        hindrance = impossible(ctx.state, attack) if place else None
        if hindrance is not None:
            ctx.skip(f"attack {place + 1}", hindrance.text, hindrance.rule or "SV-R42", who=who)
            continue
        strike(ctx, attack)
        spent_for_good(ctx, who)


def _next_target(ctx: Ctx, action: Action, uses: tuple[Use, ...], planned: Id, number: int) -> Id:
    """Return the target of a further attack, another where the planned one has fallen (R42)."""
    who = str(action.by)

    def options(state: State) -> list[Option]:
        attacks = [
            (other, attack_of(state, _afresh(action), uses, other.id))
            for other in enemies(state, who)
            if able(state, other.id)
        ]
        fitting = [other for other, attack in attacks if attack is not None and impossible(state, attack) is None]
        return [Option(other.id, other.name) for other in fitting]

    def fallen(state: State) -> bool:
        return planned not in state or state[planned].status != "up"

    target = ctx.choose(
        f"target#{number}",
        options,
        "SV-R42",
        default=lambda state: options(state)[0].key,
        who=who,
        why=f"{ctx.state.name(planned)} is down: who is the target of attack {number}?",
        asked_if=lambda state: fallen(state) and options(state),
    )
    return planned if target is None else target


def _afresh(action: Action) -> Action:
    """Return a form whose distance, cover and weapon are found anew for another target."""
    return Action(
        action.key,
        action.by,
        tuple(
            pair for pair in action.fields if pair[0] not in ("cover", "in_melee", "use", "skill", "attribute", "dual")
        ),
    )


def _melee(ctx: Ctx, action: Action) -> None:
    _several(ctx, action, MELEE)


def _ranged(ctx: Ctx, action: Action) -> None:
    _several(ctx, action, SHOTS)


def _snap(ctx: Ctx, action: Action) -> None:
    """Give up the Main for an attack at -4, at any time (SV-059 to SV-063)."""
    attack = described(ctx, action, ANY_USE)
    go_on_while_up(ctx, attack.actor)
    cites = ("SV-063", "SV-048", "SV-R27") if ctx.depth > 1 else ("SV-060",)
    extra = (Part("Snap Attack", MODIFIERS["snap_attack"], "SV-059"),)
    strike(ctx, replace(attack, extra=extra, cites=cites))


def _snap_refusal(state: State, action: Action) -> Refusal | None:
    who = action.by
    if who is None:
        return None
    if not block(state[who]).disciplined:
        return Refusal("not_disciplined", f"{state.name(who)} is not disciplined enough for a Snap Attack", "SV-062")
    return misfit(state, action, ANY_USE)


# -- Veteran's Luck ----------------------------------------------------------------------------------------------------


def luck_left(state: State, who: Id) -> int:
    """Return how often a combatant's luck can still help in this fight."""
    used = state[who].fact(USED)
    return block(state[who]).veterans_luck - (used if isinstance(used, int) else 0)


def _luck_fields(state: State, action: Action) -> tuple[Field, ...]:
    options = (Option("hit", "an own miss hits"), Option("miss", "a hit on oneself misses"))
    return (Field("result", "choice", default="hit", options=options, required=True),)


def _luck_refusal(state: State, action: Action) -> Refusal | None:
    if action.by is None or luck_left(state, action.by) > 0:
        return None
    return Refusal("no_luck", f"{state.name(action.by)} has no luck left in this fight", "SV-P14")


def _luck(ctx: Ctx, action: Action) -> None:
    """Flip the result of the attack roll in hand for good (SV-P14)."""
    who = str(action.by)
    used = ctx.state[who].fact(USED)
    ctx.fact(who, USED, (used if isinstance(used, int) else 0) + 1, "SV-P14", "SV-045")
    ctx.return_value(str(action.get("result")))


ACTIONS = (
    main_action("attack_melee", "Melee Attack", "SV-053", _melee, _fields(MELEE), fits(MELEE), opens=False),
    main_action("attack_ranged", "Ranged Attack", "SV-055", _ranged, _fields(SHOTS), fits(SHOTS), opens=False),
    ActionType(
        "snap_attack",
        "Snap Attack",
        "SV-059",
        "Instant: Main",
        MAIN,
        "round",
        _snap,
        lambda s, a: attack_fields(s, a, ANY_USE),
        _snap_refusal,
        cites=("SV-061", "SV-062"),
        opens=False,
    ),
    ActionType(
        "veterans_luck",
        "Veteran's Luck",
        "SV-P14",
        "Instant",
        FREE,
        "round",
        _luck,
        _luck_fields,
        _luck_refusal,
        listed=False,
    ),
)
