"""A turn of both games: one Main, one Move, and Instants at any time.

A Main also pays for a second Move.

`turn_rules` makes the table of actions that knows who can act, when, and at what price; a game adds its actions to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from rulesets.without_number.cites import Cites, Rules
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType, Budget
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.errors import Refusal
from tracker.kit.actions import ActionTable
from tracker.kit.economy import Economy, budget, paying_instead
from tracker.kit.refusals import own_turn

FREE: Budget = ()
MAIN = budget(main=1)
MOVE = budget(move=1)
BOTH = FULL = budget(main=1, move=1)
EMPTY = budget(main=0, move=0)
ECONOMY = Economy(FULL, paying_instead(move="main"), "round_start")
# What a form names as a cost.
PRICES = {"main": MAIN, "move": MOVE, "both": BOTH}

Fields: TypeAlias = Callable[[State, Action], tuple[Field, ...]]
Check: TypeAlias = Callable[[State, Action], Refusal | None]

# The fact of a combatant that uses its held turn: it acts as in its own phase.
TRIGGERING = "triggering"


def own_phase(state: State, who: Id) -> bool:
    """Tell whether a combatant's slot is active, or its held turn in use."""
    return own_turn(state, who) or state[who].fact(TRIGGERING) is True


def main_action(
    key: str,
    label: str,
    rule: str,
    perform: Callable[[Ctx, Action], None],
    fields: Fields = lambda state, action: (),
    refusal: Check = lambda state, action: None,
    group: str = "",
    opens: bool = True,
) -> ActionType:
    """Return an action that takes the Main in its actor's own phase."""
    return ActionType(key, label, rule, "Main", MAIN, "turn", perform, fields, refusal, group=group, opens=opens)


def move_action(
    key: str,
    label: str,
    rule: str,
    perform: Callable[[Ctx, Action], None],
    fields: Fields = lambda state, action: (),
    refusal: Check = lambda state, action: None,
    price: Budget | Callable[[State, Action], Budget] = MOVE,
    group: str = "",
) -> ActionType:
    """Return an action that takes the Move in its actor's own phase."""
    return ActionType(key, label, rule, "Move", price, "turn", perform, fields, refusal, group=group)


def free_action(
    key: str,
    label: str,
    rule: str,
    perform: Callable[[Ctx, Action], None],
    fields: Fields,
    refusal: Check,
    cost: str = "",
    group: str = "",
    listed: bool = True,
) -> ActionType:
    """Return an action without a price whose moment it judges itself."""
    return ActionType(key, label, rule, cost, FREE, "any", perform, fields, refusal, group=group, listed=listed)


def in_setup(state: State) -> bool:
    """Tell whether the fight has not begun."""
    slot = state.clock.current
    return slot is not None and slot.stage == "opening"


def take(ctx: Ctx, cites: Cites, kind: ActionType, action: Action) -> tuple[str, ...]:
    """Take the price of an action.

    Return the parts it was paid with.

    Where the GM has forced what cannot be paid, it takes what there is of it.
    """
    who = str(action.by)
    price, held = kind.price_of(ctx.state, action), ctx.state[who].budget
    if not price:
        return ()
    left = ECONOMY.left(ctx.state, who, price)
    if left is None:
        left = tuple((key, max(0, amount - dict(price).get(key, 0))) for key, amount in held)
    after = dict(left)
    taken = tuple([key for key, amount in held if amount > after.get(key, 0)])
    second = cites.second_move if price == MOVE and "main" in taken else ()
    ctx.refill({who: left}, *_paid(cites, price), *second, *_instant(ctx.state, cites, kind, who), *kind.cites)
    return taken


def _paid(cites: Cites, price: Budget) -> Rules:
    return cites.main if price == MAIN else cites.move if price == MOVE else cites.both


def _instant(state: State, cites: Cites, kind: ActionType, who: Id) -> Rules:
    if kind.when != "round":
        return ()
    return cites.instant if own_phase(state, who) else cites.instant_out_of_turn


def turn_rules(
    cites: Cites, free: str, spent: Mapping[tuple[str, Budget], str], pay: Callable[[Ctx, ActionType, Action], None]
) -> ActionTable:
    """Return the table of actions of a game, still empty.

    `free`: what the game calls an action without a price.
    `spent`: the rules by which single actions refuse a spent price.
    """

    def unable(state: State, who: Id) -> Refusal | None:
        combatant = state[who]
        if combatant.status != "up":
            dying = combatant.status == "mortal"
            word = "dying" if dying else combatant.status
            return Refusal("not_able", f"{combatant.name} is {word}", cites.dying if dying else "")
        if combatant.has("surprised"):
            why = f"{combatant.name} is surprised and does nothing this round"
            return Refusal("surprised", why, cites.surprised)
        return None

    def outside_phase(state: State, kind: ActionType, action: Action) -> Refusal | None:
        who = str(action.by)
        if kind.when == "any" or own_phase(state, who):
            return None
        if kind.when == "round":
            return None if state.clock.in_round else Refusal("not_now", "no round is running", kind.rule)
        rule = cites.free_action if kind.cost == free else cites.own_phase
        return Refusal("not_own_phase", f"it is not {state.name(who)}'s phase", rule)

    def unpaid(state: State, kind: ActionType, action: Action) -> Refusal | None:
        who, price = str(action.by), kind.price_of(state, action)
        if ECONOMY.left(state, who, price) is not None:
            return None
        name = state.name(who)
        if price == MAIN:
            text, rule = f"{name} has no Main action left this round", cites.main_spent
        elif price == MOVE:
            text, rule = f"{name} has neither a Move nor a Main action left this round", cites.move_spent
        else:
            text, rule = f"{kind.label} needs both the Main and the Move action", cites.both_spent
        return Refusal("no_action_left", text, spent.get((kind.key, price), rule))

    def untimely(state: State, kind: ActionType, action: Action) -> Refusal | None:
        return outside_phase(state, kind, action) or unpaid(state, kind, action)

    return ActionTable(unable=unable, untimely=untimely, pay=pay)
