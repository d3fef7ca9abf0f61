"""The state of a fight as a document for programs, compared part by part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from tracker.core.fight.state import Combatant, Slot, State
from tracker.core.game.durations import until_words
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refused
from tracker.core.terms.moments import side_anchor
from tracker.core.terms.moments.rounds import NamedRound
from tracker.script.entries import Plain
from tracker.script.names import combatant_named, side_named
from tracker.views.time.calendar import calendar

__all__ = ["Difference", "Document", "clock_reached", "differences", "state_document"]

Document: TypeAlias = dict[str, object]

AMONG = ("effects", "calendar")


class Difference(Struct, frozen=True):
    """A part of the state that is not as expected."""

    path: str
    expected: object
    came: object

    def __str__(self) -> str:
        return f"{self.path}: {shown(self.expected)}"


def shown(value: object) -> str:
    """Return a value as a script writes it."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case Mapping():
            return "{" + ", ".join(f"{key}: {shown(part)}" for key, part in value.items()) + "}"
        case tuple() | list():
            return "[" + ", ".join(shown(part) for part in value) + "]"
        case _:
            return str(value)


# -- the document ------------------------------------------------------------------------------------------------------


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


# -- comparing ---------------------------------------------------------------------------------------------------------


def differences(ruleset: Ruleset, state: State, expected: Mapping[str, Plain]) -> tuple[Difference, ...]:
    """Return where a part of the state is not as expected.

    A mapping is compared key by key, a list as a whole; a list of effects (of the calendar) names what must be among
    them, an empty one that there is none.
    """
    return tuple(_compare("", _by_id(state, expected), state_document(ruleset, state)))


def clock_reached(state: State, until: Mapping[str, Plain] | NamedRound) -> bool | None:
    """Tell whether the clock shows this, or has come to that round.

    None: its round is past.

    Raises:
        Refused: where it names a combatant who is not in the fight.
    """
    if isinstance(until, NamedRound):
        return until.reached(state.clock.round, state.clock.in_round)
    wanted = _clock(state, until, strict=True)
    number = wanted.get("round")
    if isinstance(number, int) and state.clock.round > number:
        return None
    return not _compare("clock", wanted, clock_document(state))


def _by_id(state: State, expected: Mapping[str, Plain]) -> Mapping[str, Plain]:
    """Return the expectation with ids for names, as the document has them."""
    found = dict(expected)
    people = found.get("combatants")
    if isinstance(people, Mapping):
        found["combatants"] = {_id(state, name): part for name, part in people.items()}
    facts = found.get("facts")
    if isinstance(facts, Mapping):
        found["facts"] = {_owner(state, name): part for name, part in facts.items()}
    clock = found.get("clock")
    if isinstance(clock, Mapping):
        found["clock"] = _clock(state, clock)
    return found


def _clock(state: State, clock: Mapping[str, Plain], strict: bool = False) -> Mapping[str, Plain]:
    found = dict(clock)
    side, acting, acted = found.get("side"), found.get("acting"), found.get("acted")
    if isinstance(side, str):
        try:
            found["side"] = side_named(state, side).name
        except Refused:
            if strict:
                raise
    if isinstance(acting, str):
        found["acting"] = combatant_named(state, acting) if strict else _id(state, acting)
    if isinstance(acted, tuple):
        found["acted"] = tuple(_id(state, part) if isinstance(part, str) else part for part in acted)
    return found


def _owner(state: State, name: str) -> str:
    """Return whose facts are meant: a combatant's, a side's, or a thing's the state names."""
    found = _id(state, name)
    if found not in state:
        try:
            return side_anchor(side_named(state, name).id)
        except Refused:
            return name
    return found


def _id(state: State, name: str) -> str:
    try:
        return combatant_named(state, name)
    except Refused:
        return name


def _compare(path: str, expected: Plain, came: object) -> list[Difference]:
    if isinstance(expected, Mapping):
        if not isinstance(came, Mapping):
            return [Difference(path, expected, shown(came))]
        found: list[Difference] = []
        for key, part in expected.items():
            below = f"{path}.{key}" if path else key
            if key in came:
                found += (
                    _among(below, part, came[key])
                    if key in AMONG and isinstance(part, tuple)
                    else _compare(below, part, came[key])
                )
            elif part is not None:
                found.append(Difference(below, part, f"not there (there are {', '.join(map(str, came)) or 'none'})"))
        return found
    if isinstance(expected, tuple):
        if not isinstance(came, list) or len(came) != len(expected):
            return [Difference(path, expected, shown(came))]
        return [part for place, item in enumerate(expected) for part in _compare(f"{path}[{place}]", item, came[place])]
    same = expected == came and isinstance(expected, bool) == isinstance(came, bool)
    return (
        []
        if same or (isinstance(came, Mapping) and expected in _names(came))
        else [Difference(path, expected, shown(came))]
    )


def _among(path: str, expected: tuple[Plain, ...], came: object) -> list[Difference]:
    listed = came if isinstance(came, list) else []
    missing = [item for item in expected if not any(not _compare("", item, held) for held in listed)]
    if missing or (listed and not expected):
        return [
            Difference(
                path, expected, shown([_names(held)[0] if isinstance(held, Mapping) else held for held in listed])
            )
        ]
    return []


def _names(item: Mapping[object, object]) -> tuple[object, ...]:
    """Return what may stand for a whole entry of a list."""
    return tuple(item[key] for key in ("name", "what", "slot", "title", "id") if key in item) or ("",)
