"""Where a fight is in time: the clock and the slots of its round."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.terms.values import Data

Id: TypeAlias = str


class Slot(Struct, frozen=True):
    """One place in a round's schedule.

    Attributes:
        id: made of what it is (`r2/goblins`, `r2/wolf/attack-2`), never of its place.
        title: as shown in the order.
        phase: the phase it belongs to; neighbours of the same phase share its edges.
        segment: the segment it falls on, or None.
        members: whose slot it is, in order.
        side: the side whose slot it is, or None where that means nothing.
        stop: the clock stops here; otherwise it passes through.
        turns: `shared`: the members' turns are this slot (a member that has had its turn in this round has no second
            one); `opened`: each turn is opened and ended by a step; `none`: nobody's turn.
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
    """Where the fight is in time.

    Attributes:
        round: number of the round; 0 before the first.
        seconds: game time that has passed.
        slots: the schedule of this round, opening slots included in round 0.
        at: id of the current slot, or None.
        begun: ids of the slots that have begun, the current one among them.
        in_round: between a round's start and its end.
        acting: who is acting in the current slot, or None.
        turned: who has had a turn start in this round.
        acted: who has finished a turn in this round.
        ticks: boundaries passed in this fight.
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
        """The slot the clock is in."""
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
    """Return a schedule's slots by id, made once for the last schedule."""
    global _known_slots
    known = _known_slots
    if known[0] is not slots:
        known = _known_slots = (slots, {slot.id: slot for slot in reversed(slots)})
    return known[1]


_known_upcoming: tuple[tuple[Slot, ...], tuple[Id, ...], tuple[Slot, ...]] = ((), (), ())


def _not_begun(slots: tuple[Slot, ...], begun: tuple[Id, ...]) -> tuple[Slot, ...]:
    """Return the slots that have not begun, found once for the last clock."""
    global _known_upcoming
    known = _known_upcoming
    if known[0] is not slots or known[1] is not begun:
        had = set(begun)
        known = _known_upcoming = (slots, begun, tuple([slot for slot in slots if slot.id not in had]))
    return known[2]
