"""The rulebook on the screen: the text of a rule."""

from __future__ import annotations

from tracker.core.terms.errors import BadData
from tracker.core.terms.rulebook import Rule, RuleBook
from tracker.views.words.spans import Row, Span, spread, wrap_spans, wrap_text
from tracker.views.words.text import clean, clean_lines

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


def mistake_rows(book: RuleBook, width: int) -> tuple[Row, ...]:
    """Return the mistakes in the rulebook's file, each with its line.

    None where it can be read.
    """
    try:
        book.rules  # noqa: B018 - read for its mistakes
    except BadData as error:
        lines = [line for problem in error.problems for line in wrap_text(clean(str(problem)), width)]
        return tuple(Row("", (Span(line, "bad"),)) for line in lines)
    return ()
