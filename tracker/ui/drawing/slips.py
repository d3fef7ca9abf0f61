"""What is shown where a ruleset fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracker.views.words.spans import Row, Span, wrap_spans
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import App

__all__ = ["stumbled", "stumbled_rows"]


def stumbled(error: Exception, app: App[object]) -> str:
    """Return what went wrong in a ruleset, where, and its problem file."""
    from tracker.library.slips import told  # only a slip needs it

    folder: Path | None = getattr(app, "problems", None)
    return clean(told(error, folder, "nothing has changed"))


def stumbled_rows(error: Exception, app: App[object], width: int) -> tuple[Row, ...]:
    """Return the same as rows of a pane."""
    spans = (Span("✗ ", "bad"), Span(stumbled(error, app), "bad"))
    return tuple(Row("problem", line) for line in wrap_spans(spans, width, 2))
