"""A fight deed by deed: who did what to whom, and what came of it.

`scribe` makes it in one pass over the events; all that is told of a whole fight is made from it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.fight.state import Id

BeatKind: TypeAlias = Literal["opened", "round", "wave", "fell", "note", "ended"]


class Person(Struct, frozen=True):
    """One who was in the fight.

    `max` is the greatest value of the pool that damage goes to, 0 where there is none; `since` is its first step.
    `left` is what the fight has left on a player's character beside points, in the game's words, None where nobody
    has asked.
    """

    id: Id
    name: str
    side: Id
    players: bool
    since: int = 0
    max: int = 0
    left: tuple[str, ...] | None = None


class Loss(Struct, frozen=True):
    """Points lost, or gained where negative."""

    who: Id
    pool: str
    points: int
    source: Id | None
    why: str


class Fall(Struct, frozen=True):
    """One who can act no more, by whom and with what."""

    who: Id
    word: str
    round: int
    step: int
    by: Id | None = None
    label: str = ""


class Deed(Struct, frozen=True):
    """One action and what came of it.

    Attributes:
        step, round: when.
        by: whose it is, None for the GM's and the sides' procedures.
        label, means: what it is called, and with what it was done.
        targets: whom it was aimed at.
        results: the last comparison against each of them, in the game's words.
        losses, falls: points lost and gained, and who fell.
        effects: what began to hold on whom: its words and its bearer.
        marks: what else it left on whom, in the game's words.
        answers: it interrupted another deed.
        idle: it cost nothing and nothing came of it, such as opening a turn or declaring.
    """

    step: int
    round: int
    by: Id | None
    label: str
    means: str = ""
    targets: tuple[Id, ...] = ()
    results: tuple[tuple[Id, str], ...] = ()
    losses: tuple[Loss, ...] = ()
    falls: tuple[Fall, ...] = ()
    effects: tuple[tuple[str, Id], ...] = ()
    marks: tuple[tuple[str, Id], ...] = ()
    answers: bool = False
    idle: bool = False


class Beat(Struct, frozen=True):
    """What happens without a deed: a round, a wave, a death, the end."""

    step: int
    round: int
    kind: BeatKind
    words: str = ""
    fall: Fall | None = None


class Point(Struct, frozen=True):
    """How many points one had left from a step on."""

    step: int
    round: int
    who: Id
    now: int


class Hold(Struct, frozen=True):
    """How long an effect held, in steps and rounds.

    `until` None: to the end.
    """

    effect: str
    bearer: Id
    source: Id | None
    since: tuple[int, int]
    until: tuple[int, int] | None = None
    id: int = 0


class Throw(Struct, frozen=True):
    """Dice of one kind that were thrown for one combatant, and their sum."""

    who: Id
    count: int
    sides: int
    total: int


class Chronicle(Struct, frozen=True):
    """A whole fight.

    Attributes:
        title, rounds, seconds: what it is called and how long it was.
        people, sides: all who were ever in it, and the names of the sides.
        told: deeds and beats in their order.
        points, holds, throws: points over time, effects over time, and the dice of combatants.
        pool: the pool that damage goes to.
        steps: how many steps it had.
    """

    title: str = ""
    rounds: int = 0
    seconds: int = 0
    people: tuple[Person, ...] = ()
    sides: tuple[tuple[Id, str], ...] = ()
    told: tuple[Deed | Beat, ...] = ()
    points: tuple[Point, ...] = ()
    holds: tuple[Hold, ...] = ()
    throws: tuple[Throw, ...] = ()
    pool: str = ""
    steps: int = 0

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """The deeds among what is told."""
        return tuple(one for one in self.told if isinstance(one, Deed))

    @property
    def falls(self) -> tuple[Fall, ...]:
        """Everybody who fell, in order."""
        found: list[Fall] = []
        for one in self.told:
            found += one.falls if isinstance(one, Deed) else [one.fall] if one.fall is not None else []
        return tuple(found)

    def name(self, who: Id | None) -> str:
        """Return what a combatant is called, "" for none."""
        return next((person.name for person in self.people if person.id == who), "")
