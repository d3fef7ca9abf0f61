"""What Sword World stores in facts."""

from __future__ import annotations

from msgspec import Struct

from tracker.core.terms.values import Data


class Zone(Struct, Data, frozen=True, tag=True):
    """A brawl zone.

    Attributes:
        participants: the able ones, in order of joining.
        fallen: who lies in it without taking part (SW-R16).
        radius: metres; kept at the guide's value unless `typed` (SW-077).
        capacity: most sections it holds.
        center: where on the line, if that is known.
    """

    participants: tuple[str, ...]
    fallen: tuple[str, ...] = ()
    radius: int | float = 2
    typed: bool = False
    capacity: int = 20
    center: int | float | None = None  # both: what was written as a whole number is read back as one


class Ruled(Struct, Data, frozen=True, tag=True):
    """The game master's word on a combatant's consciousness.

    It holds until the HP at which it was given change.
    """

    status: str
    hp: int
