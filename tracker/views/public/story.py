"""The story of a fight as players may know it.

1. It is made from a whitelist of events, as the players' log is: no act and no loss of a hidden combatant, no secret
   effect, no note, no reason.
2. A combatant joins when players first see it. Harm by a hidden combatant to a visible one has no author.
3. Points and spells of the GM's combatants are not told, nor points of player characters if the GM keeps them back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from tracker.core.fight import events as ev
from tracker.core.fight.events import Entry
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.core.terms.values import Value
from tracker.core.visibility import knowledge
from tracker.views.public.build import seen_as
from tracker.views.public.redaction import Redactor, redactor_of
from tracker.views.report.outcome import cost, headline
from tracker.views.report.record import CombatantRecord, FightRecord
from tracker.views.report.recorder import record_of
from tracker.views.report.story import paragraphs, story
from tracker.views.words.text import clean

Steps = Iterable[tuple[Sequence[Entry], State, State]]
"""Each step's entries, with the states before and after it."""


def public_story(ruleset: Ruleset, steps: Steps, full: bool = False) -> tuple[tuple[str, str], ...]:
    """Return the story for players, titles with paragraphs: first the headline, last the end of each side."""
    return tuple(_parts(public_record(ruleset, steps), full))


def public_story_text(ruleset: Ruleset, steps: Steps, full: bool = False) -> str:
    """Return the story for players as plain text."""
    record = public_record(ruleset, steps)
    parts = [(record.title, ""), *_parts(record, full)]
    return "\n\n".join("\n".join(filter(None, part)) for part in parts) + "\n"


def _parts(record: FightRecord, full: bool) -> Iterator[tuple[str, str]]:
    yield "", headline(record)
    for paragraph in paragraphs(story(record, full)):
        yield paragraph.title, ("\n" if full else " ").join(line.words for line in paragraph.lines)
    yield "", " ".join(cost(record))


def public_record(ruleset: Ruleset, steps: Steps) -> FightRecord:
    """Return the record of a fight as players may know it, with the names that they read."""
    filter_ = _Filter(ruleset)
    public: list[list[Entry]] = []
    states: list[tuple[State, State]] = []
    for entries, before, after in steps:
        public.append(list(filter_.step(entries, before, after)))
        states.append((before, after))
    record = record_of(ruleset, public, lambda number: states[number])
    if not states:
        return record
    redactor = redactor_of(states[-1][1], "")
    title = knowledge.setting(redactor.state, "title") or record.title
    return replace(
        record,
        title=clean(str(title)),
        reason="",
        people=tuple(filter_.redacted(person, redactor) for person in record.people),
        sides=tuple(replace(side, name=redactor.side(side.id)) for side in record.sides),
    )


