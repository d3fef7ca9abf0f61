"""Recorded inputs: every roll, decision, reaction and action of the past, for a correction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import ActionTaken, BoundaryCrossed, Decided, PoolChanged, Rolled
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.requests import Answer
from tracker.core.terms.words import listed, minus
from tracker.session.model import StepRecord
from tracker.views.words.moments import stat_words

FIRST_STEPS = 40
"""Steps that are listed at first; more are added when the cursor goes beyond them."""


BESIDES = {"start": "Beginning of the fight", "advance": "Going on"}
"""The names of steps without an action."""


class RecordedInput(Struct, frozen=True):
    """A recorded answer with its key, or without a key the action at a place of its step.

    `effect` has the changed pools of the step: `Snag 16→9`; `dice` the dice of a roll.
    """

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
    dice: Dice | None = None

    @property
    def title(self) -> str:
        if not self.key:
            return self.action
        return self.what if self.action in BESIDES.values() else f"{self.action} · {self.what}"


def recorded_inputs(
    state: State, steps: Sequence[StepRecord], back_to: int | None = None, most: int = FIRST_STEPS
) -> tuple[RecordedInput, ...]:
    """Return the inputs of the last `most` steps, or of all back to the step `back_to`, the newest first."""
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
            continue  # the log names the damage
    return tuple(found)


def _of_step(state: State, record: StepRecord, number: int) -> list[RecordedInput]:
    actions = record.step.actions
    action = BESIDES.get(record.step.kind, "Going on")
    besides = RecordedInput(record.seq, "", action, "", "", _pool_changes(state, record), number)
    whole = [
        replace(_acted(state, besides, action), place=place, shown=people_words(state, action))
        for place, action in enumerate(actions)
    ]
    known: dict[str, RecordedInput] = {}
    titles: dict[str, str] = {}
    taken, owners = besides, _Owners(besides)
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
            owners.begin(taken, any(_of(event) == (one.key, one.by) for one in actions))
        elif isinstance(event, Rolled | Decided):
            taken = owners.of(event.key)
            whose = f"{state.name(event.who)} " if event.who and event.who not in taken.by else ""
            what = f"{whose}{event.why} {event.dice}" if isinstance(event, Rolled) else event.why or _words(event.key)
            by = (*taken.by, event.who) if event.who else taken.by
            dice = event.dice if isinstance(event, Rolled) else None
            known[event.key] = replace(taken, what=" ".join(what.split()), by=by, dice=dice)
    found = []
    for key, answer in record.answers:
        owner = owners.known(key) or (whole[0] if whole else besides)
        first = replace(owner, what=f"{_words(key)}: who interrupts?")
        about = known.get(key) or next((known[name] for name in known if key.endswith("/" + name)), first)
        found.append(replace(about, key=key, shown=answer_words(state, answer, titles), answer=answer, place=0))
    return [*reversed(found), *whole]


class _Owners:
    """The action of a step that a request belongs to, by the path of its key: a nested action has a path of its own."""

    def __init__(self, first: RecordedInput) -> None:
        self._last = first
        self._by_path: dict[str, RecordedInput] = {}

    def begin(self, taken: RecordedInput, own: bool) -> None:
        """Record the start of an action; an action of the step itself (`own`) is not nested in another."""
        self._last = taken
        if own:
            self._by_path.clear()

    def known(self, key: str) -> RecordedInput | None:
        return self._by_path.get(key.rpartition("/")[0])

    def of(self, key: str) -> RecordedInput:
        path = key.rpartition("/")[0]
        if path not in self._by_path:
            self._by_path[path] = self._last
        return self._by_path[path]


def _of(event: ActionTaken) -> tuple[str, str | None]:
    return event.action.key, event.action.by


def _acted(state: State, recorded: RecordedInput, action: Action, label: str = "") -> RecordedInput:
    named = _people(state, action)
    aimed = f" → {listed([state.name(who) for who in named])}" if named else ""
    values = f": {_values(state, action)}" if action.by is None and _values(state, action) else ""
    words = f"{state.name(action.by)}: {label or _words(action.key)}{aimed}{values}"
    by = (action.by,) if action.by else ()
    return replace(recorded, action=words, what="the action itself", by=by, targets=tuple(named))


def _values(state: State, action: Action) -> str:
    """Return the values of a GM's command besides the combatants: amount, status, new members."""
    texts: list[str] = []
    for _, value in action.fields:
        parts = value if isinstance(value, tuple) else (value,)
        for part in parts:
            if isinstance(part, Member):
                texts.append(part.name if str(part.count) == "1" else f"{part.count} × {part.name}")
            elif isinstance(part, str | int) and not isinstance(part, bool) and part not in state:
                words = state.name(part) if isinstance(part, str) else minus(part)
                texts.append(words.replace("_", " "))
    return re.sub(r"(\d), (?=[^\W\d])", r"\1 ", ", ".join(texts))  # 7 hp


def _pool_changes(state: State, record: StepRecord) -> str:
    points: dict[tuple[str, str], tuple[int, int]] = {}
    for entry in record.entries:
        event = entry.event
        if isinstance(event, PoolChanged):
            was, _ = points.get((event.who, event.pool), (event.was, 0))
            points[event.who, event.pool] = (was, event.now)
    changed = [(who, pool, was, now) for (who, pool), (was, now) in points.items() if was != now]
    words = (f"{state.name(who)} {_pool(state, who, pool)}{was}→{now}" for who, pool, was, now in changed)
    return ", ".join(words).replace("→-", "→−")


def _pool(state: State, who: str, pool: str) -> str:
    """Return the name of a pool that is not a combatant's first one, as `MP `."""
    combatant = state.get(who)
    first = combatant.pools[0].key if combatant is not None and combatant.pools else pool
    return "" if pool == first else f"{stat_words(pool)} "


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
    """Return an answer in words, with the titles of actions if they are given."""

    def name(key: str | None) -> str:
        known = state.name(key) if key is None or state.name(key) != key else key.replace("_", " ")
        return titles.get(key or "") or known

    return listed(answer.words(name)) or "none"
