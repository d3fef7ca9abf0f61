"""The styles of rows: style words and row states as styles of the current theme.

Colour alone never carries a meaning: every state also has a glyph or word in the row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.strip import Strip

from tracker.views.words.spans import Row, Span, cells, cut, cut_spans, width_of

DEFAULTS = {
    "side-players": "$primary",
    "side-ally": "$success",
    "side-gm": "$error",
    "quiet": "$secondary",
    "line-current": "$panel",
    "line-cursor": "$primary-muted",
    "rule-id": "$secondary",
    "typed-dice": "$accent",
    "ground-reach": "$primary-muted",
    "ground-threat": "$error-muted",
    "ground-area": "$warning-muted",
    "ground-fog": "$surface",
    "ground-high1": "$surface",
    "ground-high2": "$panel",
    "ground-high3": "$panel",
    "ground-cursor": "$panel",
    "ground-wall": "$surface",
    "wall": "$panel",
    "veil": "$secondary",
    "chip": "$foreground",
    "chip-players": "$primary-muted",
    "chip-ally": "$success-muted",
    "chip-gm": "$error-muted",
}
"""Our own theme variables, for themes that do not set them."""

Timeline: TypeAlias = Literal["now", "past", "trial"]
"""The shown fight: the present, a moment of the past, or a what-if."""

ABOVE, BELOW = "↑", "↓"
"""The signs in the frame of a list for more rows above and below."""

FRAMES: Mapping[Timeline, tuple[str, ...]] = {"now": tuple("╭╮╰╯─│"), "past": tuple("╭╮╰╯╌┆"), "trial": tuple("╔╗╚╝═║")}
"""The frame of each timeline: corners, edges and sides."""

LIGHT = "ansi_white"
"""The background of a theme of sixteen colours for light terminals."""
_ON_DARK = {
    "side-players": "ansi_cyan",
    "side-ally": "ansi_green",
    "side-gm": "ansi_yellow",
    "primary": "ansi_bright_blue",
    "accent": "ansi_bright_magenta",
    "success": "ansi_green",
    "warning": "ansi_yellow",
    "error": "ansi_bright_red",
    "typed-dice": "ansi_default",
    "rule-id": "ansi_default",
    "secondary": "ansi_default",
    "quiet": "ansi_bright_black",
    "veil": "ansi_bright_black",
}
"""The colours in a theme of the terminal's own sixteen colours, readable on a dark background in all palettes.

