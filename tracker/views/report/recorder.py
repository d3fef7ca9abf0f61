"""Reading a fight: one pass over the events makes its record.

1. Only what changed is recorded as a consequence: points, marks, statuses, effects, arrivals. A result that changed
   nothing says only whether an attack missed.
2. Harm belongs to the action of the combatant that the event names as its source. Without a source it is nobody's.
3. After an edge of the clock nothing belongs to the actions before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import singledispatchmethod
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

    `states` gives the state before and after a step. Only with it are allies known, and what the fight has left on
    characters besides points.
    """
    recorder = Recorder(ruleset)
    for number, entries in enumerate(steps):
        recorder.read_step(number, entries)
    return recorder.record(states)


class Recorder:
    """Reads the events of one step after another."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.telling = ruleset, ruleset.telling
        self.effect_words = {words.name: words for words in self.telling.effect_words}
        self.pool = ruleset.schema.pools[0] if ruleset.schema.pools else ""
        self.people: dict[Id, CombatantRecord] = {}
        self.sides: dict[Id, Side] = {}
        self.items: list[Act | Milestone] = []
        self.points: list[Point] = []
        self.dice: list[DiceRoll] = []
        self.held: dict[tuple[Id, int], EffectSpan] = {}
        self.spans: list[EffectSpan] = []
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
        """Return all that was read."""
        friends = self._friends(states)
        return FightRecord(
            title=self.title,
            rounds=self.round,
            seconds=self.seconds,
            people=tuple(self._ended(one, states) for one in self.people.values()),
            sides=tuple(replace(side, friends=friends.get(side.id, ())) for side in self.sides.values()),
            items=tuple(self.items),
            points=tuple(self.points),
            effects=(*self.spans, *self.held.values()),
            dice=tuple(self.dice),
            pool=self.pool,
            steps=self.ref[0] + 1,
            over=self.over,
            reason=self.reason,
            telling=self.telling,
        )

    def _friends(self, states: States | None) -> dict[Id, tuple[Id, ...]]:
        """Return the sides that each side counts as friends at the end; none if a damaged step gives no state."""
        if states is not None and self.ref[0] >= 0:
            with suppress(CorruptJournal, RulesBug):
                state = states(self.ref[0])[1]
                known = [side.id for side in state.sides]
                friendly = self.ruleset.friendly
                return {one: tuple(two for two in known if one != two and friendly(state, one, two)) for one in known}
        return {}

    def _ended(self, one: CombatantRecord, states: States | None) -> CombatantRecord:
        """Return a combatant as the fight has left it.

        A damaged step or a mistake of the ruleset costs only what it says of characters without points.
        """
        ending, word = self._ending(one.id), status_of(self.ruleset, self.statuses[one.id]).word
        if ending in ("fled", "broken"):
            own = status_of(self.ruleset, self.statuses[one.id]).acts or word == "gone"
            word = "left" if one.id in self.left else ending if own else word
        ended = replace(one, status=word, ending=ending)
        if one.players and states is not None:
            with suppress(CorruptJournal, RulesBug):
                first, last = states(one.since[0])[1], states(self.ref[0])[1]
                if one.id in first and one.id in last:
                    return replace(ended, left=self.ruleset.outcomes(first, last, (), one.id))
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
        found = Milestone(kind, self.ref, self.round, words, [] if who is None else [who], [self.ref])
        self.items.append(found)
        return found

    def _gather(self, kind: MilestoneKind, words: str, who: Id, whom: Id = "", what: str = "") -> None:
        """Add a combatant to the milestone of the same words in this step, or begin one."""
        for item in reversed(self.items):
            if item.step != self.ref[0]:
                break
            if isinstance(item, Milestone) and (item.kind, item.words, item.whom) == (kind, words, whom):
                item.who.append(who)
                item.refs.append(self.ref)
                return
        found = self._add(kind, words, who)
        found.whom, found.what = whom, what

    def _forget_check(self, what: str, who: Id) -> None:
        """Take back an earlier result of the same comparison in this step."""
        for item in reversed(self.items):
            if item.step != self.ref[0]:
                return
            if isinstance(item, Milestone) and item.kind == "check" and item.what == what and who in item.who:
                place = item.who.index(who)
                del item.who[place], item.refs[place]
                if not item.who:
                    self.items.remove(item)
                return

    @singledispatchmethod
    def read(self, event: object) -> None:
        """Record an event, if it is one that a record needs."""

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
        one = event.combatant
        pronoun = getattr(one.block, "pronoun", UNSET) or ""
        article = getattr(one.block, "article", UNSET) is True
        players = self.sides[one.side].players
        self.people[one.id] = CombatantRecord(
            one.id, one.name, one.side, players, self.ref, one.side, pronoun=pronoun, article=article
        )
        self.statuses[one.id] = one.status
        for pool in one.pools:
            self._fill(one.id, pool.key, pool.now, pool.max)
        if self.ref[0]:
            self._gather("joined", one.side, one.id)

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
        elif event.boundary.edge == "turn_start":  # an action that has opened its actor's turn goes on behind that
            opening = [act for act in self.taken if act.by in event.boundary.actors and act not in self.open]
            self.open += opening
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
        root = next((one for one in self.open if one.words.kind != "silent"), None)
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
        """Return the combatants that an action is aimed at."""
        found: list[Id] = []
        for name, value in action.fields:
            if name in TARGETS:
                named = value if isinstance(value, tuple) else (value,)
                found += [one for one in named if isinstance(one, str) and one in self.people]
        return tuple(dict.fromkeys(found))

    @read.register
    def _(self, event: ev.ActionStopped) -> None:
        for act in reversed(self.open):
            if (act.by, act.label) == (event.by, event.label):
                act.stopped = True
                act.refs.append(self.ref)
                return

    @read.register
    def _(self, event: ev.Decided) -> None:
        """Record at whom an attack is turned whose target was gone."""
        if event.key.partition("/")[0] == "target":
            self._aim_at(event.who, event.answer)

    @read.register
    def _(self, event: ev.Skipped) -> None:
        act = next((act for act in reversed(self.open) if act.by is not None and act.by == event.who), None)
        if act is not None:
            act.skipped = True

    def _aim_at(self, who: Id | None, target: object) -> None:
        """Give the latest action of a combatant its target, if it is an attack that has none."""
        act = next((act for act in reversed(self.open) if act.by is not None and act.by == who), None)
        if act is not None and act.words.kind == "attack" and not act.targets and target in self.people:
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
        failing = [act for act in reversed(self.open) if act.by == event.who]
        if failing and event.success is not UNSET and (event.target is None or not failing[0].targets):
            failing[0].failed = not event.success
        found = self._result_of(event)
        if found is not None:
            act, target = found
            result = Result(event.result, self._missed(event, act), event.what)
            act.first.setdefault(target, result)
            act.last[target] = result
            act.refs.append(self.ref)

    def _result_of(self, event: ev.Checked) -> tuple[Act, Id] | None:
        """Return the action whose result a comparison is, and the target: of its actor first, then of a defender.

        Last comes an attack that another combatant has drawn upon itself.
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
        graze = event.why in self.telling.graze
        self._harm(
            Harm(event.who, event.was - event.now, event.now, event.source, event.why, self.ref, graze=graze),
        )

    @read.register
    def _(self, event: ev.FactSet) -> None:
        marks = self.telling.marks
        if marks is None or event.key != marks.fact or event.owner not in self.people:
            return
        was, now = marks.count(event.was), marks.count(event.now)
        self.people[event.owner] = replace(self.people[event.owner], marks=now)
        gained = tuple(one - other for one, other in zip(now, was, strict=True))
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
        """Return the action that harm belongs to: its source's, one aimed at the bearer first."""
        mine = [act for act in reversed(self.open) if source is not None and act.by == source]
        return next((act for act in mine if who in act.targets), mine[0] if mine else None)

    @read.register
    def _(self, event: ev.StatusChanged) -> None:
        who = event.who
        self.statuses[who] = event.now
        was, now = status_of(self.ruleset, event.was), status_of(self.ruleset, event.now)
        words = status_words(self.ruleset, event.now)
        if (was.acts and now.acts) or (self.closing and words.kind != "dead"):
            return
        if words.kind == "dead" == status_words(self.ruleset, event.was).kind:
            return  # nobody dies twice
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
        """Return the action that changed a status: the last that harmed its bearer, or was aimed at it."""
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
                mine = [act for act in reversed(self.open) if act.by is not None and act.by == effect.source]
                for act in [act for act in mine if effect.bearer in act.targets][:1]:
                    act.bearing.append(effect.bearer)
                    act.refs.append(self.ref)
            self.held[effect.bearer, effect.id] = EffectSpan(
                effect.shown, effect.bearer, effect.source, (self.ref[0], self.round), id=effect.id
            )

    def _begin_effect(self, effect: Effect, phrase: str) -> None:
        """Record an effect with the action that harmed its bearer or put it there, or by itself."""
        who, source, whom = effect.bearer, effect.source, self._aim(effect)
        does = _filled(phrase, effect.data, whom)
        others = [act for act in reversed(self.open) if act.by not in (None, who) and act.words.kind == "attack"]
        mine = (act for act in others if act.harms_of(who) or (act.by == source and who in act.targets))
        act = next(mine, None)
        if act is None:
            self._gather("effect", does, who, whom)
        else:
            act.effects.append(NewEffect(who, does, self.ref, whom))
            act.refs.append(self.ref)

    def _aim(self, effect: Effect) -> Id:
        """Return the combatant that an effect is aimed at, "" for none."""
        target = getattr(effect.data, "target", "")
        return target if target in self.people and target != effect.bearer else ""

    @read.register
    def _(self, event: ev.EffectEnded) -> None:
        words = self.effect_words.get(event.was.name)
        if words is not None and words.flees and not self.closing:
            self.broken.discard(event.was.bearer)
            self.fled.discard(event.was.bearer)
        if words is not None and event.reason in dict(words.ends) and not self.closing and not event.was.secret:
            whom = self._aim(event.was)
            does = _filled(dict(words.ends)[event.reason], event.was.data, whom)
            self._gather("effect", does, event.was.bearer, whom)
        span = self.held.pop((event.was.bearer, event.was.id), None)
        if span is not None:
            self.spans.append(replace(span, until=(self.ref[0], self.round)))

    @read.register
    def _(self, event: ev.Rolled) -> None:
        if event.who in self.people and event.apart is not True:
            self.dice += [DiceRoll(event.who, *rolled) for rolled in _dice_of(event)]


def bracketed(phrase: str, whom: Id) -> str:
    """Return a phrase without its part in brackets, or with it if there is a target."""
    head, _, tail = phrase.partition("[")
    part, _, rest = tail.partition("]")
    return f"{head}{part if whom else ''}{rest}"


def _filled(phrase: str, data: Data | None, whom: Id) -> str:
    """Return the phrase of an effect with the fields of its data; the name of its target comes later."""
    named = bracketed(phrase, whom)
    return BLANK.sub(lambda found: found[0] if found[1] == "whom" else str(getattr(data, found[1], "something")), named)


def _dice_of(event: ev.Rolled) -> list[tuple[int, int, int]]:
    """Return the dice of each kind with their sum, if it is known."""
    terms = event.dice.terms
    if len(event.faces) == sum(count for count, _ in terms) and event.faces:
        faces = iter(event.faces)
        return [(count, sides, sum(next(faces) for _ in range(count))) for count, sides in terms]
    return [(*terms[0], event.total)] if len(terms) == 1 else []
