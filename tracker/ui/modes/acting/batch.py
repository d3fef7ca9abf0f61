"""The sheet of a side: the turns of its combatants on one page, done with one Enter.

`ho` or `h o` aims h at o, `-h` leaves h out, `+h` takes it in again, `all o` aims all at o, `h run` has h run; a label
without a target opens its form. All of it may stand in one line. In a declared game the acts that are due are done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, ActionSpec, Option
from tracker.core.terms.values import Value
from tracker.ui.keys.command import Footer
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.default_actions import (
    WITH_WHAT,
    PlannedLine,
    able_combatants,
    default_line,
    opens_turn,
    place_field,
    with_action,
    with_target,
)
from tracker.ui.modes.acting.idle import skipped, still_to_act
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import (
    GradualMode,
    InputMode,
    Mode,
    ModeContext,
    PlannedTurn,
    Result,
    UntilActor,
    name_spans,
    target_field,
    targets_of,
)
from tracker.ui.typing.parser import missing_field, people_of, value_of
from tracker.ui.typing.rows import refusal_spans, visible_rows
from tracker.ui.typing.tokens import BEGINS, rank
from tracker.views.words.spans import Row, Span, cells, cut_name, cut_spans, spread, width_of
from tracker.views.words.text import clean
from tracker.views.words.values import field_words

AT_ONCE = 0.004
"""Seconds of choosing before the first picture; what is left is chosen after it."""
NOBODY = "nobody is left on this sheet"
NOTHING = "nothing is planned: a label and its target, or a label and an action's name"
HINT = "ho: h aims at o · all o: all do"
PLAIN = "attack"
"""What goes without saying of a line with a target."""


class TurnBatch(InputMode, GradualMode, frozen=True):
    """The planned actions of the combatants that can still act, and those to come, without what is typed."""

    place: ClassVar[Footer] = "sheet"
    title: ClassVar[str] = "Sheet"
    takes_labels: ClassVar[bool] = True
    lines: tuple[PlannedLine, ...]
    chosen: int = 0
    to_come: tuple[Id, ...] = ()

    @staticmethod
    def open(scene: ModeContext, seconds: float = AT_ONCE) -> TurnBatch:
        """Return the sheet of the side, group or phase that acts, begun for so long."""
        return TurnBatch((), to_come=able_combatants(scene)).filled(scene, seconds)

    @override
    def filled(self, scene: ModeContext, seconds: float | None = None) -> TurnBatch:
        end = None if seconds is None else perf_counter() + seconds
        state = scene.model.state
        lines, left = list(self.lines), list(self.to_come)
        while left and not (lines and state.side_of(left[0]).control != state.side_of(lines[0].by).control):
            line = default_line(state, left.pop(0), scene.ruleset)
            if line is not None:
                lines.append(line)
                if line.action is not None:
                    scene.spec(line.action)  # its row needs it, and finds it known
            if end is not None and lines and perf_counter() >= end:
                return replace(self, lines=tuple(lines), to_come=tuple(left))
        known = {line.by for line in lines}
        for who in still_to_act(state, scene.ruleset):
            if who not in known and (not lines or state.side_of(who).control == state.side_of(lines[0].by).control):
                lines.append(PlannedLine(who))
        return replace(self, lines=tuple(lines), to_come=())

    @override
    def typed(self, scene: ModeContext, entry: Entry) -> TurnBatch:
        return replace(self.filled(scene), entry=entry, problem="")

    def planned(self, action: Action) -> Mode:
        lines = tuple(
            replace(line, action=action, out=False, typed=True) if line.by == action.by else line for line in self.lines
        )
        return replace(self, lines=lines, problem="")

    @override
    def aims(self, scene: ModeContext) -> Mapping[Action, None]:
        if self.to_come:
            return {}
        read = parse_sheet(scene, self.lines, self.entry.text)
        return {line.action: None for line in read.lines if line.action is not None and not line.out}

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        read = parse_sheet(scene, self.lines, self.entry.text)
        problem = self.problem or (read.problem if " " in self.entry.text.strip() else "")
        shown = replace(self, problem=problem).head(width, HINT)
        if not read.lines and not self.to_come:
            return (*shown, Row("none", (Span("  nobody here has a usual action left", "dim"),)))
        idle = _idle_rows(scene, read.lines, width)
        places = _places(read.lines)
        rows = [_row(scene, read.lines[at], at == self.chosen, width, at) for at in places]
        rows += [_coming(scene, PlannedLine(who), width) for who in self.to_come]
        here = places.index(self.chosen) if self.chosen in places else 0
        return (*shown, *visible_rows(rows, here, max(1, height - len(shown) - len(idle))), *idle)

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        if self.to_come and key != "escape":
            return self.filled(scene).press(scene, key, character)
        if key == "space" and not self.entry.text and self.lines:
            line = self.lines[self.chosen]
            return Result(self._with(replace(line, out=not line.out)))
        return super().press(scene, key, character)

    @override
    def leave(self, scene: ModeContext) -> Result:
        return Result(replace(self, entry=Entry(), problem="")) if self.entry.text else Result(None)

    @override
    def step(self, scene: ModeContext, by: int) -> Result | None:
        places = _places(parse_sheet(scene, self.lines, self.entry.text).lines)
        if not places:
            return None
        here = places.index(self.chosen) if self.chosen in places else 0
        return Result(replace(self, chosen=places[(here + by) % len(places)]))

    @override
    def take(self, scene: ModeContext, form: bool) -> Result | None:
        read = parse_sheet(scene, self.lines, self.entry.text)
        if not form:
            return self._enter(scene, read)
        return self._form(scene, read, read.alone or read.lines[self.chosen].by) if self.lines else None

    @override
    def point(self, scene: ModeContext, row: str) -> Result | None:
        kind, _, number = row.partition(":")
        if kind != "line" or not number.isdigit() or int(number) >= len(self.lines):
            return None
        if int(number) == self.chosen:
            read = parse_sheet(scene, self.lines, self.entry.text)
            return self._form(scene, read, read.lines[self.chosen].by)
        return Result(replace(self, chosen=int(number)))

    def _with(self, changed: PlannedLine) -> TurnBatch:
        return replace(self, lines=tuple(changed if line.by == changed.by else line for line in self.lines))

    def _enter(self, scene: ModeContext, read: ParsedSheet) -> Result:
        if read.problem:
            return Result(replace(self, problem=read.problem))
        if read.alone is not None:
            return self._form(scene, read, read.alone)
        turns = tuple(
            PlannedTurn(line.by, line.action, line.opener, line.typed, scene.spec(line.action).does)
            for line in read.lines
            if not line.out and line.action is not None
        )
        for line in read.lines:
            if not line.out and line.action is not None and (lacks := _lacks(scene, line.action)):
                name = clean(scene.model.state.name(line.by))
                return Result(replace(self, lines=read.lines, entry=Entry(), problem=f"{name}: {lacks} is missing"))
        if not turns:
            return Result(replace(self, problem=NOBODY if any(line.out for line in read.lines) else NOTHING))
        return Result(None, plan=turns)

    def _form(self, scene: ModeContext, read: ParsedSheet, who: Id) -> Result:
        """Open the form of a combatant's action; Enter there comes back to the sheet."""
        line = next((line for line in read.lines if line.by == who), None)
        name = clean(scene.model.state.name(who))
        if line is None:
            return Result(replace(self, problem=f"{name} is not on this sheet"))
        back = replace(self, lines=read.lines, entry=Entry(), problem="")
        if line.action is None:
            return Result(replace(back, problem=f"{name} has nothing to do of itself: type a target or an action"))
        return Result(replace(Form.open(scene.spec(line.action), line.action), back=back, planned=back.planned))


