"""What the values in a game's files mean, beyond their types.

`Schema.meanings` makes this record when a file is checked; nothing of it is needed to play.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.terms.values import Data

Named: TypeAlias = Literal["", "combatant", "side", "combatant or side", "monster"]


class Meant(Struct, frozen=True):
    """What the values at one place may be.

    Attributes:
        at: the place, from a kind of stat block, `setup`, `side` or `member` on: `pc.skills.0`. Lists are gone
            through; a number is a place in a list of a fixed make.
        what: what a name there is called: `effect`, `skill`.
        names: the names that are known.
        open: other names are allowed, unless a known one is near.
        of: names of the encounter.
        own: the place in the same stat block whose entries it names: `attacks`.
        least, most: the numbers that are likely.
    """

    at: str
    what: str = ""
    names: tuple[str, ...] = ()
    open: bool = False
    of: Named = ""
    own: str = ""
    least: float | None = None
    most: float | None = None


class Meanings(Struct, frozen=True):
    """What a game's values mean.

    Attributes:
        values: what may stand where.
        doubts: what a stat block says about its own reading: columns left out, and what should be looked over.
    """

    values: tuple[Meant, ...] = ()
    doubts: Callable[[Data], tuple[str, ...]] | None = None
