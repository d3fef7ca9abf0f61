"""Strips that send only what changes from one piece of a line to the next.

The library names all of a style with each piece and takes it back behind it, which is most of what a screen full of
short pieces sends.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.color import ColorSystem
from rich.style import Style
from textual.strip import Strip

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Line", "laid_over"]

RESET = "\x1b[0m"
_ATTRIBUTES = {
    "bold": Style(bold=True),
    "dim": Style(dim=True),
    "italic": Style(italic=True),
    "underline": Style(underline=True),
    "reverse": Style(reverse=True),
    "strike": Style(strike=True),
}
"""What our styles and the library's filters can say besides colours."""
_OFF = {
    "bold": "22",
    "dim": "22",
    "italic": "23",
    "underline": "24",
    "reverse": "27",
    "strike": "29",
    "color": "39",
    "bgcolor": "49",
}


class Line(Strip):
    """A strip of pieces of which each has a style."""

    def render(self, console: Console) -> str:
        """Return the line with its terminal codes."""
        if self._render_cache is None:
            system = console._color_system or ColorSystem.TRUECOLOR
            parts: list[str] = []
            was: Style | None = None
            for text, style, _ in self._segments:
                if style is not was:
                    parts.append(_change(was, style, system))
                    was = style
                parts.append(text)
            self._render_cache = "".join(parts) + RESET
        return self._render_cache


@lru_cache(maxsize=4096)
def _change(was: Style | None, now: Style | None, system: ColorSystem) -> str:
    """Return the code that leads from one style to another."""
    before, after = _codes(was, system), _codes(now, system)
    taken = dict.fromkeys(_OFF[kind] for kind, code in before.items() if code and not after[kind])
    # What goes together, as bold and dim do, is said again where one of it stays.
    said = [code for kind, code in after.items() if code and (code != before[kind] or _OFF[kind] in taken)]
    return f"\x1b[{';'.join([*taken, *said])}m" if taken or said else ""


def _codes(style: Style | None, system: ColorSystem) -> dict[str, str]:
    """Return the codes of a style, one for each thing it can say."""
    style = style or Style.null()
    codes = {
        name: Strip.render_ansi(alone, system) if getattr(style, name) else "" for name, alone in _ATTRIBUTES.items()
    }
    codes["color"] = Strip.render_ansi(Style(color=style.color), system) if style.color is not None else ""
    codes["bgcolor"] = Strip.render_ansi(Style(bgcolor=style.bgcolor), system) if style.bgcolor is not None else ""
    return codes


def laid_over(over: Strip, left: int, wide: int, under: Strip, at: int) -> Strip:
    """Return a pane's line with a sheet's line over it, as far as they meet.

    The sheet begins in the column `left` of the screen and is so `wide`, the pane begins at `at`.
    """
    end = at + under.cell_length
    first, last = max(at, left), min(end, left + wide)
    if first >= last:
        return under
    parts = (under.crop(0, first - at), over.crop(first - left, last - left), under.crop(last - at))
    return Strip.join(part for part in parts if part.cell_length)
