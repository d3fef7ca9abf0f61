"""The rows of modes and pages: lists, refusals, the typed line, wrapped text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.terms.actions import Option
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import Request
from tracker.views.words.prompts import prompt_title
from tracker.views.words.spans import Row, Span, cells, cut_spans, line, spread, width_of, wrap_spans
from tracker.views.words.text import clean

_Any = TypeVar("_Any")


def refusal_spans(refusal: Refusal) -> tuple[Span, ...]:
    rule = (Span(f" {refusal.rule}", "rule"),) if refusal.rule else ()
    return (Span("✗ ", "bad"), Span(clean(refusal.text), "bad"), *rule)


def refused_row(key: str, head: Sequence[Span], refusal: Refusal, width: int) -> Row:
    """Return the row of something refused: the reason, cut to the width, and the rule if there is room."""
    words = (*head, Span("✗ ", "bad"), Span(clean(refusal.text), "dim"))
    room = width - len(refusal.rule) - 1
    end = (Span(refusal.rule, "rule"),) if refusal.rule and width_of(words) <= room else ()
    return Row(key, spread(words, end, width), "refused", (refusal.rule,) if refusal.rule else ())


def asked_spans(state: State, request: Request) -> tuple[Span, ...]:
    """Return the question of a typed answer, in words."""
    if request.brief:
        return (Span(clean(request.brief), "dim"),)
    return tuple(Span(span.text, "dim") for span in prompt_title(state, request))


def entry_row(spans: Sequence[Span], width: int) -> Row:
    return Row("entry", cut_spans((Span("> ", "title"), *spans), width), "current")


def wrapped_rows(spans: Sequence[Span], width: int, key: str = "say") -> tuple[Row, ...]:
    return tuple(Row(key, part) for part in wrap_spans(spans, width, 2))


def first_rows(rows: Sequence[Row], many: int, width: int) -> tuple[Row, ...]:
    """Return the first rows of a text; if rows are left out, the last one ends with `…`."""
    if len(rows) <= many:
        return tuple(rows)
    *kept, last = rows[:many]
    return (*kept, replace(last, spans=cut_spans((*last.spans, Span(" …", "dim")), width)))


def problem_rows(problem: str, width: int) -> tuple[Row, ...]:
    """Return the rows of a problem; no rows for ""."""
    return wrapped_rows((Span("✗ " + problem, "bad"),), width, "problem") if problem else ()


def option_number(row: str) -> int | None:
    kind, _, number = row.partition(":")
    return int(number) if kind == "option" and number.isdigit() else None


def visible_rows(rows: Sequence[_Any], place: int, height: int) -> tuple[_Any, ...]:
    if len(rows) <= height or height <= 0:
        return tuple(rows[: max(0, height)])
    first = min(max(0, place - height // 2), len(rows) - height)
    return tuple(rows[first : first + height])


def listed_rows(
    options: Sequence[Option],
    place: int,
    width: int,
    picked: Sequence[str] = (),
    keys: Sequence[str] | None = None,
    room: int = 0,
) -> tuple[Row, ...]:
    """Return the rows of a list of options: the chosen one is marked, a refused one has its reason.

    Each option has a key, its number unless `keys` are given; notes are aligned in a column if they fit. If all options
    fit into `room` lines in full, long ones are wrapped.
    """
    names = [str(number) for number in range(1, len(options) + 1)] if keys is None else keys
    column = max((len(name) for name in names), default=0)
    notes = [(clean(option.shown), clean(option.note)) for option in options if option.refusal is None and option.note]
    shared = max((cells(shown) for shown, _ in notes), default=0)
    if any(column + 6 + shared + cells(note) + 2 > width for _, note in notes):
        shared = 0  # a column of notes has no room
    rows: list[Row] = []
    whole: list[Row] = []
    for number, (option, name) in enumerate(zip(options, names, strict=True)):
        here = number == place
        tick = (Span("✓ ", "good"),) if option.key in picked else ()
        face = Span(f"{name:>{column}}" + ("  " if column else ""), "key")
        head = (Span("▸ " if here else "  ", "title"), face, *tick)
        shown = Span(clean(option.shown), "dim" if option.refusal else "strong" if here else "")
        if option.refusal is not None:
            rows.append(refused_row(f"option:{number}", (*head, shown, Span("  ")), option.refusal, width))
            whole.append(rows[-1])
            continue
        gap = " " * (2 + max(0, shared - cells(shown.text)))
        note = (Span(gap + clean(option.note), "dim"),) if option.note else ()
        key, spans, state = f"option:{number}", (*head, shown, *note), "current" if here else ""
        rows.append(Row(key, cut_spans(spans, width), state))
        whole += [Row(key, part, state) for part in wrap_spans(spans, width, width_of(head))]
    return tuple(whole if len(whole) <= room else rows) or (line("option:none", "  nothing fits", width, "dim"),)


def key_hint(width: int, *pairs: tuple[str, str]) -> tuple[Row, ...]:
    spans: list[Span] = []
    for key, words in pairs:
        spans += [Span(" · " if spans else ""), Span(key, "key"), Span(f" {words}")]
    return wrapped_rows(tuple(spans), width, "hint")
