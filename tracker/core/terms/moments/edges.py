"""Moments: where the clock passes, and the exact one at which something ends.

An end is never a number of seconds or a place in an order. It is an edge of the clock (`At`) or a use (`OnUse`), with a
count.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Edge: TypeAlias = Literal[
    "turn_start",
    "turn_end",
    "segment_start",
    "segment_end",
    "phase_start",
    "phase_end",
    "round_start",
    "round_end",
    "combat_end",
]

ANY = "any"


def who_anchor(combatant: str) -> str:
    """Return the anchor that means this combatant's edges."""
    return "who:" + combatant


def side_anchor(side: str) -> str:
    """Return the anchor that means this side's edges."""
    return "side:" + side


class At(Struct, frozen=True, tag=True, gc=False):
    """The `count`-th passing of an edge after birth.

    Attributes:
        edge: the kind of boundary.
        anchor: whose edge. Authors write `bearer`, `source`, `bearer_side`, `source_side`, `acting_side`, `any`, or a
            resolved anchor (`who_anchor`, `side_anchor`); in state it is always resolved, so that a later change of
            side moves nothing.
        count: how many are still to pass; 0 means it is due.
        phase: only edges of this phase of the round (GitHack's `rounds: N`).
        segment: only edges of this segment.
    """

    edge: Edge
    anchor: str = ANY
    count: int = 1
    phase: str | None = None
    segment: int | None = None


class OnUse(Struct, frozen=True, tag=True, gc=False):
    """The `count`-th use of what the ruleset calls `key` ("the next attack")."""

    key: str
    count: int = 1


Until: TypeAlias = At | OnUse


class Boundary(Struct, frozen=True, gc=False):
    """One passing of an edge.

    Attributes:
        edge: its kind.
        round: the round it belongs to; the new one for `round_start`.
        phase: the phase of the slot it belongs to, or "".
        segment: the segment of that slot, or None.
        slot: the slot's id, or "".
        actors: the combatants whose edge this is: at phase and turn edges the members concerned.
        sides: the sides whose edge this is: those that begin (end) their first (last) slot of this phase kind in the
            round.
        seconds: game time that passes with it.
    """

    edge: Edge
    round: int
    phase: str = ""
    segment: int | None = None
    slot: str = ""
    actors: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    seconds: int = 0
