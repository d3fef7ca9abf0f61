"""Deeds: one record per action of section 6, with its cost, when it is legal, its form and what it does; and the rules all of them share.

Every check is a function of the state, so that what is offered and what is accepted cannot differ. Costs are paid
before a deed is done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from rulesets.sovereign.numbers.stats import own_phase, rules
from rulesets.without_number import budget
from rulesets.without_number.budget import Price
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Refusal

__all__ = [
    "PAID_FACT",
    "Deed",
    "flag",
    "in_setup",
    "legality",
    "number",
    "pay",
    "refuse",
    "square",
    "squares",
    "text",
    "unpaid",
]

# What each part of the budget costs, and the rules that say so.
PAID = {"main": ("SV-037", "SV-038", "SV-039"), "move": ("SV-037", "SV-040", "SV-041"), "both": ("SV-037", "SV-071")}
PAID_FACT = "paid"
# The Instants that give up the Main refuse a spent one by rules of their own.
SPENT = {"snap_attack": "SV-061", "total_defense": "SV-090", "charge": "SV-071"}


class Deed(Struct, frozen=True):
    """One action of section 6 of the rules.

    Attributes: cost: how the cost is shown. price: what it takes from the budget. phase: `own`: only in the phase of
        the actor's side or in a held turn; `round`: at any time of a round, as an Instant; `any`: whenever. perform:
        what it does. fields: its form, as far as it is filled in. refusal: what else forbids it. by: whether somebody
        does it; otherwise it is the GM's. cites: further rules by which its cost is paid. priced: what it takes as far
        as it is filled in, where that differs; `price` otherwise.
    """

    key: str
    label: str
    rule: str
    cost: str
    price: Price
    phase: Literal["own", "round", "any"]
    perform: Callable[[Ctx, Action], None]
    fields: Callable[[State, Action], tuple[Field, ...]] = lambda state, action: ()
    refusal: Callable[[State, Action], Refusal | None] = lambda state, action: None
    by: bool = True
    group: str = ""
    cites: tuple[str, ...] = ()
    priced: Callable[[State, Action], Price] | None = None

    def price_of(self, state: State, action: Action) -> Price:
        """Return what this very action takes from the budget."""
        return self.price if self.priced is None else self.priced(state, action)


def refuse(reason: str, why: str, rule: str, forcible: bool = True) -> Refusal:
    """Return a refusal by a rule."""
    return Refusal(reason, why, rule, forcible)


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
        _unable(state, who) or _untimely(state, deed, who) or unpaid(state, deed, action) or deed.refusal(state, action)
    )


def _unable(state: State, who: Id) -> Refusal | None:
    combatant = state[who]
    if combatant.status != "up":
        return refuse(
            "not_able",
            f"{combatant.name} is {'dying' if combatant.status == 'mortal' else combatant.status}",
            "SV-P07" if combatant.status == "mortal" else "",
        )
    if combatant.has("surprised"):
        return refuse("surprised", f"{combatant.name} is surprised and does nothing in this round", "SV-023")
    return None


def _untimely(state: State, deed: Deed, who: Id) -> Refusal | None:
    if deed.phase == "any" or own_phase(state, who):
        return None
    if deed.phase == "round":
        return None if state.clock.in_round else refuse("not_now", "no round is running", deed.rule)
    return refuse(
        "not_own_phase",
        f"it is not the phase of {state.name(who)}'s side",
        "SV-R34" if deed.cost == "Free" else "SV-033",
    )


def unpaid(state: State, deed: Deed, action: Action) -> Refusal | None:
    """Return why a deed cannot be paid."""
    who = str(action.by)
    price = deed.price_of(state, action)
    if price == "none" or budget.payment(state[who], price) is not None:
        return None
    name = state.name(who)
    if price == "main":
        return refuse("no_action_left", f"{name} has used the Main Action of this round", SPENT.get(deed.key, "SV-039"))
    if price == "move":
        return refuse("no_action_left", f"{name} has neither a Move nor the Main Action left", "SV-041")
    return refuse(
        "no_action_left", f"{deed.label} takes both the Main and the Move Action", SPENT.get(deed.key, "SV-037")
    )


def pay(ctx: Ctx, deed: Deed, action: Action) -> None:
    """Take the cost; whoever spends the Main has nothing left to hold (R25)."""
    who = str(action.by)
    combatant, price = ctx.state[who], deed.price_of(ctx.state, action)
    if price == "none":
        return
    taken = budget.payment(combatant, price)
    if taken is None:  # forced: take what there is
        taken = ("main", "move")
    found = [*PAID[price], "SV-051"]
    if price == "move" and "main" in taken:
        found.append("SV-042")
    if deed.phase == "round":
        found += ["SV-045"] if own_phase(ctx.state, who) else ["SV-045", "SV-046", "SV-R04"]
    ctx.refill({who: budget.after(combatant, taken)}, *found, *deed.cites)
    if rules(ctx.state).interrupted_action == "redeclare":
        ctx.fact(who, PAID_FACT, taken, "SV-R26")
    if "main" in taken and combatant.has("held") and not own_phase(ctx.state, who):
        ctx.end_named(who, "held", "the Main Action is spent", "SV-R25")


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


def square(action: Action, name: str) -> tuple[int, int] | None:
    """Return a field as a square, or None."""
    value = action.get(name)
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], int) and isinstance(value[1], int):
        return value[0], value[1]
    return None


def squares(action: Action, name: str) -> tuple[tuple[int, int], ...]:
    """Return a field as a path."""
    value = action.get(name)
    found = []
    for part in value if isinstance(value, tuple) else ():
        if isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], int) and isinstance(part[1], int):
            found.append((part[0], part[1]))
    return tuple(found)
