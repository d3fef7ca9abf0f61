"""The story of a step: its entries as lines, readable and complete.

Dice are told where their sum is; what is only bookkeeping (budgets, facts, edges of the clock) is told where `full`
asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight import events as ev
from tracker.core.fight.state import FIGHT, Id, Slot, State
from tracker.core.game.durations import until_words
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import Boundary
from tracker.views.story.past import Past, is_skipped, slot_words
from tracker.views.story.rare import rare_words
from tracker.views.words.deeds import deed_spans
from tracker.views.words.moments import boundary_words, modifier_words
from tracker.views.words.spans import Span
from tracker.views.words.sums import Thrown, dice_spans, sum_spans
from tracker.views.words.text import clean, listed, possessive
from tracker.views.words.values import plain_words

__all__ = ["Line", "tell"]


class Line(Struct, frozen=True, gc=False):
    """One line of the story, however long: its spans, how deep it stands, the rules behind it, and the round it happens in.

    `kind`: "" an action or what follows from it, `round` and `turn` where the clock moves on, `gm` where the game
    master overrules.
    `asked`: the key of the last answer it tells of.
    """

    spans: tuple[Span, ...]
    depth: int
    rules: tuple[str, ...]
    round: int
    kind: str = ""
    asked: str = ""

    @property
    def text(self) -> str:
        """The line without its styles."""
        return "".join(span.text for span in self.spans)


def tell(
    ruleset: Ruleset, state: State, entries: Sequence[ev.Entry], full: bool = False, before: State | None = None
) -> tuple[Line, ...]:
    """Return the lines of one step, given the state after it and, where it is at hand, the one before."""
    teller = _Teller(ruleset, state, entries, full, before)
    for place, entry in enumerate(entries):
        teller.tell(entry, place)
    teller.clear_table()
    return tuple(teller.lines)


class _Teller:
    """Where the telling has come to."""

    def __init__(
        self, ruleset: Ruleset, state: State, entries: Sequence[ev.Entry], full: bool, before: State | None
    ) -> None:
        self.ruleset, self.state, self.full = ruleset, state, full
        self.entries, self.past = entries, Past(state, entries, before)
        self.lines: list[Line] = []
        self.table: list[Thrown] = []
        self.action: Action | None = None
        self.targets: tuple[Id, ...] = ()
        self.edge: Boundary | None = None
        self.edge_new = self.asked = False
        self.joining: list[Id] = []
        self.filling: list[ev.Entry] = []
        self.placing: list[ev.Entry] = []
        self.round, self.in_round = state.clock.round, state.clock.in_round
        for entry in entries:
            if isinstance(entry.event, ev.BoundaryCrossed):
                boundary = entry.event.boundary
                starts = boundary.edge == "round_start"
                self.round, self.in_round = (
                    (max(0, boundary.round - 1), False) if starts else (boundary.round, boundary.edge != "combat_end")
                )
                break
        self.names: dict[str, str] = {}

    # -- lines ---------------------------------------------------------------------------------------------------------

    def say(
        self,
        spans: Sequence[Span],
        rules: tuple[str, ...] = (),
        depth: int = 1,
        kind: str = "",
        secret: bool = False,
        asked: str = "",
    ) -> None:
        """Add a line; one that players do not see says so."""
        shown = (Span("secret: ", "dim"), *spans) if secret else tuple(spans)
        self.lines.append(
            Line(shown, depth if self.action is not None or depth == 0 else 0, rules, self.round, kind, asked)
        )

    def words(
        self, text: str, entry: ev.Entry, style: str = "", depth: int = 1, kind: str = "", secret: bool = False
    ) -> None:
        """Add a line of one span, after whatever dice are still untold."""
        self.clear_table()
        self.say((Span(text, style),), entry.rules, depth, kind, secret)

    def name(self, key: str | None) -> str:
        """Return what to call somebody."""
        if key is None:
            return "GM"
        if key == FIGHT:
            return "the fight"
        name = self.names.get(key)
        if name is None:
            name = self.names[key] = clean(self.state.name(key))
        return name

    def clear_table(self, before: Thrown | None = None) -> None:
        """Tell of newcomers, of their points, and of the dice that no sum has accounted for: those that were thrown before these, or all."""
        if self.joining:
            self._joined()
        if self.filling:
            self._filled()
        if self.placing:
            self._placed()
        for thrown in self.table:
            if thrown is before:
                break
            if not thrown.told:
                thrown.told = True
                rolled = thrown.rolled
                whose = (
                    f"{self.name(rolled.who)} "
                    if rolled.who is not None and (self.action is None or self.action.by != rolled.who)
                    else ""
                )
                why = clean(rolled.why)
                lead = f"{whose}{why}: " if why else f"{whose.rstrip()}: " if whose else ""
                spans = (Span(lead), *dice_spans(rolled)) if lead else dice_spans(rolled)
                self.say(spans, thrown.entry.rules, secret=rolled.secret, asked=rolled.key)

    def _filled(self) -> None:
        pools: dict[str, list[str]] = {}
        rules: dict[str, None] = {}
        for entry in self.filling:
            if isinstance(entry.event, ev.PoolSet):
                pool = entry.event.now
                points = str(pool.now) if pool.now == pool.max else f"{pool.now}/{pool.max}"
                pools.setdefault(pool.key, []).append(f"{self.name(entry.event.who)} {points}")
            rules.update(dict.fromkeys(entry.rules))
        self.filling = []
        for key, people in pools.items():
            self.say((Span(f"{clean(key.replace('_', ' '))}: {', '.join(people)}"),), tuple(rules))

    def _placed(self) -> None:
        rules = tuple(dict.fromkeys(rule for entry in self.placing for rule in entry.rules))
        places = [
            (self.name(event.who), plain_words(event.now))
            for event in (entry.event for entry in self.placing)
            if isinstance(event, ev.Moved)
        ]
        self.placing = []
        told = [f"{name} {'at' if number else 'stands at'} {place}" for number, (name, place) in enumerate(places)]
        self.say((Span(listed(told, len(told))),), rules)

    def _joined(self) -> None:
        sides: dict[str, list[str]] = {}
        for who in self.joining:
            combatant = self.state.get(who)
            side = combatant.side if combatant else ""
            sides.setdefault(side, []).append(f"{self.name(who)} ({combatant.label})" if combatant else self.name(who))
        self.joining = []
        for side, names in sides.items():
            verb = "join" if len(names) > 1 else "joins"
            self.say((Span(f"{listed(names, len(names))} {verb} {self.name(side) if side else 'the fight'}"),), depth=0)

    # -- events --------------------------------------------------------------------------------------------------------

    def tell(self, entry: ev.Entry, place: int) -> None:
        """Tell of one entry, the one at this place of the step."""
        match entry.event:
            case ev.Rolled() as rolled:
                if self.joining or self.filling or self.placing:
                    self.clear_table()
                self.table.append(Thrown(rolled, entry))
                self.asked = True
            case ev.Checked() as checked:
                self.checked(checked, entry)
            case ev.PoolChanged() as change:
                self.pool(change, entry)
            case ev.ActionTaken(action=action, label=label):
                self.acted(action, label, entry, place)
            case ev.BoundaryCrossed(boundary=boundary):
                self.crossed(boundary, entry)
            case ev.SlotReached(now=now):
                self.reached(now, entry, place)
            case ev.EffectAdded(effect=effect):
                self.begun(effect, entry)
            case ev.EffectEnded(was=was, reason=reason):
                self.ended(was, reason, entry)
            case ev.StatusChanged(who=who, now=status):
                word = self.ruleset.status(status)
                self.words(f"{self.name(who)} is {clean(word.word)}", entry, "" if word.acts else "bad")
            case ev.Decided() as decided:
                self.decided(decided, entry)
            case ev.TurnOpened(now=acting):
                opens = place + 1 < len(self.entries) and isinstance(self.entries[place + 1].event, ev.ActionTaken)
                if acting is not None and not opens:
                    self.words(f"{possessive(self.name(acting))} turn", entry, "title", 0, "turn")
            case ev.CombatantJoined(combatant=combatant):
                if not self.joining:
                    self.clear_table()
                self.joining.append(combatant.id)
            case ev.Moved(was=None):
                if not self.placing:
                    self.clear_table()
                self.placing.append(entry)
            case ev.BudgetsChanged() | ev.FactSet() | ev.ReminderDismissed() if not self.full:
                pass
            case ev.OrderSet(was=before, now=after):
                self.ordered(before, after, entry)
            case _:
                self.rare(entry)

    def checked(self, checked: ev.Checked, entry: ev.Entry) -> None:
        """Tell of a number compared, with its dice and parts."""
        spans, used = sum_spans(checked.parts, checked.total, self.table, checked.who)
        theirs, theirs_used = sum_spans(
            checked.against_parts, checked.against or 0, self.table, checked.target, named=True
        )
        used += theirs_used
        rules = self._account(used, entry, checked.parts)
        actor = self.action.by if self.action else None
        what = clean(checked.what.replace("_", " "))
        plain = checked.who == actor and (
            what in ("attack", "hit", "to hit") or (self.action is not None and checked.what == self.action.key)
        )
        lead = (
            ""
            if plain and spans
            else f"{what}: "
            if checked.who in (None, actor)
            else f"{self.name(checked.who)} {what}: "
        )
        line = ([Span(lead)] if lead else []) + (spans or [Span(str(checked.total), "strong")])
        if checked.against is not None:
            what = clean(checked.against_what.replace("_", " "))
            line.append(Span(f" vs {what} {checked.against}" if what else f" vs {checked.against}"))
            if len(checked.against_parts) > 1:
                line += [
                    Span(" (", "dim"),
                    *(theirs[:-1] if theirs[-1].text.startswith(" = ") else theirs),
                    Span(")", "dim"),
                ]
        if checked.target is not None and self.targets != (checked.target,) and checked.target != checked.who:
            line.append(Span(f" ({self.name(checked.target)})"))
        if checked.result and checked.result != str(checked.total):
            line.append(Span("  " + clean(checked.result), "strong"))
        self.say(
            line, rules, secret=any(thrown.rolled.secret for thrown in used), asked=used[-1].rolled.key if used else ""
        )

    def _account(self, used: list[Thrown], entry: ev.Entry, parts: Sequence[Part]) -> tuple[str, ...]:
        """Return the rules behind a line with these dice and parts, and tell first of whatever dice lie on the table besides."""
        rules = dict.fromkeys(entry.rules)
        for thrown in used:
            thrown.told = True
            rules.update(dict.fromkeys(thrown.entry.rules))
        rules.update(dict.fromkeys(part.rule for part in parts if part.rule))
        self.clear_table(next((thrown for thrown in self.table if thrown in used), None))
        return tuple(rules)

    def pool(self, change: ev.PoolChanged, entry: ev.Entry) -> None:
        """Tell of points lost or regained."""
        spans, used = self._loss(change)
        rules = self._account(used, entry, change.parts)
        first = self.ruleset.schema.pools[:1] == (change.pool,)
        pool = "" if first else " " + clean(change.pool.replace("_", " "))
        style = "bad" if change.now < change.was else "good"
        line = [*spans, Span(" → ")] if spans else []
        line += [Span(f"{self.name(change.who)}{pool} "), Span(f"{change.was}→{change.now}", style)]
        if change.why:
            line.append(Span(f" ({clean(change.why.replace('_', ' '))})", "dim"))
        if change.source is not None and (self.action is None or self.action.by != change.source):
            line.append(Span(f" by {self.name(change.source)}", "dim"))
        self.say(
            line, rules, secret=any(thrown.rolled.secret for thrown in used), asked=used[-1].rolled.key if used else ""
        )

    def _loss(self, change: ev.PoolChanged) -> tuple[list[Span], list[Thrown]]:
        """Return the sum behind a change, told as a plain number: of its parts even where the pool could not take all of it."""
        whole = sum(part.amount for part in change.parts)
        if not change.parts:
            return sum_spans((), abs(change.now - change.was), self.table, change.source)
        sign = -1 if whole < 0 else 1
        parts = [Part(part.label, sign * part.amount, part.rule) for part in change.parts] if sign < 0 else change.parts
        moved = abs(change.now - change.was)
        spans, used = sum_spans(parts, sign * whole, self.table, change.source)
        if not used and sign * whole != moved:  # perhaps the dice are no part of the parts
            other, dice = sum_spans(parts, moved, self.table, change.source)
            return (other, dice) if dice else (spans, used)
        return spans, used

    def acted(self, action: Action, label: str, entry: ev.Entry, place: int) -> None:
        """Tell who sets out to do what."""
        self.clear_table()
        self.table = []
        self.action, self.targets = action, ()
        if action.key == "next":
            self.action = None
            return
        line, self.targets = deed_spans(self.ruleset, self.state, self.past.at(place), action, label, self.name)
        self.say(line, entry.rules, 0)

    def crossed(self, boundary: Boundary, entry: ev.Entry) -> None:
        """Remember the edge; what happens at it is told as its consequence."""
        if boundary.edge == "round_start":
            self.clear_table()
            self.round, self.in_round, self.action = boundary.round, True, None
            self.words(
                f"Round {boundary.round}" if boundary.round else "Before the first round", entry, "title", 0, "round"
            )
        elif boundary.edge == "round_end":
            self.in_round = False
        self.edge, self.action = boundary, None if boundary.edge != "turn_start" else self.action
        if self.full and boundary.edge != "round_start":
            self.words(boundary_words(self.state, boundary), entry, "dim")

    def reached(self, now: Id | None, entry: ev.Entry, place: int) -> None:
        """Tell whose turn or which moment it is now, unless it is skipped: that is told next."""
        if now is None:
            return
        self.action, self.targets = None, ()
        slot = self.past.slot(now)
        if not self.full and (
            (slot is not None and not slot.stop) or is_skipped(self.entries, place, now, slot.title if slot else None)
        ):
            return
        title = clean(slot.title or slot.phase) if slot else slot_words(self.state, now)
        if (
            slot is not None
            and slot.turns != "none"
            and title in (self.name(slot.side) if slot.side else "", *(self.name(who) for who in slot.members[:1]))
        ):
            title = f"{possessive(title)} turn"
        if slot is not None and slot.segment is not None:
            title = f"{str(slot.segment).replace('-', '−')}: {title}"
        if title:
            self.words(title, entry, "title", 0, "turn")

    def begun(self, effect: Effect, entry: ev.Entry) -> None:
        """Tell what begins to hold, and until when."""
        change = f" {modifier_words(effect.modifiers)}" if effect.modifiers else ""
        until = f", until {self._until(effect)}" if effect.until else ""
        by = (
            f" (by {self.name(effect.source)})"
            if effect.source not in (None, effect.bearer, self.action.by if self.action else None)
            else ""
        )
        self.words(clean(f"{self.name(effect.bearer)}: {effect.shown}{change}{until}{by}"), entry, secret=effect.secret)

    def _until(self, effect: Effect) -> str:
        """Return the end in words as it was when the effect began: the clock may have gone on since."""
        clock = self.state.clock
        if (clock.round, clock.in_round) == (self.round, self.in_round):
            return until_words(self.state, effect)
        return until_words(replace(self.state, clock=replace(clock, round=self.round, in_round=self.in_round)), effect)

    def ended(self, effect: Effect, reason: str, entry: ev.Entry) -> None:
        """Tell what no longer holds, and why."""
        why = reason
        if effect.due and self.edge is not None and reason == "its time is up":
            why = boundary_words(self.state, self.edge)
        self.words(clean(f"{self.name(effect.bearer)}: {effect.shown} ends ({why})"), entry, secret=effect.secret)

    def decided(self, decided: ev.Decided, entry: ev.Entry) -> None:
        """Tell an answer to a question."""
        self.asked = True
        words = ", ".join(
            self.name(part) if part in self.state else part.replace("_", " ") for part in decided.answer.split(", ")
        )
        question = clean(decided.why or decided.key.rpartition("/")[2].replace("_", " "))
        whose = (
            f"{self.name(decided.who)}: "
            if decided.who is not None and (self.action is None or self.action.by != decided.who)
            else ""
        )
        self.clear_table()
        answer = (
            Span(f"{whose}{question}{'' if question.endswith('?') else ':'} ", "dim"),
            Span(clean(words) or "none"),
        )
        self.say(answer, entry.rules, secret=decided.secret, asked=decided.key)

    def ordered(self, before: tuple[Slot, ...], after: tuple[Slot, ...], entry: ev.Entry) -> None:
        """Tell a new order: the first one, one that dice have made, or one that is changed on the way."""
        slots = [slot for slot in after if slot.stage == "round"]
        changed = [slot.id for slot in before if slot.stage == "round"] != [slot.id for slot in slots]
        if not slots or not changed or not (before or self.asked or self.round <= 1 or self.full):
            return
        titles = [
            clean(f"{slot.title} {slot.info}" if slot.info and len(slot.info) <= 4 else slot.title) for slot in slots
        ]
        self.words(f"order: {listed(list(dict.fromkeys(titles)), 12)}", entry)

    def rare(self, entry: ev.Entry) -> None:
        """Tell of what happens once in a while."""
        told = rare_words(self.state, entry.event, self.name, self._until)
        if isinstance(entry.event, ev.PoolSet):
            fresh = [thrown for thrown in self.table if not thrown.told and thrown.rolled.who == entry.event.who]
            if fresh:
                dice = [span for thrown in fresh for span in (Span(" "), *dice_spans(thrown.rolled))]
                rules = self._account(fresh, entry, ())
                self.say((Span(told.text), Span(" ←", "dim"), *dice), rules)
                return
            if entry.event.was is None:
                self.filling.append(entry)
                return
        if told.text:
            self.words(told.text, entry, told.style, told.depth, told.kind, told.secret)
