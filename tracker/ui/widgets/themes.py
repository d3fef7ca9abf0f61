"""Our own themes, and the app that has one."""

from __future__ import annotations

import os

from textual.theme import Theme

from tracker.ui.platform.terminal import ResilientApp
from tracker.ui.widgets.theme_styles import Styles

THEMES: tuple[Theme, ...] = (
    Theme(
        name="tracker-dark",
        primary="#7fb4ff",
        secondary="#9aa8c0",
        accent="#f2b75c",
        warning="#f2b75c",
        error="#ff928a",
        success="#7bd88f",
        foreground="#d8dee9",
        background="#12161d",
        surface="#171c25",
        panel="#232b38",
        dark=True,
        variables={
            "side-players": "#7fb4ff",
            "side-ally": "#7fd6c2",
            "side-gm": "#ff9e7a",
            "quiet": "#5a6880",
            "line-current": "#222b3a",
            "line-cursor": "#2b3850",
            "rule-id": "#9aa8c0",
            "typed-dice": "#f2b75c",
            "frame": "#3a4557",
            "frame-focus": "#f2b75c",
            "faint": "#a3adbf",
            "ground-reach": "#16303a",
            "ground-threat": "#3b1d24",
            "ground-area": "#40330f",
            "ground-fog": "#241a30",
            "ground-high1": "#1c2229",
            "ground-high2": "#262d35",
            "ground-high3": "#303943",
        },
    ),
    Theme(
        name="tracker-light",
        primary="#1a50a3",
        secondary="#525b69",
        accent="#804600",
        warning="#7a5200",
        error="#a3211a",
        success="#116329",
        foreground="#1d232c",
        background="#f7f7f4",
        surface="#ffffff",
        panel="#e6e9ee",
        dark=False,
        variables={
            "side-players": "#1a50a3",
            "side-ally": "#00665c",
            "side-gm": "#93370d",
            "quiet": "#7f8896",
            "line-current": "#e6ebf3",
            "line-cursor": "#d0ddf2",
            "rule-id": "#525b69",
            "typed-dice": "#804600",
            "frame": "#b6bdc8",
            "frame-focus": "#804600",
            "faint": "#525b69",
            "ground-reach": "#dcecf2",
            "ground-threat": "#fbe3e0",
            "ground-area": "#fdf0cd",
            "ground-fog": "#ebe4f3",
            "ground-high1": "#eeeee8",
            "ground-high2": "#e9e8df",
            "ground-high3": "#e6e4d8",
        },
    ),
    Theme(
        name="tracker-contrast",
        primary="#8fd3ff",
        secondary="#dcdcdc",
        accent="#ffff00",
        warning="#ffe100",
        error="#ffb0b0",
        success="#6dff6d",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#1c1c1c",
        dark=True,
        variables={
            "side-players": "#8fd3ff",
            "side-ally": "#8dffdf",
            "side-gm": "#ffc48a",
            "quiet": "#8a8a8a",
            "line-current": "#1c1c1c",
            "line-cursor": "#00307a",
            "rule-id": "#dcdcdc",
            "typed-dice": "#ffff00",
            "frame": "#dcdcdc",
            "frame-focus": "#ffff00",
            "faint": "#cfcfcf",
            "ground-reach": "#00323f",
            "ground-threat": "#4a0012",
            "ground-area": "#3d3000",
            "ground-fog": "#2b1440",
            "ground-high1": "#1a1a1a",
            "ground-high2": "#2a2a2a",
            "ground-high3": "#3a3a3a",
        },
    ),
)
"""The themes, the default one first."""


class ThemedApp(ResilientApp, inherit_bindings=False):
    """An app with the named theme, else `$TEXTUAL_THEME`, else the one chosen last."""

    def __init__(self, theme: str = "", remembered: str = "") -> None:
        super().__init__()
        for own in THEMES:
            self.register_theme(own)
        # Sixteen colours are too few for ours: the mark under the cursor would be black on black.
        many_colours = self.console.color_system in ("256", "truecolor") and not self.no_color
        default = "tracker-dark" if many_colours else "ansi-dark"
        last = remembered if remembered in self.available_themes else ""
        self.theme = theme or os.environ.get("TEXTUAL_THEME") or last or default
        self._look: tuple[str, Styles] | None = None

    @property
    def look(self) -> Styles:
        """The styles of the current theme."""
        if self._look is None or self._look[0] != self.theme:
            self._look = (self.theme, Styles(self.theme_variables, self.no_color))
        return self._look[1]
