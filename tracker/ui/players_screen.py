"""The players' screen: a second terminal, monitor or TV that follows a fight by its journal.

It imports only what the first paint needs, and nothing of the fight itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.ui.widgets.theme_styles import Styles
from tracker.ui.widgets.themes import THEMES, ThemedApp
from tracker.views.public.rows import screen_rows, story_length, waiting_rows
from tracker.views.words.spans import Row

EVERY = 0.03
"""Seconds between two reads of the journal."""


class PlayersView(Widget, can_focus=False):
    """The players' view as lines, over the whole screen."""

    DEFAULT_CSS = "PlayersView { width: 1fr; height: 1fr; }"

    def __init__(self, reader: PlayerViewReader) -> None:
        super().__init__()
        self._reader = reader
        self._rows: Sequence[Row] = ()
        self._made_from: tuple[object, ...] = ()
        self._first = 0

    def scroll_story(self, by: int) -> None:
        """Scroll the story of an ended fight; `by`: in half screens."""
        view = self._reader.view
        least = self.size.height - 8  # lines of the story at most
        most = 0 if view is None else story_length(view, self.size.width) - least
        self._first = max(0, min(most, self._first + by * max(1, self.size.height // 2)))
        self.follow()

    def follow(self) -> None:
        """Draw the lines that differ."""
        before, after = self._rows, self.rows()
        if len(before) != len(after):
            self.refresh()
            return
        lines = [place for place, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
        if lines:
            self.refresh(*[Region(0, place, self.size.width, 1) for place in lines])

    def rows(self) -> Sequence[Row]:
        """Return the lines for the present size, cached until the view or the size changes."""
        view, size = self._reader.view, self.size
        if view is not None and not view.story:
            self._first = 0
        made_from = (view, self._reader.problem, size, self._first)
        if made_from != self._made_from:
            self._made_from = made_from
            self._rows = (
                waiting_rows(self._reader.problem, size.width, size.height)
                if view is None
                else screen_rows(view, size.width, size.height, self._first)
            )
        return self._rows

    def render_line(self, y: int) -> Strip:
        rows = self.rows()
        look: Styles = self.app.look  # type: ignore[attr-defined]  # our app has one; the base class does not say so
        return look.strip(rows[y] if y < len(rows) else None, self.size.width)


class PlayersScreen(Screen[None]):
    """The only screen; it reads the journal at an interval."""

    AUTO_FOCUS = ""
    ALLOW_SELECT = False

    def __init__(self, reader: PlayerViewReader) -> None:
        super().__init__()
        self._reader = reader
        self.view = PlayersView(reader)

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        self.set_interval(EVERY, self.look)

    def look(self) -> None:
        if self._reader.poll():
            self.view.follow()


class PlayersApp(ThemedApp, inherit_bindings=False):
    """The players' screen of a journal that the reader has read once already."""

    TITLE = "tracker screen"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,q,escape", "quit", "Quit", show=False, priority=True),
        Binding("t", "next_theme", "Light or dark", show=False),
        Binding("down,space,pagedown,j", "scroll_story(1)", "Further in the story", show=False),
        Binding("up,pageup,k", "scroll_story(-1)", "Back in the story", show=False),
    ]

    def __init__(self, reader: PlayerViewReader, theme: str = "") -> None:
        super().__init__(theme)
        self._reader = reader

    def get_default_screen(self) -> Screen[None]:
        return PlayersScreen(self._reader)

    def action_scroll_story(self, by: int) -> None:
        self.screen.query_one(PlayersView).scroll_story(by)

    def action_next_theme(self) -> None:
        """Change to the next theme."""
        names = [theme.name for theme in THEMES]
        place = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(place + 1) % len(names)]
        self.screen.refresh()
        self.screen.query_one(PlayersView).refresh()


def run(reader: PlayerViewReader) -> None:
    """Run the screen until it is closed."""
    try:
        PlayersApp(reader).run_to_the_end()
    finally:
        reader.close()
