"""The order pane: the game's schedule of the round, and the next ends of effects, waves and reminders."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import overload

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.places import slot_at
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.encounter import Wave
from tracker.core.terms.moments import named_place
from tracker.core.terms.words import possessive
from tracker.views.time.calendar import Due, When, calendar
from tracker.views.time.turn_marks import ACTING, DONE, WAITING, budget_words, marks_of
from tracker.views.words.ruleset_answers import badges_of, tolerate
from tracker.views.words.sides import allegiance_of, names_of
from tracker.views.words.spans import (
    Row,
    Span,
    cells,
    cut,
    cut_name,
    cut_spans,
    join,
    spread,
    width_of,
    wrap_spans,
    wrap_text,
)
from tracker.views.words.text import clean, key_words

MOST_DUE, MOST_LINES = 12, 6
LEAST = 6
"""Cells that the text keeps beside a long moment."""
_ROUND = re.compile(r"(start|end) of round (\d+)")
_TURN = re.compile(r"(start|end) of (?:the )?(.+?)(?:, round \d+)?")
FIGHT_END = "end of the fight"


def _due_lines(ruleset: Ruleset, state: State) -> list[_DueLine]:
    return [_due_line(state, dues) for dues in _grouped(calendar(ruleset, state, MOST_DUE))][:MOST_LINES]


def _wrapped(lines: Sequence[_DueLine], width: int, room: int | None) -> list[Row]:
    spare = 100 if room is None else max(0, room - len(lines))
    rows: list[Row] = []
    for line in lines:
        wrapped = line.rows(width, 1 + spare)
        spare -= len(wrapped) - 1
        rows += wrapped
    return rows


class _DueLine(Struct, frozen=True):
    """One line of the calendar: moment, labels, text."""

    key: str
    when: str
    labels: str
    what: str
    rules: tuple[str, ...]

    def rows(self, width: int, most: int) -> list[Row]:
        spans = (Span(self.when, "dim"), Span(" · ", "dim"), Span(self.labels + self.what))
        lines = wrap_spans(spans, width, 2)
        if len(lines) > most:
            if most == 1:
                return [self.row(width)]
            rest = " ".join("".join(span.text for span in line).strip() for line in lines[most - 1 :])
            lines = (*lines[: most - 1], (Span("  " + cut(rest, width - 2)),))
        return [Row(self.key, line, rules=self.rules) for line in lines]

    def row(self, width: int) -> Row:
        """Return the line cut to one row: labels are cut first."""
        when = cut(self.when, max(4, width - min(cells(self.what), LEAST) - 3))
        left = max(1, width - cells(when) - 3)
        labels = self.labels
        if cells(labels + self.what) > left:
            labels = cut(labels, max(3, left - cells(self.what)))
        spans = (Span(when, "dim"), Span(" · ", "dim"), Span(cut(labels + self.what, left)))
        return Row(self.key, spans, rules=self.rules)


def _due_line(state: State, dues: list[Due]) -> _DueLine:
    first = dues[0]
    people = [bearer for due in dues if (bearer := state.get(due.key.partition("#")[0])) is not None]
    labels, what = " ".join(bearer.label for bearer in people), first.line
    if first.kind == "effect":
        named = first.what.removesuffix(" ends")
        what = f": {named}" if labels else f"{named} ({first.who})" if first.who else named
    if first.secret:
        labels, what = f"({labels}", f"{what}, secret)"
    who = clean(people[0].name) if people else ""
    when = " or ".join(_when(moment, who) for moment in first.moments)
    return _DueLine(f"due:{first.key}", when, labels, what, (first.rule,) if first.rule else ())


def _grouped(dues: tuple[Due, ...]) -> Iterable[list[Due]]:
    """Return the ends of the same effect on several combatants at one moment as one group."""
    groups: dict[object, list[Due]] = {}
    for due in dues:
        same = (due.moment, due.what, due.secret) if due.kind == "effect" else due.key
        groups.setdefault(same, []).append(due)
    return groups.values()


def _when(moment: When, who: str) -> str:
    """Return a moment in few signs: `R4`, `R4 end`, `R4 Ava's turn`, `R4 turn` for Ava, `fight end`."""
    if moment.words == FIGHT_END:
        return "fight end"
    match = _ROUND.fullmatch(moment.words)
    if match is not None:
        return f"R{match[2]}" + (" end" if match[1] == "end" else "")
    match = _TURN.fullmatch(moment.words)
    if match is None or not moment.round:
        return moment.words
    what = match[2].replace("next turn", "turn")
    what = what if not who or what != f"{possessive(who)} turn" else "turn"
    return f"R{moment.round} {what}" + (" end" if match[1] == "end" else "")


NOW = "now"
SHORT_ACT = 20
"""Cells that an act needs beside its moment; with fewer cells the moment is shortened."""
DUE_SHOWN = 3
"""Lines of the calendar that make a long schedule shorter."""


class OrderRows(Sequence[Row]):
    """The schedule with its members, then the next lines of the calendar; each row is made when it is first read.

    Keys are the id of a slot, `slot#combatant` for a row of one combatant, and `due:<what>`. Slots at which the clock
    will not stop, or in which no combatant can act, have the state `ghost`. If the schedule has more lines than fit,
    slots do not show their members, and the current slot shows how many are `due` to act.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        state: State,
        width: int,
        *,
        active: Id | None = None,
        height: int | None = None,
        due: Callable[[State, Ruleset], Collection[Id]] | None = None,
    ) -> None:
        self._ruleset, self._state, self._width, self._due = ruleset, state, width, due
        self._active = state.clock.acting if active is None else active
        self._plan = _plan_of(ruleset, state, short=False)
        dues = _due_lines(ruleset, state)
        self._short = height is not None and len(self._plan.lines) > max(1, height - min(DUE_SHOWN, len(dues)))
        if self._short:
            self._plan = _plan_of(ruleset, state, short=True)
        self._begun, self._marks = set(state.clock.begun), marks_of(state.clock)
        self._kinds: dict[Id, str] = {}
        room = None if height is None else height - len(self._plan.lines)
        self._broken: list[tuple[int, Row]] | None = None
        if room is not None and room > len(dues):
            self._broken = self._with_breaks(room - len(dues))
            room -= len(self._broken) - len(self._plan.lines)
        self._then = _wrapped(dues, width, room)

    def _with_breaks(self, spare: int) -> list[tuple[int, Row]]:
        """Return the rows of all lines, each with the place of its line: two for a cut line while rows are to spare."""
        rows: list[tuple[int, Row]] = []
        for place, line in enumerate(self._plan.lines):
            single = self._rows_of(line)
            two = single.two if spare > 0 else ()
            spare -= len(two) > 0
            rows += [(place, row) for row in two or (single.one,)]
        return rows

    def __len__(self) -> int:
        return len(self._plan.lines if self._broken is None else self._broken) + len(self._then)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        if isinstance(place, slice):
            return [self[number] for number in range(len(self))[place]]
        place = range(len(self))[place]
        if self._broken is not None:
            return self._broken[place][1] if place < len(self._broken) else self._then[place - len(self._broken)]
        lines = self._plan.lines
        return self._rows_of(lines[place]).one if place < len(lines) else self._then[place - len(lines)]

    @property
    def now(self) -> int:
        """The place of the acting combatant, else of the current slot, else 0."""
        clock, places = self._state.clock, self._plan.places
        slot = places.get((clock.at, None), 0)
        acting = places.get((clock.at, self._active))
        if acting is not None and self._rows_of(self._plan.lines[acting]).one.state in ("current", "acting"):
            slot = acting
        if self._broken is None:
            return slot
        return next((number for number, (place, _) in enumerate(self._broken) if place == slot), 0)

    def _rows_of(self, line: _Line) -> _LineRows:
        slot, who = line.slot, line.who
        if line.note:
            passed = slot.id in self._begun and slot.id != self._state.clock.at
            spans = (
                Span(f"{line.lead}  ", ""),
                Span("! ", "dim" if passed else "warn"),
                Span(line.note, "dim" if passed else ""),
            )
            return _LineRows(Row(f"due:{line.key}", cut_spans(spans, self._width), "done" if passed else ""))
        if line.again:
            return self._repeated(line)
        current = slot.id == self._state.clock.at
        lead = line.lead + (" " if slot.id not in self._begun else ACTING if current else DONE)
        if line.alone:
            member = self._state[slot.members[0]]
            left, title = self._left(member), _act_title(self._state, slot, member)
            make = partial(self._single, slot, lead, left, title)
            return self._cached(slot.id, member, slot, (lead, NOW if current else "", left, title), make)
        kind = self._kinds.get(slot.id)
        if kind is None:
            kind = self._kinds[slot.id] = self._kind(slot, lead)
        if who is None:
            return self._heading(slot, kind, lead)
        member, indent = self._state[who], " " * (len(lead) + 2)
        status = status_of(self._ruleset, member.status)
        mark = self._marks.of(member, status, self._active) if current else ""
        left = self._left(member)
        make = partial(self._member, slot, mark, kind, indent, left)
        return self._cached(f"{slot.id}#{member.id}", member, slot, (mark, kind, indent, left), make)

    def _repeated(self, line: _Line) -> _LineRows:
        """Return the row of a slot that is repeated: current in any of the repeats, done after the last."""
        at, last = self._state.clock.at, line.again[-1]
        slot = replace(line.slot, id=at if at is not None and at in line.again else last)
        lead = line.lead + (ACTING if slot.id == at else DONE if last in self._begun else " ")
        return self._heading(line.slot, self._kind(slot, lead), lead)

    def _cached(
        self, key: str, combatant: Combatant, slot: Slot, texts: tuple[str, ...], make: Callable[[Combatant], _LineRows]
    ) -> _LineRows:
        """Return the row of a combatant, made again only if something in it has changed.

        Most rows of a long order stay the same from step to step. `texts`: the texts of the row that depend on more$
        than the combatant and the slot.
        """
        cache: dict[str, _CachedRows] = self._ruleset.__dict__.setdefault("_order_rows", {})
        if len(cache) > max(FEW, 2 * len(self._plan.lines)):  # each round has slots of its own
            cache.clear()
        texts = (*texts, str(self._width), allegiance_of(self._ruleset, self._state, combatant.side))
        cached = cache.get(key)
        if cached is None or not cached.is_of(combatant, slot, texts):
            cached = cache[key] = _CachedRows(combatant, slot, texts, make(combatant))
        return cached.rows

    def _left(self, combatant: Combatant) -> str:
        if not status_of(self._ruleset, combatant.status).acts:
            return ""
        return budget_words(badges_of(self._ruleset, self._state, combatant.id, tolerate))

    def _single(self, slot: Slot, lead: str, left: str, title: str, combatant: Combatant) -> _LineRows:
        status = status_of(self._ruleset, combatant.status)
        current = slot.id == self._state.clock.at
        end: list[Span] = [Span(clean(status.word), "bad")]
        if status.acts:
            info = key_words(slot.info)
            if cells(info) > self._width - cells(lead) - SHORT_ACT:
                info = " ".join(info.split()[-2:])
            end = [Span(clean(text), "dim") for text in (info, left) if text]
        kind = "current" if current else "done" if lead[-1] == DONE else "" if slot.stop else "ghost"
        kind = kind if kind or status.acts else "down"
        camp = allegiance_of(self._ruleset, self._state, combatant.side)
        style = f"turn-{camp}" if current else "dim" if kind else camp
        mark = Span(f"{lead[-1]} {combatant.label} ", style if current else "dim")
        start = (Span(lead[:-1], "dim"), mark, Span(title, style))
        return _ends(f"{slot.id}#{combatant.id}", start, end, self._width, kind)

    def _heading(self, slot: Slot, kind: str, lead: str) -> _LineRows:
        state = self._state
        title = clean(slot.title) or clean(state.name(slot.side) if slot.side else key_words(slot.phase))
        style: str = allegiance_of(self._ruleset, state, slot.side) if slot.side else ""
        style = "dim" if kind in ("done", "ghost") else "strong" if kind == "current" else style
        end = [Span(clean(key_words(slot.info)), "dim")] if slot.info else []
        if self._short and slot.members and kind == "current" and self._due is not None:
            due = len(self._due(state, self._ruleset))
            more = " · ".join((*(span.text for span in end), f"{due} to act"))
            if due and cells(f"{lead} {title} {more}") <= self._width:  # the whole name is more important
                end = [Span(more, "dim")]
        start = (Span(f"{lead} ", style), Span(title, style))
        between = " " if slot.info else " · "  # an initiative follows "now" without a dot, a count with one
        return _ends(slot.id, start, end, self._width, kind, between)

    def _member(self, slot: Slot, mark: str, kind: str, indent: str, left: str, member: Combatant) -> _LineRows:
        status = status_of(self._ruleset, member.status)
        glyph = mark or (DONE if kind == "done" and status.acts else " ")
        if not status.acts:
            look, style, end = "down", "dim", Span(clean(status.word), "bad")
            glyph = " " if glyph == WAITING else glyph
        else:
            look = {ACTING: "acting", DONE: "done"}.get(glyph, "")
            camp = allegiance_of(self._ruleset, self._state, member.side)
            style = f"turn-{camp}" if look == "acting" else "dim" if look == "done" or kind == "ghost" else camp
            end = Span(clean(left), "dim")
        lead = style if glyph == ACTING or style == "dim" else ""
        start = (Span(indent), Span(f"{glyph} {member.label} ", lead), Span(clean(member.name), style))
        if status.acts and look != "acting" and width_of(start) + cells(end.text) + 1 > self._width:
            end = Span("")  # the name is more important than unused actions
        return _named(f"{slot.id}#{member.id}", start, (end,) if end.text else (), self._width, look)

    def _kind(self, slot: Slot, lead: str) -> str:
        if slot.id == self._state.clock.at:
            return "current"
        if lead[-1] == DONE:
            return "done"
        members = [self._state[who] for who in slot.members if who in self._state]
        disabled = bool(slot.members) and not any(status_of(self._ruleset, member.status).acts for member in members)
        return "ghost" if not slot.stop or disabled else ""