def _places(lines: Sequence[PlannedLine]) -> list[int]:
    return [place for place, line in enumerate(lines) if line.action is not None or line.out]


def _idle_rows(scene: ModeContext, lines: Sequence[PlannedLine], width: int) -> tuple[Row, ...]:
    people = [scene.model.state.get(line.by) for line in lines if line.action is None and not line.out]
    labels = " ".join(person.label for person in people if person is not None)
    if not labels:
        return ()
    return (Row("idle", cut_spans((Span("  "), Span(labels, "strong"), Span(": nothing planned", "dim")), width)),)


def _lacks(scene: ModeContext, action: Action) -> str:
    spec = scene.spec(action)
    field = None if spec.refusal is not None else missing_field(spec, action)
    return "" if field is None else clean(field.shown)


def _coming(scene: ModeContext, line: PlannedLine, width: int) -> Row:
    return Row(f"coming:{line.by}", cut_spans((Span("  "), *name_spans(scene, line.by), Span("  …", "dim")), width))


def _row(scene: ModeContext, line: PlannedLine, here: bool, width: int, number: int) -> Row:
    key, style = f"line:{number}", "current" if here else ""
    parts: list[Span | str] = [Span("▸ " if here else "  ", "title"), line.by]
    if line.out:
        return Row(key, cut_spans(truncate_names(scene, [*parts, Span("  left out", "dim")], width), width), style)
    assert line.action is not None
    spec = scene.spec(line.action)
    target = target_field(spec)
    people = targets_of(spec, line.action)
    if line.opener is not None and not opens_turn(scene.model.state):
        parts.append(Span(f" · {_goes(scene, line.opener)}", "dim"))
    for place, who in enumerate(people):
        parts += [Span(" → " if place == 0 else ", ", "dim"), who]
    refused = spec.refusal if line.opener is None else None
    words = _words(scene, spec, line.action, target.name if target is not None else "", people)
    if words and not (refused and people):
        parts.append(Span(f" · {words}" if people else f"  {words}", "strong" if line.typed else "dim"))
    if refused is not None:
        why = (Span("  "), *refusal_spans(refused))
        return Row(key, cut_spans((*truncate_names(scene, parts, width), *why), width), style)
    if spec.does:
        parts.append(Span(f" ! {clean(spec.does)}", "warn"))
    odds = scene.chance(line.action)
    room = width - (cells(odds) + 1 if odds else 0)
    return Row(key, spread(truncate_names(scene, parts, room), (Span(odds, "key"),) if odds else (), width), style)


