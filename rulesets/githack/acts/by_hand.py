"""The referee's damage, healing and statuses (GH-126, GH-079).

Monsters have hit points, PCs the boxes of the Harm track.
"""

from __future__ import annotations

from rulesets.githack.ending.wounds import take_harm
from rulesets.githack.numbers import harm as track
from rulesets.githack.numbers import stats
from rulesets.githack.numbers.facts import set_harm
from rulesets.githack.numbers.statuses import STATUSES
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.shares import share_fields, shares
from tracker.core.terms.actions import Action, Field, Option
from tracker.kit import fields

__all__ = ["damage", "damage_fields", "heal", "heal_fields", "status", "status_fields"]

MARKS = (Option("/", "tick"), Option("x", "cross"), Option("*", "star"))


def damage_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of damage, with a mark if a PC is among the targets."""
    people = _people(state)
    return (*_who(people), *share_fields(people), *_mark(state, action))


def heal_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of healing, with a mark if a PC is among the targets."""
    return (*_who(_people(state)), *_mark(state, action))


def _people(state: State) -> tuple[Option, ...]:
    return fields.options(one for one in state.combatants if stats.is_pc(one) or one.has_pool("hp"))


def _who(people: tuple[Option, ...]) -> tuple[Field, ...]:
    amount = Field("amount", "number", "hit points or boxes", required=True, minimum=0)
    return (amount, Field("targets", "combatants", required=True, options=people))


def _mark(state: State, action: Action) -> tuple[Field, ...]:
    if not any(stats.is_pc(state[who]) for who, _, _ in shares(action, 0) if who in state):
        return ()
    return (Field("mark", "choice", "mark", default="/", required=True, options=MARKS),)


def damage(ctx: Ctx, action: Action) -> None:
    """Mark boxes, or take hit points."""
    mark = fields.text(action, "mark")
    for who, points, why in shares(action, fields.number(action, "amount")):
        if stats.is_pc(ctx.state[who]):
            take_harm(ctx, who, [mark] * points, "GH-126", "GH-048" if mark == "*" else "GH-116")
        else:
            ctx.change(who, "hp", ctx.state[who].hp - points, "GH-021", why=why)


def heal(ctx: Ctx, action: Action) -> None:
    """Empty boxes, or give hit points back."""
    mark = fields.text(action, "mark")
    for who, points, why in shares(action, fields.number(action, "amount")):
        if stats.is_pc(ctx.state[who]):
            harm = stats.harm(ctx.state, who)
            now = track.wipe(harm, mark, min(points, harm.count(mark)))
            set_harm(ctx, who, now, "GH-079", "GH-117")
        else:
            held = ctx.state[who].pool("hp")
            ctx.change(who, "hp", max(held.now, min(held.max, held.now + points)), "GH-021", why=why)


def status_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of a status: whose, and which."""
    return (
        Field("targets", "combatants", required=True, options=fields.options(state.combatants)),
        Field("status", "choice", required=True, options=tuple(Option(each.key, each.word) for each in STATUSES)),
    )


def status(ctx: Ctx, action: Action) -> None:
    """Give a status, with what belongs to it.

    Up again a PC is no longer dying, and a monster has a hit point (A13, A21).
    """
    now = fields.text(action, "status")
    for who in fields.ids(action, "targets"):
        if now == "up":
            ctx.end_named(who, "dying", "up again", "GH-A13", "GH-123")
        monster = not stats.is_pc(ctx.state[who]) and ctx.state[who].has_pool("hp")
        if monster:
            ctx.fact(who, "felled", None, "GH-A21")
        if monster and now == "up" and ctx.state[who].hp <= 0:
            ctx.change(who, "hp", 1, "GH-A21")
        ctx.status(who, now, "GH-A13")
