"""What players may see: a whitelist, written anew from the state and never cut out of it.

Points of the game master's side are words only; secret effects, hidden combatants, notes, waves, stat blocks and the ruleset's facts have no place in it.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tracker.core.effects import Effect
from tracker.core.moments import At
from tracker.core.ruleset import Ruleset
from tracker.core.state import Combatant, Side, Slot, State
from tracker.views.moments import effect_words
from tracker.views.text import clean

__all__ = ["Public", "PublicCombatant", "PublicPool", "PublicSlot", "health_words", "public_view"]

HIDDEN = ("hidden",)
MOST_KEPT = 4000


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
    when: Literal["past", "now", "later"]
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


def public_view(ruleset: Ruleset, state: State) -> Public:
    """Return the players' projection of a state."""
    clock = state.clock
    seen = [combatant for combatant in state.combatants if not _hidden(state, combatant)]
    ids = {combatant.id for combatant in seen}
    begun = set(clock.begun)
    shown = (_place(ruleset, state, slot, ids, begun) for slot in clock.slots if not clock.over or slot.stage == "closing")
    order = tuple(slot for slot in shown if slot is not None)
    people = tuple(_combatant(ruleset, state, combatant, ids) for combatant in seen)
    now = next((slot for slot in order if slot.when == "now"), None)
    lead = "Fight over" if clock.over else f"Round {clock.round}" if clock.round or clock.in_round else "Set-up"
    moment = f"{lead} · {now.title}" if now is not None and now.title else lead
    return Public(clean(state.title), clean(ruleset.title), clock.round, moment, clock.seconds, clock.over, order, people)


def _hidden(state: State, combatant: Combatant) -> bool:
    return combatant.status in HIDDEN and state.side(combatant.side).control == "gm"


def _place(ruleset: Ruleset, state: State, slot: Slot, ids: set[str], begun: set[str]) -> PublicSlot | None:
    """Return a place in the order; that of one combatant whom everybody sees is kept while nothing about it changes."""
    if len(slot.members) != 1 or slot.side is not None or slot.members[0] not in ids:
        return _slot(state, slot, ids, begun)
    kept: dict[str, tuple[Slot, Combatant, str, PublicSlot | None]] = ruleset.__dict__.setdefault("_public_slots", {})
    if len(kept) > MOST_KEPT:
        kept.clear()
    combatant, when = state[slot.members[0]], _when(state, slot, begun)
    held = kept.get(slot.id)
    if held is None or held[0] is not slot or held[1] is not combatant or held[2] != when:
        held = kept[slot.id] = (slot, combatant, when, _slot(state, slot, ids, begun))
    return held[3]


def _when(state: State, slot: Slot, begun: set[str]) -> Literal["past", "now", "later"]:
    return "now" if slot.id == state.clock.at else "past" if slot.id in begun else "later"


def _slot(state: State, slot: Slot, ids: set[str], begun: set[str]) -> PublicSlot | None:
    """Return a slot named by whose it is, since its own title may say what the game master has in mind."""
    members = tuple(member for member in slot.members if member in ids)
    if slot.members and not members:
        return None
    names = ", ".join(state.name(member) for member in members)
    title = state.name(slot.side) if slot.side is not None else names or slot.phase.replace("_", " ")
    return PublicSlot(clean(title), members, _when(state, slot, begun), slot.segment)


def _combatant(ruleset: Ruleset, state: State, combatant: Combatant, ids: set[str]) -> PublicCombatant:
    side, acting = state.side(combatant.side), state.clock.acting == combatant.id
    if combatant.effects and side.control == "players":  # the words of their ends depend on the clock and on who can be seen
        return _shown(ruleset, state, combatant, ids)
    kept: dict[str, tuple[Combatant, Side, bool, PublicCombatant]] = ruleset.__dict__.setdefault("_public", {})
    held = kept.get(combatant.id)
    if held is None or held[0] is not combatant or held[1] is not side or held[2] != acting:
        held = kept[combatant.id] = (combatant, side, acting, _shown(ruleset, state, combatant, ids))
    return held[3]


def _shown(ruleset: Ruleset, state: State, combatant: Combatant, ids: set[str]) -> PublicCombatant:
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


def _effect(state: State, effect: Effect, own: bool, ids: set[str]) -> str:
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
