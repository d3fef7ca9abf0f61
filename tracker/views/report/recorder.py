"""The record of a fight, action by action, made in one pass over the events.

All views of a whole fight are made from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import singledispatchmethod
from typing import Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from tracker.core.fight import events as ev
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import CorruptJournal, RulesBug
from tracker.core.terms.words import listed

MilestoneKind: TypeAlias = Literal["opened", "round", "wave", "fell", "note", "ended"]


class Person(Struct, frozen=True):
    """A combatant that was in the fight.

    `max` is the greatest value of the pool that damage goes to, 0 if there is none; `since` is its first step. `left`
    is what the fight has left on a player's character besides points, in the game's words; None if not asked.
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


class Defeat(Struct, frozen=True):
    """A combatant that can no longer act, with attacker and weapon."""

    who: Id
    word: str
    round: int
    step: int
    by: Id | None = None
    label: str = ""


class RecordedAction(Struct, frozen=True):
    """One action and what came of it.

    Attributes:
        step, round: when.
        by: whose it is, None for the GM's and the sides' procedures.
        label, means: what it is called, and with what it was done.
        targets: whom it was aimed at.
        results: the last comparison against each of them, in the game's words.
        losses, defeats: points lost and gained, and who fell.
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
    defeats: tuple[Defeat, ...] = ()
    effects: tuple[tuple[str, Id], ...] = ()
    marks: tuple[tuple[str, Id], ...] = ()
    answers: bool = False
    idle: bool = False


class Milestone(Struct, frozen=True):
    """An event without an action: a round, a wave, a death, a note, the end."""

    step: int
    round: int
    kind: MilestoneKind
    words: str = ""
    defeat: Defeat | None = None


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
        people, sides: all who were ever in it, and the names of the sides.
        story: deeds and beats in their order.
        points, effects, dice: points over time, effects over time, and the dice of combatants.
        pool: the pool that damage goes to.
        steps: how many steps it had.
    """

    title: str = ""
    rounds: int = 0
    seconds: int = 0
    people: tuple[Person, ...] = ()
    sides: tuple[tuple[Id, str], ...] = ()
    story: tuple[RecordedAction | Milestone, ...] = ()
    points: tuple[Point, ...] = ()
    effects: tuple[EffectSpan, ...] = ()
    dice: tuple[DiceRoll, ...] = ()
    pool: str = ""
    steps: int = 0

    @property
    def deeds(self) -> tuple[RecordedAction, ...]:
        """The deeds among what is told."""
        return tuple(one for one in self.story if isinstance(one, RecordedAction))

    @property
    def defeats(self) -> tuple[Defeat, ...]:
        """Everybody who fell, in order."""
        found: list[Defeat] = []
        for one in self.story:
            found += one.defeats if isinstance(one, RecordedAction) else [one.defeat] if one.defeat is not None else []
        return tuple(found)

    def name(self, who: Id | None) -> str:
        """Return what a combatant is called, "" for none."""
        return next((person.name for person in self.people if person.id == who), "")


States: TypeAlias = Callable[[int], tuple[State, State]]
"""The states before and after a step."""


def record_of(
    ruleset: Ruleset,
    steps: Iterable[Sequence[ev.Entry]],
    states: States | None = None,
    *,
    marks: bool = True,
) -> FightRecord:
    """Return a fight deed by deed, from the entries of each of its steps.

    `states` gives the state before and after a step; only with it is told what a game leaves beside points: at the end
    of the fight, and with `marks` by each deed.
    """
    scribe = _Recorder(ruleset, states, marks)
    for number, entries in enumerate(steps):
        scribe.step(number, entries)
    return scribe.done()


class _Open(Struct):
    """A deed while its step is read."""

    action: RecordedAction
    place: int
    results: dict[Id, str] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    falls: list[Defeat] = field(default_factory=list)
    effects: list[tuple[str, Id]] = field(default_factory=list)
    marks: list[tuple[str, Id]] = field(default_factory=list)
    cost: bool = False
    turns: bool = False

    def closed(self) -> RecordedAction:
        came = self.results or self.losses or self.falls or self.effects or self.marks
        return replace(
            self.action,
            idle=not came and (self.turns or not self.cost),
            results=tuple(self.results.items()),
            losses=tuple(self.losses),
            defeats=tuple(self.falls),
            effects=tuple(self.effects),
            marks=tuple(self.marks),
        )


