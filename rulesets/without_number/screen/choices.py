"""The first of several deeds that is legal, for those nobody chooses for."""

from __future__ import annotations

from collections.abc import Iterable

from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.kit.deeds import Deeds

__all__ = ["first_legal"]


def first_legal(deeds: Deeds, state: State, wanted: Iterable[Action]) -> Action | None:
    """Return the first action that can be done, or None.

    What is accepted here is remembered, and not checked again by the step that performs it.
    """
    for action in wanted:
        if deeds.accepts(state, action):
            return action
    return None