def _words(scene: ModeContext, spec: ActionSpec, action: Action, target: str, people: Sequence[Id]) -> str:
    """Return the weapon, another choice, or the action's name and where it goes."""
    plain, chosen = list[str](), list[str]()
    for field in spec.fields:
        value = value_of(field, action)
        shown = field_words(scene.model.state, field, value) if field.kind == "choice" else ""
        if field.name in WITH_WHAT:
            plain.append(_short(value, shown))
        if field.required and field.name != target:
            chosen.append(shown)
    words = [next((words for words in (*plain, *chosen) if words), "")]
    words += [more for more in _more(scene, spec, action, target) if more not in words]
    word = ", ".join(one for one in words if one and (one != PLAIN or not people))
    place = _place(scene, spec, action)
    if people and not place and (word or words[0] == PLAIN):
        return word
    return " ".join(part for part in (clean(spec.label).casefold(), word, place and f"to {place}") if part)


def _short(value: Value, words: str) -> str:
    """Return words of an option without what follows its name: `mace` of `mace SC 84`."""
    name = clean(value) if isinstance(value, str) else ""
    return name if name and words.startswith(name) else words


def _more(scene: ModeContext, spec: ActionSpec, action: Action, target: str) -> Iterator[str]:
    """Yield the other choices that are not the defaults of the form."""
    for name, value in action.fields:
        field = spec.field(name)
        if field is None or name in (*WITH_WHAT, target) or field is place_field(spec):
            continue
        left = scene.spec(replace(action, fields=tuple(pair for pair in action.fields if pair[0] != name)))
        usual = left.field(name)
        if usual is not None and usual.default != value:
            yield field_words(scene.model.state, field, value)


