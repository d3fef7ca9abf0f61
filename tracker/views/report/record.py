"""The record of a whole fight: its actions and their consequences, in order.

All views of a whole fight are made from it. Each fact has the place of its event, so that what is told can be checked
against the events.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct, field

from tracker.core.fight.slots import Id
from tracker.core.game.telling import ActionWords, StatusWords, Telling
from tracker.core.terms.actions import Action

Ref: TypeAlias = tuple[int, int]
"""A step, and the place of an event among its events."""
MilestoneKind: TypeAlias = Literal[
    "opened", "round", "wave", "joined", "turned", "left", "effect", "check", "harm", "change", "found", "note", "ended"
]
Ending: TypeAlias = Literal["dead", "down", "fled", "broken", "standing"]


class CombatantRecord(Struct, frozen=True):
    """A combatant that was in the fight.

    Attributes:
        side, came: the side it is on at the end, and that on which it joined.
        since: the event of its joining.
        max: the greatest value of the pool that damage goes to, 0 if there is none; `now` is its last value.
        marks: the marks of each kind it has at the end, where harm is no pool.
        status, ending: how it has ended in a word (`dead`, `fled`, `surrendered`), and what that is to the outcome.
        pronoun: "she", "he", "they", "it"; "": unknown.
        article: its name is that of its kind: `the Cook`.
        left: what the fight has left on a player's character besides points, in the game's words; None if not asked.
        hidden: its points are not told.
    """

    id: Id
    name: str
    side: Id
    players: bool
    since: Ref = (0, 0)
    came: Id = ""
    max: int = 0
    now: int = 0
    marks: tuple[int, ...] = ()
    status: str = ""
    ending: Ending = "standing"
    pronoun: str = ""
    article: bool = False
    left: tuple[str, ...] | None = None
    hidden: bool = False


class Side(Struct, frozen=True):
    """A side: its name, whether the players run it, and the sides that fight on its side."""

    id: Id
    name: str
    players: bool = False
    friends: tuple[Id, ...] = ()


class Harm(Struct, frozen=True):
    """Points lost, gained where negative, or marks of each kind; by an attack that missed if `graze`."""

    who: Id
    points: int
    now: int
    by: Id | None
    why: str
    ref: Ref
    marks: tuple[int, ...] = ()
    graze: bool = False

    @property
    def hurts(self) -> bool:
        return self.points > 0 or any(mark > 0 for mark in self.marks)


class StatusChange(Struct, frozen=True):
    """A combatant that falls, dies, leaves or is saved; `by`: who brought it about, `means`: with what."""

    who: Id
    words: StatusWords
    word: str
    round: int
    ref: Ref
    by: Id | None = None
    means: str = ""

    @property
    def falls(self) -> bool:
        return self.words.kind != "saved"


class NewEffect(Struct, frozen=True):
    """An effect that a combatant bears from now on, and what it does: `be stunned`; `whom`: what it is aimed at."""

    who: Id
    does: str
    ref: Ref
    whom: Id = ""


class Result(Struct, frozen=True):
    """The result of an attack against one target; `what`: what was compared."""

    word: str
    missed: bool
    what: str = ""


class Act(Struct):
    """One action and its consequences; filled in while its step is read.

    Attributes:
        by: the combatant, None for the GM's and the sides' procedures.
        words: how it is told; `own`: by a record of the game.
        means: the weapon, spell or power; `proper`: a proper name.
        first, last: the first and the last result against each target.
        failed: a check of its actor against nobody has failed.
        bearing: those who bear from now on an effect of it of which the game says nothing.
        answers: the actions that interrupted it.
        stopped: it could not go on; `skipped`: it or a part of it was left out.
        flees: it is the first move of a combatant that has lost heart; `again`: a later one.
        refs: the events it tells.
    """

    by: Id | None
    action: Action
    label: str
    words: ActionWords
    ref: Ref
    round: int
    slot: str
    targets: tuple[Id, ...]
    means: str = ""
    proper: bool = False
    own: bool = False
    first: dict[Id, Result] = field(default_factory=dict)
    last: dict[Id, Result] = field(default_factory=dict)
    harms: list[Harm] = field(default_factory=list)
    changes: list[StatusChange] = field(default_factory=list)
    effects: list[NewEffect] = field(default_factory=list)
    bearing: list[Id] = field(default_factory=list)
    answers: list[Act] = field(default_factory=list)
    failed: bool = False
    stopped: bool = False
    skipped: bool = False
    flees: bool = False
    again: bool = False
    refs: list[Ref] = field(default_factory=list)

    @property
    def step(self) -> int:
        return self.ref[0]

    @property
    def all_refs(self) -> list[Ref]:
        return [ref for act in (self, *self.answers) for ref in act.refs]

    @property
    def touched(self) -> tuple[Id, ...]:
        """The combatants it changed, or else those that drew it upon themselves or it was aimed at."""
        changed = [harm.who for harm in self.harms] + [change.who for change in self.changes]
        drawn = [who for who in self.last if who not in self.targets]
        return tuple(dict.fromkeys(changed or drawn or self.targets))

    def harms_of(self, who: Id) -> list[Harm]:
        return [harm for harm in self.harms if harm.who == who]

    def hurt(self, who: Id) -> bool:
        return any(harm.hurts for harm in self.harms_of(who))

    def lost(self, who: Id) -> int:
        return sum(harm.points for harm in self.harms_of(who))

    @property
    def landed(self) -> bool:
        """Whether its last result against a target is no miss, be it that nothing was lost by it."""
        return any(not result.missed for result in self.last.values())

    def is_great(self, who: Id, telling: Telling) -> bool:
        """Tell whether an attack that did harm was a critical."""
        return who in self.last and self.hurt(who) and telling.is_great(self.last[who].word)

    def change(self, who: Id) -> StatusChange | None:
        """Return the status a combatant has at the end of the action, None if it did not change."""
        return next((change for change in reversed(self.changes) if change.who == who), None)


class Milestone(Struct):
    """An event without an action: a round, newcomers, a loss or a death of itself, spoils, a note, the end.

    Attributes:
        who: the combatants it is about, `refs` the event of each.
        whom: what an effect or a check is aimed at.
        what: what was compared.
        items: what was found.
    """

    kind: MilestoneKind
    ref: Ref
    round: int
    words: str = ""
    who: list[Id] = field(default_factory=list)
    refs: list[Ref] = field(default_factory=list)
    harm: Harm | None = None
    change: StatusChange | None = None
    whom: Id = ""
    what: str = ""
    items: list[str] = field(default_factory=list)

    @property
    def step(self) -> int:
        return self.ref[0]


class Point(Struct, frozen=True):
    """A combatant's remaining points from a step on."""

    step: int
    round: int
    who: Id
    now: int


