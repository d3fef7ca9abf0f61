"""The players' projection: a whitelist of what the players may see, stored beside the head.

What is not named here they do not see: hit points of the GM's side, stat blocks, facts, notes, secret effects.
"""

from __future__ import annotations

from msgspec import Struct

from tracker.core.ruleset import Ruleset
from tracker.core.state import Combatant, Pool, State

__all__ = ["PublicCombatant", "PublicView", "project", "who_is_up"]


class PublicCombatant(Struct, frozen=True):
    """A combatant as the players see it; `pools` only of their own side."""

    id: str
    name: str
    side: str
    status: str
    position: tuple[int | float, ...] | None = None
    effects: tuple[str, ...] = ()
    pools: tuple[Pool, ...] = ()


class PublicView(Struct, frozen=True):
    """The fight as the players see it; `seq` names the step it stands at."""

    seq: int
    title: str
    round: int
    up: str
    acting: str | None
    over: bool
    order: tuple[tuple[str, str, bool], ...]
    combatants: tuple[PublicCombatant, ...]


def project(ruleset: Ruleset, state: State, seq: int) -> PublicView:
    """Return what the players may see of a state."""
    clock = state.clock
    begun = set(clock.begun)
    order = tuple((slot.id, slot.title, slot.id in begun) for slot in clock.slots if slot.stop)
    own = {side.id for side in state.sides if side.control == "players"}
    words = {status.key: status.word for status in ruleset.statuses}
    combatants = tuple(_seen(combatant, words, combatant.side in own) for combatant in state.combatants)
    return PublicView(seq, state.title, clock.round, who_is_up(state), clock.acting, clock.over, order, combatants)


def _seen(combatant: Combatant, words: dict[str, str], own: bool) -> PublicCombatant:
    return PublicCombatant(
        combatant.id,
        combatant.name,
        combatant.side,
        words.get(combatant.status, combatant.status),
        combatant.position,
        tuple(effect.shown for effect in combatant.effects if not effect.secret),
        combatant.pools if own else (),
    )


def who_is_up(state: State) -> str:
    """Return who is up, in a few words."""
    clock = state.clock
    if clock.over:
        return "over"
    if clock.acting is not None:
        return state.name(clock.acting)
    slot = clock.current
    return slot.title if slot is not None else ""
