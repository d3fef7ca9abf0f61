"""The order as players see it: its slots, and which slot is now.

A slot that has only hidden combatants is not shown: while the clock is in it, the slot before stays now.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tracker.core.clock.schedule import open_to_players
from tracker.core.fight.slots import Clock, Slot
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.visibility import knowledge
from tracker.views.public.redaction import UNSEEN, Redactor
from tracker.views.public.schema import PublicSlot, When
from tracker.views.words.text import clean, key_words


def order_of(ruleset: Ruleset, redactor: Redactor) -> list[PublicSlot | None]:
    """Return the slots of the order, None for those that are not shown.

    A turn without members is left out once other slots have members: it may be empty, or belong to hidden combatants.
    """
    slots = redactor.state.clock.slots
    order = [_slot(redactor, slot) for slot in slots]
    if any(view is not None and view.members for view in order):
        order = [
            None if view is not None and not view.members and slot.turns != "none" and view.title != UNSEEN else view
            for slot, view in zip(slots, order, strict=True)
        ]
    return placed(ruleset, redactor, order)


def placed(ruleset: Ruleset, redactor: Redactor, order: Sequence[PublicSlot | None]) -> list[PublicSlot | None]:
    """Return the slots with what they are for players: past, now or later."""
    here, begun = _now(ruleset, redactor, order)
    views: list[PublicSlot | None] = []
    for slot, view in zip(redactor.state.clock.slots, order, strict=True):
        when: When = "now" if slot.id == here else "past" if slot.id in begun else "later"
        views.append(view if view is None or view.when == when else replace(view, when=when))
    return views


def public_clock(ruleset: Ruleset, redactor: Redactor, order: Sequence[PublicSlot | None]) -> State:
    """Return the state with the clock as players see it, for the words for ends of effects.

    A slot that has only hidden combatants could make a round of its own, or pass an edge that is still to come for the
    others. If players have seen the clock reach a slot, the clock stays there even if the slot is empty by now.
    """
    state, clock = redactor.state, redactor.state.clock
    if not redactor.hidden:
        return state
    stopped = knowledge.setting(state, knowledge.STOPPED_AT)
    slots = [
        slot for slot in clock.slots if not slot.members or slot.id == stopped or any(map(redactor.sees, slot.members))
    ]
    keys = {slot.id for slot in slots}
    here, begun = _now(ruleset, redactor, order)
    if here != clock.at and stopped in clock.begun and stopped in keys:
        here, begun = str(stopped), _begun_until(clock, str(stopped))
    begun = tuple([key for key in begun if key in keys])
    begun = (*begun, here) if here is not None and here not in begun else begun
    return replace(state, clock=replace(clock, slots=tuple(slots), at=here, begun=begun))


def _begun_until(clock: Clock, slot: str) -> tuple[str, ...]:
    return clock.begun[: clock.begun.index(slot) + 1]


def _now(
    ruleset: Ruleset, redactor: Redactor, order: Sequence[PublicSlot | None]
) -> tuple[str | None, tuple[str, ...]]:
    """Return the slot that is now for players, and the slots that have begun for them.

    While the clock is in a slot that they do not see, that is the last slot that they saw, or the next slot if the last
    one is empty by now, else the first slot to come. Slots that were passed since then without a stop have not begun.
    """
    state, clock = redactor.state, redactor.state.clock
    if clock.at is None:
        return clock.at, clock.begun
    shown = [slot for slot, view in zip(clock.slots, order, strict=True) if view is not None]
    keys = {slot.id for slot in shown}
    stopped = knowledge.setting(state, knowledge.STOPPED_AT) if redactor.hidden else None
    current = clock.current
    if current is not None and current.id in keys:
        unseen = current.members and not any(map(redactor.sees, current.members))  # an unseen foe has attacked
        if not redactor.hidden or unseen or current.id == stopped or open_to_players(ruleset, state, current):
            return current.id, clock.begun
    if clock.over:
        return None, clock.begun
    last = str(stopped) if stopped in clock.begun else clock.at
    behind = _behind_emptied(state, last, shown)
    following = next((slot.id for slot in behind if open_to_players(ruleset, state, slot)), None)
    if following is not None and last in clock.begun:
        return following, _begun_until(clock, last)
    if stopped in keys and stopped in clock.begun:
        return str(stopped), _begun_until(clock, str(stopped))
    stops = [slot.id for slot in shown if open_to_players(ruleset, state, slot)] or [slot.id for slot in shown]
    begun = [key for key in clock.begun if key in stops]
    return (begun[-1], _begun_until(clock, begun[-1])) if begun else (next(iter(stops), None), ())


def _behind_emptied(state: State, last: str, shown: Sequence[Slot]) -> Sequence[Slot]:
    """Return the shown slots behind a slot whose combatant delays or has left, none if the slot is not empty."""
    emptied = state.clock.slot(last)
    if emptied is None or emptied.members or emptied.turns == "none":
        return ()
    coming = state.clock.slots[state.clock.slots.index(emptied) + 1 :]
    return [slot for slot in shown if slot in coming]


def _has_gone_over(state: State, one: Combatant, slot: Slot) -> bool:
    """Tell whether a combatant has changed sides since this slot, and is in a slot of its new side too."""
    return any(other is not slot and other.side == one.side and one.id in other.members for other in state.clock.slots)


def _slot(redactor: Redactor, slot: Slot) -> PublicSlot | None:
    """Return a slot named after its combatant or side, since its own title may tell the GM's plans."""
    state = redactor.state
    key = redactor.id(f"slot {slot.id}")
    if slot.members and not any(redactor.sees(who) for who in slot.members):
        seen = knowledge.setting(state, "unseen_at") == slot.id
        return PublicSlot(key, UNSEEN, segment=slot.segment) if seen else None
    if not slot.members and slot.turns == "none" and not slot.stop:
        return None  # the clock passes it without a stop, perhaps for a hidden combatant
    members = [who for who in slot.members if redactor.sees(who)]
    people = [one for one in map(state.get, members) if one is not None]
    sides = {one.side for one in people if not _has_gone_over(state, one, slot)}
    side = slot.side if slot.side is not None or len(sides) != 1 else next(iter(sides))
    own_words = key_words(slot.phase) if slot.phase and slot.phase not in state and ":" not in slot.phase else ""
    named = "" if side is None else redactor.side(side)
    if len(people) == 1 and (slot.side is None or slot.title != state.name(slot.side)):
        title = redactor.name(people[0])
    elif named:
        plain = not own_words or own_words.casefold() == named.casefold() or slot.title == state.name(side)
        title = named if plain else f"{named} ({own_words})"
    else:
        title = own_words or ", ".join([redactor.name(one) for one in people])
    friends = [redactor.own(one.side) for one in people]
    return PublicSlot(
        id=key,
        title=clean(title[:1].upper() + title[1:]),
        members=tuple([redactor.id(who) for who in members]),
        side="" if side is None else redactor.side_id(side),
        friend=(bool(friends) and all(friends)) or (side is not None and redactor.own(side)),
        segment=slot.segment,
        phase=clean(own_words),
    )
