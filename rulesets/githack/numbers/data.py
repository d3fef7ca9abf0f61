"""What GitHack stores in effects and facts beside numbers and words."""

from __future__ import annotations

from msgspec import Struct

from tracker.core.fight.state import Id
from tracker.core.terms.values import Data

__all__ = ["Delayed", "Ward"]


class Ward(Struct, Data, frozen=True, tag="gh_ward"):
    """Whom or what a defender guards: a PC's id or a place (GH-209)."""

    who: str


class Delayed(Struct, Data, frozen=True, tag="gh_delayed"):
    """A rider that waits for the end of the fight (A28).

    On whom, its name, the ability that saves ("": none), the boxes its attack marked.
    """

    who: Id
    special: str
    save: str
    boxes: tuple[int, ...]
