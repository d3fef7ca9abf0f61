"""What the GM does by hand: harm, healing, statuses (R22, R48)."""

from __future__ import annotations

from rulesets.without_number.acts import GROUP, damage_fields, pool, status_deed
from rulesets.worlds_without_number.ending import wounds
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import flag, ids, number, options
from tracker.core.step.shares import shares
from tracker.core.terms.actions import Action, Field

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
    status_deed(STATUSES, AT_ZERO),
)
