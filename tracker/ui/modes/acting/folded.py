"""What is not possible, folded into one line: `✗ 8 more: Main used`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tracker.core.terms.actions import ActionSpec, Refusal
from tracker.views.words.spans import Row, Span, cut_spans
from tracker.views.words.text import clean

__all__ = ["FEWEST", "bare_row", "fold_row", "possible_first", "same_reason"]

FEWEST = 2
"""Refused actions that are worth a fold."""


def possible_first(specs: Sequence[ActionSpec]) -> tuple[ActionSpec, ...]:
    """Return actions, those that are refused last."""
    return tuple(sorted(specs, key=lambda spec: spec.refusal is not None))


def fold_row(key: str, refused: Sequence[ActionSpec], width: int, indent: int = 2) -> Row:
    """Return one line for several refused actions, with their reasons, the commonest first."""
    reasons = Counter(clean(spec.refusal.text) for spec in refused if spec.refusal is not None)
    words = " · ".join(reason for reason, _ in reasons.most_common())
    lead = (Span(" " * indent), Span("✗ ", "bad"), Span(f"{len(refused)} more: ", ""), Span(words, "dim"))
    return Row(key, cut_spans(lead, width), "refused")


def same_reason(specs: Sequence[ActionSpec]) -> Refusal | None:
    """Return the reason for which all of several actions are refused, or None."""
    first = specs[0].refusal if len(specs) >= FEWEST else None
    same = first is not None and all(spec.refusal is not None and spec.refusal.text == first.text for spec in specs)
    return first if same else None


def bare_row(number: int, spec: ActionSpec, here: bool, width: int) -> Row:
    """Return a refused action's line where the reason is said above."""
    head = (Span("▸ " if here else "  ", "title"), Span(f"{number + 1:>2} ", "key"), Span(clean(spec.label), "dim"))
    rules = (spec.refusal.rule,) if spec.refusal is not None and spec.refusal.rule else ()
    return Row(f"option:{number}", cut_spans(head, width), "refused", rules)
