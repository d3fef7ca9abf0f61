"""A half-filled action as a form, and lists of actions to pick from."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.actions import Action, ActionSpec, Field, Option
from tracker.core.state import State
from tracker.core.values import Value
from tracker.views.keys import option_keys
from tracker.views.prompts import refusal_rows
from tracker.views.spans import Row, Span, cells, cut, cut_spans, fit, spread, wrap_spans
from tracker.views.text import clean
from tracker.views.values import field_words

__all__ = ["field_words", "form_rows", "pages_of", "picker_rows"]

LABEL, LABEL_AT_MOST = 6, 18


def form_rows(state: State, spec: ActionSpec, action: Action, width: int, cursor: str = "", page: str | None = None) -> tuple[Row, ...]:
    """Return an action's form: who does what at which cost, each field with its value, and why it is refused if it is.

    Keys are field names; the options of the field under the cursor follow it under `<field>=<option>`. `page` shows one page of a long form.
    """
    who = Span(clean(state.name(action.by)), "strong")
    head = [who, Span("  "), Span(clean(spec.label), "title")]
    cost = [Span(clean(spec.cost), "dim")] if spec.cost else []
    rules = (spec.rule,) if spec.rule else ()
    if spec.rule:
        cost += [Span("  "), Span(spec.rule, "rule")] if cost else [Span(spec.rule, "rule")]
    rows = [Row("", spread(head, cost, width), "head", rules)]
    fields = [field for field in spec.fields if page is None or field.page == page]
    column = min(LABEL_AT_MOST, width // 3, max([LABEL, *(cells(clean(field.shown)) for field in fields)]))
    for field in fields:
        rows += _field(state, field, action, width, column, field.name == cursor)
    if spec.refusal is not None:
        rows += refusal_rows(spec.refusal, width)
    return tuple(rows)


def pages_of(spec: ActionSpec) -> tuple[str, ...]:
    """Return the pages of a form in order; one empty page for a short form."""
    return tuple(dict.fromkeys(field.page for field in spec.fields)) or ("",)


def _field(state: State, field: Field, action: Action, width: int, column: int, current: bool) -> list[Row]:
    given = action.get(field.name)
    value = field.default if given is None else given
    words = field_words(state, field, value)
    missing = field.required and not words
    label = Span(fit(clean(field.shown), column) + "  ", "cursor" if current else "dim")
    chosen = next((option for option in field.options if option.key == value), None)
    refusal = chosen.refusal if chosen is not None else None
    style = "warn" if missing else "dim" if refusal is not None or given is None else ""
    spans = [label, Span(words or ("missing" if missing else "–"), style)]
    if chosen is not None and chosen.note and refusal is None:
        spans.append(Span(f"  {clean(chosen.note)}", "dim"))
    if refusal is not None:
        spans += [Span(f"  {clean(refusal.text)}", "bad"), Span(f"  {refusal.rule}" if refusal.rule else "", "rule")]
    rules = (refusal.rule,) if refusal is not None and refusal.rule else ()
    rows = [Row(field.name, line, "current" if current else "", rules) for line in wrap_spans(spans, width, column + 2)]
    if current:
        if field.note:
            rows.append(Row(field.name, cut_spans((Span(" " * (column + 2)), Span(clean(field.note), "dim")), width)))
        rows += [_option(state, field, option, key, value, width) for option, key in zip(field.options, option_keys(state, field.options), strict=True)]
    return rows


def _option(state: State, field: Field, option: Option, key: str, value: Value, width: int) -> Row:
    picked = option.key in value if isinstance(value, tuple) else option.key == value
    mark = "▸" if picked else " "
    label = clean(state.name(option.key) if option.key in state and not option.label else option.shown)
    start = [Span(f"  {mark} {key} ", "strong" if picked else "dim"), Span(label, "dim" if option.refusal else "strong" if picked else "")]
    if option.note:
        start.append(Span(f"  {clean(option.note)}", "dim"))
    rule = ""
    if option.refusal is not None:
        start.append(Span(f"  {clean(option.refusal.text)}", "dim"))
        rule = option.refusal.rule
    spans = spread(start, [Span(rule, "rule")] if rule else (), width)
    return Row(f"{field.name}={option.key}", spans, "refused" if option.refusal else "chosen" if picked else "", (rule,) if rule else ())


def picker_rows(specs: Sequence[ActionSpec], width: int, cursor: int | None = None) -> tuple[Row, ...]:
    """Return actions to pick from, under their headings; what is refused is dim, with reason and rule. Keys are places in the list."""
    rows: list[Row] = []
    group = ""
    for place, spec in enumerate(specs):
        if spec.group != group:
            group = spec.group
            if group:
                rows.append(Row(f"group:{group}", (Span(cut(clean(group), width), "title"),), "head"))
        refused = spec.refusal
        here = place == cursor
        start = [Span("▸ " if here else "  ", "cursor" if here else ""), Span(clean(spec.label), "dim" if refused else "strong" if here else "")]
        rule = spec.rule
        if refused is not None:
            start.append(Span(f"  {clean(refused.text)}", "dim"))
            rule = refused.rule or spec.rule
        end = [Span(clean(spec.cost), "dim")] if spec.cost else []
        if rule:
            end += [Span("  "), Span(rule, "rule")] if end else [Span(rule, "rule")]
        rules = tuple(dict.fromkeys(key for key in (rule, spec.rule) if key))
        rows.append(Row(str(place), spread(start, end, width), "refused" if refused else "current" if here else "", rules))
    return tuple(rows)