def _place(scene: ModeContext, spec: ActionSpec, action: Action) -> str:
    where = place_field(spec)
    return "" if where is None else field_words(scene.model.state, where, value_of(where, action))


def _goes(scene: ModeContext, opener: Action) -> str:
    spec = scene.spec(opener)
    return _place(scene, spec, opener) or clean(spec.label).casefold()


ALL = "all"


class ParsedSheet(Struct, frozen=True):
    """The lines with what is typed, the label without a target if there is one, and the problem."""

    lines: tuple[PlannedLine, ...]
    alone: Id | None = None
    problem: str = ""


def parse_sheet(scene: ModeContext, lines: Sequence[PlannedLine], text: str) -> ParsedSheet:
    read = ParsedSheet(tuple(lines))
    everybody = False
    for token in text.split():
        if read.problem:
            break
        if token.casefold() == ALL and read.alone is None and not everybody:
            everybody = True
            continue
        sign = token[0] if token[0] in "-+" else ""
        read = _signed(scene, read, token) if sign else _token(scene, read, token, everybody)
        everybody = everybody and bool(sign)
    return replace(read, problem='"all" at whom? a label') if everybody and not read.problem else read


def _signed(scene: ModeContext, read: ParsedSheet, token: str) -> ParsedSheet:
    people = people_of(scene, token[1:])
    if not people:
        return replace(read, problem=f'"{clean(token)}": a label stands behind {token[0]}')
    for who in people:
        if not any(line.by == who for line in read.lines):
            return replace(read, problem=f"{_name(scene, who)} is not on this sheet")
    lines = tuple(replace(line, out=token[0] == "-") if line.by in people else line for line in read.lines)
    return replace(read, lines=lines)


def _token(scene: ModeContext, read: ParsedSheet, token: str, everybody: bool) -> ParsedSheet:
    named = _action(scene, read, token)
    if named is not None:
        return named
    people = people_of(scene, token)
    if not people:
        return replace(read, problem=f'"{clean(token)}" is no label here')
    if everybody:
        for line in read.lines:
            read = _pair(scene, read, line.by, people[0]) if not line.out else read
        return read
    for who in people:
        if read.problem:
            return read
        read = replace(read, alone=who) if read.alone is None else _pair(scene, read, read.alone, who)
    return read


def _pair(scene: ModeContext, read: ParsedSheet, by: Id, target: Id) -> ParsedSheet:
    place = next((place for place, line in enumerate(read.lines) if line.by == by), None)
    if place is None:
        return replace(read, problem=f"{_name(scene, by)} is not on this sheet")
    line = with_target(scene, read.lines[place], target)
    if line is None:
        return replace(read, problem=f"{_name(scene, by)} has nothing to aim")
    return replace(read, lines=(*read.lines[:place], line, *read.lines[place + 1 :]), alone=None)


def _action(scene: ModeContext, read: ParsedSheet, token: str) -> ParsedSheet | None:
    if read.alone is None or len(token) < 3:
        return None
    ranked = [(rank(token, Option(spec.key, spec.label)), spec) for spec in scene.offers(read.alone)]
    worth = min((found for found, _ in ranked), default=BEGINS)
    if worth >= BEGINS:
        return None
    spec = next(spec for found, spec in ranked if found == worth)
    changed = tuple(
        with_action(scene, line, Action(spec.key, line.by)) if line.by == read.alone else line for line in read.lines
    )
    return replace(read, lines=changed)


def _name(scene: ModeContext, who: Id) -> str:
    return clean(scene.model.state.name(who))


ACTS_HINT = "Enter: all · s: as far as s"


def act_due(ruleset: Ruleset, state: State) -> Id | None:
    slot = state.clock.current
    if slot is None or slot.segment is None or not slot.members or state.clock.over:
        return None
    return slot.members[0] if ruleset.advance(state) is not None else None