class _Filter:
    """Keeps the events that players may know."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self._check_words = ruleset, ruleset.telling.check_words
        self.seen: set[Id] = set()
        self.names: dict[Id, str] = {}

    def redacted(self, person: CombatantRecord, redactor: Redactor) -> CombatantRecord:
        combatant = redactor.state.get(person.id)
        name = self.names.get(person.id, person.name) if combatant is None else redactor.name(combatant)
        hidden = not person.players or not redactor.allows("points")
        article = person.article and name == person.name
        return replace(
            person, name=name, article=article, hidden=hidden, left=None, marks=() if hidden else person.marks
        )

    def step(self, entries: Sequence[Entry], before: State, after: State) -> Iterator[Entry]:
        """Yield the events of a step that players may know, first the combatants that they see for the first time."""
        redactor = redactor_of(after, "")
        joining = {entry.event.combatant.id for entry in entries if isinstance(entry.event, ev.CombatantJoined)}
        for one in after.combatants:
            if redactor.sees(one.id):
                self.names[one.id] = redactor.name(one)
                if one.id not in self.seen and one.id not in joining and entries:
                    self.seen.add(one.id)
                    yield Entry(ev.CombatantJoined(_as_met(before.get(one.id) or one)))
        for entry in entries:
            event = self.known(entry.event, redactor, before)
            if event is not None:
                yield Entry(event)

    def sees(self, who: Id | None, redactor: Redactor) -> bool:
        return who in self.seen and redactor.sees(str(who))

    def known(self, event: ev.Event, redactor: Redactor, before: State) -> ev.Event | None:
        """Return an event as players know it, None if they do not know it."""
        match event:
            case ev.FightOpened():
                return replace(event, notes="", reminders=(), waves=())
            case ev.SideJoined() | ev.BoundaryCrossed() | ev.SlotReached() | ev.TimePassed():
                return event
            case ev.FightEnded():
                return ev.FightEnded()
            case ev.CombatantJoined(combatant=one) if redactor.sees(one.id):
                self.seen.add(one.id)
                return ev.CombatantJoined(_as_met(one))
            case ev.ActionTaken(action=action, label=label):
                return self._action(action, label, redactor)
            case ev.EffectAdded(effect=effect) | ev.EffectEnded(was=effect) if self.sees(effect.bearer, redactor):
                return event if seen_as(effect, _is_own(redactor, effect.bearer)) == effect.shown else None
        return self._change(event, redactor, before)

    def _change(self, event: ev.Event, redactor: Redactor, before: State) -> ev.Event | None:
        """Return an event that changes a visible combatant, without a hidden author and without a reason."""
        match event:
            case ev.PoolChanged(who=who, source=source, why=why) if self.sees(who, redactor):
                known = source if self.sees(source, redactor) else None
                return replace(event, source=known, parts=(), why=why if why in self.ruleset.telling.graze else "")
            case ev.FactSet(owner=owner, key=key, source=source) if self.sees(owner, redactor):
                marks = self.ruleset.telling.marks
                if marks is None or key != marks.fact:
                    return None
                return replace(event, source=source if source is not UNSET and self.sees(source, redactor) else UNSET)
            case ev.Checked(who=who, target=target) if self.sees(who, redactor):
                if not _is_own(redactor, who) and self._names_a_spell(event):
                    return None
                return event if self.sees(target, redactor) or (target is None and _is_own(redactor, who)) else None
            case ev.ActionStopped(by=who) if self.sees(who, redactor):
                return event
            case ev.StatusChanged(who=who) | ev.SideChanged(who=who) | ev.PoolSet(who=who) if self.sees(who, redactor):
                return event
            case ev.Found(items=items, who=who) if who is None or self.sees(who, redactor):
                return ev.Found(tuple(map(redactor.text, items)), who)
            case ev.CombatantLeft(was=was) if was.id in self.seen and not knowledge.is_hidden(before, was.id):
                return replace(event, reason="")
        return None

    def _names_a_spell(self, checked: ev.Checked) -> bool:
        """Tell whether the story would name the check itself, which may be a spell."""
        return any(words.what == "" and checked.result.startswith(words.result) for words in self._check_words)

    def _action(self, action: Action, label: str, redactor: Redactor) -> ev.Event | None:
        """Return an action of a visible combatant, or the GM's action that ends the fight."""
        if action.by is None:
            return ev.ActionTaken(Action(action.key), label) if action.key == "end_fight" else None
        if not self.sees(action.by, redactor):
            return None
        fields: list[tuple[str, Value]] = []
        for name, value in action.fields:
            if name == "spell" and not _is_own(redactor, action.by):
                continue
            if isinstance(value, tuple):
                seen = tuple(one for one in value if not (isinstance(one, str) and one in redactor.hidden))
                fields.append((name, seen))
            elif not (isinstance(value, str) and value in redactor.hidden):
                fields.append(
                    (name, redactor.text(value) if isinstance(value, str) and value not in redactor.state else value)
                )
        return ev.ActionTaken(replace(action, fields=tuple(fields)), redactor.text(label))


def _is_own(redactor: Redactor, who: Id | None) -> bool:
    """Tell whether the players run a combatant."""
    one = redactor.state.get(str(who))
    return one is not None and redactor.own(one.side)


def _as_met(one: Combatant) -> Combatant:
    """Return a combatant as players meet it, without the GM's notes and effects."""
    return replace(one, effects=(), notes=())