class _Line(Struct, frozen=True, gc=False):
    """The content of one line: a slot, or one of its members.

    `alone`: a slot with one member. `again`: the ids of this slot and of the slots that only repeat it. `note`: a
    reminder or wave at this place, with its key.
    """

    slot: Slot
    lead: str
    who: Id | None = None
    alone: bool = False
    again: tuple[Id, ...] = ()
    note: str = ""
    key: str = ""


class _Plan(Struct, frozen=True):
    """The lines of a schedule, their places, and the values that the lines depend on."""

    made_for: tuple[object, ...]
    lines: tuple[_Line, ...]
    places: dict[tuple[Id | None, Id | None], int]


def _plan_of(ruleset: Ruleset, state: State, short: bool) -> _Plan:
    """Return the lines of a schedule, cached until it or the names of combatants change; `short`: without members."""
    clock = state.clock
    timed = (state.reminders, state.waves)
    made_for, name = (clock.slots, clock.over, state.places, state.sides, names_of(state), timed), f"_order_plan{short}"
    cached: _Plan | None = ruleset.__dict__.get(name)
    if cached is not None and cached.made_for == made_for:
        return cached
    slots = [slot for slot in clock.slots if slot.stage == "closing"] if clock.over else clock.slots
    numbered = any(slot.segment is not None for slot in slots)
    slots, again = _without_repeats(slots)
    before, behind = _notes_of(state, slots)
    lines: list[_Line] = []
    lead, last = "", None
    for slot in slots:
        if numbered:
            repeats = slot.segment is None or slot.segment == last
            lead = "   " if repeats else f"{str(slot.segment).replace('-', '−'):>2} "
            last = slot.segment
        lines += [_Line(slot, " " * len(lead), note=text, key=key) for key, text in before.get(slot.id, ())]
        if slot.id in again:
            lines.append(_Line(slot, lead, again=again[slot.id]))
            continue
        members = [who for who in slot.members if who in state]
        alone = len(slot.members) == len(members) == 1 and not _is_phase(state, slot)
        lines.append(_Line(slot, lead, None, alone))
        if not alone and not short:
            lines += [_Line(slot, lead, who) for who in members]
        lines += [_Line(slot, " " * len(lead), note=text, key=key) for key, text in behind.get(slot.id, ())]
    places: dict[tuple[Id | None, Id | None], int] = {
        (key, line.who): place
        for place, line in enumerate(lines)
        if not line.note
        for key in line.again or (line.slot.id,)
    }
    plan = ruleset.__dict__[name] = _Plan(made_for, tuple(lines), places)
    return plan


