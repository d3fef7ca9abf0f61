"""What was given earlier: every die, decision, response and action, for correcting one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tracker.core.fight.events import ActionTaken, Decided, Rolled
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.requests import Answer
from tracker.session.model import StepRecord
from tracker.views.words.text import listed

__all__ = ["FIRST_STEPS", "Given", "answer_words", "givens", "people_words"]

FIRST_STEPS = 40
"""How many steps are told at first; more come when the cursor goes on to them."""


class Given(Struct, frozen=True):
    """Something given in a step: the answer under a key, or an action.

    `title` says what it was for, `shown` what it was.
    """

    step: int
    key: str
    title: str
    shown: str
    answer: Answer | None = None
    place: int = 0


def givens(
    state: State, steps: Sequence[StepRecord], back_to: int | None = None, most: int = FIRST_STEPS
) -> tuple[Given, ...]:
    """Return what was given, the newest first.

    It covers so many of the last steps, and all back to the one named.
    """
    found: list[Given] = []
    for number, record in enumerate(reversed(steps)):
        if number >= most and (back_to is None or record.seq < back_to):
            break
        try:
            found += _of_step(state, record)
        except CorruptJournal:
            continue  # the log says of it that its record is damaged
    return tuple(found)


def _of_step(state: State, record: StepRecord) -> list[Given]:
    told: dict[str, tuple[str, str]] = {}
    title = first = ""
    for entry in record.entries:
        event = entry.event
        if isinstance(event, ActionTaken):
            title = f"{state.name(event.action.by)}: {event.label}" if event.action.by else event.label
            first = first or title
        elif isinstance(event, Rolled | Decided):
            whose = f"{state.name(event.who)} " if event.who and not title.startswith(state.name(event.who)) else ""
            what = f"{whose}{event.why} {event.dice}" if isinstance(event, Rolled) else event.why or _words(event.key)
            told[event.key] = (title, " ".join(what.split()))
    found = []
    for key, answer in record.answers:
        about, what = told.get(key) or next(
            (told[name] for name in told if key.endswith("/" + name)), (first, f"{_words(key)}: who interrupts?")
        )
        shown = answer_words(state, answer)
        found.append(Given(record.seq, key, title=f"{about} · {what}" if about else what, shown=shown, answer=answer))
    return [
        *reversed(found),
        *(_action(state, record.seq, place, action) for place, action in enumerate(record.step.actions)),
    ]


def _action(state: State, step: int, place: int, action: Action) -> Given:
    return Given(
        step,
        "",
        title=f"{state.name(action.by)}: {_words(action.key)}",
        shown=people_words(state, action) or "the action itself",
        answer=None,
        place=place,
    )


def people_words(state: State, action: Action) -> str:
    """Return the combatants an action names, present or gone, in words."""
    known = {*state.places, *(gone for gone, _ in state.gone)}
    named = [
        value
        for _, field in action.fields
        for value in (field if isinstance(field, tuple) else (field,))
        if isinstance(value, str) and value in known
    ]
    return listed([state.name(who) for who in named])


def _words(key: str) -> str:
    return key.rpartition("/")[2].partition(":")[0].replace("_", " ")


def answer_words(state: State, answer: Answer) -> str:
    """Return an answer in words."""

    def name(key: str | None) -> str:
        """Return the name of a combatant, here or gone, or an option's key as words."""
        return state.name(key) if key is None or state.name(key) != key else key.replace("_", " ")

    return listed(answer.words(name)) or "none"
