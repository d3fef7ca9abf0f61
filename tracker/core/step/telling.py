"""Whether questions tell what a roll needs: the GM's own switch, kept as a fact."""

from __future__ import annotations

from tracker.core.fight.state import State

SCREEN, NEEDED = "gm:screen", "needed"
"""The owner and the key of the fact; no combatant can be called so."""


def numbers_shown(state: State) -> bool:
    """Tell whether a question says what its dice need."""
    return not state.facts or state.known.get((SCREEN, NEEDED)) is not False
