"""Moments: edges of the clock, the ends of effects at them, and the named rounds of a fight."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.terms.labels import folded

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
    """An end at the `count`-th crossing of an edge.

    Attributes:
        edge: the kind of boundary.
        anchor: the owner of the edge. Authors write `bearer`, `source`, `bearer_side`, `source_side`, `acting_side`,
            `any`, or a resolved anchor (`who_anchor`, `side_anchor`); in a state it is always resolved, so that a later
            change of side changes nothing.
        count: the number of crossings left; 0: it is due.
        phase: only edges of this phase of the round (GitHack's `rounds: N`).
        segment: only edges of this segment.
    """

    edge: Edge
    anchor: str = ANY
    count: int = 1
    phase: str | None = None
    segment: int | None = None


class OnUse(Struct, frozen=True, tag=True, gc=False):
    """An end at the `count`-th use that the ruleset calls `key` ("the next attack")."""

    key: str
    count: int = 1


class OnSave(OnUse, frozen=True, tag=True, gc=False):
    """An end at a successful save of a kind (`str`, `will`) against a number; the game rolls it."""

    against: int = 10


Until: TypeAlias = At | OnUse | OnSave


class Boundary(Struct, frozen=True, gc=False):
    """One crossing of an edge.

    Attributes:
        edge: its kind.
        round: its round; the new one for `round_start`.
        phase: the phase of its slot, or "".
        segment: the segment of its slot, or None.
        slot: the slot's id, or "".
        actors: the combatants that have this edge: at phase and turn edges the members concerned.
        sides: the sides that have this edge: those whose first slot of this stage in the round starts, or whose last
            one ends.
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


RoundEdge = Literal["start", "end"]

# Compiled at the first use.
_NAMED = r"(?:until |at )?(?:the )?(?:(start|beginning|end) of )?(?:the )?round (\d{1,6})"


class NamedRound(Struct, frozen=True):
    """The start or the end of a round."""

    number: int
    edge: RoundEdge = "start"

    @property
    def words(self) -> str:
        """The moment in full: "start of round 3", "end of round 2"."""
        return f"{self.edge} of round {self.number}"

    @property
    def short(self) -> str:
        """The moment as encounters write it: "round 3", "end of round 2"."""
        return f"round {self.number}" if self.edge == "start" else self.words

    def ahead(self, number: int, in_round: bool) -> bool:
        """Tell whether this moment is still ahead for a clock."""
        return self.number > number or (self.number == number and self.edge == "end" and in_round)

    def reached(self, number: int, in_round: bool) -> bool | None:
        """Tell whether a clock has reached this moment; None if it is past.

        The start of a round counts until that round ends, the end of a round until the next round ends.
        """
        if self.edge == "start":
            now = number == self.number and in_round
            passed = number > self.number or (number == self.number and not in_round)
        else:
            now = number == self.number + 1 if in_round else number == self.number
            passed = number > self.number
        return True if now else None if passed else False


@lru_cache(maxsize=256)
def named_round(text: str) -> NamedRound | None:
    """Return the round a text names ("round 3", "until the end of round 2"), or None."""
    match = re.fullmatch(_NAMED, " ".join(text.split()), re.IGNORECASE | re.ASCII)
    if match is None:
        return None
    return NamedRound(int(match[2]), "end" if (match[1] or "").casefold() == "end" else "start")


_PLACE = (
    r"(?:(?:at )?(?:segment|initiative) (?P<number>[-−]?\d{1,3})"
    r"|(?:at )?(?:the )?(?P<edge>start|beginning|end) of (?:the )?(?P<whose>.{1,80}?)(?:['’]s?)? turn)"
    r"(?:(?:,| of| in) round (?P<round>\d{1,6}))?"
)


class NamedPlace(Struct, frozen=True):
    """A place in the order of a round: a number, or an edge of the turn of a side or combatant.

    Attributes:
        number: the segment or the initiative; None: a turn is meant.
        whose: the name of the side or combatant, in lower case.
        round: the round; 0: each.
    """

    number: int | None = None
    whose: str = ""
    edge: RoundEdge = "start"
    round: int = 0


@lru_cache(maxsize=256)
def named_place(text: str) -> NamedPlace | None:
    """Return the place in the order that a text names ("segment 3", "end of Party's turn, round 2"), or None."""
    match = re.fullmatch(_PLACE, " ".join(text.split()), re.IGNORECASE)
    if match is None:
        return None
    number = None if match["number"] is None else int(match["number"].replace("−", "-"))
    edge: RoundEdge = "end" if (match["edge"] or "").casefold() == "end" else "start"
    return NamedPlace(number, folded(match["whose"] or ""), edge, int(match["round"] or 0))


class Moment(Struct, frozen=True):
    """An end that the duration picker offers, in the game's words; a typed count replaces `{n}`.

    `whole`: it counts whole rounds, so a bearer that still acts in this round keeps the effect through that turn.
    """

    words: str
    until: tuple[Until, ...]
    whole: bool = False
