"""The app of the players' screen, which reads the journal.

It imports no more than the first paint needs, and nothing of the fight itself.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.ui.platform.terminal import ResilientApp
from tracker.ui.widgets.theme_styles import Styles
from tracker.ui.widgets.themes import THEMES
from tracker.views.public.rows import screen_rows, waiting_rows
from tracker.views.words.spans import Row

EVERY = 0.03
"""Seconds between two looks into the journal."""


class PlayersView(Widget, can_focus=False):
    """All of the screen: the view as lines."""

    DEFAULT_CSS = "Stage { width: 1fr; height: 1fr; }"

    def __init__(self, watch: PlayerViewReader) -> None:
        super().__init__()
        self._watch = watch
        self._rows: Sequence[Row] = ()
        self._made: tuple[object, ...] = ()

    def follow(self) -> None:
        """Draw the lines that differ."""
        before, after = self._rows, self.rows()
        if len(before) != len(after):
            self.refresh()
            return
        lines = [place for place, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
        if lines:
            width = self.size.width
            self.refresh(*[Region(0, place, width, 1) for place in lines])

    def rows(self) -> Sequence[Row]:
        """Return the lines for the present size, made anew only where something has changed."""
        view, size = self._watch.view, self.size
        made = (view, self._watch.problem, size)
        if made != self._made:
            self._made = made
            self._rows = (
                waiting_rows(self._watch.problem, size.width, size.height)
                if view is None
                else screen_rows(view, size.width, size.height)
            )
        return self._rows

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        rows = self.rows()
        look: Styles = self.app.look  # type: ignore[attr-defined]  # our app has one; the base class does not say so
        return look.strip(rows[y] if y < len(rows) else None, self.size.width)


class PlayersScreen(Screen[None]):
    """The one screen, which looks into the journal again and again."""

    AUTO_FOCUS = ""
    ALLOW_SELECT = False

    def __init__(self, watch: PlayerViewReader) -> None:
        super().__init__()
        self._watch = watch
        self.stage = PlayersView(watch)

    def compose(self) -> ComposeResult:
        """Lay out the stage."""
        yield self.stage

    def on_mount(self) -> None:
        """Look again from now on."""
        self.set_interval(EVERY, self.look)

    def look(self) -> None:
        """Show what has changed."""
        if self._watch.poll():
            self.stage.follow()


class PlayersApp(ResilientApp, inherit_bindings=False):
    """The players' screen of a journal.

    The watch has been looked at once already, so that the first picture shows the fight.
    """

    TITLE = "tracker screen"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,q,escape", "quit", "Quit", show=False, priority=True),
        Binding("t", "next_theme", "Light or dark", show=False),
    ]

    def __init__(self, watch: PlayerViewReader, theme: str = "") -> None:
        super().__init__()
        self._watch = watch
        for own in THEMES:
            self.register_theme(own)
        usual = (
            "tracker-dark" if self.console.color_system in ("256", "truecolor") and not self.no_color else "ansi-dark"
        )
        self.theme = theme or os.environ.get("TEXTUAL_THEME") or usual
        self._look: tuple[str, Styles] | None = None

    @property
    def look(self) -> Styles:
        """The styles of the current theme."""
        if self._look is None or self._look[0] != self.theme:
            self._look = (self.theme, Styles(self.theme_variables, self.no_color))
        return self._look[1]

    def get_default_screen(self) -> Screen[None]:
        """Begin with the stage."""
        return PlayersScreen(self._watch)

    def action_next_theme(self) -> None:
        """Go from a dark theme to a light one and back."""
        names = [own.name for own in THEMES]
        place = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(place + 1) % len(names)]
        self.screen.refresh()
        self.screen.query_one(PlayersView).refresh()


def run(watch: PlayerViewReader) -> None:
    """Run the screen until it is closed."""
    try:
        PlayersApp(watch).run_to_the_end()
    finally:
        watch.close()
