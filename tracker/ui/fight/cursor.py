"""The cursor among the combatants: whom it is on when the fight has moved on."""

from __future__ import annotations

from tracker.core.fight.state import Combatant, Id
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
            if person.id == self._able and (spent(clock, person) or _has_done_the_usual(was, scene, person)):
                person = model.state[next_to_act(scene) or person.id]
                selected = person.id
            self._able = person.id if not spent(clock, person) else None
        return selected


def _has_done_the_usual(was: Model | None, scene: Scene, person: Combatant) -> bool:
    """Tell whether a creature of the GM has just used what its plain choice needs."""
    before = None if was is None else was.state.get(person.id)
    if was is None or before is None or before.budget == person.budget:
        return False
    if was.state.clock.round != scene.model.state.clock.round:
        return False
    return scene.model.state.side(person.side).control == "gm" and not _has_usual(scene, person.id)


def next_to_act(scene: Scene) -> Id | None:
    """Return the first of the turn whose plain choice is left.

    Without one it is who is under the cursor.
    """
    clock, ruleset = scene.model.state.clock, scene.ruleset
    for who in clock.current.members if clock.current is not None else ():
        person = scene.person(who)
        if person is None or who in clock.acted or not ruleset.status(person.status).acts or spent(clock, person):
            continue
        if scene.model.state.side(person.side).control != "gm" or _has_usual(scene, who):
            return who
    return scene.selected if scene.selected in scene.model.state else scene.following_up


def _has_usual(scene: Scene, who: Id) -> bool:
    from tracker.ui.modes.sheet.lines import plain_choice  # not needed for the first picture

    return plain_choice(scene.ruleset, scene.model.state, who) is not None
