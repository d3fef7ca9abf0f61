"""What the game master does by hand in this game's own way: harm, healing, statuses (R22, R48)."""

from __future__ import annotations

from rulesets.worlds_without_number.ending import wounds
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.step.shares import share_fields, shares
from tracker.core.terms.actions import Action, Field, Option
from tracker.kit.deeds import Deed
from tracker.kit.fields import flag, number, text

__all__ = ["GM", "STATUSES"]

STATUSES = ("up", "incapacitated", "mortal", "stable", "dead", "gone")
AT_ZERO = ("incapacitated", "mortal", "stable")


def _people(state: State) -> tuple[Option, ...]:
    return tuple(Option(combatant.id, combatant.name) for combatant in state.combatants)


def _ids(action: Action, name: str) -> tuple[Id, ...]:
    value = action.get(name)
    return tuple(str(one) for one in value) if isinstance(value, tuple) else ()


def _pool() -> Field:
    return Field("pool", "choice", default="hp", options=(Option("hp"),), page="more")


def _damage_fields(state: State, action: Action) -> tuple[Field, ...]:
    people = _people(state)
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", options=people),
        *share_fields(people),
        Field("nonlethal", "flag", "non-lethal", default=False),
        _pool(),
    )


def _damage(ctx: Ctx, action: Action) -> None:
    """Take hit points; halves round down (R41)."""
    harm: wounds.Harm = "nonlethal" if flag(action, "nonlethal") else "lethal"
    for who, taken, why in shares(action, number(action, "amount")):
        wounds.deal(ctx, who, taken, why=why, harm=harm)


def _heal_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=_people(state)),
        _pool(),
    )


def _heal(ctx: Ctx, action: Action) -> None:
    """Give hit points back, up to the most; whoever lies at 0 is up again."""
    for who in _ids(action, "targets"):
        held = ctx.state[who].pool("hp")
        ctx.change(who, "hp", max(held.now, min(held.max, held.now + number(action, "amount"))))


def _status_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("targets", "combatants", required=True, options=_people(state)),
        Field("status", "choice", required=True, options=tuple(Option(status) for status in STATUSES)),
    )


def _status(ctx: Ctx, action: Action) -> None:
    """Set a status, and the hit points that go with it."""
    now = text(action, "status")
    for who in _ids(action, "targets"):
        ctx.fact(who, wounds.HARM, None)
        if now == "up" and ctx.state[who].hp == 0:
            ctx.change(who, "hp", 1, why=now)
        elif now in AT_ZERO and ctx.state[who].hp > 0:
            ctx.change(who, "hp", 0, why=now)
        ctx.status(who, now)


GM = (
    Deed("damage", "Damage", perform=_damage, fields=_damage_fields, group="game master"),
    Deed("heal", "Heal", perform=_heal, fields=_heal_fields, group="game master"),
    Deed("status", "Change the status", perform=_status, fields=_status_fields, group="game master"),
)
