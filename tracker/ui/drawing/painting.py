"""Painting: what a key has changed is drawn at once, line by line.

The library would go through a message from each widget and a timer of sixty beats a second first, and then cut every
line of the screen that has changed anywhere into the pieces of all the widgets on it. Panes and bars never overlap, so
their lines can be sent as they are. Wherever that does not hold, or more keys wait, the library does it its own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual._compositor import CompositorUpdate
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["paint"]


class Lines(CompositorUpdate):
    """Lines of the screen to be sent: column and row of each, and the strip."""

    def __init__(self, lines: Sequence[tuple[int, int, Strip]]) -> None:
        self.lines = lines

    def render_segments(self, console: Console) -> str:
        """Return the lines with the codes that put them in their places."""
        return "".join([f"\x1b[{row + 1};{column + 1}H{strip.render(console)}" for column, row, strip in self.lines])


def paint(screen: Screen[Any], parts: Sequence[Widget]) -> None:
    """Draw what has changed of a screen that is made of these parts."""
    if _waiting(screen.app, screen) or not screen.is_current or any(part._layout_required for part in (screen, *parts)):
        return
    changed = [part for part in parts if part._repaint_required and part.display]
    if not changed:
        return
    for part in changed:
        part._repaint_required = False
    places = screen._compositor.visible_widgets
    if screen._repaint_required or screen._dirty_widgets or any(not _whole(places.get(part)) for part in changed):
        screen._dirty_widgets.update(changed)
        screen._on_timer_update()
        return
    lines: list[tuple[int, int, Strip]] = []
    for part in changed:
        region, _ = places[part]
        dirty = sorted(
            {
                line
                for lines_of in part._exchange_repaint_regions()
                for line in lines_of.line_range
                if 0 <= line < region.height
            }
        )
        if dirty:
            strips = part.render_lines(Region(0, dirty[0], region.width, dirty[-1] + 1 - dirty[0]))
            lines += [(region.x, region.y + number, strips[number - dirty[0]]) for number in dirty]
    screen.app._display(screen, Lines(lines))  # type: ignore[arg-type] # its annotation leaves out what it is made for


def _whole(place: tuple[Region, Region] | None) -> bool:
    """Tell whether all of a widget lies within what it is clipped to."""
    return place is not None and place[1].contains_region(place[0])


def _waiting(*pumps: Any) -> bool:
    """Tell whether messages wait in the library's queues, which type checkers do not know."""
    return any(not pump._message_queue.empty() for pump in pumps)