Notes = dict[Id, list[tuple[str, str]]]
"""The key and the text of each reminder and wave at a slot."""


def _notes_of(state: State, shown: Sequence[Slot]) -> tuple[Notes, Notes]:
    """Return the reminders and waves of this round's order, those before and those behind the shown slots."""
    order, ids = [slot.id for slot in state.clock.slots], {slot.id for slot in shown}
    notes: tuple[Notes, Notes] = ({}, {})
    waves = [(f"wave:{n}", wave.when, _wave_words(state, wave)) for n, wave in enumerate(state.waves, start=1)]
    reminders = [(f"reminder:{n}", each.when, clean(each.text)) for n, each in enumerate(state.reminders, start=1)]
    for key, when, text in (*waves, *reminders):
        place = named_place(when)
        slot = None if place is None or state.clock.over else slot_at(state, place)
        if place is not None and slot is not None:
            at = next((other for other in order[order.index(slot.id) :] if other in ids), order[-1])
            notes[place.edge == "end"].setdefault(at, []).append((key, text))
    return notes


def _wave_words(state: State, wave: Wave) -> str:
    return f"{f'wave: {clean(wave.title)}' if wave.title else 'a wave'} ({clean(state.name(wave.side))})"


def _is_phase(state: State, slot: Slot) -> bool:
    """Tell whether a slot with one member belongs to a side or a phase."""
    if slot.side and slot.title == state.name(slot.side):
        return True
    named = not slot.title or any(state.name(who) in slot.title for who in slot.members)
    return slot.segment is None and slot.turns == "shared" and not named


