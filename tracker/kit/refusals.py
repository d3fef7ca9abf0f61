"""Refusals for every game, each in one plain sentence.

A check returns a `Refusal` or None, so checks can be chained:

    def cannot(state: State, action: Action) -> Refusal | None:
        return refusals.first(
            refusals.down(state, action.by, rule="KN-06"),
            lambda: refusals.not_your_turn(state, action.by, "KN-01"),
            lambda: ECONOMY.unpaid(state, action.by, budget(action=1), "KN-02"),
        )
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.errors import Refusal

Check = Refusal | Callable[[], Refusal | None] | None


def first(*checks: Check) -> Refusal | None:
    """Return the first refusal of some checks; functions are called in order."""
    for check in checks:
        refusal = check() if callable(check) else check
        if refusal is not None:
            return refusal
    return None


def unless(holds: object, reason: str, text: str, rule: str = "", forcible: bool = True) -> Refusal | None:
    """Return a refusal, or None if `holds` is true."""
    return None if holds else Refusal(reason, text, rule, forcible)


def own_turn(state: State, who: Id | None) -> bool:
    """Tell whether the clock is in a round's slot of this combatant."""
    slot = state.clock.current
    return slot is not None and slot.stage == "round" and who in slot.members


def no_actor(who: Id | None, label: str, rule: str = "") -> Refusal | None:
    """Refuse an action without a combatant."""
    return Refusal("no_actor", f"{label}: which combatant does it?", rule, forcible=False) if who is None else None


def down(state: State, who: Id | None, rule: str = "", able: Collection[str] = ("up",)) -> Refusal | None:
    """Refuse a combatant whose status is not in `able`."""
    combatant = state.get(who)
    if combatant is None or combatant.status in able:
        return None
    return Refusal("down", f"{combatant.name} is {combatant.status.replace('_', ' ')}", rule)


def not_your_turn(state: State, who: Id | None, rule: str = "") -> Refusal | None:
    """Refuse a combatant outside its own slot of the round."""
    return None if own_turn(state, who) else Refusal("not_your_turn", f"it is not {state.name(who)}'s turn", rule)


def no_round(state: State, rule: str = "") -> Refusal | None:
    """Refuse an action outside a round."""
    return None if state.clock.in_round else Refusal("no_round", "no round is running", rule)


def fight_over(state: State, rule: str = "") -> Refusal | None:
    """Refuse an action after the fight."""
    return Refusal("fight_over", "the fight is over", rule, forcible=False) if state.clock.over else None


def one_side_left(state: State) -> str | None:
    """Return why a fight seems to be over if at most one side has a combatant that is up, for `Ruleset.finished`."""
    sides = {one.side for one in state.combatants if one.status == "up"}
    return None if len(sides) > 1 else "one side is left" if sides else "nobody is left"
