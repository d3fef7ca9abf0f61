"""What is under the cursor of the start screen, before it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from tracker.ui.drawing.lines import LinesPane
from tracker.ui.start.rows import stands_words, when_words
from tracker.views.words.spans import Row, Span, cells, fit, wrap_spans
from tracker.views.words.text import clean, clean_lines

if TYPE_CHECKING:  # the files are read when the first picture stands
    from tracker.library.shelves.finding import Found
    from tracker.session.rows import FightSummary

WIDEST_LABEL = 22
PREVIEW = "Preview"
ALWAYS, BY_HAND = "always", "by hand"


class PreviewPane(LinesPane):
    """The sides, waves and notes of an encounter, or where a fight stood."""

    def __init__(self) -> None:
        super().__init__(0, PREVIEW, "preview")
        self._title = ""
        self._lines: tuple[tuple[str, Span], ...] = ()
        self._made: tuple[int, list[Row]] = (0, [])

    def tell(self, title: str, lines: tuple[tuple[str, Span], ...]) -> None:
        """Show the preview of something, unless it is shown already."""
        if (title, lines) != (self._title, self._lines):
            self._title, self._lines, self._made, self.top = title, lines, (0, []), 0
            self.say(title=clean(title) or PREVIEW)
            self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        """Return what fits."""
        if self._made[0] != width:
            column = min(WIDEST_LABEL, max((cells(label) for label, _ in self._lines), default=0))
            rows = [row for label, words in self._lines for row in _rows(label, words, column, width)]
            self._made = (width, rows)
        rows = self._made[1]
        self.top = max(0, min(self.top, len(rows) - height))
        return rows[self.top : self.top + height], -1, len(rows)

    def move(self, by: int) -> None:
        """Scroll."""
        self.top += by
        self.update()


def _rows(label: str, words: Span, column: int, width: int) -> list[Row]:
    parts = wrap_spans((words,), max(8, width - column - 2), 0)
    return [
        Row(label, (Span(fit(label if not number else "", column) + "  ", "dim"), *part))
        for number, part in enumerate(parts)
    ]


def fight_preview(fight: FightSummary, now: datetime) -> tuple[tuple[str, Span], ...]:
    """Return when a fight was begun and played last, and where it stood."""
    steps = f"{fight.steps} step{'' if fight.steps == 1 else 's'}"
    return (
        ("stood", Span(stands_words(fight), "strong")),
        ("played last", Span(f"{when_words(fight.at, now)}, {steps}")),
        ("begun", Span(when_words(fight.created, now))),
        *((("put away", Span(when_words(fight.discarded, now))),) if fight.discarded else ()),
    )


def found_preview(found: Found) -> tuple[tuple[str, Span], ...]:
    """Return the problems, sides, waves, reminders and notes of an encounter."""
    outline = found.outline
    lines = [("problem", Span(clean(problem.render()), "warn")) for problem in found.problems]
    lines += [(clean(name), Span(clean(members))) for name, members in outline.sides]
    lines += [(clean(when) or BY_HAND, Span(f"comes: {clean(who)}")) for when, who in outline.waves]
    lines += [(clean(when) or ALWAYS, Span(clean(text))) for when, text in outline.reminders]
    notes = clean_lines(outline.notes.strip()) if outline.notes.strip() else ()
    lines += [("notes" if not number else "", Span(line, "dim")) for number, line in enumerate(notes)]
    return tuple(lines)
