"""The first of several deeds that is legal, for those nobody chooses for."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.kit.deeds import Deeds

__all__ = ["first_legal"]


def first_legal(deeds: Deeds, state: State, wanted: Iterable[Action], trusted: Collection[str]) -> Action | None:
    """Return the first action that can be done, or None.

    The fields of those that are trusted are known to be on offer.
    """
    for action in wanted:
        if deeds.allows(state, action) if action.key in trusted else deeds.accepts(state, action):
            return action
    return None