Keys have a colour that no side has; rules and icons without a colour are dim.
"""
_ON_LIGHT = _ON_DARK | {
    "side-players": "ansi_blue",
    "side-ally": "ansi_magenta",
    "side-gm": "ansi_red",
    "primary": "ansi_blue",
    "accent": "ansi_default",
    "success": "ansi_default",
    "warning": "ansi_magenta",
    "error": "ansi_red",
}
"""The same on a light background, where only blue, magenta, red and the default colour are readable."""

_COLOURS = {
    "good": "success",
    "bad": "error",
    "warn": "warning",
    "players": "side-players",
    "ally": "side-ally",
    "gm": "side-gm",
    "typed": "typed-dice",
    "rule": "rule-id",
    "key": "accent",
    "trial": "warning",
    "quiet": "quiet",
    "better": "success",
    "worse": "error",
    "miss": "secondary",
    "left": "secondary",
    "down": "error",
    "dead": "error",
    "wave": "primary",
    "broken": "warning",
    "turn-players": "side-players",
    "turn-ally": "side-ally",
    "turn-gm": "side-gm",
}
_CHIP = "chip-"
"""The prefix of the style words of map tokens, filled with a mid-tone of their side."""
_TURN = "turn-"
"""The prefix of the style words for the current turn, which stand out most: text on the colour of a side."""
_BOLD = {"strong", "title", "key", "trial", "better", "worse", "fresh", "hit", "down", "dead", "wave", "broken"}
_DIMMED = {"done", "down", "past", "ghost", "refused"}
# A side's colour stays even if the line is dimmed.
_LINES = {"current": "line-current", "acting": "line-current", "trial": "line-current"}


class Styles:
    """Styles of one theme, made when first asked for."""

    def __init__(self, variables: Mapping[str, str], no_color: bool = False) -> None:
        """Take the colours of a theme; without colours, bold, dim and reversed text replace them."""
        self._variables = variables
        self._styles: dict[tuple[str, str, bool], Style] = {}
        self.native = variables.get("foreground", "").startswith("ansi")
        self._own = {} if not self.native else _ON_LIGHT if variables.get("ansi-background") == LIGHT else _ON_DARK
        # Our styles are drawn unchanged, unless they use the terminal's own colours or its dimming, which Textual
        # converts.
        self.final = not self.native and bool(variables.get("faint"))
        # Textual would turn the terminal's own colours into black, which is unreadable on a dark background.
        self._bare = no_color and self.native
        self.plain = self.style("", "", False)
        self.frame = self._frame("frame", "secondary")
        self.focused = self._frame("frame-focus", "accent")
        if self.focused.color is None:
            self.focused += Style(bold=True)
        self.veil = self.plain + Style(color=self._colour("veil"), dim=self.native or None)
        self.heading = self.plain + Style(bold=True)

    def _frame(self, name: str, fallback: str) -> Style:
        colour = self._colour(name) or self._colour(fallback)
        return self.plain + Style(color=colour, dim=self.native and name == "frame")

    def _colour(self, name: str) -> str | None:
        value = (
            self._own.get(name)
            or self._variables.get(name)
            or self._variables.get(DEFAULTS.get(name, "$").removeprefix("$"))
        )
        word = value.split()[0] if value and not self._bare else ""  # an opacity may follow the colour
        return None if word in ("", "ansi_default", "auto") else Color.parse(word).rich_color.name

    def style(self, word: str, state: str, selected: bool) -> Style:
        """Return the style of a span in a row of a state; `selected`: the cursor is on the row."""
        key = (word, state, selected)
        style = self._styles.get(key)
        if style is None:
            word, _, ground = word.partition(" on ")
            style = self._style(word, state, selected)
            if ground and not self.native and not word.startswith((_CHIP, _TURN)):
                style += Style(bgcolor=self._colour(f"ground-{ground}"))
            self._styles[key] = style
        return style

    def _style(self, word: str, state: str, selected: bool) -> Style:
        if word == "code":  # a QR code for cameras: dark on light in every theme
            return Style(color="color(16)", bgcolor="color(231)")
        dimmed = word in ("dim", "past") or (state in _DIMMED and word in ("", "strong"))
        dimmed = dimmed or (self.native and word in ("rule", "miss", "left")) or (self._bare and word == "quiet")
        colour = self._colour(_COLOURS[word]) if word in _COLOURS else None
        if word.startswith(_TURN) and not self.native:
            return Style(color=self._colour("background"), bgcolor=colour, bold=True)
        if word.startswith(_CHIP) or word == "wall":
            return self._fill(word)
        turn = word.startswith(_TURN)
        if self.native and (selected or turn):
            colour = None  # the whole line is reversed; the sides' colours fill the other tokens
        elif colour is None:
            colour = (self._colour("faint") if dimmed else None) or self._colour("foreground")
        ground = self._colour("line-cursor") if selected else self._colour(_LINES[state]) if state in _LINES else None
        reverse = word in ("cursor", "trial") or turn or (selected and self.native)
        return Style(
            color=colour,
            bgcolor=None if self.native else ground or self._colour("background"),
            bold=word in _BOLD or turn or state == "head" or (self.native and state in _LINES) or None,
            dim=True if dimmed and not reverse and (self.native or self._colour("faint") is None) else None,
            italic=state == "past" or None,
            reverse=reverse or None,
        )

    def _fill(self, word: str) -> Style:
        """Return the style of a token or a wall; in sixteen colours tokens are reversed and walls are quiet."""
        if word == "wall":
            ground = None if self.native else self._colour("ground-wall")
            colour = self._colour("quiet" if self.native else "wall")
            return Style(color=colour, bgcolor=ground, dim=self._bare or None)
        if self.native:
            return Style(color=self._colour(_COLOURS[word.removeprefix(_CHIP)]), reverse=True)
        return Style(color=self._colour("chip"), bgcolor=self._colour(word), bold=True)

    def segments(self, row: Row | None, width: int, selected: bool = False) -> list[Segment]:
        if row is None:
            return [Segment(" " * width, self.plain)]
        spans = row.spans
        taken = width_of(spans)
        if taken > width:
            spans = cut_spans(spans, width)
            taken = width_of(spans)
        state = row.state
        segments: list[Segment] = []
        text, style = "", self.style("", state, selected)
        # Neighbouring spans of one style become one segment, so that the terminal gets fewer codes.
        for span in (*spans, Span(" " * (width - taken))) if taken < width else spans:
            now = self.style(span.style, state, selected)
            if now is style or not text:
                text, style = text + span.text, now
            else:
                segments.append(Segment(text, style))
                text, style = span.text, now
        if text:
            segments.append(Segment(text, style))
        return segments

    def strip(self, row: Row | None, width: int, selected: bool = False) -> Strip:
        return Strip(self.segments(row, width, selected), width)

    def framed(
        self, number: int, title: str, note: str, width: int, focused: bool, realm: Timeline = "now", above: int = 0
    ) -> Strip:
        note = " · ".join(filter(None, (note, f"{ABOVE} {above} more" if above else "")))
        frame = self.focused if focused else self.frame
        head = f" {number} {title} " if number else f" {title} "
        tail = f" {note} " if note else ""
        if cells(head) + cells(tail) + 4 > width:
            tail = ""
        head = head if cells(head) + 4 <= width else ""
        left, right, _, _, line, _ = FRAMES[realm]
        fill = line * max(0, width - 3 - cells(head) - cells(tail) - (1 if tail else 0))
        words = Segment(head, self.focused if focused else self.heading)
        segments = [Segment(left + line, frame), words, Segment(fill, frame)]
        segments += [Segment(tail, self.style("dim", "", False)), Segment(line, frame)] if tail else []
        return Strip([*segments, Segment(right, frame)], width)

    def edge(self, width: int, focused: bool, realm: Timeline = "now", below: int = 0, words: str = "") -> Strip:
        """Return the lower edge of a frame, with the number of hidden lines below, else with `words`."""
        _, _, left, right, line, _ = FRAMES[realm]
        frame = self.focused if focused else self.frame
        label = f" {BELOW} {below} more " if below else f" {cut(words, width - 6)} " if words else ""
        if not label or cells(label) + 4 > width:
            return Strip([Segment(left + line * (width - 2) + right, frame)], width)
        fill = line * (width - 3 - cells(label))
        first, last = (fill, line) if below else (line, fill)
        inner = Segment(label, self.style("dim", "", False))
        return Strip([Segment(left + first, frame), inner, Segment(last + right, frame)], width)
