"""The referee's damage, healing and statuses (GH-126, GH-079).

Monsters have hit points, PCs the boxes of the Harm track.
"""

from __future__ import annotations

from rulesets.githack.aftermath.wounds import take_harm, track_check
from rulesets.githack.stats import checks as track
from rulesets.githack.stats import stats
from rulesets.githack.stats.facts import STATUSES, set_harm
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import share_fields, shares
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part

MARKS = (Option("/", "tick"), Option("x", "cross"), Option("*", "star"))


def damage_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of damage, with a mark if a PC is among the targets.

    It may meet armour, and ask for the save on a full track.
    """
    people = _people(state)
    marks = _mark(state, action) if action.get("armour") is not True else ()
    save = Field("save", "flag", "CON save on a full track")
    return (*_who(people), *share_fields(people), Field("armour", "flag", "against AC"), *marks, save)


def heal_fields(state: State, action: Action) -> tuple[Field, ...]:
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
    mark = fields.text(action, "mark")
    armour = action.get("armour") is True
    for who, points, why in shares(action, fields.number(action, "amount")):
        if who not in ctx.state:
            continue
        soaked = stats.ac(ctx.state, who) if armour else 0
        if stats.is_pc(ctx.state[who]):
            _harm(ctx, action, who, _marks(points, soaked) if armour else [mark] * points)
        else:
            parts = [Part("damage", points), Part("AC", -soaked, "GH-020")] if soaked else []
            ctx.change(who, "hp", ctx.state[who].hp - max(0, points - soaked), "GH-021", parts=parts, why=why)


def _marks(points: int, soaked: int) -> list[str]:
    """Return the mark of one die with this face (GH-044)."""
    mark = track.judge(points, soaked)
    return [mark] if mark else []


def _harm(ctx: Ctx, action: Action, who: Id, marks: list[str]) -> None:
    """Mark a PC's boxes, with the save on a full track if asked for."""
    kinds = {"/": "GH-046", "x": "GH-047", "*": "GH-048"}
    armour = ("GH-044",) if action.get("armour") is True else ()
    take_harm(ctx, who, marks, "GH-126", *armour, *dict.fromkeys(kinds[mark] for mark in marks))
    if action.get("save") is True:
        track_check(ctx, f"con:{who}", who, len(marks))


def heal(ctx: Ctx, action: Action) -> None:
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
        if now == "incapacitated":
            ctx.fact(who, "fell", ctx.state.clock.round, "GH-207")
        ctx.status(who, now, "GH-A13")
