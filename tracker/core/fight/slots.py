"""The clock of a fight, and the slots of its round."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.terms.values import Data

Id: TypeAlias = str


class Slot(Struct, frozen=True):
    """One place in a round's schedule.

    Attributes:
        id: made of its subject (`r2/goblins`, `r2/wolf/attack-2`), never of its index.
        title: as shown in the order.
        phase: its phase; neighbouring slots of the same phase share its edges.
        segment: its segment, or None.
        members: its combatants, in order.
        side: its side, or None if it belongs to no side.
        stop: the clock stops here; otherwise it passes through.
        turns: `shared`: the members' turns are this slot (a member that has had its turn in this round has no second
            one); `opened`: a step opens and ends each turn; `none`: it is no turn.
        stage: `opening` slots come before the first round, `between` slots after a round's end, `closing` ones after
            the fight.
        info: the ruleset's own words about it ("attack", "spell").
        data: the ruleset's payload.
    """

    id: Id
    title: str
    phase: str = ""
    segment: int | None = None
    members: tuple[Id, ...] = ()
    side: Id | None = None
    stop: bool = True
    turns: Literal["shared", "opened", "none"] = "shared"
    stage: Literal["opening", "round", "between", "closing"] = "round"
    info: str = ""
    data: Data | None = None


class Clock(Struct, frozen=True):
    """The clock of a fight.

    Attributes:
        round: number of the round; 0 before the first.
        seconds: game time that has passed.
        slots: the schedule of this round, opening slots included in round 0.
        at: id of the current slot, or None.
        begun: ids of the slots that have begun, the current one among them.
        in_round: between a round's start and its end.
        acting: the combatant whose turn is open in the current slot, or None.
        turned: combatants whose turn has started in this round.
        acted: combatants whose turn has ended in this round.
        ticks: the number of edges crossed in this fight.
        over: the fight has ended; only closing slots are left.
    """

    round: int = 0
    seconds: int = 0
    slots: tuple[Slot, ...] = ()
    at: Id | None = None
    begun: tuple[Id, ...] = ()
    in_round: bool = False
    acting: Id | None = None
    turned: tuple[Id, ...] = ()
    acted: tuple[Id, ...] = ()
    ticks: int = 0
    over: bool = False

    def slot(self, key: Id) -> Slot | None:
        """Return a slot of this round's schedule."""
        return _by_id(self.slots).get(key)

    @property
    def current(self) -> Slot | None:
        """The current slot, or None."""
        at = self.at
        if at is None:
            return None
        place = len(self.begun) - 1  # slots that have begun are mostly the first ones, in their order
        if 0 <= place < len(self.slots) and self.slots[place].id == at:
            return self.slots[place]
        return self.slot(at)

    @property
    def phase(self) -> str:
        """The phase of the current slot, or ""."""
        slot = self.current
        return slot.phase if slot else ""

    @property
    def upcoming(self) -> tuple[Slot, ...]:
        """Slots of this schedule that have not begun."""
        return _not_begun(self.slots, self.begun)


_known_slots: tuple[tuple[Slot, ...], dict[Id, Slot]] = ((), {})


def _by_id(slots: tuple[Slot, ...]) -> dict[Id, Slot]:
    """Return a schedule's slots by id, cached for the last schedule."""
    global _known_slots
    known = _known_slots
    if known[0] is not slots:
        known = _known_slots = (slots, {slot.id: slot for slot in reversed(slots)})
    return known[1]


_known_upcoming: tuple[tuple[Slot, ...], tuple[Id, ...], tuple[Slot, ...]] = ((), (), ())


def _not_begun(slots: tuple[Slot, ...], begun: tuple[Id, ...]) -> tuple[Slot, ...]:
    """Return the slots that have not begun, cached for the last clock."""
    global _known_upcoming
    known = _known_upcoming
    if known[0] is not slots or known[1] is not begun:
        had = set(begun)
        known = _known_upcoming = (slots, begun, tuple([slot for slot in slots if slot.id not in had]))
    return known[2]
