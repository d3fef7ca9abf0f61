"""The state of each combatant in the current slot: acting, done, not begun."""

from __future__ import annotations

from msgspec import Struct

from tracker.core.fight.slots import Clock, Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.game.schema import Badge, Status

ACTING, DONE, WAITING = "▶", "✓", "·"


class Marks(Struct, frozen=True):
    """The state of each combatant's turn by the clock."""

    acting: Id | None
    here: frozenset[Id]
    acted: frozenset[Id]
    stops: bool
    clock: Clock

    def of(self, combatant: Combatant, status: Status, active: Id | None = None) -> str:
        """Return a combatant's glyph.

        Acting, done, still to act in this slot, the mark of its status if it cannot act, or a blank. `active` is the
        acting combatant of a shared turn; None: the clock's.
        """
        if combatant.id == (self.acting if active is None else active):
            return ACTING
        if not status.acts:
            return status.mark[:1] or " "
        if combatant.id in self.here:
            return DONE if combatant.id in self.acted or spent(self.clock, combatant) else WAITING
        return DONE if combatant.id in self.acted else " "


def active_of(ruleset: Ruleset, state: State, selected: Id | None) -> Id | None:
    """Return the acting combatant: the selected one if it may act.

    Else the combatant whose turn is open, else the first with unused actions; None: no combatant acts.
    """
    clock = state.clock
    slot = clock.current
    if slot is None or slot.turns == "none":
        return clock.acting if clock.acting in state else None
    if selected in slot.members and _can_act(ruleset, state, selected):
        return selected
    if clock.acting is not None and clock.acting in state:
        return clock.acting
    return first_able(ruleset, state)


def first_able(ruleset: Ruleset, state: State) -> Id | None:
    """Return the first combatant of the current slot that can act and has unused actions."""
    slot = state.clock.current
    return next((who for who in slot.members if _can_act(ruleset, state, who)), None) if slot is not None else None


def _can_act(ruleset: Ruleset, state: State, who: Id | None) -> bool:
    one, clock = state.get(who), state.clock
    if one is None or one.id in marks_of(clock).acted or not status_of(ruleset, one.status).acts:
        return False
    return not spent(clock, one)


def spent(clock: Clock, combatant: Combatant) -> bool:
    """Tell whether a turn has been opened and has no unused actions, if the game counts them."""
    if not combatant.budget or any(amount > 0 for _, amount in combatant.budget):
        return False
    return clock.current is None or clock.current.turns != "opened" or combatant.id in clock.turned


def _marks(clock: Clock) -> Marks:
    slot = clock.current
    members = frozenset() if slot is None or slot.turns == "none" else frozenset(slot.members)
    acting = clock.acting
    if acting is None and slot is not None and slot.turns == "shared" and len(slot.members) == 1:
        acting = slot.members[0]
    return Marks(acting, here=members, acted=frozenset(clock.acted), stops=slot is not None, clock=clock)


_latest: tuple[Clock, Marks] = (Clock(), _marks(Clock()))


def marks_of(clock: Clock) -> Marks:
    """Return the marks of a clock; the latest are cached, since every row of a screen needs the same."""
    global _latest
    if _latest[0] is not clock:
        _latest = (clock, _marks(clock))
    return _latest[1]


def budget_words(badges: tuple[Badge, ...]) -> str:
    """Return the badges of the unused actions of a turn."""
    return " ".join([badge.text for badge in badges if badge.kind == "budget"])
