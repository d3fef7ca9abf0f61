"""The cursor among the combatants: whom it is on when the fight has moved on."""

from __future__ import annotations

from tracker.core.fight.state import Id
from tracker.session.model import Model
from tracker.ui.typing.mode import Scene
from tracker.views.time.marks import spent

__all__ = ["Cursor"]


class Cursor:
    """The cursor's rules.

    It follows the turn, stays where the GM put it within a turn, and comes back from the past to where it was.
    """

    def __init__(self) -> None:
        self._where: object = None
        self._able: Id | None = None
        self._kept: Id | None = None

    def after(self, selected: Id | None, was: Model | None, scene: Scene) -> Id | None:
        """Return who is under the cursor once a model is shown after another one."""
        model = scene.model
        clock = model.state.clock
        where = (clock.at, clock.acting)
        if was is not None and (was.looking_at is None) != (model.looking_at is None):
            if model.looking_at is not None:
                self._kept = selected
            elif was.head == model.head and self._kept in model.state:  # back from the past: everything as it was
                selected, self._where = self._kept, where
        if where != self._where or selected not in model.state:
            self._where = where
            people = model.state.combatants
            selected = scene.active or (people[0].id if people else None)
        if model.pending is None and (person := model.state.get(selected)) is not None:
            if person.id == self._able and spent(clock, person):
                person = model.state[scene.following_up or person.id]  # after the one whose turn is used up
                selected = person.id
            self._able = person.id if not spent(clock, person) else None
        return selected
