"""Commands of the edges between panes."""

from __future__ import annotations

from tracker.ui.drawing.arranging import Sizes
from tracker.ui.fight.cockpit import Cockpit
from tracker.ui.panes.pane import FightPane

__all__ = ["pull", "pull_to"]

STEP = 2
"""Columns that an upright edge moves with a key."""


def pull(cockpit: Cockpit, way: str) -> None:
    """Move an edge of the chosen pane, or put all of them back."""
    panes = cockpit.panes
    if way == "back":
        panes.sizes = Sizes()
        panes.stand(cockpit.showing.model)
        cockpit.showing.say(note="the panes are as high as what they hold")
    elif way in ("up", "down"):
        panes.pull("above", -1 if way == "up" else 1)
    else:
        panes.pull(panes.edge_of(panes.chosen), -STEP if way == "left" else STEP)


def pull_to(cockpit: Cockpit, event: FightPane.Pulled) -> None:
    """Move the edge that is held with the mouse to where the mouse is."""
    panes, pane, region = cockpit.panes, event.pane, event.pane.region
    if event.edge in ("top", "bottom"):
        if (event.edge == "bottom") == (pane.row.region == "above"):
            panes.pull("above", event.row - (region.bottom - 1 if event.edge == "bottom" else region.y))
        return
    before = panes.before(pane)
    if event.edge == "right" and pane is not panes.last_of(pane):
        panes.pull(panes.edge_of(pane), event.column - (region.right - 1))
    elif event.edge == "left" and before is not None:
        panes.pull(panes.edge_of(before), event.column - region.x)
