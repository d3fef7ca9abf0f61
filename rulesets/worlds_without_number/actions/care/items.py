"""Items: ready, stow, reload, drop, pick up, and any other action (WN-041, WN-085 to WN-093)."""

from __future__ import annotations

from typing import Literal

from rulesets.without_number.actions import item_field, ready, ready_field, reload_action, roll_for, wanted
from rulesets.without_number.turn import FREE, MAIN, MOVE, PRICES, main_action, own_phase
from rulesets.worlds_without_number.actions.fighting.strike import quick
from rulesets.worlds_without_number.actions.fighting.weapons import empty
from rulesets.worlds_without_number.stat_blocks.models import Weapon
from rulesets.worlds_without_number.stats.stats import block
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType, Budget
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import text
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal

DROPPED = "dropped"
RELOAD: dict[Literal["bow", "crossbow"], tuple[Budget, str]] = {"bow": (MOVE, "WN-089"), "crossbow": (MAIN, "WN-087")}
COSTS: tuple[Option, ...] = (
    Option("main", "Main"),
    Option("move", "Move"),
    Option("both", "Main and Move"),
    Option("on_turn", "On Turn"),
    Option("instant", "Instant"),
)


def _item(state: State, action: Action) -> tuple[Field, ...]:
    return (item_field(() if action.by is None else tuple(arm.name for arm in block(state[action.by]).weapons)),)


def _ready(ctx: Ctx, action: Action) -> None:
    ready(ctx, action, "WN-085")


def _ready_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (*_item(state, action), ready_field())


def _sheathe(ctx: Ctx, action: Action) -> None:
    ctx.note(f"sheathes {text(action, 'item')}".rstrip(), "WN-086", about=action.by)


def dropped(state: State, who: Id) -> tuple[str, ...]:
    """Return what a combatant has let fall."""
    known = state[who].fact(DROPPED)
    return tuple(str(item) for item in known) if isinstance(known, tuple) else ()


def _drop(ctx: Ctx, action: Action) -> None:
    """Let something fall to the ground, at any time (WN-090)."""
    who, item = str(action.by), text(action, "item") or "something"
    ctx.fact(who, DROPPED, (*dropped(ctx.state, who), item), "WN-090")
    ctx.note(f"{item} lies on the ground", "WN-090", "WN-039", about=who)


def _pick_up(ctx: Ctx, action: Action) -> None:
    """Take something from the ground into the hand (WN-091)."""
    who, item = str(action.by), text(action, "item")
    kept = list(dropped(ctx.state, who))
    if item in kept:
        kept.remove(item)
        ctx.fact(who, DROPPED, tuple(kept) or None, "WN-091")
    ctx.note(f"{item or 'something'} is picked up and readied", "WN-091", about=who)


def _pick_up_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (item_field(() if action.by is None else dropped(state, action.by)),)


def pick_up_all(ctx: Ctx, who: Id) -> None:
    """Pick up what was dropped, in standing up (WN-093)."""
    lying = dropped(ctx.state, who)
    if lying:
        ctx.fact(who, DROPPED, None, "WN-093")
        ctx.note(f"picks up {', '.join(lying)}", "WN-093", about=who)


def _loadable(state: State, who: Id | None) -> tuple[Weapon, ...]:
    return () if who is None else tuple(arm for arm in block(state[who]).arms if empty(state[who], arm))


def _reload_price(state: State, action: Action) -> Budget:
    """Return what it costs to load a weapon (8.5)."""
    arm = wanted(_loadable(state, action.by), action)
    if arm is None or arm.reload is None or quick(state, str(action.by), arm):
        return FREE
    return RELOAD[arm.reload][0]


def _reload(ctx: Ctx, action: Action) -> None:
    who = str(action.by)
    arm = next(arm for arm in _loadable(ctx.state, who) if arm.name == text(action, "weapon"))
    rule = "WN-088" if arm.reload is None or quick(ctx.state, who, arm) else RELOAD[arm.reload][1]
    ctx.end_named(who, f"empty:{arm.name}", "loaded", rule)


def reload_quickly(ctx: Ctx, who: Id) -> None:
    """Load what takes only an On Turn action, as the phase starts (WN-088, R30)."""
    for arm in _loadable(ctx.state, who):
        if quick(ctx.state, who, arm):
            ctx.end_named(who, f"empty:{arm.name}", "loaded", "WN-088", "WN-035")


def _other_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("name", "text", default=""),
        Field("cost", "choice", default="main", options=COSTS),
        Field("note", "text", default=""),
        Field("dice", "dice", note="an optional roll"),
    )


def _other_price(state: State, action: Action) -> Budget:
    return PRICES.get(text(action, "cost") or "main", FREE)


def _other_refusal(state: State, action: Action) -> Refusal | None:
    who, cost = action.by, text(action, "cost")
    if who is None or cost == "instant" or own_phase(state, who):
        return None
    rule = "WN-034" if cost == "on_turn" else "WN-006"
    return Refusal("not_own_phase", f"it is not {state.name(who)}'s phase", rule)


def _other(ctx: Ctx, action: Action) -> None:
    """Do what no other action covers, at a price the GM names (WN-041)."""
    who = str(action.by)
    words = ": ".join(part for part in (text(action, "name"), text(action, "note")) if part)
    cost = text(action, "cost")
    found = {"on_turn": ("WN-034", "WN-035"), "instant": ("WN-036", "WN-039")}.get(cost, ())
    ctx.note(words or "something else", "WN-041", *found, about=who)
    roll_for(ctx, who, text(action, "dice"), words or "other action", "WN-041")


OTHER_ACTION = ActionType(
    "other", "Other", "WN-041", "to choose", _other_price, "any", _other, _other_fields, _other_refusal
)
ACTIONS = (
    reload_action("Reload", "WN-087", _reload_price, _reload, _loadable),
    main_action("ready_item", "Ready or Stow an Item", "WN-085", _ready, _ready_fields, group="items"),
    ActionType("sheathe", "Sheathe", "WN-086", "", FREE, "turn", _sheathe, _item, group="items"),
    ActionType("drop_item", "Drop an Item", "WN-090", "Instant", FREE, "any", _drop, _item, group="items"),
    ActionType("pick_up", "Pick up an Item", "WN-091", "Move", MOVE, "turn", _pick_up, _pick_up_fields, group="items"),
    OTHER_ACTION,
)
