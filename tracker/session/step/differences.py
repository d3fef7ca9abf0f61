"""Differences: how two states of a fight differ, in terms a game master cares about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tracker.core.fight.state import Combatant, State
from tracker.core.game.durations import until_words
from tracker.core.terms.values import Value
from tracker.session.model import Change

__all__ = ["differences"]


def differences(was: State, now: State) -> tuple[Change, ...]:
    """Return what differs between two states: clock, combatants, order, facts."""
    return tuple(_differences(was, now))


def _differences(was: State, now: State) -> Iterator[Change]:
    if was is now:
        return
    yield from _compare("", _clock(was), _clock(now))
    order = tuple(slot.id for slot in was.clock.slots), tuple(slot.id for slot in now.clock.slots)
    if order[0] != order[1]:
        yield Change("", "order", *order)
    for who in dict.fromkeys((*was.places, *now.places)):
        before, after = was.get(who), now.get(who)
        if before is None or after is None:
            yield Change(who, "in the fight", before is not None, after is not None)
        elif before != after:
            yield from _compare(who, _traits(was, before), _traits(now, after))
    if (was.facts, was.effects) != (now.facts, now.effects):
        yield from _compare("", _facts(was), _facts(now))


def _clock(state: State) -> dict[str, Value]:
    clock = state.clock
    return {"round": clock.round, "slot": clock.at, "acting": clock.acting, "over": clock.over}


def _traits(state: State, combatant: Combatant) -> dict[str, Value]:
    traits: dict[str, Value] = {
        "name": combatant.name,
        "side": combatant.side,
        "status": combatant.status,
        "position": combatant.position,
    }
    for pool in combatant.pools:
        traits |= {pool.key: pool.now, f"{pool.key}_max": pool.max}
    traits |= {f"left_{key}": left for key, left in combatant.budget}
    for effect in combatant.effects:
        traits[f"effect {effect.shown}"] = until_words(state, effect)
    return traits | dict(combatant.facts)


def _facts(state: State) -> dict[str, Value]:
    facts: dict[str, Value] = {f"{owner} {key}": value for owner, key, value in state.facts}
    return facts | {f"{effect.bearer} effect {effect.shown}": until_words(state, effect) for effect in state.effects}


def _compare(who: str, was: Mapping[str, Value], now: Mapping[str, Value]) -> Iterator[Change]:
    for what in dict.fromkeys((*was, *now)):
        before, after = was.get(what), now.get(what)
        if before != after:
            yield Change(who, what, before, after)
