"""Waiting: Hold an Action, the held turn, and being finished (WN-097 to WN-100)."""

from __future__ import annotations

from collections.abc import Mapping

from rulesets.without_number import budget
from rulesets.worlds_without_number.acts.deeds import TRIGGERING, Deed, flag, legality, refuse, text
from rulesets.worlds_without_number.acts.fighting.answers import at_once
from tracker.core.fight.events import FactSet
from tracker.core.fight.fold import fold
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option, Refusal
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At

__all__ = ["DEEDS", "FINISHED", "HELD_FIELDS", "finish", "held_turn"]

FINISHED = "finished"
HELD_FIELDS = ("action", "in_response_to", "simultaneous")


def _hold(ctx: Ctx, action: Action) -> None:
    """Postpone the rest of the turn: the Move pays for it, the Main is what is held (WN-097, R19)."""
    who = str(action.by)
    ctx.add_effect(Effect("held", who, source=who, until=(At("round_end"),)), "WN-097", "WN-R19")
    if note := text(action, "note"):
        ctx.note(f"waits for: {note}", "WN-097", about=who)


def _hold_refusal(state: State, action: Action) -> Refusal | None:
    if action.by is None:
        return None
    combatant = state[action.by]
    if not combatant.left("move") or not combatant.left("main"):
        return refuse("no_action_left", f"{combatant.name} needs both Main and Move to hold the turn", "WN-R19")
    if combatant.has("held"):
        return refuse("already", f"{combatant.name} holds the turn already", "WN-097", forcible=False)
    return None


def _finish(ctx: Ctx, action: Action) -> None:
    ctx.fact(str(action.by), FINISHED, True, "WN-006")


def _finish_refusal(state: State, action: Action) -> Refusal | None:
    done = action.by is not None and state[action.by].fact(FINISHED) is True
    return (
        refuse("already", f"{state.name(action.by)} is marked as finished", "WN-006", forcible=False) if done else None
    )


def finish(ctx: Ctx, who: Id) -> None:
    """End the use of a held turn: whatever is left of it is gone."""
    ctx.fact(who, TRIGGERING, None)
    ctx.refill({who: budget.EMPTY}, "WN-098")


def held_turn(deeds: Mapping[str, Deed]) -> Deed:
    """Return the deed that spends a held turn on any of these (WN-098 to WN-100)."""

    def chosen(action: Action) -> Action:
        inner = tuple((name, value) for name, value in action.fields if name not in HELD_FIELDS)
        return Action(text(action, "action") or next(iter(deeds)), action.by, inner)

    def fields(state: State, action: Action) -> tuple[Field, ...]:
        if action.by is None:
            return ()
        turn, inner = _in_turn(state, action), chosen(action)
        options = tuple(
            Option(key, deed.label, deed.cost, legality(turn, deed, Action(key, action.by)))
            for key, deed in deeds.items()
        )
        deed = deeds.get(inner.key)
        return (
            Field(
                "action",
                "choice",
                default=next((option.key for option in options if option.refusal is None), inner.key),
                options=options,
                required=True,
            ),
            *(deed.fields(turn, inner) if deed else ()),
            Field("in_response_to", "text", default=""),
            Field("simultaneous", "flag", "at the same moment", default=False, note="in answer to an Instant"),
        )

    def refusal(state: State, action: Action) -> Refusal | None:
        if action.by is None:
            return None
        if not state[action.by].has("held"):
            return refuse("not_held", f"{state.name(action.by)} holds no turn", "WN-098")
        inner = chosen(action)
        deed = deeds.get(inner.key)
        return None if deed is None else legality(_in_turn(state, action), deed, inner)

    def perform(ctx: Ctx, action: Action) -> None:
        who = str(action.by)
        inner = chosen(action)
        ctx.end_named(who, "held", "it is used", "WN-098", "WN-100")
        target = inner.get("target")
        if ctx.depth > 1 and flag(action, "simultaneous") and isinstance(target, str) and target in ctx.state:
            at_once(ctx, target)
        ctx.fact(who, TRIGGERING, True)
        ctx.perform(inner)
        if who in ctx.state:
            finish(ctx, who)

    return Deed("trigger_held", "Use the held turn", "WN-098", "Instant", "none", "round", perform, fields, refusal)


def _in_turn(state: State, action: Action) -> State:
    """Return the state as it is while a held turn is used: it is the actor's phase."""
    who = str(action.by)
    return (
        state
        if state[who].fact(TRIGGERING) is True
        else fold(state, FactSet(who, TRIGGERING, state[who].fact(TRIGGERING), True))
    )


def _hold_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("note", "text", "trigger", default=""),)


DEEDS = (
    Deed("hold", "Hold an Action", "WN-097", "Move", "move", "own", _hold, _hold_fields, _hold_refusal, group="order"),
    Deed("end_turn", "Finished", "WN-006", "", "none", "own", _finish, refusal=_finish_refusal),
)
