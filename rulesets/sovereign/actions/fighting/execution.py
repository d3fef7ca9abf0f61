"""Execution attacks on an unsuspecting target (SV-159 to SV-166, R17)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from rulesets.sovereign.actions.fighting.attack_form import MELEE, SHOTS, attack_of, target_field
from rulesets.sovereign.actions.fighting.strike import loose
from rulesets.sovereign.actions.fighting.strikes import described
from rulesets.sovereign.actions.fighting.validity import log_lost, new_refusal, still_possible
from rulesets.sovereign.aftermath import wounds
from rulesets.sovereign.stat_blocks.models import Use
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack import Attack, at_hand, damage_parts, impossible
from rulesets.sovereign.stats.attack_outcomes import missed
from rulesets.sovereign.stats.checks import TARGET, against, physical_save, total
from rulesets.sovereign.stats.stats import block, check_parts, level
from rulesets.without_number.actions import go_on_while_up
from rulesets.without_number.stats import cited
from rulesets.without_number.turn import free_action, in_setup, own_phase
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import flag
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal

CLOSE = 10


def _uses(action: Action) -> tuple[Use, ...]:
    return MELEE if action.key == "execute_melee" else SHOTS


def _victim(state: State, action: Action) -> Action:
    """Return the form with the first unsuspecting target where none is named."""
    if action.by is None or action.get("target") is not None:
        return action
    found = next(
        (
            other.id
            for other in state.combatants
            if other.id != action.by and other.has("unaware") and other.status == "up"
        ),
        None,
    )
    return action if found is None else action.put(target=found)


def _fields(state: State, action: Action) -> tuple[Field, ...]:
    who = action.by
    if who is None:
        return ()
    action = _victim(state, action)
    attack = attack_of(state, action, _uses(action))
    arms = tuple(
        Option(arm.name, note=str(arm.damage))
        for arm in block(state[who]).arms
        if any(use in arm.use for use in _uses(action))
    )
    where = (
        ()
        if attack is None or field.on_grid(state, who, attack.target)
        else (Field("distance", "number", default=attack.feet, minimum=0),)
    )
    return (
        target_field(state, who, attack.target if attack else None),
        Field("weapon", "choice", default=attack.weapon.name if attack else None, options=arms, required=True),
        Field(
            "attribute",
            "choice",
            default=attack.attribute if attack else None,
            options=tuple(Option(a) for a in (attack.weapon.attribute if attack else ())),
        ),
        *where,
        Field("minute", "flag", "a full minute, undisturbed", default=False),
    )


def _refusal(state: State, action: Action) -> Refusal | None:
    who = action.by
    if who is None:
        return None
    minute = "SV-163" if action.key == "execute_melee" else "SV-160"
    if not in_setup(state) and not (state.clock.round == 0 and own_phase(state, who)):
        return Refusal("not_now", "execution attacks belong before the fight", "SV-R17")
    action = _victim(state, action)
    attack = attack_of(state, action, _uses(action))
    if attack is None:
        return Refusal("no_weapon", f"{state.name(who)} has no weapon for this", minute, forcible=False)
    target = state[attack.target]
    if block(target).features.cannot_be_surprised:
        return Refusal("alert", f"{target.name} cannot be executed", "SV-P15")
    if not target.has("unaware"):
        return Refusal("alert", f"{target.name} suspects danger", "SV-159")
    if not flag(action, "minute"):
        return Refusal("unconfirmed", "an execution needs a full undisturbed minute: confirm it", minute)
    return impossible(state, replace(attack, crowded=False))


def _execute(ctx: Ctx, action: Action) -> None:
    melee = action.key == "execute_melee"
    attack = described(ctx, action, _uses(action))
    go_on_while_up(ctx, attack.actor)
    planned = _refusal(ctx.state, action)
    warned = partial(_warned, action=action, attack=attack, planned=planned)
    if not still_possible(ctx, "save" if melee else "check", "execution", attack.actor, warned):
        return
    hit = melee or _aimed(ctx, attack)
    ctx.end_named(attack.target, "unaware", "attacked", "SV-159")
    if not hit:
        return
    if melee:
        ctx.note("the attack hits, whatever the AC", "SV-159", "SV-163", about=attack.actor)
    _land(ctx, attack)


def _warned(state: State, action: Action, attack: Attack, planned: Refusal | None) -> str:
    """Return what has spoiled an execution before its first roll, or ""."""
    if attack.target not in state:
        return f"{state.name(attack.target)} is gone"
    return new_refusal(planned, _refusal(state, action))


def _aimed(ctx: Ctx, attack: Attack) -> bool:
    """Make the check of a shot: DEX and Shoot, easier from nearby (SV-161)."""
    normal = attack.weapon.range[0] if attack.weapon.range is not None else 0
    bonus = 4 if attack.feet <= CLOSE else 2 if attack.feet <= normal else 0
    parts = (
        *check_parts(ctx.state[attack.actor], ("shoot",), ("dex",)),
        *((Part("range", bonus, "SV-161"),) if bonus else ()),
    )
    own = total(ctx, attack.actor, parts, "check", "SV-161", why="execution", goal=TARGET)
    cites = ("SV-092", "SV-R40") if loose(ctx, attack).reloaded else ()
    cites = ("SV-159", "SV-160", "SV-161", "SV-162", "SV-R17", *cites)
    return against(ctx, "execution", attack.actor, own, (Part("target", TARGET, "SV-P02"),), *cites)


def _land(ctx: Ctx, attack: Attack) -> None:
    """Let the victim save against the blow (SV-164 to SV-166).

    A failure drops it at once, a success lets it take the most the hit can do.
    """

    def penalty(state: State) -> Part:
        return Part("assailant's skill", -max(0, _skill(state, attack)), "SV-164")

    def alive(state: State) -> bool:
        return attack.target in state and state[attack.target].status not in ("dead", "gone")

    why = f"execution by {ctx.state.name(attack.actor)}"
    made = physical_save(ctx, attack.target, penalty, "SV-164", why=why, asked_if=alive)
    if made is None:
        log_lost(ctx, attack.actor, "execution", f"{ctx.state.name(attack.target)} is gone")
        return
    if not made:
        amount = ctx.state[attack.target].hp
        parts = (Part("all", amount, "SV-165"),)
        wounds.deal(
            ctx, attack.target, amount, "SV-165", parts=parts, why="execution", source=attack.actor, mortal=True
        )
        ctx.settle()
        return
    dice = attack.weapon.damage.natural
    found = [
        Part(f"{dice} at its most", dice.maximum, "SV-166"),
        *(part for part in damage_parts(ctx.state, attack) if part.amount),
    ]
    amount = max(0, sum(part.amount for part in found))
    points = missed(ctx.state, attack)[1] if at_hand(attack.use) else 0
    if points > amount:
        found.append(Part("no less than Shock", points - amount, "SV-133"))
        amount = points
    wounds.deal(ctx, attack.target, amount, *cited(found, "SV-166"), parts=found, why="execution", source=attack.actor)
    ctx.settle()


def _skill(state: State, attack: Attack) -> int:
    """Return the skill level that makes the save harder (R17)."""
    return level(state[attack.actor], attack.skill)


ACTIONS = (
    free_action("execute_melee", "Melee execution", "SV-163", _execute, _fields, _refusal, "a minute", "execution"),
    free_action("execute_ranged", "Ranged execution", "SV-160", _execute, _fields, _refusal, "a minute", "execution"),
)
