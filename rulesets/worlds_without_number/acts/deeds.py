"""Deeds: one record per action, with its cost, when it is legal, its form and what it does; and the rules all of them share.

Every legality check is a function of the state, so that what is offered and what is accepted cannot differ. Costs are
paid before a deed is done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from rulesets.without_number import budget
from rulesets.without_number.budget import Price
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Refusal

__all__ = ["Deed", "Phase", "flag", "legality", "number", "own_phase", "pay", "refuse", "text"]

Phase = Literal["own", "round", "any"]
TRIGGERING = "triggering"

# What each part of the budget costs, and the rules that say so.
PAID = {"main": ("WN-028", "WN-029", "WN-030"), "move": ("WN-028", "WN-032"), "both": ("WN-028", "WN-060")}


class Deed(Struct, frozen=True):
    """One action of section 6 of the rules.

    Attributes:
        cost: how the cost is shown.
        price: what it takes from the budget.
        phase: `own`: only in the actor's own phase; `round`: in any phase, as an Instant; `any`: whenever.
        perform: what it does.
        fields: its form, as far as it is filled in.
        refusal: what else forbids it.
        by: whether somebody does it; otherwise it is the GM's.
        cites: further rules by which its cost is paid.
    """

    key: str
    label: str
    rule: str
    cost: str
    price: Price
    phase: Phase
    perform: Callable[[Ctx, Action], None]
    fields: Callable[[State, Action], tuple[Field, ...]] = lambda state, action: ()
    refusal: Callable[[State, Action], Refusal | None] = lambda state, action: None
    by: bool = True
    group: str = ""
    cites: tuple[str, ...] = ()


def refuse(reason: str, why: str, rule: str, forcible: bool = True) -> Refusal:
    """Return a refusal by a rule."""
    return Refusal(reason, why, rule, forcible)


def own_phase(state: State, who: Id) -> bool:
    """Tell whether somebody's slot is active, or its held turn is being used (WN-098)."""
    slot = state.clock.current
    if slot is not None and slot.stage == "round" and who in slot.members:
        return True
    return state[who].fact(TRIGGERING) is True


def in_setup(state: State) -> bool:
    """Tell whether the fight has not begun."""
    slot = state.clock.current
    return slot is not None and slot.stage == "opening"


def legality(state: State, deed: Deed, action: Action) -> Refusal | None:
    """Return why a deed is not possible now, or None: able, in time, within the budget; then what the deed itself demands."""
    who = action.by
    if not deed.by:
        return deed.refusal(state, action)
    if who is None:
        return refuse("no_actor", f"{deed.label}: who does it?", deed.rule, forcible=False)
    return (
        _unable(state, who) or _untimely(state, deed, who) or _unpaid(state, deed, who) or deed.refusal(state, action)
    )


def _unable(state: State, who: Id) -> Refusal | None:
    combatant = state[who]
    if combatant.status != "up":
        return refuse(
            "not_able", f"{combatant.name} is {combatant.status}", "WN-C11" if combatant.status == "mortal" else ""
        )
    if combatant.has("surprised"):
        return refuse("surprised", f"{combatant.name} is surprised and does nothing in this round", "WN-019")
    return None


def _untimely(state: State, deed: Deed, who: Id) -> Refusal | None:
    if deed.phase == "any" or own_phase(state, who):
        return None
    if deed.phase == "round":
        return None if state.clock.in_round else refuse("not_now", "no round is running", deed.rule)
    rule = "WN-034" if deed.cost == "On Turn" else "WN-006"
    return refuse("not_own_phase", f"it is not {state.name(who)}'s phase", rule)


def _unpaid(state: State, deed: Deed, who: Id) -> Refusal | None:
    combatant = state[who]
    if deed.price == "none" or budget.payment(combatant, deed.price) is not None:
        return None
    match deed.price:
        case "main":
            return refuse("no_action_left", f"{combatant.name} has used the Main action of this round", deed_rule(deed))
        case "move":
            return refuse("no_action_left", f"{combatant.name} has neither a Move nor the Main action left", "WN-032")
        case _:
            return refuse("no_action_left", f"{deed.label} takes both the Main and the Move action", deed.rule)


def deed_rule(deed: Deed) -> str:
    """Return the rule that forbids a second Main: the Instants have their own."""
    return {"snap_attack": "WN-050", "total_defense": "WN-078"}.get(deed.key, "WN-030")


def pay(ctx: Ctx, deed: Deed, who: Id) -> None:
    """Take the cost; whoever spends the Main has used a held turn with it (R19)."""
    combatant = ctx.state[who]
    if deed.price == "none":
        return
    taken = budget.payment(combatant, deed.price)
    if taken is None:  # forced: take what there is
        taken = ("main", "move")
    second = deed.price == "move" and "main" in taken
    rules = (*PAID[deed.price], "WN-033") if second else PAID[deed.price]
    if deed.phase == "round":
        rules = (*rules, "WN-036", "WN-039", *(() if own_phase(ctx.state, who) else ("WN-037",)))
    ctx.refill({who: budget.after(combatant, taken)}, *rules, *deed.cites)
    if "main" in taken and combatant.has("held"):
        ctx.end_named(who, "held", "the Main action is spent", "WN-R19")


def text(action: Action, name: str) -> str:
    """Return a field as text; empty where there is none."""
    value = action.get(name)
    return value if isinstance(value, str) else ""


def number(action: Action, name: str) -> int:
    """Return a field as a number; 0 where there is none."""
    value = action.get(name)
    return int(value) if isinstance(value, int | float) else 0


def flag(action: Action, name: str) -> bool:
    """Return a yes or no."""
    return action.get(name) is True
