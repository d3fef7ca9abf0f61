"""The state of a fight as a document for programs."""

from __future__ import annotations

from typing import TypeAlias

from tracker.core.fight.state import Combatant, Slot, State
from tracker.core.game.durations import until_words
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.effects import Effect
from tracker.views.time.calendar import calendar

__all__ = ["Document", "clock_document", "state_document"]

Document: TypeAlias = dict[str, object]


def state_document(ruleset: Ruleset, state: State) -> Document:
    """Return the whole state in plain values."""
    plain = ruleset.schema.codec.builtins
    facts: dict[str, dict[str, object]] = {}
    for owner, key, value in state.facts:
        facts.setdefault(owner, {})[key] = plain(value)
    for combatant in state.combatants:
        for key, value in combatant.facts:
            facts.setdefault(combatant.id, {})[key] = plain(value)
    return {
        "ruleset": state.ruleset,
        "clock": clock_document(state),
        "sides": [{"id": side.id, "name": side.name, "control": side.control} for side in state.sides],
        "combatants": {combatant.id: _combatant(ruleset, state, combatant) for combatant in state.combatants},
        "effects": [{**_effect(state, effect), "on": effect.bearer} for effect in state.effects],
        "order": [_slot(state, slot) for slot in state.clock.slots],
        "calendar": [{"moment": due.moment, "what": due.line} for due in calendar(ruleset, state)],
        "facts": facts,
    }


def clock_document(state: State) -> Document:
    """Return where the fight is in time."""
    clock = state.clock
    slot = clock.current
    return {
        "round": clock.round,
        "seconds": clock.seconds,
        "slot": clock.at,
        "phase": clock.phase,
        "side": state.name(slot.side) if slot is not None and slot.side is not None else None,
        "segment": slot.segment if slot is not None else None,
        "acting": clock.acting,
        "acted": list(clock.acted),
    }


def _combatant(ruleset: Ruleset, state: State, combatant: Combatant) -> Document:
    hp = next((pool for pool in combatant.pools if pool.key == "hp"), None)
    derived: dict[str, object] = {}
    for name in ruleset.schema.derived:
        number = ruleset.derived(state, combatant.id, name)
        derived[name] = number.text or number.value
    return {
        "name": combatant.name,
        "label": combatant.label,
        "side": state.side(combatant.side).name,
        "status": combatant.status,
        "hp": hp.now if hp else None,
        "hp_max": hp.max if hp else None,
        "pools": {pool.key: {"now": pool.now, "max": pool.max} for pool in combatant.pools},
        "position": list(combatant.position) if combatant.position is not None else None,
        "effects": [_effect(state, effect) for effect in combatant.effects],
        "budget": dict(combatant.budget),
        "derived": derived,
    }


def _effect(state: State, effect: Effect) -> Document:
    return {"name": effect.name, "until": until_words(state, effect), "source": effect.source}


def _slot(state: State, slot: Slot) -> Document:
    clock = state.clock
    return {
        "slot": slot.id,
        "title": slot.title,
        "phase": slot.phase,
        "segment": slot.segment,
        "side": state.name(slot.side) if slot.side is not None else None,
        "members": list(slot.members),
        "state": "current" if slot.id == clock.at else "begun" if slot.id in clock.begun else "to come",
    }
