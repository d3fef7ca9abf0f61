"""The line of an action: who does what, to whom and with what."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tracker.core.engine import spec_of
from tracker.core.fight.events import ActionTaken, Entry
from tracker.core.fight.state import Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.errors import TrackerError
from tracker.core.terms.values import Value
from tracker.views.words.spans import Span
from tracker.views.words.text import clean, key_words, listed
from tracker.views.words.values import blow_words, detail_words, value_words

__all__ = ["deed_spans", "is_gone", "step_words"]

MOST_NAMES = 6


def deed_spans(
    ruleset: Ruleset,
    state: State,
    action: Action,
    label: str,
    *,
    before: State | None,
    name: Callable[[str | None], str],
) -> tuple[list[Span], tuple[Id, ...]]:
    """Return the line and the targets, given how to call people.

    Without the state before the action its form is taken from `state`.
    """
    fields = _fields(ruleset, state if before is None else before, action)
    leading = next((field.name for field in fields.values() if field.required and field.kind == "choice"), None)
    targets: list[Id] = []
    details: list[str] = []
    lead = blows = ""
    for key, value in action.fields:
        if key in ("shares", "modifiers"):  # the lines below say what they come to
            continue
        field = fields.get(key)
        people = _people(state, value)
        if people and (key in ("target", "targets", "who") or not targets):
            targets += [who for who in people if who not in targets]
        elif people:
            called = field.shown if field is not None else key_words(key)
            details.append(f"{called} {listed([name(who) for who in people], MOST_NAMES)}")
        elif field is not None and (told := blow_words(state, field, value)):
            blows = told
        elif (
            words := detail_words(state, field, value, before is not None)
            if field is not None
            else value_words(state, key, value)
        ):
            lead = words if key == leading else lead
            details.append(words)
    shown = tuple(targets)
    if blows:  # they say themselves at whom and with what
        details = [
            f"{lead}: {blows}" if lead else blows,
            *(words for words in details if words != lead and words not in blows),
        ]
        shown = tuple(who for who in targets if f" at {name(who)}" not in blows)
    line = [Span(name(action.by), "strong"), Span(f": {clean(label)}")]
    if shown and shown != (action.by,):
        line.append(Span(f" → {listed([name(who) for who in shown], MOST_NAMES)}"))
    if details:
        line.append(Span(f" ({clean(', '.join(details))})", "dim"))
    return line, tuple(targets)


def step_words(ruleset: Ruleset, state: State, entries: Sequence[Entry]) -> str:
    """Return in one line what a step was about."""
    deeds = []
    for entry in entries:
        if isinstance(entry.event, ActionTaken):
            action = entry.event.action
            line, _ = deed_spans(ruleset, state, action, entry.event.label, before=None, name=state.name)
            deeds.append("".join(span.text for span in line).removeprefix("" if action.by else f"{state.name(None)}: "))
    return listed(deeds, MOST_NAMES)


def _fields(ruleset: Ruleset, state: State, action: Action) -> dict[str, Field]:
    """Return the fields of an action's form as they are in a state.

    None where the form cannot be made there.
    """
    if action.by is not None and action.by not in state:
        return {}
    try:
        return {field.name: field for field in spec_of(ruleset, state, action).fields}
    except TrackerError:
        return {}


def _people(state: State, value: Value) -> list[Id]:
    """Return the combatants a value names, here or gone.

    None where it holds anything else.
    """
    items = value if isinstance(value, tuple) else (value,)
    people = [item for item in items if isinstance(item, str) and (item in state or is_gone(state, item))]
    return people if len(people) == len(items) else []


def is_gone(state: State, key: str) -> bool:
    """Tell whether a combatant of this id has left the fight."""
    return any(gone == key for gone, _ in state.gone)
