"""The forecast of a fight or an encounter that is chosen from the lists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from tracker.core.terms.errors import TrackerError
from tracker.forecast.variants import read_count_range
from tracker.session.session import Session
from tracker.ui.modes.forecast.page import head_words, of_encounter, of_fight, of_sweep, result_rows
from tracker.ui.modes.forecast.runner import ForecastQuery, ForecastRunner
from tracker.ui.panes.reader import MOVES
from tracker.ui.start.catalog import Prepared
from tracker.ui.start.overlays import Overlays
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.rows import entry_row, wrapped_rows
from tracker.views.words.spans import Row, Span, wrap_spans
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from textual.screen import Screen

    from tracker.ui.modes.forecast.runner import HasWorkerPool

HINT = "NAME=6..12 has a line for each number of them"
TYPED = ("space", "home", "end")
"""Keys of a page that a line takes for itself."""


class ForecastPage:
    """The page of a forecast, and what is typed on it."""

    def __init__(self, screen: Screen[None], covers: Overlays) -> None:
        self._covers = covers
        self._foresight = ForecastRunner(screen, cast("HasWorkerPool", screen.app), self._show)
        self._prepared: Prepared | None = None
        self._whole: ForecastQuery | None = None
        self._entry, self._problem = Entry(), ""
        self.open = False

    def of_fight(self, session: Session) -> None:
        """Ask for a fight in the journal, as it stands."""
        self._begin(None, of_fight(session), session.encounter.title)

    def of_file(self, prepared: Prepared) -> None:
        """Ask for an encounter that has not begun."""
        self._begin(prepared, of_encounter(prepared.ruleset, prepared.encounter), prepared.encounter.title)

    def _begin(self, prepared: Prepared | None, asked: ForecastQuery, title: str) -> None:
        self._prepared, self._whole, self._entry, self._problem = prepared, asked, Entry(), ""
        self._foresight.ask(asked)
        self.open = True
        self._covers.read(f"Forecast: {clean(title)}", self._page, "foreseen_fight" if prepared is None else "foreseen")

    def _show(self) -> bool:
        """Draw what has changed, and tell whether it is still looked at."""
        if self.open:
            self._covers.reader.renew()
        return self.open

    def _page(self, width: int) -> Sequence[Row]:
        asked, known = self._foresight.asked, self._foresight.known
        if asked is None:
            return ()
        rows: list[Row] = []
        if self._prepared is not None:
            rows.append(entry_row(self._entry.spans(width - 2, HINT), width))
        if self._problem:
            rows += wrapped_rows((Span("✗ " + self._problem, "bad"),), width, "problem")
        rows += [Row("head", spans) for spans in wrap_spans((Span(head_words(asked, known), "dim"),), width, 2)]
        return (*rows, Row("", ()), *result_rows(asked, known, width))

    def press(self, key: str, character: str | None) -> None:
        """Type, ask, move in the page, or leave."""
        if key == "escape" and not self._entry.text:
            self.open = False
            self._foresight.stop()
            self._covers.lower()
            return
        if key in MOVES and key not in TYPED:
            self._covers.reader.move(MOVES[key])
            return
        if key == "escape":
            self._entry, self._problem = Entry(), ""
        elif key == "enter":
            self._ask()
        elif self._prepared is not None and (entry := self._entry.press(key, character)) is not None:
            self._entry, self._problem = entry, ""
        self._covers.reader.renew()

    def paste(self, text: str) -> None:
        """Type a pasted text."""
        if self._prepared is not None:
            self._entry, self._problem = self._entry.typed(text), ""
            self._covers.reader.renew()

    def _ask(self) -> None:
        """Ask for the numbers that are typed, or for the whole again."""
        if self._prepared is None or not self._entry.text.strip():
            if self._whole is not None:
                self._foresight.ask(self._whole)
            return
        ask = partial(of_sweep, self._prepared.ruleset, self._prepared.encounter)
        try:
            self._foresight.ask(ask(read_count_range(self._entry.text)))
        except ValueError as error:
            self._problem = clean(str(error))
        except TrackerError as error:
            self._problem = clean(error.message)
