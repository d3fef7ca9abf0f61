"""Every action of the game: offered, specified and performed from one table."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.without_number.actions import GROUP, damage_fields, go_on_while_up, pool, status_action
from rulesets.worlds_without_number.actions import waiting
from rulesets.worlds_without_number.actions.care import items, skills
from rulesets.worlds_without_number.actions.fighting import execution, reactions, strikes, swarm
from rulesets.worlds_without_number.actions.fighting.weapons import alert
from rulesets.worlds_without_number.actions.moving import maneuvers, movement
from rulesets.worlds_without_number.actions.waiting import RULES, pay
from rulesets.worlds_without_number.aftermath import morale, wounds
from rulesets.worlds_without_number.stats.stats import block
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import flag, ids, number, options, shares
from tracker.core.terms.actions import Action, ActionSpec, Field

STATUSES = ("up", "incapacitated", "mortal", "stable", "dead", "gone")
AT_ZERO = ("incapacitated", "mortal", "stable")


def _damage_fields(state: State, action: Action) -> tuple[Field, ...]:
    return damage_fields(state, Field("nonlethal", "flag", "non-lethal", default=False))


def _damage(ctx: Ctx, action: Action) -> None:
    """Take hit points, halves rounded down (R41)."""
    harm: wounds.Harm = "nonlethal" if flag(action, "nonlethal") else "lethal"
    for who, taken, why in shares(action, number(action, "amount")):
        wounds.deal(ctx, who, taken, why=why, harm=harm)


def _heal_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=options(state.combatants)),
        pool(),
    )


def _heal(ctx: Ctx, action: Action) -> None:
    """Give hit points back, up to the most.

    A combatant that lay at 0 is up again.
    """
    for who in ids(action, "targets"):
        held = ctx.state[who].pool("hp")
        ctx.change(who, "hp", max(held.now, min(held.max, held.now + number(action, "amount"))))


GM = (
    ActionType("damage", "Damage", perform=_damage, fields=_damage_fields, group=GROUP),
    ActionType("heal", "Heal", perform=_heal, fields=_heal_fields, group=GROUP),
    status_action(STATUSES, AT_ZERO),
)


_TURN = (
    *strikes.ACTIONS,
    *movement.ACTIONS,
    *swarm.ACTIONS,
    *maneuvers.ACTIONS,
    *skills.ACTIONS,
    *items.ACTIONS,
    *execution.ACTIONS,
    *waiting.ACTIONS,
)
_HELD = {kind.key: kind for kind in _TURN if kind.when == "turn" and kind.key not in {"hold", "end_turn"}}


def _usual(state: State, who: Id) -> str:
    """Return the attack of the first weapon."""
    return "melee_attack" if "melee" in block(state[who]).arms[0].kind else "ranged_attack"


def _shown(spec: ActionSpec) -> bool:
    """Tell whether an action is listed.

    The attacks always are, others unless they make no sense here.
    """
    return spec.refusal is None or spec.refusal.forcible or spec.key in {"melee_attack", "ranged_attack"}


def _pay(ctx: Ctx, kind: ActionType, action: Action) -> None:
    """Put the actor on the alert, take back that it is finished, and take the price.

    The action ends when its actor drops (R20), unless the GM lets the fallen act.
    """
    who = str(action.by)
    if ctx.state[who].status == "up":
        go_on_while_up(ctx, who)
    else:
        ctx.guard(lambda state: who in state, "it is gone")
    if kind.key != "end_turn":
        ctx.fact(who, waiting.FINISHED, None)
        alert(ctx, who)
    pay(ctx, kind, action)


ACTIONS = replace(
    RULES,
    types=(*_TURN, waiting.held_turn(_HELD | {"other": items.OTHER_ACTION}), *reactions.ACTIONS),
    gm=(*skills.GM, *reactions.GM, *morale.GM, *GM),
    pay=_pay,
    usual=_usual,
    shown=_shown,
)
