"""Sides by friendship: the players' own, those friendly to them, and foes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.core.fight.memo import per_state
from tracker.core.fight.state import Id, State
from tracker.core.game.ruleset import Ruleset

__all__ = ["Camp", "camp_of"]

Camp: TypeAlias = Literal["players", "ally", "gm"]
"""A style word as well: whose side it is, in its colour."""


def camp_of(ruleset: Ruleset, state: State, side: Id) -> Camp:
    """Return where a side stands towards the players."""
    return _camps(state, ruleset=ruleset).get(side, "gm")


@per_state
def _camps(state: State, *, ruleset: Ruleset) -> dict[Id, Camp]:
    own = [side.id for side in state.sides if side.control == "players"]
    camps: dict[Id, Camp] = {}
    for side in state.sides:
        friendly = any(ruleset.friendly(state, one, side.id) for one in own)
        camps[side.id] = "players" if side.id in own else "ally" if friendly else "gm"
    return camps
