"""The rulebook on the screen: the text of a rule, and what a search has found."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.rulebook import Rule
from tracker.core.ruleset import Ruleset
from tracker.views.spans import Row, Span, cells, fit, spread, wrap_spans, wrap_text
from tracker.views.text import clean, clean_lines

__all__ = ["found_rows", "rule_rows", "search_rows"]

KINDS = {
    "auto": "applied by the program",
    "ask": "the program asks",
    "option": "a house rule switches it",
    "manual": "applied by the game master",
    "reference": "for reference",
    "ruling": "a ruling",
}


def rule_rows(rule: Rule, width: int) -> tuple[Row, ...]:
    """Return a rule's text: its title and id, who applies it, and what it says."""
    rules = (rule.id,)
    about = KINDS[rule.kind] + (f" · switch: {clean(rule.switch)}" if rule.switch else "")
    rows = [Row(rule.id, spread((Span(clean(rule.title), "title"),), (Span(rule.id, "rule"),), width), "head", rules)]
    rows += [Row(rule.id, spans, "", rules) for spans in wrap_spans((Span(about, "dim"),), width)]
    for line in clean_lines(rule.text):
        rows += [Row(rule.id, (Span(text),), "", rules) for text in wrap_text(line, width)]
    return tuple(rows)


def found_rows(rules: Sequence[Rule], width: int) -> tuple[Row, ...]:
    """Return rules one a line, id first."""
    column = min(max((cells(rule.id) for rule in rules), default=0), max(0, width // 3))
    rows: list[Row] = []
    for rule in rules:
        spans = (Span(fit(rule.id, column), "rule"), Span("  "), Span(clean(rule.title)))
        rows.append(Row(rule.id, spread(spans, (), width), "", (rule.id,)))
    return tuple(rows)


def search_rows(ruleset: Ruleset, words: str, width: int) -> tuple[Row, ...]:
    """Return the rules that hold these words, or a line that says there are none."""
    found = ruleset.rulebook.search(words)
    if not found:
        return tuple(Row("", spans) for spans in wrap_spans((Span(f"no rule holds {clean(words)}", "dim"),), width))
    return found_rows(found, width)
