"""Waiting: Hold an Action, the held turn, and being finished (WN-097 to WN-100)."""

from __future__ import annotations

from collections.abc import Mapping

from rulesets.without_number.reactions import HeldTurnOptions, in_turn
from rulesets.without_number.turn import BOTH, EMPTY, FREE, MAIN, MOVE, TRIGGERING, take, turn_rules
from rulesets.worlds_without_number.actions.fighting.reactions import at_once
from rulesets.worlds_without_number.cites import CITES
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import flag, text
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At

# The actions that refuse a spent price by rules of their own.
SPENT = {
    ("snap_attack", MAIN): "WN-050",
    ("total_defense", MAIN): "WN-078",
    ("charge", BOTH): "WN-060",
    ("reload", MAIN): "WN-087",
    ("reload", MOVE): "WN-089",
}


def pay(ctx: Ctx, kind: ActionType, action: Action) -> None:
    """Take the price, a spent Main also from a held turn (R19)."""
    who = str(action.by)
    if "main" in take(ctx, CITES, kind, action) and ctx.state[who].has("held"):
        ctx.end_named(who, "held", "the Main action is spent", "WN-R19")


RULES = turn_rules(CITES, "On Turn", SPENT, pay)


FINISHED = "finished"
HELD_FIELDS = ("action", "in_response_to", "simultaneous")


def _hold(ctx: Ctx, action: Action) -> None:
    """Postpone the rest of the turn: the Move is paid, the Main held (WN-097, R19)."""
    who = str(action.by)
    ctx.add_effect(Effect("held", who, source=who, until=(At("round_end"),)), "WN-097", "WN-R19")
    if note := text(action, "note"):
        ctx.note(f"waits for: {note}", "WN-097", about=who)


def _hold_refusal(state: State, action: Action) -> Refusal | None:
    if action.by is None:
        return None
    combatant = state[action.by]
    if not combatant.left("move") or not combatant.left("main"):
        return Refusal("no_action_left", f"{combatant.name} needs both Main and Move to hold the turn", "WN-R19")
    if combatant.has("held"):
        return Refusal("already", f"{combatant.name} holds the turn already", "WN-097", forcible=False)
    return None


def _finish(ctx: Ctx, action: Action) -> None:
    ctx.fact(str(action.by), FINISHED, True, "WN-006")


def _finish_refusal(state: State, action: Action) -> Refusal | None:
    done = action.by is not None and state[action.by].fact(FINISHED) is True
    return (
        Refusal("already", f"{state.name(action.by)} is marked as finished", "WN-006", forcible=False) if done else None
    )


def finish(ctx: Ctx, who: Id) -> None:
    """End the use of a held turn: whatever is left of it is gone."""
    ctx.fact(who, TRIGGERING, None)
    ctx.refill({who: EMPTY}, "WN-098")


def held_turn(types: Mapping[str, ActionType]) -> ActionType:
    """Return the action that spends a held turn on any of these (WN-098 to WN-100)."""
    chances = HeldTurnOptions(RULES, types, HELD_FIELDS, next(iter(types)))

    def fields(state: State, action: Action) -> tuple[Field, ...]:
        if action.by is None:
            return ()
        turn = in_turn(state, action.by)
        inner = chances.chosen(turn, action)
        kind = types.get(inner.key)
        return (
            Field("action", "choice", default=inner.key, options=chances.options(turn, action.by), required=True),
            *(kind.fields(turn, inner) if kind else ()),
            Field("in_response_to", "text", default=""),
            Field("simultaneous", "flag", "at the same moment", default=False, note="in answer to an Instant"),
        )

    def refusal(state: State, action: Action) -> Refusal | None:
        if action.by is None:
            return None
        if not state[action.by].has("held"):
            return Refusal("not_held", f"{state.name(action.by)} holds no turn", "WN-098")
        return chances.refusal(in_turn(state, action.by), action)

    def perform(ctx: Ctx, action: Action) -> None:
        who = str(action.by)
        inner = chances.chosen(ctx.state, action)
        ctx.end_named(who, "held", "it is used", "WN-098", "WN-100")
        target = inner.get("target")
        if ctx.depth > 1 and flag(action, "simultaneous") and isinstance(target, str) and target in ctx.state:
            at_once(ctx, target)
        ctx.fact(who, TRIGGERING, True)
        ctx.perform(inner)
        if who in ctx.state:
            finish(ctx, who)

    return ActionType("trigger_held", "Use the held turn", "WN-098", "Instant", FREE, "round", perform, fields, refusal)


def _hold_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("note", "text", "trigger", default=""),)


ACTIONS = (
    ActionType(
        "hold", "Hold an Action", "WN-097", "Move", MOVE, "turn", _hold, _hold_fields, _hold_refusal, group="order"
    ),
    ActionType("end_turn", "Finished", "WN-006", "", FREE, "turn", _finish, refusal=_finish_refusal),
)
