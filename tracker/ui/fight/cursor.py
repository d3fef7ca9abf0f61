"""The cursor among the combatants: which combatant is selected after a step."""

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
    """The rules of the cursor: it follows the turn, stays where the GM put it, and returns after a look back."""

    def __init__(self) -> None:
        self._where: object = None
        self._up: tuple[Id, int] | None = None
        self._kept: Id | None = None

    def go_back(self) -> None:
        """Forget that the selected combatant could still act, since steps have been taken back."""
        self._up = None

    def after(self, selected: Id | None, was: Model | None, scene: ModeContext) -> Id | None:
        model = scene.model
        clock = model.state.clock
        where = (clock.at, clock.acting)
        if was is not None and (was.looking_at is None) != (model.looking_at is None):
            if model.looking_at is not None:
                self._kept = selected
            elif was.head == model.head and self._kept in model.state:  # back from the past to an unchanged fight
                selected, self._where = self._kept, where
        moved = where != self._where or selected not in model.state
        if moved:
            self._where = where
            people = model.state.combatants
            if clock.current is None or selected not in clock.current.members:
                selected = scene.active or (people[0].id if people else None)
        person = model.state.get(selected)
        if model.pending is not None or person is None:
            if was is None and selected is not None:  # the fight resumes during an action
                self._up = (selected, model.state.clock.round)
            return selected
        with suppress(RulesBug):  # if the rules fail, the cursor stays; the action pane shows the error
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
        """Return the next selected combatant if the current one has finished its turn, else the current one."""
        state = scene.model.state
        left = self._up == (person.id, state.clock.round) or (moved and not first)
        if left and not _is_up(scene, person):
            person = state[next_to_act(scene) or person.id]
        up = first or _is_up(scene, person)  # the first frame asks nothing of the rules
        self._up = (person.id, state.clock.round) if up else None
        return person.id


def _is_up(scene: ModeContext, person: Combatant) -> bool:
    clock = scene.model.state.clock
    here = clock.current is not None and person.id in _members(scene) and person.id not in clock.acted
    if not here or not status_of(scene.ruleset, person.status).acts or spent(clock, person):
        return False
    from tracker.ui.modes.acting.default_actions import default_choice  # not needed for the first frame

    return default_choice(scene.model.state, person.id, scene.ruleset) is not None


def _members(scene: ModeContext) -> tuple[Id, ...]:
    """Return the combatants whose turn it is: the slot's members, or all if the slot names none."""
    state = scene.model.state
    slot = state.clock.current
    if slot is None or slot.stage != "round":
        return ()
    return slot.members or tuple(person.id for person in state.combatants)


def next_to_act(scene: ModeContext) -> Id | None:
    """Return the first combatant with a default action, the selected one's side first, else one that can act."""
    was = scene.model.state.get(scene.selected)
    people = [person for who in _members(scene) if (person := scene.model.state.get(who)) is not None]
    for person in sorted(people, key=lambda one: was is None or one.side != was.side):
        if _is_up(scene, person):
            return person.id
    state, ruleset = scene.model.state, scene.ruleset
    selected = scene.selected if scene.selected in state else first_able(ruleset, state)
    return next(iter(still_to_act(state, ruleset)), selected)
