"""Recorded inputs: every roll, decision, reaction and action of the past, for a correction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import ActionTaken, BoundaryCrossed, Decided, PoolChanged, Rolled
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.requests import Answer
from tracker.core.terms.words import listed
from tracker.session.model import StepRecord

FIRST_STEPS = 40
"""How many steps are told at first; more come when the cursor goes on to them."""


BESIDES = {"start": "Beginning of the fight", "advance": "Going on"}
"""What a step is called in which no action was chosen."""


class RecordedInput(Struct, frozen=True):
    """An answer under a key, or without one the action at a place; `effect` has the changed pools: `Snag 16→9`."""

    step: int
    key: str
    action: str
    what: str
    shown: str
    effect: str = ""
    round: int = 0
    by: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    answer: Answer | None = None
    place: int = 0

    @property
    def title(self) -> str:
        if not self.key:
            return self.action
        return self.what if self.action in BESIDES.values() else f"{self.action} · {self.what}"


def recorded_inputs(
    state: State, steps: Sequence[StepRecord], back_to: int | None = None, most: int = FIRST_STEPS
) -> tuple[RecordedInput, ...]:
    """Return what was given, the newest first; it covers so many of the last steps, and all back to the one named."""
    found: list[RecordedInput] = []
    number_of_round = state.clock.round
    for number, record in enumerate(reversed(steps)):
        if number >= most and (back_to is None or record.seq < back_to):
            break
        try:
            found += _of_step(state, record, number_of_round)
            number_of_round -= sum(
                isinstance(entry.event, BoundaryCrossed) and entry.event.boundary.edge == "round_start"
                for entry in record.entries
            )
        except CorruptJournal:
            continue  # the log says of it that its record is damaged
    return tuple(found)


def _of_step(state: State, record: StepRecord, number: int) -> list[RecordedInput]:
    actions = record.step.actions
    action = BESIDES.get(record.step.kind, "Going on")
    besides = RecordedInput(record.seq, "", action, "", "", _comes(state, record), number)
    whole = [
        replace(_acted(state, besides, action), place=place, shown=people_words(state, action))
        for place, action in enumerate(actions)
    ]
    known: dict[str, RecordedInput] = {}
    titles: dict[str, str] = {}
    taken = besides
    for entry in record.entries:
        event = entry.event
        if isinstance(event, ActionTaken):
            taken = _acted(state, besides, event.action, event.label)
            titles[event.action.key] = event.label
            whole = [
                replace(one, action=taken.action)
                if (actions[one.place].key, actions[one.place].by) == _of(event)
                else one
                for one in whole
            ]
        elif isinstance(event, Rolled | Decided):
            whose = f"{state.name(event.who)} " if event.who and event.who not in taken.by else ""
            what = f"{whose}{event.why} {event.dice}" if isinstance(event, Rolled) else event.why or _words(event.key)
            by = (*taken.by, event.who) if event.who else taken.by
            known[event.key] = replace(taken, what=" ".join(what.split()), by=by)
    found = []
    for key, answer in record.answers:
        first = replace(whole[0] if whole else besides, what=f"{_words(key)}: who interrupts?")
        about = known.get(key) or next((known[name] for name in known if key.endswith("/" + name)), first)
        found.append(replace(about, key=key, shown=answer_words(state, answer, titles), answer=answer, place=0))
    return [*reversed(found), *whole]


def _of(event: ActionTaken) -> tuple[str, str | None]:
    return event.action.key, event.action.by


def _acted(state: State, beside: RecordedInput, action: Action, label: str = "") -> RecordedInput:
    named = _people(state, action)
    aimed = f" → {listed([state.name(who) for who in named])}" if named else ""
    words = f"{state.name(action.by)}: {label or _words(action.key)}{aimed}"
    by = (action.by,) if action.by else ()
    return replace(beside, action=words, what="the action itself", by=by, targets=tuple(named))


def _comes(state: State, record: StepRecord) -> str:
    points: dict[tuple[str, str], tuple[int, int]] = {}
    for entry in record.entries:
        event = entry.event
        if isinstance(event, PoolChanged):
            was, _ = points.get((event.who, event.pool), (event.was, 0))
            points[event.who, event.pool] = (was, event.now)
    return ", ".join(f"{state.name(who)} {was}→{now}" for (who, _), (was, now) in points.items() if was != now)


def people_words(state: State, action: Action) -> str:
    return listed([state.name(who) for who in _people(state, action)])


def _people(state: State, action: Action) -> list[str]:
    known = {*state.places, *(gone for gone, _ in state.gone)}
    return [
        value
        for _, field in action.fields
        for value in (field if isinstance(field, tuple) else (field,))
        if isinstance(value, str) and value in known
    ]


def _words(key: str) -> str:
    return key.rpartition("/")[2].partition(":")[0].replace("_", " ")


def answer_words(state: State, answer: Answer, titles: Mapping[str, str] = {}) -> str:
    """Return an answer in words, actions by their titles where these are known."""

    def name(key: str | None) -> str:
        known = state.name(key) if key is None or state.name(key) != key else key.replace("_", " ")
        return titles.get(key or "") or known

    return listed(answer.words(name)) or "none"
