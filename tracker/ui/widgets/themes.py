"""The themes of the program, and the app that uses them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from textual.theme import Theme

from tracker.ui.platform.terminal import ResilientApp
from tracker.ui.widgets.theme_styles import Styles

_COLOURS: Mapping[str, tuple[str, str, str]] = {
    "primary": ("#7fb4ff", "#1a50a3", "#8fd3ff"),
    "secondary": ("#9aa8c0", "#525b69", "#dcdcdc"),
    "accent": ("#f2b75c", "#804600", "#ffb84d"),
    "warning": ("#e6d65c", "#665700", "#ffff00"),
    "error": ("#ff928a", "#a3211a", "#ffb0b0"),
    "success": ("#7bd88f", "#116329", "#6dff6d"),
    "foreground": ("#d8dee9", "#1d232c", "#ffffff"),
    "background": ("#12161d", "#f7f7f4", "#000000"),
    "surface": ("#171c25", "#ffffff", "#000000"),
    "panel": ("#232b38", "#e6e9ee", "#1c1c1c"),
    "side-players": ("#7fb4ff", "#1a50a3", "#8fd3ff"),
    "side-ally": ("#7fd6c2", "#00665c", "#8dffdf"),
    "side-gm": ("#ff9e7a", "#93370d", "#ffc48a"),
    "quiet": ("#5a6880", "#7f8896", "#8a8a8a"),
    "line-current": ("#222b3a", "#e6ebf3", "#1c1c1c"),
    "line-cursor": ("#2b3850", "#d0ddf2", "#00307a"),
    "rule-id": ("#9aa8c0", "#525b69", "#dcdcdc"),
    "typed-dice": ("#c9a7ff", "#6a3fa0", "#e3c8ff"),
    "veil": ("#667389", "#7b8492", "#7d7d7d"),
    "frame": ("#3a4557", "#b6bdc8", "#dcdcdc"),
    "frame-focus": ("#f2b75c", "#804600", "#ffb84d"),
    "faint": ("#a3adbf", "#525b69", "#cfcfcf"),
    "ground-reach": ("#16303a", "#dcecf2", "#00323f"),
    "ground-threat": ("#3b1d24", "#fbe3e0", "#4a0012"),
    "ground-area": ("#40330f", "#fdf0cd", "#3d3000"),
    "ground-fog": ("#241a30", "#ebe4f3", "#2b1440"),
    "ground-high1": ("#1c2229", "#eeeee8", "#1a1a1a"),
    "ground-high2": ("#262d35", "#e9e8df", "#2a2a2a"),
    "ground-high3": ("#303943", "#e6e4d8", "#3a3a3a"),
    "ground-cursor": ("#2f3b50", "#d5dbe5", "#303030"),
    "ground-wall": ("#252d3a", "#cfd4dc", "#3c3c3c"),
    "wall": ("#39465c", "#b3b9c3", "#8a8a8a"),
    "chip": ("#ffffff", "#14181f", "#ffffff"),
    "chip-players": ("#2b5797", "#bcd3f5", "#0046b8"),
    "chip-ally": ("#1f6f62", "#b5e3d8", "#006156"),
    "chip-gm": ("#a3472a", "#f7c9b0", "#963500"),
}
"""Each colour in the dark, the light and the high-contrast theme."""
_VARIABLES = tuple(_COLOURS)[10:]
"""The colours that Textual does not know; the ones before them it knows."""


def _theme(place: int, name: str, dark: bool) -> Theme:
    colours = {word: values[place] for word, values in _COLOURS.items()}
    variables = {word: colours.pop(word) for word in _VARIABLES}
    return Theme(name, **colours, dark=dark, variables=variables)  # type: ignore[arg-type]  # they are all colours


THEMES: tuple[Theme, ...] = (
    _theme(0, "tracker-dark", dark=True),
    _theme(1, "tracker-light", dark=False),
    _theme(2, "tracker-contrast", dark=True),
)
"""The themes, the default one first."""
NATIVE = "ansi-dark"
"""The theme of a terminal's own sixteen colours."""


class ThemedApp(ResilientApp, inherit_bindings=False):
    """An app with the named theme, else `$TEXTUAL_THEME`, else the theme chosen last."""

    def __init__(self, theme: str = "", remembered: str = "") -> None:
        super().__init__()
        for own in THEMES:
            self.register_theme(own)
        # Sixteen colours are too few for these themes: the row under the cursor would be black on black.
        many_colours = self.console.color_system in ("256", "truecolor") and not self.no_color
        default = THEMES[0].name if many_colours else NATIVE
        last = remembered if remembered in self.available_themes else ""
        chosen = theme or os.environ.get("TEXTUAL_THEME") or last
        self.theme = chosen or default
        self._fits_ground = not chosen and many_colours
        self._look: tuple[str, Styles] | None = None

    def validate_theme(self, name: str) -> str:
        """Use the terminal's own colours under NO_COLOR: Textual would turn other colours grey."""
        return NATIVE if self.no_color else name

    def on_ready(self) -> None:
        """Use the light theme in a terminal with a light background, unless a theme has been chosen."""
        ask = getattr(self._driver, "ask_ground", None)  # only the driver for POSIX terminals has it
        if self._fits_ground and ask is not None:
            ask(self._on_ground)

    def _on_ground(self, is_light: bool) -> None:
        if is_light and self.theme == THEMES[0].name:
            self.theme = THEMES[1].name

    @property
    def look(self) -> Styles:
        if self._look is None or self._look[0] != self.theme:
            self._look = (self.theme, Styles(self.theme_variables, self.no_color))
        return self._look[1]
