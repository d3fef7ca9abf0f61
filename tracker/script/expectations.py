"""The expectations of a script, compared with the state part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from tracker.core.fight.events import Checked, Entry
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import Combatant, State
from tracker.core.game.durations import until_words
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refused
from tracker.core.terms.moments import NamedRound, side_anchor
from tracker.core.terms.requests import Request, Window
from tracker.script.entries import Plain
from tracker.script.names import asked, combatant_named, side_named
from tracker.views.time.calendar import calendar

Document: TypeAlias = dict[str, object]


def state_document(ruleset: Ruleset, state: State) -> Document:
    return {key: part(ruleset, state) for key, part in _PARTS.items()}


def _facts(ruleset: Ruleset, state: State) -> Document:
    plain = codec_of(ruleset.schema).builtins
    facts: dict[str, dict[str, object]] = {}
    for owner, key, value in state.facts:
        facts.setdefault(owner, {})[key] = plain(value)
    for combatant in state.combatants:
        for key, value in combatant.facts:
            facts.setdefault(combatant.id, {})[key] = plain(value)
    return {**facts}


_PARTS: dict[str, Callable[[Ruleset, State], object]] = {
    "ruleset": lambda ruleset, state: state.ruleset,
    "clock": lambda ruleset, state: clock_document(state),
    "sides": lambda ruleset, state: [
        {"id": side.id, "name": side.name, "control": side.control} for side in state.sides
    ],
    "combatants": lambda ruleset, state: {
        combatant.id: _combatant(ruleset, state, combatant, ruleset.schema.derived) for combatant in state.combatants
    },
    "effects": lambda ruleset, state: [{**_effect(state, effect), "on": effect.bearer} for effect in state.effects],
    "order": lambda ruleset, state: [_slot(state, slot) for slot in state.clock.slots],
    "calendar": lambda ruleset, state: [{"moment": due.moment, "what": due.line} for due in calendar(ruleset, state)],
    "facts": _facts,
}


def clock_document(state: State) -> Document:
    """Return the clock in plain values."""
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


def _combatant(ruleset: Ruleset, state: State, combatant: Combatant, numbers: Iterable[str]) -> Document:
    hp = next((pool for pool in combatant.pools if pool.key == "hp"), None)
    derived: dict[str, object] = {}
    for name in numbers:
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


AMONG = ("effects", "calendar")
SEEN = ("pending", "log", "no_log")
"""Expectations about the pending request and the log, which a vector does not have."""
OFFERED = ("offers", "not_offered")


class Difference(Struct, frozen=True):
    """A part of the state that is not as expected."""

    path: str
    expected: object
    came: object

    def __str__(self) -> str:
        return f"{self.path}: {shown(self.expected)}"


def shown(value: object) -> str:
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


# -- comparing ---------------------------------------------------------------------------------------------------------


def differences(
    ruleset: Ruleset,
    state: State,
    expected: Mapping[str, Plain],
    *,
    request: Request | None = None,
    log: Sequence[str] = (),
) -> tuple[Difference, ...]:
    """Return the differences between the expectations and the state.

    A mapping is compared key by key, a list as a whole; a list of the calendar, or of the fight's own effects, has
    entries that must exist, an empty list means none. `request` is the pending one, `log` the lines of the entry
    before.
    """
    wanted_parts = _by_id(state, {key: part for key, part in expected.items() if key not in SEEN})
    people = wanted_parts.get("combatants")
    differing = []
    if isinstance(people, Mapping):
        differing = [part for who, wanted in people.items() for part in _of_combatant(ruleset, state, who, wanted)]
        wanted_parts = {key: part for key, part in wanted_parts.items() if key != "combatants"}
    document = {key: part(ruleset, state) for key, part in _PARTS.items() if key in wanted_parts}
    if "clock" in wanted_parts:
        slot = state.clock.current
        document["clock"] = clock_document(state) | {"title": slot.title if slot else None, "over": state.clock.over}
    differing += _compare("", wanted_parts, document)
    if "pending" in expected:
        differing += _pending(state, expected["pending"], request)
    if "log" in expected:
        missing = [part for part in _texts(expected["log"]) if not any(part in line for line in log)]
        differing += [Difference("log", tuple(missing), shown(tuple(map(_quoted, log))))] if missing else []
    for part in _texts(expected.get("no_log", ())):
        differing += [Difference("no_log", part, line) for line in log if part in line][:1]
    return tuple(differing)


def _of_combatant(ruleset: Ruleset, state: State, who: str, expected: Plain) -> list[Difference]:
    """Compare a combatant by its document, and by the names of its pools, budget, effects, facts and numbers."""
    path = f"combatants.{who}"
    if who not in state or not isinstance(expected, Mapping):
        people = {combatant.id: combatant.name for combatant in state.combatants}
        return _of_key(path, expected, people, who)
    combatant = state[who]
    numbers = ruleset.schema.derived if "derived" in expected else ()
    document = _combatant(ruleset, state, combatant, numbers)
    differing: list[Difference] = []
    for key, wanted in expected.items():
        at = f"{path}.{key}"
        if key == "effects" and isinstance(wanted, tuple):
            differing += _exactly(at, wanted, document["effects"])
        elif key in ("has", "lacks"):
            differing += _all_and_none(at, {"all" if key == "has" else "none": wanted}, document["effects"])
        elif key in document:
            differing += _of_key(at, wanted, document, key)
        elif key == "facts" and isinstance(wanted, Mapping):
            for name, value in wanted.items():
                differing += _compare(f"{at}.{name}", value, _fact(ruleset, combatant.fact(name), value))
        else:
            known, number = _number(ruleset, state, combatant, key, isinstance(wanted, str))
            differing += _compare(at, wanted, number) if known else [Difference(at, wanted, "nothing that there is")]
    return differing


def _fact(ruleset: Ruleset, fact: object, expected: Plain) -> object:
    """Return a fact in plain values; rows of pairs become a mapping if a mapping is expected."""
    plain = codec_of(ruleset.schema).builtins(fact)
    return dict(plain) if isinstance(expected, Mapping) and isinstance(plain, list | tuple) else plain


def _number(ruleset: Ruleset, state: State, combatant: Combatant, key: str, text: bool) -> tuple[bool, object]:
    """Return whether a combatant has a number of this name, and the number: of a pool, of its budget, or derived."""
    if combatant.has_pool(key):
        return True, combatant.pool(key).now
    if key.endswith("_max") and combatant.has_pool(key.removesuffix("_max")):
        return True, combatant.pool(key.removesuffix("_max")).max
    if key.startswith("left_") and key.removeprefix("left_") in dict(combatant.budget):
        return True, combatant.left(key.removeprefix("left_"))
    if key in ruleset.schema.derived:
        derived = ruleset.derived(state, combatant.id, key)
        return True, derived.text if text else derived.value
    return False, None


def _exactly(path: str, expected: tuple[Plain, ...], came: object) -> list[Difference]:
    listed = came if isinstance(came, list) else []
    left = list(listed)
    for item in expected:
        place = next((place for place, entry in enumerate(left) if not _compare("", item, entry)), None)
        if place is None:
            break
        del left[place]
    else:
        if not left:
            return []
    return [Difference(path, expected, shown([_names(entry)[0] for entry in listed]))]


def different_questions(asked: Sequence[str], expected: Sequence[str]) -> list[Difference]:
    """Compare the keys of the requests in order; only the end of a key may be written."""
    same = len(asked) == len(expected) and all(
        key == wanted or key.endswith(f"/{wanted}") for key, wanted in zip(asked, expected, strict=True)
    )
    return [] if same else [Difference("asks", tuple(expected), shown(tuple(asked)))]


def different_checks(entries: Iterable[Entry], expected: Sequence[Mapping[str, Plain]]) -> list[Difference]:
    """Compare the attributes of each compared number, in order."""
    events = [entry.event for entry in entries if isinstance(entry.event, Checked)]
    if len(events) != len(expected):
        came = shown(tuple(f"{event.what}: {event.total} against {event.against}" for event in events))
        return [Difference("checked", tuple(expected), came)]
    return [
        Difference(f"checked[{place}].{key}", value, f"{shown(getattr(event, key))} ({event.what}: {_sum(event)})")
        for place, (event, wanted) in enumerate(zip(events, expected, strict=True))
        for key, value in wanted.items()
        if getattr(event, key) != value
    ]


def _sum(event: Checked) -> str:
    return ", ".join(f"{part.label} {part.amount:+}" for part in event.parts)


def _texts(plain: Plain) -> list[str]:
    parts = plain if isinstance(plain, tuple) else (plain,)
    return [str(part) for part in parts]


def _quoted(text: str) -> str:
    return f'"{text}"'


def _pending(state: State, expected: Plain, request: Request | None) -> list[Difference]:
    """Compare the pending request; `offers` and `not_offered` name options or actions."""
    if request is None or not isinstance(expected, Mapping):
        same = request is None and expected is None
        return [] if same else [Difference("pending", expected, "nothing" if request is None else asked(request))]
    plain = {key: part for key, part in expected.items() if key not in OFFERED}
    if isinstance(plain.get("who"), str):
        plain["who"] = _id(state, str(plain["who"]))
    differing = _compare("pending", plain, dict(request.to_dict()))
    offers = _offers(request)
    names = {name for offer in offers for name in (offer, offer.partition(":")[0])}
    names |= {option.shown for option in request.options}
    for key, wanted in ((key, expected[key]) for key in OFFERED if key in expected):
        wrong = [part for part in _texts(wanted) if (part in names) != (key == "offers")]
        if wrong:
            came = shown(tuple(offers)) if key == "offers" else ", ".join(wrong)
            differing.append(Difference(f"pending.{key}", wanted, came))
    return differing


def _offers(request: Request) -> list[str]:
    if isinstance(request, Window):
        return [f"{spec.key}:{spec.by}" if spec.by else spec.key for spec in request.offers]
    return [option.key for option in request.options]


def clock_reached(state: State, until: Mapping[str, Plain] | NamedRound) -> bool | None:
    """Tell whether the clock shows this or has reached that round; None: the round is past.

    Raises:
        Refused: a combatant is not in the fight.
    """
    if isinstance(until, NamedRound):
        return until.reached(state.clock.round, state.clock.in_round)
    wanted = _clock(state, until, strict=True)
    number = wanted.get("round")
    if isinstance(number, int) and state.clock.round > number:
        return None
    return not _compare("clock", wanted, clock_document(state))


def _by_id(state: State, expected: Mapping[str, Plain]) -> Mapping[str, Plain]:
    """Return the expectations with ids for names."""
    parts = dict(expected)
    people = parts.get("combatants")
    if isinstance(people, Mapping):
        parts["combatants"] = {_id(state, name): part for name, part in people.items()}
    facts = parts.get("facts")
    if isinstance(facts, Mapping):
        parts["facts"] = {_owner(state, name): part for name, part in facts.items()}
    clock = parts.get("clock")
    if isinstance(clock, Mapping):
        parts["clock"] = _clock(state, clock)
    return parts


def _clock(state: State, clock: Mapping[str, Plain], strict: bool = False) -> Mapping[str, Plain]:
    wanted = dict(clock)
    side, acting, acted = wanted.get("side"), wanted.get("acting"), wanted.get("acted")
    if isinstance(side, str):
        try:
            wanted["side"] = side_named(state, side).name
        except Refused:
            if strict:
                raise
    if isinstance(acting, str):
        wanted["acting"] = combatant_named(state, acting) if strict else _id(state, acting)
    if isinstance(acted, tuple):
        wanted["acted"] = tuple(_id(state, part) if isinstance(part, str) else part for part in acted)
    return wanted


def _owner(state: State, name: str) -> str:
    """Return the owner of facts: a combatant, a side, or a thing of the state."""
    who = _id(state, name)
    if who in state:
        return who
    try:
        return side_anchor(side_named(state, name).id)
    except Refused:
        return name


def _id(state: State, name: str) -> str:
    try:
        return combatant_named(state, name)
    except Refused:
        return name


def _compare(path: str, expected: Plain, came: object) -> list[Difference]:
    if isinstance(expected, Mapping):
        if not isinstance(came, Mapping):
            return [] if came is None and _is_nothing(expected) else [Difference(path, expected, shown(came))]
        at = f"{path}." if path else ""
        return [part for key, each in expected.items() for part in _of_key(f"{at}{key}", each, came, key)]
    if isinstance(expected, tuple):
        if not isinstance(came, list | tuple) or len(came) != len(expected):
            return [Difference(path, expected, shown(came))]
        return [part for place, item in enumerate(expected) for part in _compare(f"{path}[{place}]", item, came[place])]
    if isinstance(expected, str) and isinstance(came, Mapping):  # a name, in any case
        names = list(dict.fromkeys(map(str, _names(came))))
        named = expected.casefold() in [name.casefold() for name in names]
        return [] if named else [Difference(path, expected, " or ".join(names))]
    same = expected == came and isinstance(expected, bool) == isinstance(came, bool)
    return [] if same else [Difference(path, expected, shown(came))]


def _is_nothing(expected: Plain) -> bool:
    return expected is None or (isinstance(expected, Mapping) and all(map(_is_nothing, expected.values())))


def _of_key(path: str, expected: Plain, came: Mapping[Any, object], key: str) -> list[Difference]:
    """Compare the values of a key; a missing value equals nothing."""
    value = came.get(key)
    if key in AMONG and isinstance(expected, tuple):
        return _among(path, expected, value)
    if key in AMONG and isinstance(expected, Mapping):
        return _all_and_none(path, expected, value)
    if key in came:
        return _compare(path, expected, value)
    if _is_nothing(expected):
        return []
    return [Difference(path, expected, f"not there (there are {', '.join(map(str, came)) or 'none'})")]


def _all_and_none(path: str, expected: Mapping[str, Plain], came: object) -> list[Difference]:
    """Compare a list with entries that must be in it (`all`) and entries that must not (`none`)."""
    listed = came if isinstance(came, list) else []
    differing: list[Difference] = []
    for key, part in expected.items():
        items = part if isinstance(part, tuple) else (part,)
        if key == "all":
            differing += _among(f"{path}.all", items, listed) if items else []
        elif key == "none":
            present = [item for item in items if _is_in(item, listed)]
            differing += [Difference(f"{path}.none", part, ", ".join(map(shown, present)))] if present else []
        else:
            differing.append(Difference(f"{path}.{key}", part, "unknown: all or none"))
    return differing


def _among(path: str, expected: tuple[Plain, ...], came: object) -> list[Difference]:
    listed = came if isinstance(came, list) else []
    if all(_is_in(item, listed) for item in expected) and (expected or not listed):
        return []
    names = [_names(entry)[0] if isinstance(entry, Mapping) else entry for entry in listed]
    return [Difference(path, expected, shown(names))]


def _is_in(item: Plain, listed: Sequence[object]) -> bool:
    return any(not _compare("", item, entry) for entry in listed)


def _names(item: Mapping[object, object]) -> tuple[object, ...]:
    return tuple(item[key] for key in ("name", "what", "slot", "title", "id") if key in item) or ("",)
