"""A pane of a fight.

It follows the fight and the cursor, and says what the keys of the screen do in it.
"""

from __future__ import annotations

from tracker.core.fight.state import Id
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.drawing.lines import LinesPane
from tracker.ui.keys.panes import Pane
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.typing.mode import Result, Scene

__all__ = ["FightPane"]


class FightPane(LinesPane):
    """A pane made from its row of the table of panes.

    A kind of pane overrides what is its own. `active` is who acts now, `selected` who is under the cursor.
    """

    model: Model | None = None
    selected: Id | None = None
    active: Id | None = None

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row.number, row.title, row.id)
        self.row, self.ruleset = row, session.ruleset

    def follow(self, model: Model | None, selected: Id | None) -> None:
        """Follow the fight and the cursor."""
        self.model, self.selected = model, selected
        self.update()

    def go(self, by: int) -> Id | None:
        """Move the cursor, and return the combatant it comes to, if any."""
        self.move(by)
        return None

    def go_aside(self, by: int) -> None:
        """Move the cursor to the side, where there is one."""

    def widen(self) -> None:
        """Show an area around the cursor, or a wider one, where there can be one."""

    def lay(self, what: str) -> None:
        """Show or hide something over what the pane shows, where it can."""

    def zoom(self, by: int) -> None:
        """Show things bigger or smaller, where that can be."""

    def go_round(self, by: int) -> None:
        """Move the cursor to the next target, where there are any."""

    def labels(self) -> str:
        """Return the labels of those whom an area catches here."""
        return ""

    def open(self, scene: Scene) -> Result | None:
        """Return what Enter does here: usually what the combatant under the cursor can do."""
        return Result(Picker(scene.selected)) if scene.selected is not None else None

    def about(self) -> Id | None:
        """Return whom the cursor is on, where that can be another than is selected."""
        return None

    def seen(self, who: Id | None) -> Id | None:
        """Return who is under the cursor once the pane has been narrowed: usually who was."""
        return who

    def step_back(self) -> bool:
        """Take away what Escape takes away here, and tell whether there was anything."""
        if self.narrowed:
            self.narrow("")
            return True
        return False

    def point(self, event: LinesPane.Chosen, chosen: bool) -> bool:
        """Move the cursor to the line that was clicked, and tell whether that opens it.

        `chosen` says whether the pane had the arrow keys before.
        """
        return chosen and event.again
