"""Changes: the differences of two states, side by side in the words of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from tracker.core.fight.slots import Slot
from tracker.core.fight.state import FIGHT, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.values import Value
from tracker.core.terms.words import minus
from tracker.views.panes.header import moment_words
from tracker.views.words.moments import stat_words
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit
from tracker.views.words.text import clean, key_words
from tracker.views.words.values import plain_words

MOST_SLOTS = 6
LAST = 3
CLOCK = ("round", "slot", "acting", "over")
TRAITS = ("status", "position", "in the fight", "side", "name")
_MARKS = frozenset("· ")


class StateDifference(Protocol):
    """One difference: the value `what` of combatant `who` ("": of the fight) before and now."""

    @property
    def who(self) -> str: ...
    @property
    def what(self) -> str: ...
    @property
    def was(self) -> Value: ...
    @property
    def now(self) -> Value: ...


def change_rows(
    ruleset: Ruleset,
    was: State,
    now: State,
    changes: Iterable[StateDifference],
    width: int,
    *,
    heads: tuple[str, str] = ("was", "would be"),
) -> tuple[Row, ...]:
    """Return a heading and a line for each difference between two states, budgets last and without colour."""
    lines = sorted(_change_lines(ruleset, was, now, tuple(changes)), key=lambda line: line.rank)
    if not lines:
        return (Row("same", cut_spans((Span("nothing in the fight would be different", "dim"),), width)),)
    label = min(max(cells(line.words) for line in lines) + 2, max(8, width * 2 // 5))
    column = min(max([cells(heads[0]), *(cells(line.before) for line in lines)]), max(4, (width - label - 3) // 2))
    head = (Span(" " * label), Span(fit(heads[0], column, "right"), "dim"), Span("   "), Span(heads[1], "dim"))
    rows = [Row("heads", cut_spans(head, width))]
    for line in lines:
        matters = line.rank < LAST
        spans = (
            Span(fit(line.words, label), "" if matters else "dim"),
            Span(fit(line.before, column, "right"), "dim"),
            Span(" → ", "title" if matters else "dim"),
            Span(line.after, "strong" if matters else "dim"),
        )
        rows.append(Row("change", cut_spans(spans, width)))
    return tuple(rows)


class _Line(Struct, frozen=True):
    """A difference in words: its rank (the clock is first), its name, and both values."""

    rank: int
    words: str
    before: str
    after: str


def _change_lines(ruleset: Ruleset, was: State, now: State, changes: Sequence[StateDifference]) -> Iterator[_Line]:
    """Yield each difference: clock, combatants, orders, then budgets.

    Facts are internal values of a game: columns that show facts of a combatant are listed, the facts are not.
    """
    if any(not change.who and change.what in CLOCK for change in changes):
        moments = clean(moment_words(was)), clean(moment_words(now))
        if moments[0] != moments[1]:
            yield _Line(0, "now", *moments)
    mentioned: list[str] = []
    for change in changes:
        if not change.who and change.what in CLOCK:
            continue
        if not change.who and change.what == "order":
            yield _Line(2, "order", *_orders(was.clock.slots, now.clock.slots))
            continue
        if _inner(was, now, change):
            if change.who and change.who not in mentioned:
                mentioned.append(change.who)
                yield from _cells(ruleset, was, now, change.who)
            continue
        rank, what = _named(ruleset, was, now, change)
        before, after = _value(ruleset, was, change, change.was), _value(ruleset, now, change, change.now)
        yield _Line(rank, clean(what), before, after)


def _inner(was: State, now: State, change: StateDifference) -> bool:
    """Tell whether a difference is a fact of the game, not a value that the screen shows."""
    what = change.what
    if not change.who:
        return not what.partition(" ")[2].startswith("effect ")
    named = what in TRAITS or what.startswith(("effect ", "left_"))
    return not named and what.removesuffix("_max") not in _pools(was, now, change)


def _pools(was: State, now: State, change: StateDifference) -> set[str]:
    return {pool.key for side in (was, now) for pool in (side[change.who].pools if change.who in side else ())}


def _cells(ruleset: Ruleset, was: State, now: State, who: str) -> Iterator[_Line]:
    """Yield the columns without points in which the cell of a combatant differs."""
    if who not in was or who not in now:
        return
    for column in ruleset.columns:
        before, after = minus(clean(column.cell(was, who))), minus(clean(column.cell(now, who)))
        if before != after and not column.bar and not set(before + after) <= _MARKS:
            yield _Line(1, f"{clean(now.name(who))}  {clean(column.title)}", before or "–", after or "–")


def _named(ruleset: Ruleset, was: State, now: State, change: StateDifference) -> tuple[int, str]:
    """Return the rank and the name of a difference."""
    state = now if change.who in now else was
    whose = clean(state.name(change.who)) if change.who else ""
    what = change.what
    if not whose:  # an effect on the fight or on something in it
        owner, _, key = what.partition(" ")
        named = "the fight" if owner == FIGHT else state.name(owner)
        return 1, f"{named}  {key_words(key.removeprefix('effect '))}"
    if what.startswith("effect "):
        return 1, f"{whose}  {what.removeprefix('effect ')}"
    if what.startswith("left_"):
        return LAST, f"{whose}  {key_words(what.removeprefix('left_'))} left"
    return 1, f"{whose}  {stat_words(what) if what in _pools(was, now, change) else key_words(what)}"


def _value(ruleset: Ruleset, state: State, change: StateDifference, value: Value) -> str:
    if value is None:
        return "–"
    if isinstance(value, int) and not isinstance(value, bool):
        return minus(value)
    if change.what == "status":
        return clean(status_of(ruleset, str(value)).word)
    if isinstance(value, str) and (value in state or change.what == "side"):
        return clean(state.name(value))
    if isinstance(value, tuple) and value and all(isinstance(part, str) and part in state for part in value):
        return clean(", ".join(state.name(str(part)) for part in value))
    return clean(plain_words(value)) or "–"


def _orders(was: tuple[Slot, ...], now: tuple[Slot, ...]) -> tuple[str, str]:
    pairs = enumerate(zip(was, now, strict=False))
    first = next((place for place, (before, after) in pairs if before.id != after.id), min(len(was), len(now)))
    return _slots(was[first:]), _slots(now[first:])


def _slots(slots: tuple[Slot, ...]) -> str:
    titles = [clean(slot.title or slot.phase or slot.id) for slot in slots if slot.stage == "round"]
    return ", ".join(titles[:MOST_SLOTS]) + (" …" if len(titles) > MOST_SLOTS else "") if titles else "–"
