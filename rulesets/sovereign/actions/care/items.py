"""Reloading, items, and any other action (SV-052, SV-091 to SV-093, SV-103, R40)."""

from __future__ import annotations

from rulesets.sovereign.actions.fighting.opportunity import provoke, provoke_field
from rulesets.sovereign.actions.fighting.strike import open_window, quick
from rulesets.sovereign.stat_blocks.models import Arm
from rulesets.sovereign.stats.attack import loaded
from rulesets.sovereign.stats.stats import block, level, rules
from rulesets.without_number.actions import (
    go_on_while_up,
    item_field,
    ready,
    ready_field,
    reload_action,
    roll_for,
    wanted,
)
from rulesets.without_number.turn import FREE, MAIN, MOVE, PRICES, main_action, own_phase
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType, Budget
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import flag, text
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal

COSTS = (
    Option("main", "Main"),
    Option("move", "Move"),
    Option("both", "Main and Move"),
    Option("free", "Free"),
    Option("instant", "Instant"),
)


def _loadable(state: State, who: Id | None) -> tuple[Arm, ...]:
    return () if who is None else tuple(arm for arm in block(state[who]).arms if not loaded(state[who], arm))


def _price(state: State, action: Action) -> Budget:
    """Return what it costs to load a weapon (SV-091 to SV-093, R11)."""
    who = action.by
    arm = wanted(_loadable(state, who), action)
    if arm is None or who is None or quick(state, who, arm):
        return FREE
    skilled = not block(state[who]).trained or level(state[who], "shoot") >= 1
    return MAIN if arm.reload == "crossbow" and not skilled and rules(state).crossbow_untrained == "main" else MOVE


def _reload(ctx: Ctx, action: Action) -> None:
    who = str(action.by)
    arm = wanted(_loadable(ctx.state, who), action)
    if arm is not None:
        found = ("SV-091", "SV-092") if arm.reload == "bow" else ("SV-091", "SV-093", "SV-R11")
        ctx.end_named(who, f"unloaded:{arm.name}", "loaded", *found)


def reload_quickly(ctx: Ctx, who: Id) -> None:
    """Load what takes only a Free Action, as the phase starts (SV-092, R40)."""
    for arm in _loadable(ctx.state, who):
        if quick(ctx.state, who, arm):
            ctx.end_named(who, f"unloaded:{arm.name}", "loaded", "SV-092", "SV-R40")


def _ready_fields(state: State, action: Action) -> tuple[Field, ...]:
    names = () if action.by is None else tuple(arm.name for arm in block(state[action.by]).attacks)
    return (item_field(names), ready_field())


def _ready(ctx: Ctx, action: Action) -> None:
    ready(ctx, action, "SV-103")


# -- anything else -----------------------------------------------------------------------------------------------------


def _other_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("text", "text", "what is done", default=""),
        Field("cost", "choice", default="main", options=COSTS),
        Field("provoking", "flag", "provokes Attacks of Opportunity", default=False),
        Field("interruptible", "flag", "can be interrupted", default=False),
        Field("dice", "dice", note="an optional roll"),
        *provoke_field(state, action),
    )


def _other_price(state: State, action: Action) -> Budget:
    return PRICES.get(text(action, "cost") or "main", FREE)


def _other_refusal(state: State, action: Action) -> Refusal | None:
    who = action.by
    if who is None or text(action, "cost") == "instant" or own_phase(state, who):
        return None
    return Refusal(
        "not_own_phase",
        f"it is not {state.name(who)}'s phase",
        "SV-R34" if text(action, "cost") == "free" else "SV-033",
    )


def _other(ctx: Ctx, action: Action) -> None:
    """Do what no other action covers, spells included (SV-052, R38, SV-P17)."""
    who = str(action.by)
    go_on_while_up(ctx, who)
    found = {"free": ("SV-043",), "instant": ("SV-045",)}.get(text(action, "cost"), ())
    ctx.note(text(action, "text") or "something else", "SV-052", *found, about=who)
    if flag(action, "provoking"):
        provoke(ctx, action, "SV-R38")
    if flag(action, "interruptible"):
        open_window(ctx, who, None, f"{ctx.state.name(who)}: {text(action, 'text') or 'something else'}")
        if ctx.state[who].has("damaged_this_round"):
            name = ctx.state.name(who)
            if ctx.confirm(
                "interrupted",
                "SV-P17",
                "SV-063",
                default=True,
                to="gm",
                why=f"{name} was hurt this round: is the action lost?",
            ):
                ctx.stop("hurt in this round")
    roll_for(ctx, who, text(action, "dice"), text(action, "text") or "other action", "SV-052")


ACTIONS = (
    reload_action("Reload a Weapon", "SV-091", _price, _reload, _loadable),
    main_action("ready_stow", "Ready or Stow an Item", "SV-103", _ready, _ready_fields, group="items"),
    ActionType(
        "other",
        "Cast a Spell or other",
        "SV-052",
        "to choose",
        _other_price,
        "round",
        _other,
        _other_fields,
        _other_refusal,
    ),
)
