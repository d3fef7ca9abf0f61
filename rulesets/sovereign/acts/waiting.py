"""Waiting: Hold An Action and the held turn (SV-111 to SV-114, R25)."""

from __future__ import annotations

from collections.abc import Mapping

from rulesets.sovereign.acts.deeds import Deed, legality, pay, refuse, text
from rulesets.sovereign.numbers.stats import TRIGGERING, able
from tracker.core.fight.events import FactSet
from tracker.core.fight.fold import fold
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option, Refusal
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At

__all__ = ["DEEDS", "held_turn", "tidy"]

OWN_FIELDS = ("action", "first")
NOTHING = "nothing"


def _hold(ctx: Ctx, action: Action) -> None:
    """Postpone the rest of the turn: the Move pays for it, the Main is what is held (SV-111, R25)."""
    who = str(action.by)
    ctx.add_effect(
        Effect("held", who, source=who, until=(At("round_end"),), title="holds"), "SV-111", "SV-113", "SV-R25"
    )
    if note := text(action, "trigger"):
        ctx.note(f"waits for: {note}", "SV-111", about=who)


def _hold_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("trigger", "text", "waits for", default=""),)


def _hold_refusal(state: State, action: Action) -> Refusal | None:
    if action.by is None:
        return None
    combatant = state[action.by]
    if combatant.has("held"):
        return refuse("already", f"{combatant.name} holds its turn already", "SV-111", forcible=False)
    if not combatant.left("move") or not combatant.left("main"):
        return refuse("no_action_left", f"{combatant.name} needs a Move to pay and a Main to keep", "SV-R25")
    return None


def held_turn(deeds: Mapping[str, Deed]) -> Deed:
    """Return the deed that spends a held turn: Free Actions first, then any one of these (SV-112, SV-114)."""
    frees = {key: deed for key, deed in deeds.items() if deed.cost == "Free"}
    chances = {key: deed for key, deed in deeds.items() if key not in frees}

    def chosen(turn: State, action: Action) -> Action:
        inner = tuple((name, value) for name, value in action.fields if name not in OWN_FIELDS)
        return Action(text(action, "action") or usual(turn, action), action.by, inner)

    def usual(turn: State, action: Action) -> str:
        return next(
            (key for key, deed in chances.items() if legality(turn, deed, Action(key, action.by)) is None), NOTHING
        )

    def fields(state: State, action: Action) -> tuple[Field, ...]:
        if action.by is None:
            return ()
        turn = _in_turn(state, action)
        inner = chosen(turn, action)
        options = tuple(
            Option(key, deed.label, deed.cost, legality(turn, deed, Action(key, action.by)))
            for key, deed in chances.items()
        )
        first = tuple(
            Option(key, deed.label, refusal=legality(turn, deed, Action(key, action.by))) for key, deed in frees.items()
        )
        deed = chances.get(inner.key)
        return (
            Field(
                "action",
                "choice",
                default=inner.key,
                options=(*options, Option(NOTHING, "only Free Actions")),
                required=True,
            ),
            Field("first", "choices", "Free Actions before it", options=first),
            *(deed.fields(turn, inner) if deed else ()),
        )

    def refusal(state: State, action: Action) -> Refusal | None:
        if action.by is None:
            return None
        if not state[action.by].has("held"):
            return refuse(
                "not_held", f"{state.name(action.by)} holds no turn", "SV-112" if state.clock.in_round else "SV-113"
            )
        turn = _in_turn(state, action)
        inner = chosen(turn, action)
        deed = chances.get(inner.key)
        return None if deed is None else legality(turn, deed, inner)

    def perform(ctx: Ctx, action: Action) -> None:
        who = str(action.by)
        inner = chosen(ctx.state, action)
        ctx.fact(who, TRIGGERING, True, "SV-112")
        ctx.end_named(who, "held", "it is used", "SV-112", "SV-114", "SV-R25")
        try_first = action.get("first")
        for key in try_first if isinstance(try_first, tuple) else ():
            free = frees[str(key)]
            if legality(ctx.state, free, Action(free.key, who)) is None:
                pay(ctx, free, Action(free.key, who))
                free.perform(ctx, Action(free.key, who))
        if inner.key in chances:
            if ctx.refusal_of(inner) is None:
                ctx.perform(inner)
            else:
                ctx.skip(chances[inner.key].label, "it has become impossible", "SV-R25", who=who)
        _finish(ctx, who)

    return Deed("use_held", "Use the held turn", "SV-112", "Instant", "none", "round", perform, fields, refusal)


def _finish(ctx: Ctx, who: Id) -> None:
    """Close a held turn: what is left of the Main serves for Instants only (R25)."""
    if who in ctx.state and ctx.state[who].fact(TRIGGERING) is True:
        ctx.fact(who, TRIGGERING, None, "SV-112")
        left = ctx.state[who].left("main") if able(ctx.state, who) else 0
        ctx.refill({who: (("main", left), ("move", 0))}, "SV-R25")


def tidy(ctx: Ctx) -> None:
    """Close held turns that an interruption has cut short, once no action is under way any more."""
    if not ctx.depth:
        for combatant in ctx.state.combatants:
            _finish(ctx, combatant.id)


def _in_turn(state: State, action: Action) -> State:
    """Return the state as it is while a held turn is used: it is the actor's phase."""
    who = str(action.by)
    return (
        state
        if state[who].fact(TRIGGERING) is True
        else fold(state, FactSet(who, TRIGGERING, state[who].fact(TRIGGERING), True))
    )


DEEDS = (
    Deed("hold", "Hold An Action", "SV-111", "Move", "move", "own", _hold, _hold_fields, _hold_refusal, group="order"),
)
