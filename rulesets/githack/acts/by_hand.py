"""Damage and healing by the referee's hand: hit points of monsters, boxes of the Harm track of PCs (GH-126, GH-079)."""

from __future__ import annotations

from rulesets.githack.ending.wounds import take_harm
from rulesets.githack.numbers import harm as track
from rulesets.githack.numbers import stats
from rulesets.githack.numbers.facts import set_harm
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.shares import share_fields, shares
from tracker.core.terms.actions import Action, ActionSpec, Field, Option

__all__ = ["KEYS", "form", "perform"]

KEYS = ("damage", "heal")
_LABELS = {"damage": ("Damage", "GH-126"), "heal": ("Heal", "GH-079")}
_MARKS = (Option("/", "tick"), Option("x", "cross"), Option("*", "star"))


def form(state: State, action: Action) -> ActionSpec:
    """Return the specification; the kind of mark is asked for as soon as a PC is among the targets."""
    label, rule = _LABELS[action.key]
    people = tuple(
        Option(combatant.id, combatant.name)
        for combatant in state.combatants
        if stats.is_pc(combatant) or combatant.has_pool("hp")
    )
    amount = Field("amount", "number", "hit points or boxes", required=True, minimum=0)
    fields: tuple[Field, ...] = (amount, Field("targets", "combatants", required=True, options=people))
    if action.key == "damage":
        fields += share_fields(people)
    if any(stats.is_pc(state[who]) for who, _, _ in shares(action, 0) if who in state):
        fields += (Field("mark", "choice", "mark", default="/", required=True, options=_MARKS),)
    return ActionSpec(action.key, label, None, "", rule, fields, None, "game master")


def perform(ctx: Ctx, action: Action) -> None:
    """Mark or empty boxes, take or give back hit points."""
    amount, mark = action.get("amount"), str(action.get("mark"))
    for who, points, why in shares(action, int(amount) if isinstance(amount, int | float) else 0):
        combatant = ctx.state[who]
        if not stats.is_pc(combatant):
            held = combatant.pool("hp")
            now = held.now - points if action.key == "damage" else max(held.now, min(held.max, held.now + points))
            ctx.change(who, "hp", now, "GH-021", why=why)
        elif action.key == "damage":
            take_harm(ctx, who, [mark] * points, "GH-126", "GH-048" if mark == "*" else "GH-116")
        else:
            harm = stats.harm(ctx.state, who)
            set_harm(ctx, who, track.wipe(harm, mark, min(points, harm.count(mark))), "GH-079", "GH-117")