class EffectSpan(Struct, frozen=True):
    """How long an effect lasted, in steps and rounds; `until` None: to the end of the fight."""

    effect: str
    bearer: Id
    source: Id | None
    since: tuple[int, int]
    until: tuple[int, int] | None = None
    id: int = 0


class DiceRoll(Struct, frozen=True):
    """Dice of one kind that were rolled for one combatant, and their sum."""

    who: Id
    count: int
    sides: int
    total: int


class FightRecord(Struct, frozen=True):
    """A whole fight.

    Attributes:
        title, rounds, seconds: what it is called and how long it was.
        people, sides: all who were ever in it, and the sides.
        items: actions and milestones in their order.
        points, effects, dice: points over time, effects over time, and the dice of combatants.
        pool: the pool that damage goes to.
        steps: how many steps it had.
        over, reason: whether it has ended, and why in the GM's words.
        telling: the words of its game.
    """

    title: str = ""
    rounds: int = 0
    seconds: int = 0
    people: tuple[CombatantRecord, ...] = ()
    sides: tuple[Side, ...] = ()
    items: tuple[Act | Milestone, ...] = ()
    points: tuple[Point, ...] = ()
    effects: tuple[EffectSpan, ...] = ()
    dice: tuple[DiceRoll, ...] = ()
    pool: str = ""
    steps: int = 0
    over: bool = False
    reason: str = ""
    telling: Telling = Telling()

    @property
    def acts(self) -> Iterator[Act]:
        """The actions, each before the actions that interrupted it."""
        for item in self.items:
            if isinstance(item, Act):
                yield item
                yield from item.answers

    @property
    def harms(self) -> Iterator[tuple[Harm, Act | None]]:
        """Points and marks, each with the action it belongs to."""
        for item in self.items:
            if isinstance(item, Milestone):
                if item.harm is not None:
                    yield item.harm, None
            else:
                for act in (item, *item.answers):
                    for harm in act.harms:
                        yield harm, act

    @property
    def changes(self) -> tuple[StatusChange, ...]:
        """Every status change that is told, in order."""
        found = [change for act in self.acts for change in act.changes]
        found += [item.change for item in self.items if isinstance(item, Milestone) and item.change is not None]
        return tuple(sorted(found, key=lambda change: change.ref))

    def person(self, who: Id | None) -> CombatantRecord | None:
        return next((person for person in self.people if person.id == who), None)

    def name(self, who: Id | None) -> str:
        """Return what a combatant is called, "" for none."""
        person = self.person(who)
        return "" if person is None else person.name
