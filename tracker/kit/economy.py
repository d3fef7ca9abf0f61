"""The economy of a turn: its budget, prices, and the edges at which it is refilled.

A budget and a price are the same kind of data: `(("main", 1), ("move", 1))`, or `budget(main=1, move=1)`.

    ECONOMY = Economy(
        full=budget(main=1, move=1),            # or a function of state and combatant
        pay=paying_instead(move="main"),        # a Main pays for a second Move
        refresh_at="round_start",               # or {"main": "turn_start", "reaction": "round_start"}
        words={"main": "Main action", "move": "Move action"},
    )
    ECONOMY.refresh(ctx, boundary, "WN-030")    # in on_boundary
    ECONOMY.unpaid(state, who, budget(main=1))  # a Refusal, or None
    ECONOMY.take(ctx, who, budget(main=1))      # never leaves less than 0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import Budget
from tracker.core.step.ctx import Ctx
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import Boundary, Edge

Pay: TypeAlias = Callable[[Budget, Budget], Budget | None]
"""Returns the rest of a budget after a price, or None if it is too small."""
MOST_KEPT = 512


def budget(**parts: int) -> Budget:
    """Return a budget or a price from its parts."""
    return tuple(parts.items())


@lru_cache(maxsize=MOST_KEPT)
def pay_exactly(left: Budget, price: Budget) -> Budget | None:
    """Pay each part of a price with the same part of a budget."""
    available = dict(left)
    if any(available.get(key, 0) < amount for key, amount in price):
        return None
    return _less(left, dict(price))


def paying_instead(**instead: str) -> Pay:
    """Return a payment in which one part may be paid with another: `paying_instead(move="main")`."""

    @lru_cache(maxsize=MOST_KEPT)
    def pay(left: Budget, price: Budget) -> Budget | None:
        """Pay each part with itself first, then with the part that replaces it."""
        available = dict(left)
        missing: list[tuple[str, int]] = []
        for key, amount in price:
            own = min(amount, max(0, available.get(key, 0)))
            if own:
                available[key] -= own
            if own < amount:
                missing.append((instead.get(key, key), amount - own))
        for key, amount in missing:
            if available.get(key, 0) < amount:
                return None
            available[key] -= amount
        return tuple([(key, max(0, available[key])) for key, _ in left])

    return pay


@lru_cache(maxsize=MOST_KEPT)
def _taken(held: Budget, now: Budget) -> Budget:
    """Return the difference of two budgets."""
    after = dict(now)
    return tuple((key, amount - after.get(key, 0)) for key, amount in held if amount != after.get(key, 0))


def _less(left: Budget, taken: Mapping[str, int]) -> Budget:
    return tuple((key, max(0, amount - taken.get(key, 0))) for key, amount in left)


class Economy(Struct, frozen=True):
    """The budget of combatants, its payment and its refilling.

    Attributes:
        full: a full budget, the same for all combatants or by a function.
        pay: takes a price from a budget.
        refresh_at: the edge at which the budget is refilled, or the edge of each part.
        words: the names of the parts in a refusal.
        rules: cited when a budget is refilled.
    """

    full: Budget | Callable[[State, Id], Budget]
    pay: Pay = pay_exactly
    refresh_at: Edge | Mapping[str, Edge] = "turn_start"
    words: Mapping[str, str] = {}
    rules: tuple[str, ...] = ()

    def fresh(self, state: State, who: Id) -> Budget:
        """Return a combatant's full budget."""
        return self.full(state, who) if callable(self.full) else self.full

    def give(self, ctx: Ctx, who: Sequence[Id], *rules: str) -> None:
        """Give combatants, such as newcomers, their full budget."""
        ctx.refill({one: self.fresh(ctx.state, one) for one in who}, *(rules or self.rules))

    def empty(self, ctx: Ctx, who: Sequence[Id], *rules: str) -> None:
        """Set the budgets of combatants to 0."""
        ctx.refill({one: tuple((key, 0) for key, _ in self.fresh(ctx.state, one)) for one in who}, *rules)

    def refresh(self, ctx: Ctx, boundary: Boundary, *rules: str) -> None:
        """Refill the parts of this edge: for all combatants at an edge of the round, else for the actors."""
        if boundary.edge not in ((self.refresh_at,) if isinstance(self.refresh_at, str) else self.refresh_at.values()):
            return
        rounds = boundary.edge in ("round_start", "round_end", "combat_end")
        budgets = {}
        for who in ctx.state.places if rounds else [actor for actor in boundary.actors if actor in ctx.state]:
            fresh = self.fresh(ctx.state, who)
            if isinstance(self.refresh_at, str):
                if fresh:
                    budgets[who] = fresh
            elif any(self.edge(key) == boundary.edge for key, _ in fresh):
                left = dict(ctx.state[who].budget)
                budgets[who] = tuple(
                    (key, amount if self.edge(key) == boundary.edge else left.get(key, 0)) for key, amount in fresh
                )
        ctx.refill(budgets, *(rules or self.rules))

    def edge(self, part: str) -> Edge | None:
        """Return the edge at which a part is refilled, or None."""
        return self.refresh_at if isinstance(self.refresh_at, str) else self.refresh_at.get(part)

    def left(self, state: State, who: Id, price: Budget) -> Budget | None:
        """Return the rest of a combatant's budget after a price, or None if it cannot pay."""
        budget_now = state[who].budget
        return budget_now if not price else self.pay(budget_now, price)

    def unpaid(self, state: State, who: Id, price: Budget, rule: str = "") -> Refusal | None:
        """Return why a combatant cannot pay a price, or None."""
        if self.left(state, who, price) is not None:
            return None
        combatant = state[who]
        key, needed = next(((key, amount) for key, amount in price if combatant.left(key) < amount), price[0])
        word, left = self.words.get(key, key.replace("_", " ")), combatant.left(key)
        text = f"no {word} left" if left <= 0 else f"{left} {word} left and needs {needed}"
        edge = self.edge(key) or ""
        span = " this round" if edge.startswith("round") else " this turn" if edge.startswith("turn") else ""
        return Refusal("nothing_left", f"{combatant.name} has {text}{span}", rule)

    def put(self, ctx: Ctx, who: Id, part: str, amount: int, *rules: str) -> None:
        """Set one part of a combatant's budget, such as a breath weapon that a die refills."""
        ctx.refill({who: tuple((key, amount if key == part else left) for key, left in ctx.state[who].budget)}, *rules)

    def take(self, ctx: Ctx, who: Id, price: Budget, *rules: str) -> Budget:
        """Take a price, or as much of it as possible, and return the parts taken."""
        if not price:
            return ()
        before = ctx.state[who].budget
        left = self.left(ctx.state, who, price)
        now = _less(before, dict(price)) if left is None else left
        ctx.refill({who: now}, *rules)
        return _taken(before, now)