def _without_repeats(slots: Sequence[Slot]) -> tuple[list[Slot], dict[Id, tuple[Id, ...]]]:
    """Return the slots, repeated ones without a stop as one (`movement, 10 to 1`), and the slots that each replaces."""
    shown: list[Slot] = []
    first: dict[str, int] = {}
    again: dict[Id, tuple[Id, ...]] = {}
    last: dict[Id, Slot] = {}
    for slot in slots:
        if slot.stop or slot.members or slot.segment is None:
            shown.append(slot)
            continue
        fresh = [part for part in slot.title.split(", ") if part not in first]
        for part in slot.title.split(", "):
            if part not in fresh:
                begun = shown[first[part]].id
                again[begun], last[begun] = (*again.get(begun, (begun,)), slot.id), slot
        first.update(dict.fromkeys(fresh, len(shown)))
        if fresh:
            shown.append(replace(slot, title=", ".join(fresh)))
    titled = [
        replace(slot, title=f"{slot.title}, {slot.segment} to {last[slot.id].segment}") if slot.id in again else slot
        for slot in shown
    ]
    return titled, again


def parts_of_key(key: str) -> tuple[str, str | None]:
    """Return slot and combatant of a row's key; the combatant is None for a row about a slot."""
    slot, separator, who = key.partition("#")
    return slot, who if separator else None


