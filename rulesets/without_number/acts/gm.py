"""What the GM does by hand in both games: harm and statuses."""

from __future__ import annotations

from collections.abc import Sequence

from rulesets.without_number.ending.wounds import HARM
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.shares import share_fields
from tracker.core.terms.actions import Action, Field, Option
from tracker.kit.deeds import Deed
from tracker.kit.fields import ids, options, text

__all__ = ["GROUP", "damage_fields", "pool", "status_deed"]

GROUP = "game master"
WORDS = {"incapacitated": "out cold", "mortal": "dying"}
"""What the screen calls a status, where that is not its key."""


def pool() -> Field:
    """Return the field for the pool that harm or healing changes."""
    return Field("pool", "choice", default="hp", options=(Option("hp"),), page="more")


def damage_fields(state: State, *own: Field) -> tuple[Field, ...]:
    """Return the form of harm: how much, to whom, in which shares.

    `own` are fields of the game.
    """
    people = options(state.combatants)
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", options=people),
        *share_fields(people),
        *own,
        pool(),
    )


def status_deed(statuses: Sequence[str], at_zero: Sequence[str]) -> Deed:
    """Return the deed that sets a status, and the hit points that go with it."""
    offered = tuple(Option(status, WORDS.get(status, "")) for status in statuses)

    def fields(state: State, action: Action) -> tuple[Field, ...]:
        return (
            Field("targets", "combatants", required=True, options=options(state.combatants)),
            Field("status", "choice", required=True, options=offered),
        )

    def perform(ctx: Ctx, action: Action) -> None:
        now = text(action, "status")
        for who in ids(action, "targets"):
            ctx.fact(who, HARM, None)
            if now == "up" and ctx.state[who].hp == 0:
                ctx.change(who, "hp", 1, why=now)
            elif now in at_zero and ctx.state[who].hp > 0:
                ctx.change(who, "hp", 0, why=now)
            ctx.status(who, now)

    return Deed("status", "Change the status", perform=perform, fields=fields, group=GROUP)
