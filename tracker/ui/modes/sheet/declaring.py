"""Declarations that going on takes: those the sheet would show."""

from __future__ import annotations

from tracker.core.engine import spec_of
from tracker.core.terms.actions import Action
from tracker.ui.modes.sheet.lines import able, plain_choice
from tracker.ui.typing.mode import Scene

__all__ = ["planned"]

MOST = 40
"""Combatants for whom one key chooses; of more the game's own defaults are taken."""


def planned(scene: Scene) -> tuple[Action, ...]:
    """Return what going on declares, () where it does something else.

    That is for the side that is due, or for the one combatant.
    """
    state, due = scene.model.state, scene.ruleset.advance(scene.model.state)
    slot = state.clock.current
    if slot is None or slot.turns != "none" or due is None or (due.by is None and due.get("side") is None):
        return ()
    people = [who for who in able(scene) if who == due.by or state[who].side == due.get("side")]
    if len(people) > MOST:
        return ()
    lines = [plain_choice(scene.ruleset, state, who) for who in people]
    actions = tuple(line.action for line in lines if line is not None and line.action is not None)
    fits = all(spec_of(scene.ruleset, state, action).refusal is None for action in actions)
    return actions if fits and (due.by is None or [action.key for action in actions] == [due.key]) else ()