FEW = 100
"""Rows of an order that are cached; of a long order twice as many as it has."""


class _CachedRows(Struct, frozen=True):
    """The rows of a combatant, and all values that they depend on."""

    combatant: Combatant
    slot: Slot
    texts: tuple[str, ...]
    rows: _LineRows

    def is_of(self, combatant: Combatant, slot: Slot, texts: tuple[str, ...]) -> bool:
        return self.combatant is combatant and self.slot is slot and self.texts == texts


def _act_title(state: State, slot: Slot, combatant: Combatant) -> str:
    """Return the name of a slot's only member, with its act: `javelin → Brannoc`."""
    title, name = clean(slot.title), clean(combatant.name)
    if title in ("", name):
        return name
    if name not in title:
        return f"{name} {title}"
    act = title.removeprefix(f"{name}: ")
    what, aimed, target = act.rpartition(" at ")
    return f"{what} → {target}" if aimed and any(clean(other.name) == target for other in state.combatants) else act


class _LineRows(Struct, frozen=True):
    """A line of the schedule as one row, and as two rows if its name does not fit in one."""

    one: Row
    two: tuple[Row, ...] = ()


def _named(key: str, start: Sequence[Span], end: Sequence[Span], width: int, state: str) -> _LineRows:
    """Return a lead and a name, with `end` at the right; in one row the name is cut, but not its number."""
    *lead, name = start
    indent = width_of(lead)
    taken = indent + (width_of(end) + 1 if end else 0)
    shown = Span(cut_name(name.text, max(1, width - taken)), name.style)
    one = Row(key, spread((*lead, shown), end, width), state)
    parts = wrap_text(name.text, max(1, width - indent))
    rest = parts[1] if len(parts) == 2 else ""
    if shown.text == name.text or len(parts) > 2 or indent + cells(rest) + width_of(end) + 1 > width:
        return _LineRows(one)
    below = spread((Span(" " * indent), Span(rest, name.style)), end, width)
    return _LineRows(one, (Row(key, (*lead, Span(parts[0], name.style)), state), Row(key, below, state)))


def _ends(key: str, start: Sequence[Span], end: list[Span], width: int, kind: str, between: str = " ") -> _LineRows:
    """Return a line with its right end, which begins with NOW in the current slot if there is room."""
    right = join([(span,) for span in end], " ")
    if kind == "current" and width_of(start) + width_of(right) + len(NOW + between) + 1 <= width:
        right = join([(Span(NOW, "strong"),), right], between)
    return _named(key, start, right, width, kind)
