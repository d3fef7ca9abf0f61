"""What is to be done one after another: turns of a sheet, or acts."""

from __future__ import annotations

from msgspec import Struct

from tracker.core.fight.state import Id
from tracker.core.terms.actions import Action

__all__ = ["Acts", "Turn"]


class Turn(Struct, frozen=True):
    """What one combatant of a sheet is to do.

    Attributes:
        by, action: who does what.
        opener: what begins its turn, where turns are opened.
        fixed: the GM has typed it, so the game's choice replaces it only where its targets are gone.
        risk: what was said of it on the sheet; the game's choice replaces it too where it risks something else by now.
    """

    by: Id
    action: Action
    opener: Action | None = None
    fixed: bool = False
    risk: str = ""


class Acts(Struct, frozen=True):
    """The acts that are due one after another, as they were declared.

    Attributes:
        before: whose next act they stop before; None: they go on to the last of the round.
    """

    before: Id | None = None
