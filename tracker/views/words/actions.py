"""The line of an action: actor, targets and means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.fight.events import ActionTaken, EffectAdded, Entry, FightEnded, Moved, Noted, StatusChanged
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.errors import TrackerError
from tracker.core.terms.values import Value
from tracker.core.terms.words import listed, named
from tracker.views.words.spans import Span
from tracker.views.words.text import clean, key_words
from tracker.views.words.values import blow_words, detail_words, value_words

MOST_ACTIONS = 6
UNTOLD = ("shares", "modifiers", "key")
"""Fields whose values the lines below show, and the key of a reminder, which tells the reader nothing."""
AIMS = ("target", "targets", "who", "victims")
"""Fields that name the targets of an action, required or not."""


def action_spans(
    ruleset: Ruleset,
    state: State,
    action: Action,
    label: str,
    *,
    before: State | None,
    name: Callable[[str | None], str],
    following: Sequence[Entry] = (),
) -> tuple[list[Span], tuple[Id, ...]]:
    """Return the line of an action and its targets, with names by `name`, without values that `following` entries show.

    Without the state before the action its form is taken from `state`. A declaration shows all values, also the
    defaults of its form.
    """
    spec = _spec(ruleset, state if before is None else before, action)
    if spec is not None and spec.again:
        return _line(name(action.by), f"{label} as before"), ()
    fields = {} if spec is None else {field.name: field for field in spec.fields}
    whole = spec is not None and spec.group == "declaration"
    texts = _texts(following)
    leading = next((field.name for field in fields.values() if field.required and field.kind == "choice"), None)
    targets: list[Id] = []
    details: list[tuple[str, str]] = []
    lead = blows = ""
    for key, value in sorted(action.fields, key=lambda pair: list(fields).index(pair[0]) if pair[0] in fields else 99):
        field = fields.get(key)
        if _comes_later(key, field, value, action.by, following):
            continue
        people = _people(state, value)
        if people and (key in AIMS or (not targets and (field is None or field.required))):
            targets += [who for who in people if who not in targets]
        elif people:
            called = field.shown if field is not None else key_words(key)
            details.append((key, f"{called} {named([name(who) for who in people])}"))
        elif _is_noted(field, value, texts):
            continue
        elif field is not None and (rows := blow_words(state, field, value)):
            blows = rows
        else:
            words = value_words(state, key, value)
            if field is not None:
                words = detail_words(state, _bare(field) if whole else field, value, before is not None)
            if words and words.casefold() not in label.casefold().split():
                lead = words if key == leading else lead
                details.append((key, words))
    shown = tuple(targets)
    if blows:  # they name their targets and weapons
        details = [
            (key, words)
            for key, words in details
            if words != lead
            and words not in blows
            and not (isinstance(value := action.get(key), str) and value in blows)
        ]
        details.insert(0, ("", f"{lead}: {blows}" if lead else blows))
        shown = tuple(who for who in targets if f" at {name(who)}" not in blows)
    aims = [] if shown == (action.by,) else [name(who) for who in shown]
    return _line(name(action.by), label, aims, [words for _, words in details]), tuple(targets)


def _line(who: str, label: str, aims: Sequence[str] = (), details: Sequence[str] = ()) -> list[Span]:
    line = [Span(who, "strong"), Span(f": {clean(label)}")]
    if aims:
        line.append(Span(f" → {named(aims)}"))
    if details:
        line.append(Span(f" ({clean(', '.join(details))})", "dim"))
    return line


def step_words(ruleset: Ruleset, state: State, entries: Sequence[Entry]) -> str:
    texts = []
    for entry in entries:
        if isinstance(entry.event, ActionTaken):
            action = entry.event.action
            line, _ = action_spans(ruleset, state, action, entry.event.label, before=None, name=state.name)
            texts.append("".join(span.text for span in line).removeprefix("" if action.by else f"{state.name(None)}: "))
    return listed(texts, MOST_ACTIONS)


def _spec(ruleset: Ruleset, state: State, action: Action) -> ActionSpec | None:
    """Return the form of an action in a state, None if the action is impossible there."""
    if action.by is not None and action.by not in state:
        return None
    try:
        return spec_of(ruleset, state, action)
    except TrackerError:
        return None


def _bare(field: Field) -> Field:
    """Return a field without its default, so that every value is shown."""
    return replace(field, default=0 if field.kind == "number" else "none" if field.kind == "choice" else None)


def _comes_later(key: str, field: Field | None, value: Value, by: Id | None, following: Sequence[Entry]) -> bool:
    """Tell whether the lines below show the result of a field."""
    events = [entry.event for entry in following]
    if key == "status":
        return any(isinstance(event, StatusChanged) and event.now == value for event in events)
    if key == "until":
        return any(isinstance(event, EffectAdded) for event in events)
    if field is not None and field.kind in ("square", "path"):
        return any(isinstance(event, Moved) and event.who == by for event in events)
    return key in UNTOLD


def _texts(following: Sequence[Entry]) -> list[str]:
    texts: list[str] = []
    for entry in following:
        match entry.event:
            case Noted(text=text):
                texts.append(text)
            case FightEnded(reason=reason):
                texts.append(reason)
            case EffectAdded(effect=effect) if effect.quiet is not True:
                texts += [effect.shown, effect.name]
            case _:
                pass
    return texts


def _is_noted(field: Field | None, value: Value, texts: Sequence[str]) -> bool:
    """Tell whether a note has the text or the number of a field."""
    if field is not None and field.kind == "number":
        return any(f"{value} {field.shown}" in text for text in texts)
    is_text = isinstance(value, str) and (field is None or field.kind == "text")
    return is_text and bool(value) and any(str(value) in text for text in texts)


def _people(state: State, value: Value) -> list[Id]:
    """Return the combatants that a value names, in the fight or gone; none if it has other parts."""
    items = value if isinstance(value, tuple) else (value,)
    people = [item for item in items if isinstance(item, str) and (item in state or is_gone(state, item))]
    return people if len(people) == len(items) else []


def is_gone(state: State, key: str) -> bool:
    return any(gone == key for gone, _ in state.gone)