class _Recorder:
    """Reads the events of one step after another."""

    def __init__(self, ruleset: Ruleset, states: States | None, marks: bool) -> None:
        self.ruleset, self.states, self.marks = ruleset, states, marks
        self.pool = ruleset.schema.pools[0] if ruleset.schema.pools else ""
        self.people: dict[Id, Person] = {}
        self.sides: dict[Id, tuple[str, bool]] = {}
        self.told: list[RecordedAction | Milestone] = []
        self.points: list[Point] = []
        self.throws: list[DiceRoll] = []
        self.held: dict[tuple[Id, int], EffectSpan] = {}
        self.holds: list[EffectSpan] = []
        self.title, self.round, self.seconds, self.number = "", 0, 0, -1
        self.open: list[_Open] = []

    def step(self, number: int, entries: Sequence[ev.Entry]) -> None:
        self.number, self.open = number, []
        for entry in entries:
            self.read(entry.event)
        if self.states is not None and self.marks and self.open:
            self.mark(*self.states(number), entries)
        for one in self.open:
            self.told[one.place] = one.closed()

    def mark(self, before: State, after: State, entries: Sequence[ev.Entry]) -> None:
        """Note what a step left on targets that lost no points."""
        lost = {loss.who for one in self.open for loss in one.losses}
        for one in self.open:
            for who in one.action.targets:
                if who in lost or who not in before or who not in after:
                    continue
                lost.add(who)
                held = {effect for effect, bearer in one.effects if bearer == who}
                words = self.ruleset.outcomes(before, after, tuple(entries), who)
                one.marks += [(word, who) for word in words if word not in held]

    def done(self) -> FightRecord:
        """Return all that was read."""
        return FightRecord(
            self.title,
            self.round,
            self.seconds,
            tuple(map(self.left, self.people.values())),
            tuple((key, name) for key, (name, _) in self.sides.items()),
            tuple(self.told),
            tuple(self.points),
            (*self.holds, *self.held.values()),
            tuple(self.throws),
            self.pool,
            self.number + 1,
        )

    def left(self, one: Person) -> Person:
        """Return a player's character with what the fight has left on it.

        It is unchanged if a damaged step or the ruleset gives no answer; the rest of the record is made all the same.
        """
        if one.players and self.states is not None:
            with suppress(CorruptJournal, RulesBug):
                first, last = self.states(one.since)[1], self.states(self.number)[1]
                if one.id in first and one.id in last:
                    return replace(one, left=self.ruleset.outcomes(first, last, (), one.id))
        return one

    @property
    def when(self) -> tuple[int, int]:
        """Which step and round it is."""
        return self.number, self.round

    def milestone(self, kind: MilestoneKind, words: str = "", fall: Defeat | None = None) -> None:
        self.told.append(Milestone(self.number, self.round, kind, words, fall))

    def of(self, source: Id | None, target: Id | None) -> _Open | None:
        """Return the deed something belongs to.

        It is its source's, else one aimed at the target, else the last.
        """
        latest = self.open[::-1]
        mine = [one for one in latest if source is not None and one.action.by == source]
        aimed = [one for one in (mine or latest) if target in one.action.targets]
        return next(iter((*aimed, *mine, *latest)), None) if source is None or mine else next(iter(latest), None)

    @singledispatchmethod
    def read(self, event: object) -> None:
        """Take an event in, or pass it over where no story needs it."""

    @read.register
    def _(self, event: ev.FightOpened) -> None:
        self.title = event.title
        self.sides |= {side.id: (side.name, side.control == "players") for side in event.sides}
        self.milestone("opened", event.notes)

    @read.register
    def _(self, event: ev.SideJoined) -> None:
        self.sides[event.side.id] = (event.side.name, event.side.control == "players")

    @read.register
    def _(self, event: ev.CombatantJoined) -> None:
        one = event.combatant
        self.people[one.id] = Person(one.id, one.name, one.side, self.sides[one.side][1], self.number)
        for pool in one.pools:
            self._fill(one.id, pool.key, pool.now, pool.max)

    @read.register
    def _(self, event: ev.PoolSet) -> None:
        self._fill(event.who, event.now.key, event.now.now, event.now.max)

    def _fill(self, who: Id, pool: str, now: int, most: int) -> None:
        if pool == self.pool:
            self.people[who] = replace(self.people[who], max=max(most, self.people[who].max))
            self.points.append(Point(*self.when, who, now))

    @read.register
    def _(self, event: ev.Renamed) -> None:
        self.people[event.who] = replace(self.people[event.who], name=event.now)

    @read.register
    def _(self, event: ev.SideChanged) -> None:
        self.people[event.who] = replace(self.people[event.who], side=event.now, players=self.sides[event.now][1])

    @read.register
    def _(self, event: ev.BoundaryCrossed) -> None:
        self.seconds += event.boundary.seconds
        if event.boundary.edge == "round_start" and event.boundary.round != self.round:
            self.round = event.boundary.round
            self.milestone("round", str(self.round))

    @read.register
    def _(self, event: ev.TimePassed) -> None:
        self.seconds += event.seconds

    @read.register
    def _(self, event: ev.ActionTaken) -> None:
        action = event.action
        deed = RecordedAction(self.number, self.round, action.by, event.label, _means(action), self._targets(action))
        answers = bool(self.open) and action.by not in (None, self.open[0].action.by)
        self.open.append(_Open(replace(deed, answers=answers), len(self.told)))
        self.told.append(deed)

    def _targets(self, action: Action) -> tuple[Id, ...]:
        """Return the combatants that an action names, except the actor."""
        found: list[Id] = []
        for _, value in action.fields:
            named = value if isinstance(value, tuple) else (value,)
            found += [one for one in named if isinstance(one, str) and one in self.people and one != action.by]
        return tuple(dict.fromkeys(found))

    @read.register
    def _(self, event: ev.Checked) -> None:
        deed = self.of(event.who, event.target)
        if deed is None or not event.result:
            return
        if event.target is not None and event.who == deed.action.by:
            deed.results[event.target] = event.result
        elif event.who in deed.action.targets or (event.who is not None and event.target == deed.action.by):
            # A defence or a save, of a target or of one who has stepped before it.
            deed.results.setdefault(event.who, event.result)
        elif event.target is None and event.who == deed.action.by and len(deed.action.targets) == 1:
            deed.results[deed.action.targets[0]] = event.result  # what the deed is about, such as stabilising

    @read.register
    def _(self, event: ev.PoolChanged) -> None:
        deed = self.of(event.source, event.who)
        if deed is not None:
            points = event.was - event.now
            deed.losses.append(Loss(event.who, event.pool, points, event.source or deed.action.by, event.why))
        if event.pool == self.pool:
            self.points.append(Point(*self.when, event.who, event.now))

    @read.register
    def _(self, event: ev.StatusChanged) -> None:
        was, now = self.ruleset.status(event.was), self.ruleset.status(event.now)
        if now.acts or not (was.acts or was.takes_part > now.takes_part):
            return
        fall = Defeat(event.who, now.word, self.round, self.number)
        deed = next((one for one in reversed(self.open) if any(loss.who == event.who for loss in one.losses)), None)
        if deed is None:
            self.milestone("fell", fall=fall)
            return
        source = next(loss.source for loss in reversed(deed.losses) if loss.who == event.who)
        deed.falls.append(replace(fall, by=source, label=deed.action.means or deed.action.label))

    @read.register
    def _(self, event: ev.EffectAdded) -> None:
        effect = event.effect
        self._spend(effect.source or effect.bearer)
        if effect.quiet is True or effect.secret:
            return
        self.held[effect.bearer, effect.id] = EffectSpan(
            effect.shown, effect.bearer, effect.source, self.when, id=effect.id
        )
        deed = self.of(effect.source, effect.bearer)
        if deed is not None and effect.bearer != FIGHT:
            deed.effects.append((effect.shown, effect.bearer))

    @read.register
    def _(self, event: ev.EffectEnded) -> None:
        self._spend(event.was.bearer)
        hold = self.held.pop((event.was.bearer, event.was.id), None)
        if hold is not None:
            self.holds.append(replace(hold, until=self.when))

    @read.register
    def _(self, event: ev.Rolled) -> None:
        if event.who in self.people and event.apart is not True:
            self.throws += [DiceRoll(event.who, *thrown) for thrown in _dice_of(event)]

    @read.register
    def _(self, event: ev.BudgetsChanged) -> None:
        for change in event.changes:
            if any(now < dict(change.was).get(key, 0) for key, now in change.now):
                self._spend(change.who)

    def _spend(self, who: Id) -> None:
        """Note that the last deed of a combatant has cost or changed something."""
        mine = next((one for one in reversed(self.open) if one.action.by == who), None)
        if mine is not None:
            mine.cost = True

    @read.register
    def _(self, event: ev.Moved) -> None:
        self._spend(event.who)

    @read.register
    def _(self, event: ev.TurnOpened) -> None:
        if self.open:
            self.open[-1].turns = True

    @read.register
    def _(self, event: ev.WaveArrived) -> None:
        wave = event.wave
        names = [one.name if str(one.count) == "1" else f"{one.count} × {one.name}" for one in wave.members]
        side = self.sides.get(wave.side, (wave.side, False))[0]
        joins = "joins" if names == [wave.members[0].name] else "join"
        self.milestone("wave", wave.title or f"{listed(names)} {joins} {side}")

    @read.register
    def _(self, event: ev.Noted) -> None:
        if event.keep:
            self.milestone("note", event.text)

    @read.register
    def _(self, event: ev.FightEnded) -> None:
        self.milestone("ended", event.reason)


MEANS = ("weapon", "attack", "spell", "power", "special", "mode", "feat")
"""Fields that say with what a deed is done."""


def _means(action: Action) -> str:
    found = (action.get(name) for name in MEANS)
    return next((value.replace("_", " ") for value in found if isinstance(value, str) and value), "")


def _dice_of(event: ev.Rolled) -> list[tuple[int, int, int]]:
    """Return the dice of each kind with their sum, if it is known."""
    terms = event.dice.terms
    if len(event.faces) == sum(count for count, _ in terms) and event.faces:
        faces = iter(event.faces)
        return [(count, sides, sum(next(faces) for _ in range(count))) for count, sides in terms]
    return [(*terms[0], event.total)] if len(terms) == 1 else []
