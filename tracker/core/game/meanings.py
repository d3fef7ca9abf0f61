"""What the values in a game's files mean, beyond their types.

`Schema.meanings` makes this record when a file is checked, a key is not known, or the game's page is written; nothing
of it is needed to play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.terms.values import Data

__all__ = ["Meanings", "Meant", "Named", "Short", "usual"]

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


class Short(Struct, frozen=True):
    """A short form: its kind of stat block, what is typed, what that means."""

    kind: str
    typed: str
    means: str


class Meanings(Struct, frozen=True):
    """What a game's values mean.

    Attributes:
        values: what may stand where.
        words: usual words, and the key or name this game has for them: `("armor", "ac")`.
        short: the short forms that stat blocks take.
        doubts: what a stat block says about its own reading: columns left out, and what should be looked over.
    """

    values: tuple[Meant, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    short: tuple[Short, ...] = ()
    doubts: Callable[[Data], tuple[str, ...]] | None = None


def usual(names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return `Meanings.words` from the usual words for each name of a game.

    Args:
        names: the game's name, and other words for it with blanks between: `{"hp": "hit_points life"}`.
    """
    return tuple((word, name) for name, words in names.items() for word in words.split())
