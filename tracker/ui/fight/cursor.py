"""The cursor among the combatants: whom it is on when the fight has moved on."""

from __future__ import annotations

from contextlib import suppress

from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant
from tracker.core.game.ruleset import status_of
from tracker.core.terms.errors import RulesBug
from tracker.session.model import Model
from tracker.ui.modes.acting.idle import still_to_act
from tracker.ui.typing.mode import ModeContext
from tracker.views.time.turn_marks import first_able, spent


class Cursor:
    """Follows the turn, stays where the GM put it within a turn, and comes back from the past to where it was."""

    def __init__(self) -> None:
        self._where: object = None
        self._up: tuple[Id, int] | None = None
        self._kept: Id | None = None

    def go_back(self) -> None:
        """Forget what the combatant under the cursor could still do, since steps have been taken back."""
        self._up = None

    def after(self, selected: Id | None, was: Model | None, scene: ModeContext) -> Id | None:
        model = scene.model
        clock = model.state.clock
        where = (clock.at, clock.acting)
        if was is not None and (was.looking_at is None) != (model.looking_at is None):
            if model.looking_at is not None:
                self._kept = selected
            elif was.head == model.head and self._kept in model.state:  # back from the past: everything as it was
                selected, self._where = self._kept, where
        moved = where != self._where or selected not in model.state
        if moved:
            self._where = where
            people = model.state.combatants
            if clock.current is None or selected not in clock.current.members:
                selected = scene.active or (people[0].id if people else None)
        person = model.state.get(selected)
        if model.pending is not None or person is None:
            if was is None and selected is not None:  # taken up in the middle of its action
                self._up = (selected, model.state.clock.round)
            return selected
        with suppress(RulesBug):  # where the game cannot tell, the cursor stays; the action pane says what failed
            return self._handed_on(person, scene, moved=moved, first=was is None)
        return selected

    def taken_up(self, scene: ModeContext) -> Id | None:
        person = scene.model.state.get(scene.selected)
        if person is None or scene.model.pending is not None or scene.model.looking_at is not None:
            return scene.selected
        with suppress(RulesBug):
            return self._handed_on(person, scene, moved=False, first=False)
        return person.id

    def _handed_on(self, person: Combatant, scene: ModeContext, *, moved: bool, first: bool) -> Id:
        """Return who is under the cursor once a combatant may have done what it could."""
        state = scene.model.state
        left = self._up == (person.id, state.clock.round) or (moved and not first)
        if left and not _is_up(scene, person):
            person = state[next_to_act(scene) or person.id]
        up = first or _is_up(scene, person)  # the first picture does not ask the game
        self._up = (person.id, state.clock.round) if up else None
        return person.id


def _is_up(scene: ModeContext, person: Combatant) -> bool:
    clock = scene.model.state.clock
    here = clock.current is not None and person.id in _members(scene) and person.id not in clock.acted
    if not here or not status_of(scene.ruleset, person.status).acts or spent(clock, person):
        return False
    from tracker.ui.modes.acting.default_actions import default_choice  # not needed for the first picture

    return default_choice(scene.model.state, person.id, scene.ruleset) is not None


def _members(scene: ModeContext) -> tuple[Id, ...]:
    """Return whose turn it is, everybody's in a slot that names none."""
    state = scene.model.state
    slot = state.clock.current
    if slot is None or slot.stage != "round":
        return ()
    return slot.members or tuple(person.id for person in state.combatants)


def next_to_act(scene: ModeContext) -> Id | None:
    """Return the first combatant with a default action, its own side first, else one that can act."""
    was = scene.model.state.get(scene.selected)
    people = [person for who in _members(scene) if (person := scene.model.state.get(who)) is not None]
    for person in sorted(people, key=lambda one: was is None or one.side != was.side):
        if _is_up(scene, person):
            return person.id
    state, ruleset = scene.model.state, scene.ruleset
    selected = scene.selected if scene.selected in state else first_able(ruleset, state)
    return next(iter(still_to_act(state, ruleset)), selected)
