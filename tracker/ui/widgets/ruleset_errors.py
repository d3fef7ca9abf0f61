"""What is shown where a ruleset fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracker.views.words.spans import Row, Span, wrap_spans
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import App


def describe_error(error: Exception, app: App[object]) -> str:
    """Return what went wrong in a ruleset, where, and its problem file."""
    from tracker.library.ruleset_errors import describe  # only a slip needs it

    folder: Path | None = getattr(app, "problems", None)
    return clean(describe(error, folder, "nothing has changed"))


def stumbled_rows(error: Exception, app: App[object], width: int) -> tuple[Row, ...]:
    """Return the same as rows of a pane."""
    spans = (Span("✗ ", "bad"), Span(describe_error(error, app), "bad"))
    return tuple(Row("problem", line) for line in wrap_spans(spans, width, 2))


class ErrorRows:
    """What a ruleset has failed to give of what a pane shows.

    The last failure is told for as long as the pane shows the same.
    """

    def __init__(self) -> None:
        self._of: object = None
        self._error: Exception | None = None

    def note(self, error: Exception) -> None:
        """Note a failure."""
        self._error = error

    def begin(self, of: object) -> None:
        """Forget what failed of anything else than this."""
        if of is not self._of:
            self._of, self._error = of, None

    def rows(self, app: App[object], width: int) -> tuple[Row, ...]:
        """Return the lines that tell of it, none where all went well."""
        return () if self._error is None else stumbled_rows(self._error, app, width)
