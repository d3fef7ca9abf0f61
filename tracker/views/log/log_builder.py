"""The builder of a step's log lines, and the states that the step went through.

Dice wait for the sum that they belong to. Newcomers, their points and their places wait so that they share a line.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.fight import events as ev
from tracker.core.fight.events import Entry
from tracker.core.fight.fold import fold_all
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, Pool, State
from tracker.core.game.durations import until_words
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.moments import Boundary
from tracker.core.terms.words import listed, minus, named, possessive
from tracker.views.log.lines import LineDraft
from tracker.views.words.actions import is_gone
from tracker.views.words.spans import Span
from tracker.views.words.sums import DiceTable, TableRoll, compares, dice_spans, dice_words
from tracker.views.words.text import clean, key_words
from tracker.views.words.values import plain_words


class ReplayedStates:
    """The entries of a step, the state after them and, if known, the state before them."""

    def __init__(self, state: State, entries: Sequence[Entry], before: State | None) -> None:
        self.state, self.entries = state, entries
        self._slots: dict[Id, Slot] | None = None
        self._before, self._at, self._done = before, before, 0

    def at(self, place: int) -> State | None:
        """Return the state before an entry, None if the state before the step is unknown; places must increase."""
        if self._at is not None and place > self._done:
            try:
                self._at = fold_all(self._at, self.entries[self._done : place])
            except CorruptJournal:  # `before` is not the state before these entries
                self._at = None
            self._done = place
        return self._at

    def following(self, place: int) -> Sequence[Entry]:
        """Return the entries after an entry, up to the next action."""
        later = self.entries[place + 1 :]
        end = next((at for at, entry in enumerate(later) if isinstance(entry.event, ev.ActionTaken)), len(later))
        return later[:end]

    @property
    def opening(self) -> tuple[Slot, ...]:
        """The slots before the step, none if they are unknown."""
        return () if self._before is None else self._before.clock.slots

    def chosen(self, place: int) -> bool:
        """Tell whether an action only chooses the next action, as a held turn does."""
        first, following = self.entries[place].event, self.following(place)
        after = self.entries[place + 1 + len(following) :]
        if not isinstance(first, ev.ActionTaken) or not after or not isinstance(after[0].event, ev.ActionTaken):
            return False
        then = after[0].event.action
        same = first.action.by is not None and first.action.by == then.by and first.action.get("action") == then.key
        kinds = ev.BudgetsChanged | ev.EffectEnded | ev.FactSet
        return same and all(isinstance(entry.event, kinds) for entry in following)

    def slot(self, key: Id) -> Slot | None:
        if self._slots is None:
            orders = [entry.event for entry in self.entries if isinstance(entry.event, ev.OrderSet)]
            schedules = [self.opening, *(slots for order in orders for slots in (order.was, order.now))]
            self._slots = {slot.id: slot for slots in (*schedules, self.state.clock.slots) for slot in slots}
        return self._slots.get(key)


def is_skipped(entries: Sequence[Entry], place: int, key: Id, title: str | None) -> bool:
    """Tell whether the slot that is reached at a place is skipped, by its title or else by its owner."""
    parts = key.split("/")
    for entry in entries[place + 1 :]:
        if isinstance(entry.event, ev.SlotReached):
            return False
        if isinstance(entry.event, ev.Skipped) and (
            entry.event.what == title if title is not None else entry.event.who in parts
        ):
            return True
    return False


def slot_words(state: State, key: Id) -> str:
    """Return the words in the id of a slot that is no longer in a schedule; "" if it is only a number."""
    tail = key.rpartition("/")[2]
    words = clean(key_words(tail).replace("-", " "))
    sides = {side.id for side in state.sides}
    owners = (part for part in key.split("/")[1:] if part in state or is_gone(state, part) or part in sides)
    owner = next(owners, None)
    if owner is None:
        return words if words.replace(" ", "").isalpha() else ""
    name = clean(state.name(owner))
    return f"{possessive(name)} turn" if owner == tail else f"{name}: {words}"


class LogBuilder:
    """The log lines of one step while they are built."""

    def __init__(self, ruleset: Ruleset, state: State, past: ReplayedStates, *, full: bool) -> None:
        self.ruleset, self.state, self.states, self.full = ruleset, state, past, full
        self.lines: list[LineDraft] = []
        self.dice = DiceTable()
        self.action: Action | None = None
        self.headline = ""
        self.targets: tuple[Id, ...] = ()
        self.struck: set[Id] = set()
        self.named = ""
        self.edge: Boundary | None = None
        self.asked = False
        self.status, self.left = "", set[tuple[Id, str]]()
        self.begins = False
        self.chosen: tuple[str, tuple[str, ...]] = ("", ())
        self.compared: tuple[int, str, tuple[Part, ...]] = (0, "", ())
        self.place = 0
        self.joining: list[Id] = []
        self.filling: list[ev.Entry] = []
        self.placing: list[ev.Entry] = []
        self.known: set[int] = set()
        self.agreed: tuple[str, tuple[str, ...]] = ("", ())
        self.ending: list[tuple[Effect, str, tuple[str, ...]]] = []
        self.round, self.in_round = _begins_in(state, past.entries)
        self._names: dict[str, str] = {}

    # -- lines ---------------------------------------------------------------------------------------------------------

    def add(self, draft: LineDraft) -> None:
        """Add a line, with the round, the depth and the joins of this moment."""
        depth = draft.depth if self.action is not None else 0
        line = replace(
            draft,
            depth=depth,
            round=self.round,
            joins=draft.joins and not draft.secret and not draft.kind and depth == 1 and not self.begins,
            many=bool(draft.action) and len(self.targets) > 1,
            duel=self.action is not None and self.action.by is not None and len(self.targets) == 1,
        )
        if line.secret:
            line = replace(line, spans=(Span("secret: ", "dim"), *line.spans), lead=0, same=(), roll=None)
        self.begins = False
        self.lines.append(line)

    def add_words(self, draft: LineDraft) -> None:
        """Add a line of one text; if it is about the actor or a target of the action, it may join its line."""
        self.flush()
        (span,) = draft.spans
        name = "" if draft.whose is None else self.name(draft.whose)
        lead = next((each for each in (f"{name}: ", f"{name} ") if name and span.text.startswith(each)), "")
        spans = (Span(lead, span.style), Span(span.text[len(lead) :], span.style)) if lead else draft.spans
        self.add(replace(draft, spans=spans, lead=1 if lead else 0, joins=self.is_involved(draft.whose)))

    def is_involved(self, who: str | None) -> bool:
        """Tell whether a combatant is the actor or a target of the current action or was hit by it; None is the GM."""
        return self.action is not None and (who in (self.action.by, *self.targets) or who in self.struck)

    def name(self, key: str | None) -> str:
        """Return the name of a combatant or side; "GM" without a key."""
        if key is None:
            return "GM"
        if key == FIGHT:
            return "the fight"
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = clean(self.state.name(key))
        return name

    def until(self, effect: Effect) -> str:
        """Return the end of an effect in words, as of the moment it began: the clock may have moved since."""
        began = None if self.full else self.states.at(self.place)
        if began is not None:
            return until_words(began, effect)
        clock = self.state.clock
        if (clock.round, clock.in_round) == (self.round, self.in_round):
            return until_words(self.state, effect)
        return until_words(replace(self.state, clock=replace(clock, round=self.round, in_round=self.in_round)), effect)

    def slot_of(self, action: Action, place: int) -> tuple[Slot | None, bool]:
        """Return the slot that an action resolves without a heading, and whether its title tells the whole action."""
        before = self.states.at(place)
        slot = None if before is None else before.clock.current
        if self.full or before is None or slot is None or not is_act(slot) or slot.members != (action.by,):
            return None, False
        due = self.ruleset.advance(before)
        if due is None or (due.key, due.by) != (action.key, action.by):
            return None, False
        usual = {field.name: field.default for field in spec_of(self.ruleset, before, due).fields}
        return slot, all(value in (usual.get(key), None, False, ()) for key, value in action.fields)

    def is_heading(self, label: str, place: int) -> bool:
        """Tell whether the heading of the slot names the GM's action: `Initiative`, `Roll initiative`."""
        before = self.states.at(place)
        slot = None if before is None else before.clock.current
        return not self.full and slot is not None and slot.title.casefold() in label.casefold().split()

    def is_said_by_answer(self, effect: Effect) -> bool:
        """Tell whether the line of the answer before names this effect: `Orc is shoved: prone`."""
        if not self.lines or not self.lines[-1].asked:
            return False
        text = self.lines[-1].text
        return text.endswith(f" {clean(effect.shown)}") and self.name(effect.bearer) in text

    # -- entries that wait ---------------------------------------------------------------------------------------------

    def account(self, used: list[TableRoll], entry: ev.Entry, parts: Sequence[Part]) -> tuple[str, ...]:
        """Return the rules of a line with these dice and parts; add lines for the dice before it first."""
        rules = dict.fromkeys(entry.rules)
        for roll in used:
            self.dice.tell(roll)
            rules.update(dict.fromkeys(roll.entry.rules))
        rules.update(dict.fromkeys(part.rule for part in parts if part.rule))
        self.flush(min((roll.place for roll in used), default=self.first_compared()))
        return tuple(rules)

    def first_compared(self) -> int | None:
        """Return the place of the first die that a later comparison of the action shows, None if none does."""
        if not self.dice.untold:
            return None
        later = [entry.event for entry in self.states.following(self.place) if isinstance(entry.event, ev.Checked)]
        waiting = (roll for roll in self.dice.untold if any(compares(checked, roll.rolled) for checked in later))
        return next((roll.place for roll in waiting), None)

    def flush(self, before: int | None = None) -> None:
        """Add lines for newcomers, points, places and dice (`before`: only dice rolled before that place)."""
        if self.joining:
            self._add_joined()
        if self.filling:
            self._add_pools()
        if self.placing:
            self._add_places()
        if self.ending:
            self._add_ended()
        untold = self.dice.untold
        while untold and (before is None or untold[0].place < before):
            roll = untold[0]
            self.dice.tell(roll)
            self._add_dice(roll)

    def _add_dice(self, roll: TableRoll) -> None:
        rolled = roll.rolled
        own = rolled.who is None or (self.action is not None and self.action.by == rolled.who)
        name, why = "" if own else self.name(rolled.who), clean(rolled.why)
        spans = [Span(f"{name} " if why else f"{name}: ")] if name else []
        spans += [Span(f"{why}: ")] if why else []
        self.add(
            LineDraft(
                (*spans, *dice_spans(rolled, alone=True)),
                roll.entry.rules,
                secret=rolled.secret,
                asked=rolled.key,
                whose=rolled.who,
                lead=1 if name else 0,
                joins=rolled.who is None or self.is_involved(rolled.who),
            )
        )

    def _add_ended(self) -> None:
        """Add effects that ended together, each with its bearers."""
        ended, self.ending = self.ending, []
        rules = tuple(dict.fromkeys(rule for _, _, cited in ended for rule in cited))
        if len(ended) == 1:
            effect, why, _ = ended[0]
            name = self.name(effect.bearer)
            spans = (Span(f"{name}: "), Span(clean(ends_words(effect, why))))
            joins = self.is_involved(effect.bearer)
            self.add(LineDraft(spans, rules, whose=effect.bearer, lead=1, joins=joins))
            return
        bearers: dict[str, dict[str, None]] = {}
        for effect, _, _ in ended:
            bearers.setdefault(clean(effect.shown), {})[self.name(effect.bearer)] = None
        ends = [f"{shown} ends for {named(list(names))}" for shown, names in bearers.items()]
        why = f" ({clean(ended[0][1])})" if ended[0][1] else ""
        self.add(LineDraft((Span(f"{'; '.join(ends)}{why}"),), rules))

    def _add_pools(self) -> None:
        pools: dict[str, list[str]] = {}
        rules: dict[str, None] = {}
        for entry in self.filling:
            if isinstance(entry.event, ev.PoolSet):
                pool = entry.event.now
                pools.setdefault(pool.key, []).append(f"{self.name(entry.event.who)} {_points(pool)}")
            rules.update(dict.fromkeys(entry.rules))
        self.filling = []
        for key, people in pools.items():
            self.add(LineDraft((Span(f"{clean(key_words(key))}: {', '.join(people)}"),), tuple(rules)))

    def _add_places(self) -> None:
        rules = tuple(dict.fromkeys(rule for entry in self.placing for rule in entry.rules))
        places = [
            (self.name(event.who), plain_words(event.now))
            for event in (entry.event for entry in self.placing)
            if isinstance(event, ev.Moved)
        ]
        self.placing = []
        words = [f"{name} {'at' if number else 'stands at'} {place}" for number, (name, place) in enumerate(places)]
        self.add(LineDraft((Span(listed(words, len(words))),), rules))

    def _add_joined(self) -> None:
        """Add the newcomers of each side, with label and points."""
        sides: dict[str, list[str]] = {}
        points, rules = self._points_of(self.joining)
        for who in self.joining:
            combatant = self.state.get(who)
            side = combatant.side if combatant else ""
            more = ", ".join([*([combatant.label] if combatant else []), *points.get(who, ())])
            sides.setdefault(side, []).append(f"{self.name(who)} ({more})" if more else self.name(who))
        self.joining = []
        for side, names in sides.items():
            verb = "join" if len(names) > 1 else "joins"
            text = f"{listed(names, len(names))} {verb} {self.name(side) if side else 'the fight'}"
            self.add(LineDraft((Span(text),), rules, depth=0))

    def _points_of(self, newcomers: Sequence[Id]) -> tuple[dict[Id, list[str]], tuple[str, ...]]:
        """Return the pools of each newcomer with their dice, and the rules; mark these entries as shown."""
        points: dict[Id, list[str]] = {}
        rules: dict[str, None] = {}
        dice: dict[Id, list[int]] = {}
        for place, entry in enumerate(self.states.entries if not self.full else ()):
            match entry.event:
                case ev.Rolled(who=str() as who, secret=False) if who in newcomers:
                    dice.setdefault(who, []).append(place)
                case ev.PoolSet(who=who, was=None, now=pool) if who in newcomers:
                    rolled = dice.pop(who, [])
                    if any(roll.rolled.who == who for roll in self.dice.untold):
                        continue
                    self.known.update((place, *rolled))
                    rules.update(dict.fromkeys(entry.rules))
                    rolls = [self.states.entries[at].event for at in rolled]
                    shown = [dice_words(roll) for roll in rolls if isinstance(roll, ev.Rolled)]
                    if pool.max:
                        words = " ← ".join([_points(pool), *([" and ".join(shown)] if shown else [])])
                        points.setdefault(who, []).append(f"{clean(key_words(pool.key))} {words}")
        self.filling = [entry for entry in self.filling if getattr(entry.event, "who", None) not in points]
        return points, tuple(rules)


def _points(pool: Pool) -> str:
    return str(pool.now) if pool.now == pool.max else f"{pool.now}/{pool.max}"


def is_act(slot: Slot) -> bool:
    return slot.segment is not None and len(slot.members) == 1


def segment_words(slot: Slot) -> str:
    return minus(slot.segment)


def ends_words(effect: Effect, why: str) -> str:
    return f"{effect.shown} ends ({why})" if why else f"{effect.shown} ends"


def _begins_in(state: State, entries: Sequence[ev.Entry]) -> tuple[int, bool]:
    for entry in entries:
        if isinstance(entry.event, ev.BoundaryCrossed):
            boundary = entry.event.boundary
            if boundary.edge == "round_start":
                return max(0, boundary.round - 1), False
            return boundary.round, boundary.edge != "combat_end"
    return state.clock.round, state.clock.in_round
