"""What players may see: a whitelist, written anew from the state.

Points of the game master's side are words only; secret effects, hidden combatants, notes, waves, stat blocks and the
ruleset's facts have no place in it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.memo import differing
from tracker.core.fight.state import Combatant, Slot, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.views.words.moments import effect_words
from tracker.views.words.names import names_of
from tracker.views.words.text import clean, key_words

__all__ = ["Public", "PublicCombatant", "PublicPool", "PublicSlot", "health_words", "public_view"]

HIDDEN = ("hidden",)

When: TypeAlias = Literal["past", "now", "later"]


class PublicPool(Struct, frozen=True):
    """Points of a player character."""

    key: str
    now: int
    max: int


class PublicCombatant(Struct, frozen=True):
    """What everybody at the table can see of a combatant."""

    id: str
    name: str
    label: str
    side: str
    control: Literal["players", "gm"]
    status: str
    health: str
    pools: tuple[PublicPool, ...] = ()
    effects: tuple[str, ...] = ()
    acting: bool = False


class PublicSlot(Struct, frozen=True):
    """A place in the order: whose it is, and when."""

    title: str
    members: tuple[str, ...]
    when: When
    segment: int | None = None


class Public(Struct, frozen=True):
    """A fight as the players see it."""

    title: str
    ruleset: str
    round: int
    moment: str
    seconds: int
    over: bool
    order: tuple[PublicSlot, ...]
    combatants: tuple[PublicCombatant, ...]


class _Kept(Struct, frozen=True):
    """The view of a state, part by part, with what it was made with.

    None: a slot or combatant that is not shown.
    """

    state: State
    names: tuple[str, ...]
    seen: frozenset[str]
    places: dict[str, int]
    order: list[PublicSlot | None]
    people: list[PublicCombatant | None]


def public_view(ruleset: Ruleset, state: State) -> Public:
    """Return the players' projection of a state.

    What is as it was in the view made last is the same object again.
    """
    clock = state.clock
    earlier: _Kept | None = ruleset.__dict__.get("_public")
    kept = ruleset.__dict__["_public"] = (
        _all(ruleset, state) if earlier is None or not _alike(state, earlier) else _after(ruleset, state, earlier)
    )
    order = tuple(filter(None, kept.order))
    if clock.over:
        order = tuple(
            [
                view
                for slot, view in zip(clock.slots, kept.order, strict=True)
                if view is not None and slot.stage == "closing"
            ]
        )
    here = kept.places.get(clock.at or "")
    now = kept.order[here] if here is not None and (not clock.over or clock.slots[here].stage == "closing") else None
    lead = "Fight over" if clock.over else f"Round {clock.round}" if clock.round or clock.in_round else "Set-up"
    moment = f"{lead} · {now.title}" if now is not None and now.title else lead
    return Public(
        title=clean(state.title),
        ruleset=clean(ruleset.title),
        round=clock.round,
        moment=moment,
        seconds=clock.seconds,
        over=clock.over,
        order=order,
        combatants=tuple(filter(None, kept.people)),
    )


def _all(ruleset: Ruleset, state: State) -> _Kept:
    """Make all of a view."""
    hiding = {side.id for side in state.sides if side.control == "gm"}
    seen = frozenset([one.id for one in state.combatants if one.status not in HIDDEN or one.side not in hiding])
    people = [_shown(ruleset, state, one, seen) if one.id in seen else None for one in state.combatants]
    places = {slot.id: place for place, slot in enumerate(state.clock.slots)}
    order = _slots(state, seen)
    return _Kept(state=state, names=names_of(state), seen=seen, places=places, order=order, people=people)


def _alike(state: State, earlier: _Kept) -> bool:
    """Tell whether the same combatants are there as before.

    They have the same names and sides, and none came out of hiding or went there.
    """
    was = earlier.state
    if (
        state.sides != was.sides
        or state.gone != was.gone
        or names_of(state) is not earlier.names
        or len(state.combatants) != len(was.combatants)
    ):
        return False
    pairs = [(state.combatants[place], was.combatants[place]) for place in differing(state.combatants, was.combatants)]
    return all(
        one.id == other.id and one.side == other.side and (one.status in HIDDEN) == (other.status in HIDDEN)
        for one, other in pairs
    )


def _after(ruleset: Ruleset, state: State, earlier: _Kept) -> _Kept:
    """Make what has changed of a view."""
    clock, was, seen = state.clock, earlier.state, earlier.seen
    changed = set(differing(state.combatants, was.combatants))
    if clock.acting != was.clock.acting:
        changed.update(
            state.places[who] for who in (clock.acting, was.clock.acting) if who is not None and who in state.places
        )
    if (clock.round, clock.in_round) != (
        was.clock.round,
        was.clock.in_round,
    ):  # they are in the words for the ends of effects
        own = {side.id for side in state.sides if side.control == "players"}
        changed.update(place for place, one in enumerate(state.combatants) if one.side in own and one.effects)
    people = earlier.people.copy()
    for place in changed:
        one = state.combatants[place]
        people[place] = _shown(ruleset, state, one, seen) if one.id in seen else None
    places, order = earlier.places, earlier.order
    if clock.slots != was.clock.slots:
        places, order = {slot.id: place for place, slot in enumerate(clock.slots)}, _slots(state, seen)
    elif clock.at != was.clock.at or clock.begun != was.clock.begun:
        order, begun = order.copy(), set(clock.begun)
        for key in begun.symmetric_difference(was.clock.begun) | {clock.at, was.clock.at}:
            if key is not None and key in places:
                order[places[key]] = _slot(state, clock.slots[places[key]], begun, seen)
    return replace(earlier, state=state, places=places, order=order, people=people)


def _slots(state: State, seen: frozenset[str]) -> list[PublicSlot | None]:
    begun = set(state.clock.begun)
    return [_slot(state, slot, begun, seen) for slot in state.clock.slots]


def _slot(state: State, slot: Slot, begun: set[str], ids: frozenset[str]) -> PublicSlot | None:
    """Return a slot named by its owner.

    Its own title may say what the game master has in mind.
    """
    members = tuple(member for member in slot.members if member in ids)
    if slot.members and not members:
        return None
    names = ", ".join(state.name(member) for member in members)
    title = state.name(slot.side) if slot.side is not None else names or key_words(slot.phase)
    when: When = "now" if slot.id == state.clock.at else "past" if slot.id in begun else "later"
    return PublicSlot(clean(title), members, when, slot.segment)


def _shown(ruleset: Ruleset, state: State, combatant: Combatant, ids: frozenset[str]) -> PublicCombatant:
    control = state.side(combatant.side).control
    own = control == "players"
    return PublicCombatant(
        id=combatant.id,
        name=clean(combatant.name),
        label=combatant.label,
        side=clean(state.name(combatant.side)),
        control=control,
        status=clean(ruleset.status(combatant.status).word),
        health=health_words(ruleset, combatant),
        pools=tuple(PublicPool(pool.key, pool.now, pool.max) for pool in combatant.pools) if own else (),
        effects=tuple(_effect(state, effect, own, ids) for effect in combatant.effects if not effect.secret),
        acting=state.clock.acting == combatant.id,
    )


def _effect(state: State, effect: Effect, own: bool, ids: frozenset[str]) -> str:
    """Return an effect.

    On player characters with its numbers and its end, unless that would name a hidden combatant.
    """
    named = (
        end.anchor.removeprefix("who:") for end in effect.until if isinstance(end, At) and end.anchor.startswith("who:")
    )
    return effect_words(state, effect) if own and all(who in ids for who in named) else clean(effect.shown)


def health_words(ruleset: Ruleset, combatant: Combatant) -> str:
    """Return how a combatant looks.

    `unhurt`, `hurt`, `badly hurt`, or the word of a status in which it cannot act.
    """
    status = ruleset.status(combatant.status)
    if not status.acts:
        return clean(status.word)
    pool = next((pool for key in ruleset.schema.pools[:1] for pool in combatant.pools if pool.key == key), None)
    if pool is None or pool.max <= 0 or pool.now >= pool.max:
        return "unhurt"
    return "hurt" if pool.now * 2 > pool.max else "badly hurt"
