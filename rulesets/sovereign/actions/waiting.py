"""Waiting: Hold An Action and the held turn (SV-111 to SV-114, R25)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from rulesets.sovereign.actions.moving.movement import MOVE_LEFT
from rulesets.sovereign.actions.payment import RULES, pay
from rulesets.sovereign.stats.stats import able
from rulesets.without_number.reactions import HeldTurnOptions, in_turn
from rulesets.without_number.turn import FREE, MOVE, TRIGGERING
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import ids, text
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At
from tracker.core.terms.values import Data

OWN_FIELDS = ("action", "first")
NOTHING = "nothing"


class HeldTurn(Struct, Data, frozen=True, tag="sv_held"):
    """What a combatant that holds its turn waits for, if it has said so."""

    trigger: str = ""


def _hold(ctx: Ctx, action: Action) -> None:
    """Postpone the rest of the turn: the Move is paid, the Main held (SV-111, R25)."""
    who, trigger = str(action.by), text(action, "trigger")
    held = Effect("held", who, source=who, until=(At("round_end"),), data=HeldTurn(trigger), title="holds")
    ctx.add_effect(held, "SV-111", "SV-113", "SV-R25")


def _hold_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("trigger", "text", "waits for", default=""),)


def _hold_refusal(state: State, action: Action) -> Refusal | None:
    if action.by is None:
        return None
    combatant = state[action.by]
    if combatant.has("held"):
        return Refusal("already", f"{combatant.name} holds its turn already", "SV-111", forcible=False)
    if not combatant.left("move") or not combatant.left("main"):
        return Refusal("no_action_left", f"{combatant.name} needs a Move to pay and a Main to keep", "SV-R25")
    return None


def held_turn(types: Mapping[str, ActionType]) -> ActionType:
    """Return the action that spends a held turn (SV-112, SV-114).

    Free Actions first, then any one of these.
    """
    frees = {key: kind for key, kind in types.items() if kind.cost == "Free"}
    chances = HeldTurnOptions(
        RULES, {key: kind for key, kind in types.items() if key not in frees}, OWN_FIELDS, NOTHING
    )

    def fields(state: State, action: Action) -> tuple[Field, ...]:
        if action.by is None:
            return ()
        turn = in_turn(state, action.by)
        inner = chances.chosen(turn, action)
        options = (*chances.options(turn, action.by), Option(NOTHING, "only Free Actions"))
        first = tuple(
            Option(key, kind.label, refusal=RULES.legality(turn, kind, Action(key, action.by)))
            for key, kind in frees.items()
        )
        kind = chances.types.get(inner.key)
        return (
            Field("action", "choice", default=inner.key, options=options, required=True),
            Field("first", "choices", "first, for free", options=first),
            *(kind.fields(turn, inner) if kind else ()),
        )

    def refusal(state: State, action: Action) -> Refusal | None:
        if action.by is None:
            return None
        if not state[action.by].has("held"):
            rule = "SV-112" if state.clock.in_round else "SV-113"
            return Refusal("not_held", f"{state.name(action.by)} holds no turn", rule)
        return chances.refusal(in_turn(state, action.by), action)

    def perform(ctx: Ctx, action: Action) -> None:
        _use(ctx, action, frees, chances)

    return ActionType("use_held", "Use the held turn", "SV-112", "Instant", FREE, "round", perform, fields, refusal)


def _use(ctx: Ctx, action: Action, frees: Mapping[str, ActionType], chances: HeldTurnOptions) -> None:
    """Spend a held turn: the Free Actions that are still possible, then the action chosen."""
    who = str(action.by)
    inner = chances.chosen(ctx.state, action)
    ctx.fact(who, TRIGGERING, True, "SV-112")
    ctx.end_named(who, "held", "used", "SV-112", "SV-114", "SV-R25")
    for key in ids(action, "first"):
        free, wanted = frees[key], Action(key, who)
        if RULES.legality(ctx.state, free, wanted) is None:
            pay(ctx, free, wanted)
            free.perform(ctx, wanted)
    if inner.key in chances.types:
        if ctx.refusal_of(inner) is None:
            ctx.perform(inner)
        else:
            ctx.skip(chances.types[inner.key].label, "it has become impossible", "SV-R25", who=who)
    _finish(ctx, who)


def _finish(ctx: Ctx, who: Id) -> None:
    """Close a held turn: what is left of the Main serves for Instants only (R25)."""
    if who in ctx.state and ctx.state[who].fact(TRIGGERING) is True:
        ctx.fact(who, TRIGGERING, None, "SV-112")
        ctx.fact(who, MOVE_LEFT, None, "SV-R23")
        left = ctx.state[who].left("main") if able(ctx.state, who) else 0
        ctx.refill({who: (("main", left), ("move", 0))}, "SV-R25")


def tidy(ctx: Ctx) -> None:
    """Close held turns that were cut short, once no action is under way."""
    if not ctx.depth:
        for combatant in ctx.state.combatants:
            if combatant.facts and combatant.fact(TRIGGERING) is True:
                _finish(ctx, combatant.id)


ACTIONS = (
    ActionType(
        "hold", "Hold An Action", "SV-111", "Move", MOVE, "turn", _hold, _hold_fields, _hold_refusal, group="order"
    ),
)
