"""The state of a step, and the only ways to change it: events, and methods that emit the usual ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter, is_not

from msgspec import UNSET
from msgspec.structs import replace

from tracker.core.fight.cache import differing, settled
from tracker.core.fight.events import (
    BudgetChange,
    BudgetsChanged,
    EffectAdded,
    EffectEnded,
    EffectUsed,
    Entry,
    Event,
    FactSet,
    Noted,
    OrderSet,
    PoolChanged,
    Skipped,
    StatusChanged,
)
from tracker.core.fight.fold import CHANGES
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Absent, CorruptJournal, RulesBug
from tracker.core.terms.moments import At, OnUse, side_anchor, who_anchor
from tracker.core.terms.values import Value

MOST_EVENTS = 100_000


@cache
def _reader(fields: tuple[str, ...]) -> attrgetter[tuple[object, ...]]:
    """Return the function that reads these fields and the id."""
    return attrgetter(*fields, "id")


class StateChanges:
    """A state and its events so far."""

    watched = False
    """Whether totals of dice may be `watched.WatchedTotal`s; windows are passed then."""

    unread = False
    """Whether no person reads its requests: they need no words about needed numbers, and moot windows are passed."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.entries: list[Entry] = []

    def emit(self, event: Event, *rules: str) -> None:
        """Add an event, and change the state."""
        entries = self.entries
        if len(entries) >= MOST_EVENTS:
            raise RulesBug(f"a step makes more than {MOST_EVENTS} events")
        change = CHANGES[type(event)]
        if change is not None:
            if type(event) is OrderSet:
                event = replace(event, now=self._with_those_here(event.now))
            try:
                self.state = change(self.state, event)
            except CorruptJournal as stale:
                raise (Absent(stale.absent) if stale.absent else RulesBug(stale.message)) from stale
        entries.append(Entry(event, rules))

    def changed_since_settle(self, *fields: str) -> tuple[Combatant, ...]:
        """Return the combatants that have changed, in any or in these fields, since `settle` last began or ended.

        For `Ruleset.settle`: its own changes count too. Returns all combatants if some have joined or left, or if the
        house rules, the set-up or the sides have changed.
        """
        known, state = settled(self.state), self.state
        new, changed = state.combatants, set()
        if not known:
            return new
        for was in known:
            if was.house_rules is not state.house_rules or was.setup is not state.setup or was.sides is not state.sides:
                return new
            old = was.combatants
            if old is not new:
                places = differing(old, new)
                if fields and places:
                    of = _reader(fields)
                    places = [place for place in places if any(map(is_not, of(old[place]), of(new[place])))]
                changed.update(places)
        return tuple([new[place] for place in sorted(changed)]) if changed else ()

    def _with_those_here(self, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
        """Return slots without the combatants that have left while the ruleset made the order."""
        if all(member in self.state for slot in slots for member in slot.members):
            return slots
        return tuple(
            replace(slot, members=tuple(member for member in slot.members if member in self.state)) for slot in slots
        )

    def change(
        self,
        who: Id,
        pool: str,
        now: int,
        *rules: str,
        parts: Sequence[Part] = (),
        why: str = "",
        source: Id | None = None,
    ) -> int:
        """Set a pool to a value not below its floor, and return the difference."""
        before = self.state[who].pool(pool)
        if before.floor is not None:
            now = max(before.floor, now)
        self.emit(PoolChanged(who, pool, before.now, now, tuple(parts), why, source), *rules)
        return now - before.now

    def status(self, who: Id, now: str, *rules: str) -> None:
        """Set a combatant's status, if it is another one."""
        was = self.state[who].status
        if was != now:
            self.emit(StatusChanged(who, was, now), *rules)

    def fact(self, owner: str, key: str, now: Value, *rules: str, source: Id | None = None) -> None:
        """Set a fact, if it has another value; None removes it. `source`: the combatant that causes it."""
        was = self.state.fact(owner, key)
        if was != now or type(was) is not type(now):
            self.emit(FactSet(owner, key, was, now, UNSET if source is None else source), *rules)

    def spend(self, who: Id, key: str, *rules: str, amount: int = 1) -> None:
        """Take from a combatant's budget, down to 0; the rest of a forced action's price is dropped."""
        was = self.state[who].budget
        before = dict(was).get(key, 0)
        left = max(0, before - amount)
        now = tuple((dict(was) | {key: left}).items())
        self.emit(BudgetsChanged((BudgetChange(who, was, now, key if left > before - amount else UNSET),)), *rules)

    def refill(self, budgets: Mapping[Id, tuple[tuple[str, int], ...]], *rules: str) -> None:
        """Set whole budgets, no part below 0; unchanged budgets give no event."""
        changes: list[BudgetChange] = []
        last = now = None
        for who, amounts in budgets.items():
            was = self.state[who].budget
            if was == amounts:
                continue
            if now is None or amounts is not last:  # many combatants get the same object
                last, now = amounts, tuple([(key, max(0, amount)) for key, amount in amounts])
            if was != now:
                changes.append(BudgetChange(who, was, now))
        if changes:
            self.emit(BudgetsChanged(tuple(changes)), *rules)

    def note(self, text: str, *rules: str, about: str | None = None) -> None:
        """Write words into the log."""
        self.emit(Noted(text, about), *rules)

    def skip(self, what: str, why: str, *rules: str, who: Id | None = None) -> None:
        """Log that a turn, slot or action that was due does not happen."""
        self.emit(Skipped(what, why, who), *rules)

    def add_effect(self, effect: Effect, *rules: str) -> int:
        """Add an effect as its stacking says, with its anchors resolved now, and return its number."""
        if effect.bearer not in self.state and any(gone == effect.bearer for gone, _ in self.state.gone):
            raise Absent(effect.bearer)
        present = self._present(effect)
        if present is not None and effect.stacking == "keep":
            return present.id
        if present is not None and effect.stacking != "add":
            self.end_effect(present, "replaced", *rules)
        number = self.state.serial + 1
        until = tuple(self._tied(end, effect) if isinstance(end, At) else end for end in effect.until)
        clock = self.state.clock
        rule = effect.rule or (rules[0] if rules else "")
        added = replace(effect, id=number, until=until, rule=rule, born=(clock.round, clock.at or ""))
        self.emit(EffectAdded(added), *rules)
        if added.due:
            self.end_effect(added, "its time is up")
        return number

    def _present(self, effect: Effect) -> Effect | None:
        """Return the present effect that an added one replaces, or that keeps it out."""
        alike = (other for other in self.state.borne(effect.bearer) if other.name == effect.name)
        own = effect.stacking == "by_source"
        return next((other for other in alike if not own or other.source == effect.source), None)

    def _tied(self, end: At, effect: Effect) -> At:
        """Return an end with its anchor resolved; for a bearer that is no combatant and no side, rounds count."""
        whole = effect.bearer not in self.state and not effect.bearer.startswith("side:")
        if whole and end.anchor in ("bearer", "bearer_side") and not end.edge.startswith(("round", "combat")):
            return At("round_start" if end.edge.endswith("start") else "round_end", count=end.count)
        return replace(end, anchor=self._anchor(end, effect))

    def _anchor(self, end: At, effect: Effect) -> str:
        clock, anchor = self.state.clock, end.anchor
        if end.edge in ("round_start", "round_end", "combat_end"):
            return "any"  # these edges belong to all
        match anchor:
            case "bearer" | "source":
                who = effect.bearer if anchor == "bearer" else effect.source
                if who is None or (who not in self.state and not who.startswith("side:")):
                    return "any"
                return who_anchor(who) if who in self.state else who
            case "bearer_side" | "source_side":
                combatant = self.state.get(effect.bearer if anchor == "bearer_side" else effect.source)
                return (
                    effect.bearer
                    if combatant is None and effect.bearer.startswith("side:")
                    else side_anchor(combatant.side)
                    if combatant
                    else "any"
                )
            case "acting_side":
                acting = self.state.get(clock.acting)
                side = clock.current.side if clock.current and clock.current.side else acting.side if acting else None
                return side_anchor(side) if side else "any"
            case _:
                return anchor

    def end_effect(self, effect: Effect, reason: str, *rules: str) -> None:
        """End an effect and its children."""
        self.emit(EffectEnded(effect, reason), *(rules or ((effect.rule,) if effect.rule else ())))
        for bearer, number in self.state.children.get(effect.id, ()):
            child = self.state.effect(bearer, number)
            if child is not None:
                self.end_effect(child, f"with {effect.shown}")

    def end_named(self, bearer: str, name: str, reason: str, *rules: str) -> bool:
        """End every effect of that name on a bearer, and return whether there was one."""
        combatant = self.state.get(bearer)
        if combatant is not None and not combatant.has(name):
            return False  # the usual case
        ending = [effect for effect in self.state.borne(bearer) if effect.name == name]
        for effect in ending:
            current = self.state.effect(bearer, effect.id)
            if current is not None:
                self.end_effect(current, reason, *rules)
        return bool(ending)

    def use(self, bearer: str, key: str) -> None:
        """Count one use for the bearer's effects that end on it, and end effects without uses left."""
        for effect in self.state.borne(bearer):
            if any(isinstance(end, OnUse) and end.key == key and end.count > 0 for end in effect.until):
                if self.state.effect(bearer, effect.id) is None:
                    continue  # ended with another one
                self.emit(EffectUsed(bearer, effect.id, key))
                used = self.state.effect(bearer, effect.id)
                if used is not None and used.due:
                    self.end_effect(used, "used")

    def expire(self) -> None:
        """End the due effects, in order of creation."""
        while self.state.due:
            bearer, number = self.state.due[0]
            effect = self.state.effect(bearer, number)
            if effect is None:
                raise RulesBug(f"effect {number} of {bearer} is due but does not hold")
            used = any(isinstance(end, OnUse) and end.count <= 0 for end in effect.until)
            self.end_effect(effect, "used" if used else "its time is up")
