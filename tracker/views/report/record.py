"""The record of a whole fight: its actions and their consequences, in order.

Story, report page and statistics are made from it. Each fact has the place of its event, so that every sentence can be
checked against the events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from msgspec import Struct, field

from tracker.core.fight.slots import Id
from tracker.core.game.telling import ActionWords, StatusWords, Telling
from tracker.core.terms.actions import Action
from tracker.views.words.text import clean

Ref: TypeAlias = tuple[int, int]
"""The number of a step, and the place of an event in that step."""
MilestoneKind: TypeAlias = Literal[
    "opened", "round", "wave", "joined", "turned", "left", "effect", "check", "harm", "change", "found", "note", "ended"
]
Ending: TypeAlias = Literal["dead", "down", "fled", "broken", "standing"]


class CombatantRecord(Struct, frozen=True):
    """A combatant that was in the fight.

    Attributes:
        side, came: its side at the end, and the side on which it joined.
        since: the event with which it joined.
        max: the greatest value of the pool that damage goes to, 0 if there is none; `now` is its last value.
        marks: the marks of each kind it has at the end, in a game whose harm is no pool.
        status, ending: its last status in a word (`dead`, `fled`, `surrendered`), and what that is to the outcome.
        pronoun: "she", "he", "they", "it"; "": unknown.
        article: its name is the name of its kind: `the Cook`.
        left: effects of the fight on a player character besides points, in the game's words; None if not asked.
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
    """A side of a fight; `players`: the players run it, `friends`: the sides that are friendly to it."""

    id: Id
    name: str
    players: bool = False
    friends: tuple[Id, ...] = ()


class Harm(Struct, frozen=True):
    """Points lost (negative: gained), or marks of each kind; `graze`: by an attack that missed."""

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
    """A combatant that falls, dies, leaves or is saved; `by`: the combatant that caused it, `means`: its weapon."""

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
    """A new effect on a combatant, and what it does: `be stunned`; `whom`: the combatant it is aimed at."""

    who: Id
    does: str
    ref: Ref
    whom: Id = ""


class Result(Struct, frozen=True):
    """The result of an attack against one target; `what`: the check it is the result of."""

    word: str
    missed: bool
    what: str = ""


class Act(Struct):
    """One action and its consequences; filled in while its step is read.

    Attributes:
        by: the actor, None for a procedure of the GM or a side.
        words: the phrases for it; `own`: they are the game's, not made from the label.
        means: the weapon, spell or power; `proper`: a proper name.
        first, last: the first and the last result against each target.
        failed: a check of its actor that has no target has failed.
        bearing: the combatants with a new effect of this action for which the game has no phrase.
        answers: the actions that interrupted it.
        stopped: it could not go on; `skipped`: it or a part of it was left out.
        flees: it is the first move of a combatant that flees; `again`: a later one.
        refs: the events of the action.
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
    def with_answers(self) -> tuple[Act, ...]:
        return (self, *self.answers)

    @property
    def all_refs(self) -> list[Ref]:
        return [ref for act in self.with_answers for ref in act.refs]

    @property
    def touched(self) -> tuple[Id, ...]:
        """The combatants it changed, else the combatants that drew the attack to themselves, else its targets."""
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
        """Whether its last result against a target is no miss, even if that target lost nothing."""
        return any(not result.missed for result in self.last.values())

    @property
    def missed(self) -> bool:
        """Whether its last result against every target is a miss."""
        return bool(self.last) and not self.landed

    @property
    def is_blow(self) -> bool:
        return self.words.kind == "attack" or bool(self.harms or self.changes)

    def is_great(self, who: Id, telling: Telling) -> bool:
        """Tell whether an attack that did harm was a critical."""
        return who in self.last and self.hurt(who) and telling.is_great(self.last[who].word)

    def change(self, who: Id) -> StatusChange | None:
        """Return the last change of a combatant's status by the action, None if it did not change."""
        return next((change for change in reversed(self.changes) if change.who == who), None)


class Milestone(Struct):
    """An event without an action: a round, newcomers, a loss or death without one, spoils, a note, the end.

    Attributes:
        who: the combatants of the event; `refs`: the event of each.
        whom: the target of an effect or a check.
        what: the check.
        items: the spoils.
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
        title, rounds, seconds: its title and its length.
        people, sides: all combatants that were ever in it, and the sides.
        items: actions and milestones in their order.
        points, effects, dice: points over time, effects over time, and the dice of combatants.
        pool: the pool that damage goes to.
        steps: the number of its steps.
        over, reason: whether it has ended, and why in the GM's words.
        telling: the phrases of its game.
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
                yield from item.with_answers

    @property
    def harms(self) -> Iterator[tuple[Harm, Act | None]]:
        """Losses and gains of points and marks, each with the action it belongs to."""
        for item in self.items:
            if isinstance(item, Act):
                yield from ((harm, act) for act in item.with_answers for harm in act.harms)
            elif item.harm is not None:
                yield item.harm, None

    @property
    def changes(self) -> tuple[StatusChange, ...]:
        """Every status change of the story, in order."""
        changes = [change for act in self.acts for change in act.changes]
        changes += [item.change for item in self.items if isinstance(item, Milestone) and item.change is not None]
        return tuple(sorted(changes, key=lambda change: change.ref))

    def person(self, who: Id | None) -> CombatantRecord | None:
        return next((person for person in self.people if person.id == who), None)

    def name(self, who: Id | None) -> str:
        """Return the name of a combatant as it is shown, "" for none."""
        person = self.person(who)
        return "" if person is None else clean(person.name)


def groups_of_friends(sides: Iterable[Side]) -> list[list[Side]]:
    """Return sides, each together with the earlier sides that it is friendly to."""
    groups: list[list[Side]] = []
    for side in sides:
        group = next((group for group in groups if any(other.id in side.friends for other in group)), None)
        if group is None:
            groups.append([side])
        else:
            group.append(side)
    return groups
