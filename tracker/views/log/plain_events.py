"""Plain events: events whose log line is words without dice, in a table by the type of event."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Generic, TypeVar

from msgspec import Struct

from tracker.core.fight import events as ev
from tracker.core.terms.effects import Effect
from tracker.core.terms.words import possessive
from tracker.views.log.lines import Icon, LineDraft
from tracker.views.log.log_builder import LogBuilder
from tracker.views.words.spans import Span
from tracker.views.words.sums import TYPED
from tracker.views.words.text import clean, clean_lines, key_words
from tracker.views.words.values import plain_words, seconds_words, switched_words

E = TypeVar("E")


class PlainEvent(Struct, Generic[E], frozen=True):
    """The log line of a type of event.

    Attributes:
        words: the text; "": no line.
        about: the attribute with the combatant of the event.
        depth: 0 for a line of its own, 1 for a result of an action.
    """

    of: type[E]
    words: Callable[[LogBuilder, E], str]
    style: str = ""
    icon: Icon = ""
    about: str = ""
    secret: Callable[[LogBuilder, E], bool] | None = None
    depth: int = 1
    kind: str = ""


# -- effects -----------------------------------------------------------------------------------------------------------


def _effect_changed(log: LogBuilder, event: ev.EffectChanged) -> str:
    was, now = event.was, event.now
    until = log.until(now) if now.until and was.until != now.until else ""
    ending = f", now until {until}" if until and until != log.until(was) else ""
    because = f" ({event.why})" if event.why else ""
    same = f"{now.shown} changes" if now.shown == was.shown and not ending else now.shown
    what = f"{was.shown}→{now.value}" if was.value != now.value else same
    return clean(f"{log.name(now.bearer)}: {what}{ending}{because}")


def _used(log: LogBuilder, event: ev.EffectUsed) -> Effect | None:
    """Return the effect that is used; None: it is used up, and its end is the next line."""
    return log.state.effect(event.bearer, event.effect)


def _effect_used(log: LogBuilder, event: ev.EffectUsed) -> str:
    effect = _used(log, event)
    if effect is None:
        return ""
    return clean(f"{log.name(event.bearer)}: {effect.shown} is used ({key_words(event.key)})")


def _used_in_secret(log: LogBuilder, event: ev.EffectUsed) -> bool:
    effect = _used(log, event)
    return effect is not None and effect.secret


# -- the GM ------------------------------------------------------------------------------------------------------------


def _noted(log: LogBuilder, event: ev.Noted) -> str:
    lead = "note" if event.keep else ""
    name = log.name(event.about) if event.about is not None else ""
    head = f"{lead} on {name}: " if lead and name else f"{lead or name}: " if lead or name else ""
    text = _one_line(event.text)
    begins = text == name or text.startswith((f"{name} ", f"{name}: ", f"{name}'", f"{name},"))
    return text if name and not lead and begins else f"{head}{text}"


def _overruled(log: LogBuilder, event: ev.Overruled) -> str:
    what = clean(event.key.rpartition("/")[2].replace("_", " "))
    value, computed = clean(plain_words(event.value)), clean(plain_words(event.computed))
    instead = f" instead of {computed}" if computed != value else ""
    return f"{TYPED} overruled: {what} {value}{instead}"


# -- combatants --------------------------------------------------------------------------------------------------------


def _budgets(log: LogBuilder, event: ev.BudgetsChanged) -> str:
    left = []
    for change in event.changes:
        amounts = ", ".join(f"{key_words(key)} {amount}" for key, amount in change.now)
        left.append(f"{log.name(change.who)} {amounts or 'nothing'}")
    return clean(f"left of the turn: {'; '.join(left)}")


def _fact(log: LogBuilder, event: ev.FactSet) -> str:
    value = "no more" if event.now is None else plain_words(event.now)
    return clean(f"{log.name(event.owner)}: {key_words(event.key)} {value}").rstrip()


def _pool_set(log: LogBuilder, event: ev.PoolSet) -> str:
    was, now = event.was, event.now
    before = "" if was is None else f"{was.shown} → "
    return f"{log.name(event.who)}: {clean(key_words(now.key))} {before}{now.shown}"


def _moved(log: LogBuilder, event: ev.Moved) -> str:
    if event.was is None:
        return f"{log.name(event.who)} stands at {plain_words(event.now)}"
    return f"{log.name(event.who)} moves {plain_words(event.was)} → {plain_words(event.now)}{_distance(log, event)}"


def _distance(log: LogBuilder, moved: ev.Moved) -> str:
    """Return the length of a path over squares, if the map has a unit."""
    board = log.ruleset.map.board(log.state) if moved.path else None
    amount, _, unit = ("" if board is None else board.unit).partition(" ")
    return f" ({int(amount) * len(moved.path)} {unit})" if amount.isdigit() and unit else ""


def _found(log: LogBuilder, event: ev.Found) -> str:
    """Return the spoils, "" if the line of their dice names them."""
    items = clean(", ".join(event.items))
    if log.lines and log.lines[-1].text.endswith(f" {items}") and not log.full:
        return ""
    return f"{log.name(event.who)}: {items}" if event.who is not None else items


def _left(log: LogBuilder, event: ev.CombatantLeft) -> str:
    because = f" ({event.reason})" if event.reason and event.reason != "removed" else ""
    return clean(f"{event.was.name} leaves the fight{because}")


# -- the fight ---------------------------------------------------------------------------------------------------------


def _skipped(log: LogBuilder, event: ev.Skipped) -> str:
    what = clean(event.what)
    if event.who is not None:
        name = log.name(event.who)
        if what == name:
            what = f"{possessive(name)} turn"
        elif not what.startswith(f"{name}: "):
            what = f"{name}: {what}"
    return f"{what} skipped: {clean(event.why)}"


def _wave(log: LogBuilder, event: ev.WaveArrived) -> str:
    side, title = log.name(event.wave.side), clean(event.wave.title)
    return f"wave: {title} ({side})" if title else f"a wave ({side})"


def _because(why: str) -> str:
    return f": {clean(why)}" if why else ""


def _one_line(text: str) -> str:
    return " ".join(line.strip() for line in clean_lines(text)).strip()


PLAIN_EVENTS: dict[type, PlainEvent[Any]] = {
    plain.of: plain
    for plain in (
        PlainEvent(
            ev.FightOpened,
            lambda log, event: clean(event.title) + _because(_one_line(event.notes)),
            "title",
            depth=0,
            kind="round",
        ),
        PlainEvent(
            ev.FightEnded,
            lambda log, event: f"the fight is over{_because(event.reason)}",
            "title",
            depth=0,
            kind="round",
        ),
        PlainEvent(ev.WaveArrived, _wave, "title", "wave", depth=0),
        PlainEvent(ev.TimePassed, lambda log, event: f"{seconds_words(event.seconds)} pass{_because(event.why)}"),
        PlainEvent(ev.Found, _found, about="who"),
        PlainEvent(ev.Skipped, _skipped, "dim", about="who"),
        PlainEvent(
            ev.ActionStopped,
            lambda log, event: f"{log.name(event.by)}: {clean(event.label)} is interrupted{_because(event.why)}",
            "warn",
        ),
        PlainEvent(ev.SideJoined, lambda log, event: f"a new side: {clean(event.side.name)}"),
        PlainEvent(ev.CombatantLeft, _left),
        PlainEvent(
            ev.SideChanged,
            lambda log, event: f"{log.name(event.who)} changes sides: {log.name(event.now)}",
            about="who",
        ),
        PlainEvent(ev.Renamed, lambda log, event: f"{clean(event.was)} is now called {clean(event.now)}", about="who"),
        PlainEvent(ev.PoolSet, _pool_set, about="who"),
        PlainEvent(ev.BudgetsChanged, _budgets, "dim"),
        PlainEvent(ev.Moved, _moved, about="who"),
        PlainEvent(ev.FactSet, _fact, "dim"),
        PlainEvent(ev.EffectChanged, _effect_changed, about="now.bearer", secret=lambda log, event: event.now.secret),
        PlainEvent(ev.EffectUsed, _effect_used, about="bearer", secret=_used_in_secret),
        PlainEvent(ev.Noted, _noted, about="about"),
        PlainEvent(ev.Forced, lambda log, event: f"forced, although {clean(event.text)}", "warn", kind="gm"),
        PlainEvent(ev.Overruled, _overruled, "warn", kind="gm"),
        PlainEvent(ev.HouseRulesChanged, lambda log, event: clean(switched_words(event.was, event.now)), kind="gm"),
        PlainEvent(ev.ReminderDismissed, lambda log, event: "a reminder is dismissed", "dim"),
    )
}
"""The log line of each type of plain event."""


def plain_text(log: LogBuilder, event: ev.Event) -> str:
    return PLAIN_EVENTS[type(event)].words(log, event)


def add_plain(log: LogBuilder, entry: ev.Entry) -> None:
    event, plain = entry.event, PLAIN_EVENTS[type(entry.event)]
    text = plain.words(log, event)
    if not text:
        return
    asked, rules = log.agreed if isinstance(event, ev.FightEnded) else ("", ())
    log.add_words(
        LineDraft(
            (Span(text, plain.style),),
            tuple(dict.fromkeys((*rules, *entry.rules))) if asked else entry.rules,
            depth=plain.depth,
            kind=plain.kind,
            asked=asked,
            icon=plain.icon,
            secret=plain.secret is not None and plain.secret(log, event),
            whose=attrgetter(plain.about)(event) if plain.about else None,
        )
    )