class ActBatch(InputMode, frozen=True):
    """The declared acts that are due; a typed label stops them before the next act of that combatant."""

    place: ClassVar[Footer] = "acts"
    title: ClassVar[str] = "Acts"
    takes_labels: ClassVar[bool] = True

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        shown = self.head(width, ACTS_HINT)
        acts = _acts(scene)
        before = self._before(scene)
        end = next((place for place, slot in enumerate(acts) if place and slot.members[:1] == (before,)), len(acts))
        rows = [_act_row(scene, slot, width, done=place < end) for place, slot in enumerate(acts)]
        place = end if end < len(acts) else 0
        return (*shown, *visible_rows(rows, place, max(1, height - len(shown))))

    @override
    def take(self, scene: ModeContext, form: bool) -> Result | None:
        if form:
            return None
        text, before = self.entry.text.strip(), self._before(scene)
        if text and before is None:
            return Result(replace(self, problem=f'"{clean(text)}" is no label here'))
        if before is not None and not any(slot.members[:1] == (before,) for slot in _acts(scene)[1:]):
            name = clean(scene.model.state.name(before))
            return Result(replace(self, problem=f"no act of {name} follows in this round"))
        return Result(None, plan=UntilActor(before))

    def _before(self, scene: ModeContext) -> Id | None:
        people = people_of(scene, self.entry.text.strip())
        return people[0] if len(people) == 1 else None


def _acts(scene: ModeContext) -> tuple[Slot, ...]:
    state = scene.model.state
    clock = state.clock
    slots = (*(() if clock.current is None else (clock.current,)), *clock.upcoming)
    return tuple(
        slot
        for slot in slots
        if slot.segment is not None
        and slot.stop
        and slot.members
        and (slot is clock.current or skipped(scene.ruleset, state, slot) is None)
    )


def _act_row(scene: ModeContext, slot: Slot, width: int, *, done: bool) -> Row:
    name = scene.model.state.name(slot.members[0])
    what = slot.title.removeprefix(f"{name}: ")
    at = f"{slot.segment:>3} ".replace("-", "−")
    if not done:
        return Row(f"act:{slot.id}", cut_spans((Span(f"{at}{clean(name)} · {clean(what)}", "dim"),), width))
    action, target = _aimed(scene.model.state, what)
    parts: list[Span | str] = [Span(at, "key"), slot.members[0], Span(f" · {clean(action)}", "dim")]
    parts += [] if target is None else [Span(" → ", "dim"), target]
    return Row(f"act:{slot.id}", cut_spans(truncate_names(scene, parts, width), width))


def _aimed(state: State, what: str) -> tuple[str, Id | None]:
    """Return the declared action and its target, if its words name one: `mace at Wolf`."""
    found = [one for one in state.combatants if what.endswith(f" at {one.name}")]
    target = max(found, key=lambda one: len(one.name), default=None)
    return (what, None) if target is None else (what.removesuffix(f" at {target.name}"), target.id)


LEAST = (8, 4)
"""Cells that a name keeps as long as that is enough, and then: `Gale… 1`, `Ga…1`."""


def truncate_names(scene: ModeContext, parts: Sequence[Span | str], width: int) -> list[Span]:
    """Return spans with a name for each combatant's id among them, the last names cut if they do not all fit."""
    spans: list[Span] = []
    names: list[int] = []
    for part in parts:
        if isinstance(part, Span):
            spans.append(part)
            continue
        spans += name_spans(scene, part)
        names.append(len(spans) - 1)
    whole = {place: spans[place] for place in names}
    for least in LEAST:
        for place in reversed(names):
            over = width_of(spans) - width
            if over <= 0:
                return spans
            taken = cells(spans[place].text)
            short = cut_name(whole[place].text, max(min(least, taken), taken - over))
            spans[place] = Span(short, spans[place].style)
    return spans
