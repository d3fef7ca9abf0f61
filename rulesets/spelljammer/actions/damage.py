"""Damage and effects given by hand, where the game has something to say to them."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.spelljammer.actions.hits import disturb, stun
from rulesets.spelljammer.stat_blocks.facts import Act
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.effects import BLEEDING
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import share_fields, shares
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal
from tracker.core.terms.values import Value


def _damage_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of damage, plain or like a hit.

    A Bolt of Energy may meet protection, stun and interrupt a spell, a fall may not.
    """
    people = fields.options(state.combatants)
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=people),
        *share_fields(people),
        Field("prot", "flag", "less PROT"),
        Field("stun", "flag", "may stun"),
        Field("spell", "flag", "may interrupt a spell"),
    )


def _damage(ctx: Ctx, action: Action) -> None:
    """Take hit points, less protection and with what follows a hit where that is wanted.

    SJ-037, SJ-038, SJ-007.
    """
    dealt: list[tuple[Id, int]] = []
    for who, amount, share in shares(action, fields.number(action, "amount")):
        parts: tuple[Part, ...] = ()
        taken = amount
        if fields.flag(action, "prot"):
            taken = max(0, amount - stats.prot(ctx.state, who))
            parts = (Part("damage", amount), Part("PROT", taken - amount, "SJ-037"))
        ctx.change(who, "hp", ctx.state[who].hp - taken, parts=parts, why=share)
        dealt.append((who, taken))
    ctx.settle()
    for who, taken in dealt:
        if fields.flag(action, "stun"):
            stun(ctx, who, taken)
        if fields.flag(action, "spell"):  # the stunned have lost theirs
            disturb(ctx, who, taken, f"interrupt:{who}")
    hurt = {who for who, _ in dealt}
    for one in ctx.state.combatants:
        act = one.fact("went_off")
        if isinstance(act, Act) and act.target in hurt:  # that is what its spell does
            ctx.fact(one.id, "went_off", None, "SJ-063")


DAMAGE = ActionType("damage", "Damage", perform=_damage, fields=_damage_fields, group="game master")
"""The GM's command for damage, which can go the way of a hit."""


def how_much_bleeding(spec: ActionSpec | None, action: Action) -> ActionSpec | None:
    """Return the form of an effect, which asks how much a bleeding takes (SJ-164)."""
    if spec is None or spec.refusal is not None or not _bare(action) or _typed(action):
        return spec
    text = "say how much it bleeds: bleeding 2 takes 2 hit points at each round's end"
    return replace(spec, refusal=Refusal("no_amount", text, "SJ-164", forcible=False, field="name"))


def bleeding_told(action: Action) -> Action:
    """Return an effect's action with the amount of a bleeding behind its name."""
    if not _bare(action) or not _typed(action):
        return action
    rest = tuple(tuple(row.items()) for row in action.rows("modifiers") if row.get("stat") != BLEEDING.name)
    given: dict[str, Value] = dict(action.fields) | {"name": f"{BLEEDING.name} {_typed(action)}", "modifiers": rest}
    return Action(action.key, action.by, tuple(sorted(given.items())))


def _bare(action: Action) -> bool:
    return fields.text(action, "name").strip().casefold() == BLEEDING.name


def _typed(action: Action) -> int:
    return sum(fields.whole(row.get("amount")) for row in action.rows("modifiers") if row.get("stat") == BLEEDING.name)
