"""The ground under panes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Region
from textual.strip import Strip

if TYPE_CHECKING:
    from tracker.ui.drawing.look import Look

__all__ = ["Ground"]


class Ground:
    """The blank ground under panes that cover all of it.

    The library would work it out line by line.

    It is put in front of a widget's class, and is none itself: the library takes a widget's style rules from the first
    one it derives from.
    """

    _blank: tuple[Look, Strip] | None = None

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw nothing but the ground."""
        look: Look = self.app.look  # type: ignore[attr-defined] # the widget's app, which is ours
        if self._blank is None or self._blank[0] is not look or self._blank[1].cell_length != crop.width:
            self._blank = (look, Strip.blank(crop.width, look.plain))
        return [self._blank[1]] * crop.height
