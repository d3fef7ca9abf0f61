"""What players may see: a whitelist, written anew from the state and never cut out of it.

Points of the game master's side are words only; secret effects, hidden combatants, notes, waves, stat blocks and the ruleset's facts have no place in it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.effects import Effect
from tracker.core.moments import At
from tracker.core.ruleset import Ruleset
from tracker.core.state import Combatant, Slot, State
from tracker.views.moments import effect_words
from tracker.views.text import clean

__all__ = ["Public", "PublicCombatant", "PublicPool", "PublicSlot", "health_words", "public_view"]

HIDDEN = ("hidden",)

When: TypeAlias = Literal["past", "now", "later"]


class PublicPool(Struct, frozen=True):
    """Points of a player character."""

    key: str
    now: int
    max: int


class PublicCombatant(Struct, frozen=True):
    """What everybody at the table can see of somebody."""

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
    """A place in the order: whose it is, and whether it is past, present or to come."""

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
    """The view of a state, part by part: of each slot and of each combatant, None where it is not shown; and what else they were made with."""

    state: State
    names: tuple[object, ...]
    whens: list[When]
    order: list[PublicSlot | None]
    people: list[PublicCombatant | None]


def public_view(ruleset: Ruleset, state: State) -> Public:
    """Return the players' projection of a state; what is as it was in the view made last is the same object again."""
    clock = state.clock
    earlier: _Kept | None = ruleset.__dict__.get("_public")
    kept = ruleset.__dict__["_public"] = _made(ruleset, state, earlier)
    order = tuple([place for slot, place in zip(clock.slots, kept.order, strict=True) if place is not None and (not clock.over or slot.stage == "closing")])
    people = tuple([one for one in kept.people if one is not None])
    now = next((slot for slot in order if slot.when == "now"), None)
    lead = "Fight over" if clock.over else f"Round {clock.round}" if clock.round or clock.in_round else "Set-up"
    moment = f"{lead} · {now.title}" if now is not None and now.title else lead
    return Public(clean(state.title), clean(ruleset.title), clock.round, moment, clock.seconds, clock.over, order, people)


def _made(ruleset: Ruleset, state: State, earlier: _Kept | None) -> _Kept:
    clock, sides = state.clock, {side.id: side.control for side in state.sides}
    seen = frozenset([one.id for one in state.combatants if one.status not in HIDDEN or sides[one.side] != "gm"])
    names = (state.gone, seen, [one.name for one in state.combatants])
    whens = _whens(state)
    if earlier is None or earlier.state.sides != state.sides or len(earlier.people) != len(state.combatants):
        order = [_slot(state, slot, when, seen) for slot, when in zip(clock.slots, whens, strict=True)]
        people = [_shown(ruleset, state, one, seen) if one.id in seen else None for one in state.combatants]
        return _Kept(state, names, whens, order, people)
    was = earlier.state.clock
    turns = {clock.acting, was.acting} if clock.acting != was.acting else frozenset[str]()
    # The ends of effects in words: of whose turn they are, and of which round.
    same = earlier.names == names
    worded = set() if same and (clock.round, clock.in_round) == (was.round, was.in_round) else {key for key, control in sides.items() if control == "players"}
    people = [
        view
        if one is other and one.id not in turns and not (one.effects and one.side in worded)
        else _shown(ruleset, state, one, seen)
        if one.id in seen
        else None
        for one, other, view in zip(state.combatants, earlier.state.combatants, earlier.people, strict=True)
    ]
    if not same or clock.slots != was.slots:
        order = [_slot(state, slot, when, seen) for slot, when in zip(clock.slots, whens, strict=True)]
    else:
        order = [
            view if when == before else _slot(state, slot, when, seen)
            for slot, when, before, view in zip(clock.slots, whens, earlier.whens, earlier.order, strict=True)
        ]
    return _Kept(state, names, whens, order, people)


def _whens(state: State) -> list[When]:
    at, begun = state.clock.at, set(state.clock.begun)
    return ["now" if slot.id == at else "past" if slot.id in begun else "later" for slot in state.clock.slots]


def _slot(state: State, slot: Slot, when: When, ids: frozenset[str]) -> PublicSlot | None:
    """Return a slot named by whose it is, since its own title may say what the game master has in mind."""
    members = tuple(member for member in slot.members if member in ids)
    if slot.members and not members:
        return None
    names = ", ".join(state.name(member) for member in members)
    title = state.name(slot.side) if slot.side is not None else names or slot.phase.replace("_", " ")
    return PublicSlot(clean(title), members, when, slot.segment)


def _shown(ruleset: Ruleset, state: State, combatant: Combatant, ids: frozenset[str]) -> PublicCombatant:
    control = state.side(combatant.side).control
    own = control == "players"
    return PublicCombatant(
        combatant.id,
        clean(combatant.name),
        combatant.label,
        clean(state.name(combatant.side)),
        control,
        clean(ruleset.status(combatant.status).word),
        health_words(ruleset, combatant),
        tuple(PublicPool(pool.key, pool.now, pool.max) for pool in combatant.pools) if own else (),
        tuple(_effect(state, effect, own, ids) for effect in combatant.effects if not effect.secret),
        state.clock.acting == combatant.id,
    )


def _effect(state: State, effect: Effect, own: bool, ids: frozenset[str]) -> str:
    """Return an effect; on player characters with its numbers and its end, unless that would name somebody hidden."""
    named = (end.anchor.removeprefix("who:") for end in effect.until if isinstance(end, At) and end.anchor.startswith("who:"))
    return effect_words(state, effect) if own and all(who in ids for who in named) else clean(effect.shown)


def health_words(ruleset: Ruleset, combatant: Combatant) -> str:
    """Return how somebody looks: `unhurt`, `hurt`, `badly hurt`, or the word of a status in which they cannot act."""
    status = ruleset.status(combatant.status)
    if not status.acts:
        return clean(status.word)
    pool = next((pool for key in ruleset.schema.pools[:1] for pool in combatant.pools if pool.key == key), None)
    if pool is None or pool.max <= 0 or pool.now >= pool.max:
        return "unhurt"
    return "hurt" if pool.now * 2 > pool.max else "badly hurt"
