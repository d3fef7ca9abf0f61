"""Reading a fight: one pass over the events makes its record.

1. Only changes are recorded as consequences: points, marks, statuses, effects, arrivals. A result without a change says
   only whether an attack missed.
2. Harm belongs to the action of the combatant that the event names as its source. Without a source it has no author.
3. After an edge of the clock no change belongs to the actions before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import singledispatchmethod
from itertools import takewhile
from typing import TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from tracker.core.fight import events as ev
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.game.telling import BLANK, StatusWords
from tracker.core.terms.actions import Action
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import CorruptJournal, RulesBug
from tracker.core.terms.values import Data
from tracker.views.report.default_words import MEANS, POWERS, TARGETS, action_words, status_words
from tracker.views.report.record import (
    Act,
    CombatantRecord,
    DiceRoll,
    EffectSpan,
    Ending,
    FightRecord,
    Harm,
    Milestone,
    MilestoneKind,
    NewEffect,
    Point,
    Ref,
    Result,
    Side,
    StatusChange,
)

EDGES = ("turn_end", "segment_end", "phase_end", "round_end", "combat_end")

States: TypeAlias = Callable[[int], tuple[State, State]]
"""The states before and after a step."""


def record_of(ruleset: Ruleset, steps: Iterable[Sequence[ev.Entry]], states: States | None = None) -> FightRecord:
    """Return the record of a fight, from the entries of each of its steps.

    `states` gives the state before and after a step. Only with it allies are known, and the effects of the fight on
    player characters besides points.
    """
    recorder = Recorder(ruleset)
    for number, entries in enumerate(steps):
        recorder.read_step(number, entries)
    return recorder.record(states)


class Recorder:
    """Reads the events of one step after another.

    Attributes:
        ref: the event that is read; `slot`, `round`: its slot and round.
        open: actions of the step that a change may belong to; `taken`: all actions of the step.
        closing: the GM ends the fight, or it is over: its changes are no part of the story.
        broken: combatants that have an effect that makes them flee; `fled`: those that have moved since;
            `turned`: those that have attacked since; `left`: those that have left the fight.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.telling = ruleset, ruleset.telling
        self.effect_words = {words.name: words for words in self.telling.effect_words}
        self.pool = ruleset.schema.pools[0] if ruleset.schema.pools else ""
        self.people: dict[Id, CombatantRecord] = {}
        self.sides: dict[Id, Side] = {}
        self.items: list[Act | Milestone] = []
        self.points: list[Point] = []
        self.dice: list[DiceRoll] = []
        self.lasting: dict[tuple[Id, int], EffectSpan] = {}
        self.ended: list[EffectSpan] = []
        self.timed_notes: frozenset[str] = frozenset()
        self.title, self.reason, self.slot, self.round, self.seconds = "", "", "", 0, 0
        self.over = self.closing = False
        self.ref: Ref = (-1, 0)
        self.open: list[Act] = []
        self.taken: list[Act] = []
        self.statuses: dict[Id, str] = {}
        self.broken: set[Id] = set()
        self.fled: set[Id] = set()
        self.turned: set[Id] = set()
        self.left: set[Id] = set()

    def read_step(self, number: int, entries: Sequence[ev.Entry]) -> None:
        self.open, self.taken = [], []
        for place, entry in enumerate(entries):
            self.ref = (number, place)
            self.read(entry.event)
        self.ref = (number, len(entries))

    def record(self, states: States | None) -> FightRecord:
        friends = self._friends(states)
        return FightRecord(
            title=self.title,
            rounds=self.round,
            seconds=self.seconds,
            people=tuple(self._ended(person, states) for person in self.people.values()),
            sides=tuple(replace(side, friends=friends.get(side.id, ())) for side in self.sides.values()),
            items=tuple(self.items),
            points=tuple(self.points),
            effects=(*self.ended, *self.lasting.values()),
            dice=tuple(self.dice),
            pool=self.pool,
            steps=self.ref[0] + 1,
            over=self.over,
            reason=self.reason,
            telling=self.telling,
        )

    def _friends(self, states: States | None) -> dict[Id, tuple[Id, ...]]:
        """Return the friends of each side at the end; none if a damaged step gives no state."""
        if states is not None and self.ref[0] >= 0:
            with suppress(CorruptJournal, RulesBug):
                state = states(self.ref[0])[1]
                sides = [side.id for side in state.sides]
                friendly = self.ruleset.friendly
                return {one: tuple(two for two in sides if one != two and friendly(state, one, two)) for one in sides}
        return {}

    def _ended(self, person: CombatantRecord, states: States | None) -> CombatantRecord:
        """Return a combatant as it is at the end of the fight.

        After a damaged step or a mistake of the ruleset only `left` is missing.
        """
        who, status = person.id, status_of(self.ruleset, self.statuses[person.id])
        ending, word = self._ending(who), status.word
        if ending in ("fled", "broken"):
            word = "left" if who in self.left else ending if status.acts or word == "gone" else word
        ended = replace(person, status=word, ending=ending)
        if person.players and states is not None:
            with suppress(CorruptJournal, RulesBug):
                first, last = states(person.since[0])[1], states(self.ref[0])[1]
                if who in first and who in last:
                    return replace(ended, left=self.ruleset.outcomes(first, last, (), who))
        return ended

    def _ending(self, who: Id) -> Ending:
        key = self.statuses[who]
        status, words = status_of(self.ruleset, key), status_words(self.ruleset, key)
        if words.kind == "gone" or status.left or who in self.left:
            return "fled"
        if status.acts:
            fled = who in self.fled and who not in self.turned
            return "standing" if who not in self.broken else "fled" if fled else "broken"
        return "down" if status.takes_part else "dead"

    def _add(self, kind: MilestoneKind, words: str = "", who: Id | None = None) -> Milestone:
        milestone = Milestone(kind, self.ref, self.round, words, [] if who is None else [who], [self.ref])
        self.items.append(milestone)
        return milestone

    def _milestones(self) -> Iterator[Milestone]:
        """Yield the milestones of this step, the latest first."""
        step = takewhile(lambda item: item.step == self.ref[0], reversed(self.items))
        return (item for item in step if isinstance(item, Milestone))

    def _gather(self, kind: MilestoneKind, words: str, who: Id, whom: Id = "", what: str = "") -> None:
        """Add a combatant to the milestone of the same words in this step, or to a new one."""
        for item in self._milestones():
            if (item.kind, item.words, item.whom) == (kind, words, whom):
                item.who.append(who)
                item.refs.append(self.ref)
                return
        milestone = self._add(kind, words, who)
        milestone.whom, milestone.what = whom, what

    def _forget_check(self, what: str, who: Id) -> None:
        """Remove an earlier result of the same check in this step."""
        for item in self._milestones():
            if item.kind == "check" and item.what == what and who in item.who:
                place = item.who.index(who)
                del item.who[place], item.refs[place]
                if not item.who:
                    self.items.remove(item)
                return

    def _acts_of(self, who: Id | None) -> list[Act]:
        """Return the open actions of a combatant, the latest first; none for the GM and sides."""
        return [act for act in reversed(self.open) if who is not None and act.by == who]

    @singledispatchmethod
    def read(self, event: object) -> None:
        """Record an event; most kinds of events are no part of a record."""

    # -- the fight -----------------------------------------------------------------------------------------------------

    @read.register
    def _(self, event: ev.FightOpened) -> None:
        self.title = event.title
        self.timed_notes = frozenset(note.text for note in event.reminders)
        for side in event.sides:
            self.sides[side.id] = Side(side.id, side.name, side.control == "players")
        self._add("opened", event.notes)

    @read.register
    def _(self, event: ev.SideJoined) -> None:
        self.sides[event.side.id] = Side(event.side.id, event.side.name, event.side.control == "players")

    @read.register
    def _(self, event: ev.CombatantJoined) -> None:
        combatant = event.combatant
        who, side, players = combatant.id, combatant.side, self.sides[combatant.side].players
        pronoun = getattr(combatant.block, "pronoun", UNSET) or ""
        article = getattr(combatant.block, "article", UNSET) is True
        self.people[who] = CombatantRecord(
            who, combatant.name, side, players, self.ref, side, pronoun=pronoun, article=article
        )
        self.statuses[who] = combatant.status
        for pool in combatant.pools:
            self._fill(who, pool.key, pool.now, pool.max)
        if self.ref[0]:
            self._gather("joined", side, who)

    @read.register
    def _(self, event: ev.CombatantLeft) -> None:
        if status_of(self.ruleset, self.statuses[event.was.id]).acts:
            self.left.add(event.was.id)
            if not self.closing:
                self._gather("left", "", event.was.id)

    @read.register
    def _(self, event: ev.PoolSet) -> None:
        self._fill(event.who, event.now.key, event.now.now, event.now.max)

    def _fill(self, who: Id, pool: str, now: int, most: int) -> None:
        if pool == self.pool:
            self.people[who] = replace(self.people[who], now=now, max=max(most, self.people[who].max))
            self.points.append(Point(self.ref[0], self.round, who, now))

    @read.register
    def _(self, event: ev.Renamed) -> None:
        self.people[event.who] = replace(self.people[event.who], name=event.now)

    @read.register
    def _(self, event: ev.SideChanged) -> None:
        players = self.sides[event.now].players
        self.people[event.who] = replace(self.people[event.who], side=event.now, players=players)
        if not self.closing:
            self._gather("turned", event.now, event.who)

    @read.register
    def _(self, event: ev.WaveArrived) -> None:
        if event.wave.title:
            self._add("wave", event.wave.title)

    @read.register
    def _(self, event: ev.SlotReached) -> None:
        self.slot = event.now or ""

    @read.register
    def _(self, event: ev.BoundaryCrossed) -> None:
        self.seconds += event.boundary.seconds
        if event.boundary.edge in EDGES:
            self.open = []
        elif event.boundary.edge == "turn_start":  # an action that opens the turn of its actor goes on after this edge
            self.open += [act for act in self.taken if act.by in event.boundary.actors and act not in self.open]
        if event.boundary.edge == "round_start":
            self.round = event.boundary.round
            self._add("round")

    @read.register
    def _(self, event: ev.TimePassed) -> None:
        self.seconds += event.seconds

    @read.register
    def _(self, event: ev.Noted) -> None:
        if event.keep or event.text in self.timed_notes:
            self._add("note", event.text)

    @read.register
    def _(self, event: ev.Found) -> None:
        last = self.items[-1] if self.items else None
        if not isinstance(last, Milestone) or last.kind != "found" or last.step != self.ref[0]:
            last = self._add("found")
            last.refs = []
        last.items += event.items
        last.refs.append(self.ref)

    @read.register
    def _(self, event: ev.FightEnded) -> None:
        self.over = self.closing = True
        self.reason = event.reason
        self._add("ended", event.reason)

    # -- actions -------------------------------------------------------------------------------------------------------

    @read.register
    def _(self, event: ev.ActionTaken) -> None:
        action = event.action
        self.closing = self.closing or action.key == "end_fight"
        words, own = action_words(self.ruleset, action, event.label)
        means, field = self._means(action)
        act = Act(
            action.by,
            action,
            event.label,
            words,
            self.ref,
            self.round,
            self.slot,
            self._targets(action),
            means,
            field in self.telling.proper and (means[:1].isupper() or field in POWERS),
            own,
            refs=[self.ref],
        )
        root = next((other for other in self.open if other.words.kind != "silent"), None)
        if action.by is not None and action.by in self.broken and words.kind == "move":
            act.flees, act.again = action.by not in self.fled, action.by in self.fled
            self.fled.add(action.by)
            self.turned.discard(action.by)
            self.items.append(act)
        elif root is not None and action.by is not None and root.by is not None:
            root.answers.append(act)
        else:
            self.items.append(act)
        self.open.append(act)
        self.taken.append(act)
        if action.by is not None and words.kind == "attack":
            self.turned.add(action.by)

    def _means(self, action: Action) -> tuple[str, str]:
        for name in MEANS:
            value = action.get(name)
            if isinstance(value, str) and value and value not in self.people:
                return value.replace("_", " "), name
        return "", ""

    def _targets(self, action: Action) -> tuple[Id, ...]:
        """Return the combatants in the fields of an action that name targets."""
        targets: list[Id] = []
        for name, value in action.fields:
            if name in TARGETS:
                values = value if isinstance(value, tuple) else (value,)
                targets += [each for each in values if isinstance(each, str) and each in self.people]
        return tuple(dict.fromkeys(targets))

    @read.register
    def _(self, event: ev.ActionStopped) -> None:
        for act in reversed(self.open):
            if (act.by, act.label) == (event.by, event.label):
                act.stopped = True
                act.refs.append(self.ref)
                return

    @read.register
    def _(self, event: ev.Decided) -> None:
        """Record the new target of an attack whose target was gone."""
        if event.key.partition("/")[0] == "target":
            self._aim_at(event.who, event.answer)

    @read.register
    def _(self, event: ev.Skipped) -> None:
        for act in self._acts_of(event.who)[:1]:
            act.skipped = True

    def _aim_at(self, who: Id | None, target: object) -> None:
        """Give the latest action of a combatant its target, if it is an attack without one."""
        for act in self._acts_of(who)[:1]:
            if act.words.kind == "attack" and not act.targets and target in self.people:
                act.targets = (str(target),)

    @read.register
    def _(self, event: ev.Checked) -> None:
        if not event.result or event.who is None:
            return
        self._forget_check(event.what, event.who)
        self._aim_at(event.who, event.target)
        for words in self.telling.check_words:
            if words.what in (event.what, "") and event.result.startswith(words.result):
                whom = event.target or ""
                does = bracketed(words.does, whom).replace("{what}", event.what)
                self._gather("check", does, event.who, whom, event.what)
                return
        for act in self._acts_of(event.who)[:1]:
            if event.success is not UNSET and (event.target is None or not act.targets):
                act.failed = not event.success
        act_and_target = self._result_of(event)
        if act_and_target is not None:
            act, target = act_and_target
            result = Result(event.result, self._missed(event, act), event.what)
            act.first.setdefault(target, result)
            act.last[target] = result
            act.refs.append(self.ref)

    def _result_of(self, event: ev.Checked) -> tuple[Act, Id] | None:
        """Return the action and target that a check is the result of.

        The check of an actor is tried first, then the check of a defender, then an attack that another combatant has
        drawn to itself.
        """
        who, target, acts = event.who, event.target, self.open[::-1]
        attacks = [act for act in acts if act.words.kind == "attack" and act.by is not None and len(act.targets) == 1]
        awaited = any(act.by == target and not act.last for act in attacks)
        for act in acts:
            if who == act.by and target in act.targets:
                was = act.last.get(str(target))
                if was is None or was.what == event.what or not awaited:
                    return act, str(target)
        for act in acts:
            if who in act.targets and target in (act.by, None):
                return act, str(who)
            if who == act.by and target is None and act.targets:
                return act, act.targets[0]
        for act in attacks if event.success is not UNSET else ():
            if who == act.by and target in self.people and target not in act.targets:
                return act, str(target)
            if target == act.by and who in self.people and not act.last:
                return act, str(who)
        return None

    def _missed(self, event: ev.Checked, act: Act) -> bool:
        """Tell whether a result is a miss of the actor: its own failure, or the success of a defender."""
        if event.success is UNSET:
            return any(word in event.result.casefold() for word in self.telling.missed)
        return event.success is not (event.who == act.by)

    # -- consequences --------------------------------------------------------------------------------------------------

    @read.register
    def _(self, event: ev.PoolChanged) -> None:
        if event.pool != self.pool:
            return
        self.people[event.who] = replace(self.people[event.who], now=event.now)
        self.points.append(Point(self.ref[0], self.round, event.who, event.now))
        lost, graze = event.was - event.now, event.why in self.telling.graze
        self._harm(Harm(event.who, lost, event.now, event.source, event.why, self.ref, graze=graze))

    @read.register
    def _(self, event: ev.FactSet) -> None:
        marks = self.telling.marks
        if marks is None or event.key != marks.fact or event.owner not in self.people:
            return
        was, now = marks.count(event.was), marks.count(event.now)
        self.people[event.owner] = replace(self.people[event.owner], marks=now)
        gained = tuple(after - before for after, before in zip(now, was, strict=True))
        source = None if event.source is UNSET else event.source
        self._harm(Harm(event.owner, 0, 0, source, "", self.ref, gained))

    def _harm(self, harm: Harm) -> None:
        if self.closing or not (harm.points or any(harm.marks)):
            return
        act = self._act_of(harm.by, harm.who)
        if act is None:
            self._add("harm", who=harm.who).harm = harm
        else:
            act.harms.append(harm)
            act.refs.append(harm.ref)

    def _act_of(self, source: Id | None, who: Id) -> Act | None:
        """Return the action that harm belongs to: an action of its source, preferably with the harmed as target."""
        acts = self._acts_of(source)
        return next((act for act in acts if who in act.targets), acts[0] if acts else None)

    @read.register
    def _(self, event: ev.StatusChanged) -> None:
        who = event.who
        self.statuses[who] = event.now
        was, now = status_of(self.ruleset, event.was), status_of(self.ruleset, event.now)
        words = status_words(self.ruleset, event.now)
        if (was.acts and now.acts) or (self.closing and words.kind != "dead"):
            return
        if words.kind == "dead" == status_words(self.ruleset, event.was).kind:
            return  # a dead combatant does not die again
        if words.kind == "gone":
            if who in self.fled:
                return
            self.fled.add(who)
        act = self._cause(who, words)
        by = None if act is None else act.by
        means = "" if act is None else act.means or act.label
        change = StatusChange(who, words, now.word, self.round, self.ref, by, means)
        if act is None:
            self._add("change", who=who).change = change
        else:
            act.changes.append(change)
            act.refs.append(self.ref)

    def _cause(self, who: Id, words: StatusWords) -> Act | None:
        """Return the action that changed a status: the last one that harmed the combatant, or had it as target."""
        latest = self.open[::-1]
        harmed = next((act for act in latest if act.by is not None and act.harms_of(who)), None)
        if harmed is not None:
            return harmed
        if any(isinstance(item, Milestone) and item.harm and item.harm.who == who for item in self.items[-1:]):
            return None
        aimed = (act for act in latest if act.by not in (None, who) and who in act.targets)
        return next(aimed, None) if words.kind != "gone" else None

    @read.register
    def _(self, event: ev.EffectAdded) -> None:
        effect = event.effect
        words = self.effect_words.get(effect.name)
        if words is not None and effect.bearer in self.people and not effect.secret and not self.closing:
            if words.flees:
                self.broken.add(effect.bearer)
            self._begin_effect(effect, words.does)
        if effect.quiet is not True and not effect.secret:
            if words is None:
                for act in [act for act in self._acts_of(effect.source) if effect.bearer in act.targets][:1]:
                    act.bearing.append(effect.bearer)
                    act.refs.append(self.ref)
            self.lasting[effect.bearer, effect.id] = EffectSpan(
                effect.shown, effect.bearer, effect.source, (self.ref[0], self.round), id=effect.id
            )

    def _begin_effect(self, effect: Effect, phrase: str) -> None:
        """Record an effect with the attack that harmed its bearer or added the effect, or without an action."""
        who, source, whom = effect.bearer, effect.source, self._aim(effect)
        does = _filled(phrase, effect.data, whom)
        attacks = [act for act in reversed(self.open) if act.by not in (None, who) and act.words.kind == "attack"]
        causes = (act for act in attacks if act.harms_of(who) or (act.by == source and who in act.targets))
        act = next(causes, None)
        if act is None:
            self._gather("effect", does, who, whom)
        else:
            act.effects.append(NewEffect(who, does, self.ref, whom))
            act.refs.append(self.ref)

    def _aim(self, effect: Effect) -> Id:
        """Return the target in an effect's data, "" for none."""
        target = getattr(effect.data, "target", "")
        return target if target in self.people and target != effect.bearer else ""

    @read.register
    def _(self, event: ev.EffectEnded) -> None:
        effect = event.was
        words = None if self.closing else self.effect_words.get(effect.name)
        if words is not None and words.flees:
            self.broken.discard(effect.bearer)
            self.fled.discard(effect.bearer)
        if words is not None and event.reason in dict(words.ends) and not effect.secret:
            whom = self._aim(effect)
            self._gather("effect", _filled(dict(words.ends)[event.reason], effect.data, whom), effect.bearer, whom)
        span = self.lasting.pop((effect.bearer, effect.id), None)
        if span is not None:
            self.ended.append(replace(span, until=(self.ref[0], self.round)))

    @read.register
    def _(self, event: ev.Rolled) -> None:
        if event.who in self.people and event.apart is not True:
            self.dice += [DiceRoll(event.who, *rolled) for rolled in _dice_of(event)]


def bracketed(phrase: str, whom: Id) -> str:
    """Return a phrase, without its part in brackets if `whom` is empty."""
    head, _, tail = phrase.partition("[")
    part, _, rest = tail.partition("]")
    return f"{head}{part if whom else ''}{rest}"


def _filled(phrase: str, data: Data | None, whom: Id) -> str:
    """Return the phrase of an effect with the fields of its data, `{whom}` not yet filled in."""
    named = bracketed(phrase, whom)
    return BLANK.sub(lambda blank: blank[0] if blank[1] == "whom" else str(getattr(data, blank[1], "something")), named)


def _dice_of(event: ev.Rolled) -> list[tuple[int, int, int]]:
    """Return number, sides and sum of the dice of each kind, if the sum is known."""
    terms = event.dice.terms
    if len(event.faces) == sum(count for count, _ in terms) and event.faces:
        faces = iter(event.faces)
        return [(count, sides, sum(next(faces) for _ in range(count))) for count, sides in terms]
    return [(*terms[0], event.total)] if len(terms) == 1 else []
