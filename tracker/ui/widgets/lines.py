"""Panes: framed lists of rows, drawn line by line.

A pane keeps its shown rows as plain data. On each change it compares the new rows with the rows on the screen and
refreshes only the lines that differ: no widget per line, no scrolling region.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.events import Click, MouseScrollDown, MouseScrollUp, Resize
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tracker.core.terms.labels import folded
from tracker.ui.widgets.theme_styles import FRAMES
from tracker.views.words.spans import Row, Span, wrap_spans
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import App

    from tracker.ui.widgets.theme_styles import Styles, Timeline


def describe_error(error: Exception, app: App[object]) -> str:
    """Return the description of an error in a ruleset: the message, its place and the problem file."""
    from tracker.library.ruleset_errors import describe  # only needed after an error

    folder: Path | None = getattr(app, "problems", None)
    return clean(describe(error, folder, "nothing has changed"))


def stumbled_rows(error: Exception, app: App[object], width: int) -> tuple[Row, ...]:
    spans = (Span("✗ ", "bad"), Span(describe_error(error, app), "bad"))
    return tuple(Row("problem", line) for line in wrap_spans(spans, width, 2))


class ErrorRows:
    """The last error of a ruleset in a pane, kept as long as the pane shows the same thing."""

    def __init__(self) -> None:
        self._of: object = None
        self._error: Exception | None = None

    def note(self, error: Exception) -> None:
        self._error = error

    def begin(self, of: object) -> None:
        """Begin to show a thing; an error of another thing is forgotten."""
        if of is not self._of:
            self._of, self._error = of, None

    def rows(self, app: App[object], width: int) -> tuple[Row, ...]:
        return () if self._error is None else stumbled_rows(self._error, app, width)


Beyond = tuple[int, int]
"""The numbers of lines of a list above and below the shown lines."""


def thumb(top: int, height: int, total: int) -> tuple[int, int]:
    if total <= height or height <= 0:
        return (0, 0)
    size = max(1, height * height // total)
    first = min(height - size, round((height - size) * top / max(1, total - height)))
    return (first, first + size)


def beyond(top: int, shown: int, total: int) -> Beyond:
    """Return the numbers of hidden lines of a list; (0, 0) if its `total` is 0, so unknown."""
    return (max(0, min(top, total)), max(0, total - top - shown)) if total else (0, 0)


def window(top: int, cursor: int, height: int, total: int) -> int:
    """Return the first line to show; a cursor that leaves the window moves half a page at once."""
    if cursor >= 0 and not top <= cursor < top + height:
        top = cursor - height // 2
    return max(0, min(top, total - height))


MOST_STRIPS = 400
FRAME, LEAST_HEIGHT = 2, 6


class RowsWidget(Widget, can_focus=False):
    """A framed pane of rows; `top`: index of the first shown row, `beside`: number of shown rows outside its list."""

    class Chosen(Message):
        """A click on a pane: the key and index of the row, the column, and whether the cursor was already there."""

        def __init__(self, pane: RowsWidget, key: str, place: int, again: bool, across: int) -> None:
            super().__init__()
            self.pane, self.key, self.place, self.again, self.across = pane, key, place, again, across

        @property
        def control(self) -> RowsWidget:
            return self.pane

    class Scrolled(Message):
        """The wheel was turned over the pane."""

        def __init__(self, pane: RowsWidget, by: int) -> None:
            super().__init__()
            self.pane, self.by = pane, by

        @property
        def control(self) -> RowsWidget:
            return self.pane

    DEFAULT_CSS = "RowsWidget { height: 1fr; width: 1fr; }"

    def __init__(self, number: int, title: str, name: str) -> None:
        super().__init__(id=name)
        self.number, self.title, self.note, self.foot = number, title, "", ""
        self.chosen_pane = self.lit = False
        self.narrowed = ""
        self.top = 0
        self._shown: list[Row | None] = []
        self._selected = -1
        self._thumb = (0, 0)
        self.beside = 0
        self._beyond: Beyond = (0, 0)
        # The strip of each drawn row, by the id of the row and its appearance. The row is kept too, so that no other
        # row gets its id.
        self._strips: dict[tuple[int, bool, bool, int, Timeline], tuple[Row | None, Styles, Strip]] = {}
        self.realm: Timeline = "now"
        self.dimmed = False
        self._edges: dict[bool, tuple[tuple[str, str, bool, int, Timeline, int], Styles, Strip]] = {}

    # Rows and cursor

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        """Return the visible rows, the index of the cursor's row or -1, and the total number of lines."""
        raise NotImplementedError

    def beyond(self, height: int, total: int) -> Beyond:
        return beyond(self.top, height - self.beside, total)

    def move(self, by: int) -> None:
        """Move the cursor, or scroll a pane without a cursor."""
        self.top = max(0, self.top + by)
        self.update()

    def put_on(self, place: int) -> None:
        self.move(place - self._selected)

    def _chosen_row(self) -> Row | None:
        return self._shown[self._selected] if 0 <= self._selected < len(self._shown) else None

    def chosen_key(self) -> str:
        row = self._chosen_row()
        return row.key if row is not None else ""

    def chosen_given(self) -> tuple[int | None, str]:
        """Return the step of the log row under the cursor, None outside a log, and the key of its answer."""
        row = self._chosen_row()
        step = row.key.partition(":")[0] if row is not None else ""
        return (int(step), row.about) if row is not None and step.lstrip("-").isdigit() else (None, "")

    def chosen_rules(self) -> tuple[str, ...]:
        row = self._chosen_row()
        return row.rules if row is not None else ()

    # Drawing

    @property
    def look(self) -> Styles:
        look: Styles = self.app.look  # type: ignore[attr-defined] # our app has one; the base class does not say so
        return look

    @property
    def room(self) -> tuple[int, int]:
        width, height = self.outer_size
        return max(0, width - 4), max(0, height - 2)

    def update(self) -> None:
        width, height = self.room
        if width <= 0 or height <= 0:
            return
        try:
            rows, selected, total = self.lines(width, height)
        except Exception as error:  # noqa: BLE001 - a ruleset may fail; the others go on
            rows, selected, total = stumbled_rows(error, self.app, width), -1, 0
        shown: list[Row | None] = list(rows[:height])
        shown += [None] * (height - len(shown))
        selected = selected if 0 <= selected < height else -1
        old, was, self._shown, self._selected = self._shown, self._selected, shown, selected
        was_at, self._thumb = self._thumb, thumb(self.top, height, total)
        everything = len(old) != height or was_at != self._thumb
        changed = [
            place + 1
            for place in range(height)
            if everything
            or (place in (was, selected) and was != selected)
            or (shown[place] is not old[place] and shown[place] != old[place])
        ]
        out, self._beyond = self._beyond, self.beyond(height, total)
        changed += [edge for edge, one, now in zip((0, height + 1), out, self._beyond, strict=True) if one != now]
        if changed:
            self.redraw(changed)

    def fit(self, lines: int) -> None:
        """Set the height to so many lines, at most the height of the screen; 0: all the room."""
        most = self.screen.size.height - self.styles.margin.height
        height: int | str = min(max(lines + FRAME, LEAST_HEIGHT), most) if lines else "1fr"
        if str(self.styles.height) != str(height):
            self.styles.height = height

    def redraw(self, lines: Iterable[int]) -> None:
        width = self.outer_size.width
        self.refresh(*(Region(0, line, width, 1) for line in lines))

    def render_line(self, y: int) -> Strip:
        strip = self._line(y)
        return Strip([Segment(strip.text, self.look.veil)], strip.cell_length) if self.dimmed else strip

    def _line(self, y: int) -> Strip:
        width, height = self.outer_size
        look = self.look
        if y <= 0 or y >= height - 1 or width < 4:
            return self._edge(y <= 0, width)
        row = self._shown[y - 1] if y - 1 < len(self._shown) else None
        first, last = self._thumb
        appearance = (self._selected == y - 1 and row is not None, first <= y - 1 < last, width, self.realm)
        key = (id(row), *appearance)
        known = self._strips.get(key)
        if known is not None and known[0] is row and known[1] is look:
            return known[2]
        try:
            strip = self._strip(row, *appearance)
        except Exception as error:  # noqa: BLE001 - a row may hold what is no text
            strip = self._strip(stumbled_rows(error, self.app, width)[0], *appearance)
        if len(self._strips) > MOST_STRIPS:
            self._strips.clear()
        self._strips[key] = (row, look, strip)
        return strip

    def _edge(self, upper: bool, width: int) -> Strip:
        out = self._beyond[not upper]
        words = (self.title, self.note) if upper else (self.foot, "")
        look, made_of = self.look, (*words, self.lit, width, self.realm, out)
        known = self._edges.get(upper)
        if known is None or known[0] != made_of or known[1] is not look:
            if width < 4:
                strip = Strip.blank(width, look.plain)
            elif upper:
                strip = look.framed(self.number, self.title, self.note, width, self.lit, self.realm, above=out)
            else:
                strip = look.edge(width, self.lit, self.realm, below=out, words=self.foot)
            known = self._edges[upper] = (made_of, look, strip)
        return known[2]

    def _strip(self, row: Row | None, chosen: bool, thumb: bool, width: int, realm: Timeline) -> Strip:
        look = self.look
        margin = Segment(" ", look.style("", row.state if row is not None else "", chosen))
        inner = look.segments(row, max(0, width - 4), chosen)
        side = FRAMES[realm][-1]
        frame = look.focused if self.lit and not self.number else look.frame  # an overlay is framed all around
        return Strip([Segment(side, frame), margin, *inner, margin, Segment("┃" if thumb else side, frame)], width)

    def say(self, title: str | None = None, note: str | None = None, foot: str | None = None) -> None:
        """Set the texts in the frame: title and note above, the foot below."""
        before = (self.title, self.note, self.foot)
        self.title = self.title if title is None else title
        self.note = self.note if note is None else note
        self.foot = self.foot if foot is None else foot
        if (self.title, self.note, self.foot) != before:
            self.redraw((0, self.outer_size.height - 1))

    def choose(self, chosen: bool) -> None:
        """Mark the pane as the one that has the arrow keys, or not."""
        if chosen != self.chosen_pane:
            self.chosen_pane = chosen
            self.update()

    def light(self, lit: bool) -> None:
        if lit != self.lit:
            self.lit = lit
            self.redraw((0, self.outer_size.height - 1))

    def dim(self, dimmed: bool) -> None:
        """Draw everything in one dull colour while a dialog or a page is open over the pane."""
        if dimmed != self.dimmed:
            self.dimmed = dimmed
            self.refresh()

    def enter(self, realm: Timeline) -> None:
        if realm != self.realm:
            self.realm = realm
            self.refresh()

    def narrow(self, word: str) -> None:
        self.narrowed = folded(word)
        self.top = 0
        self.say(note=f"/{word.strip()}" if self.narrowed else "")
        self.update()

    # Events

    def on_resize(self, event: Resize) -> None:
        self._shown = []
        self.update()

    def on_click(self, event: Click) -> None:
        place = event.y - 1
        row = self._shown[place] if 0 <= place < len(self._shown) else None
        key = row.key if row is not None else ""
        self.post_message(self.Chosen(self, key, place=place, again=place == self._selected, across=event.x - 2))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.post_message(self.Scrolled(self, -3))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.post_message(self.Scrolled(self, 3))
