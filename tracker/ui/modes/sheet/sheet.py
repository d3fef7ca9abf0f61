"""The sheet: a side's turn on one page, played line by line with one Enter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.state import Id
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.values import Value
from tracker.ui.keys.command import Place
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.standing import to_act
from tracker.ui.modes.sheet.lines import WITH_WHAT, Line, able, opens_turn, place_field, plain_choice
from tracker.ui.modes.sheet.narrow import squeezed
from tracker.ui.modes.sheet.typed import Read, read_sheet
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import (
    InputMode,
    Mode,
    Result,
    Scene,
    name_spans,
    refusal_spans,
    scrolled,
    target_field,
    targets_of,
)
from tracker.ui.typing.parser import missing, value_of
from tracker.ui.typing.plan import Turn
from tracker.views.words.spans import Row, Span, cells, cut_spans, spread
from tracker.views.words.text import clean
from tracker.views.words.values import field_words

__all__ = ["Sheet"]

AT_ONCE = 0.004
"""Seconds of choosing before the first picture; what is left is chosen after it."""
NOBODY = "nobody is left on this sheet"
NOTHING = "nothing is planned: a label and its target, or a label and an action's name"
HINT = "ho: h aims at o · all o: all do"
PLAIN = "attack"
"""What goes without saying of a line with a target."""


class Sheet(InputMode, frozen=True):
    """What everybody who can still act is to do.

    Attributes:
        lines: one for each of them, as they stand without what is typed.
        chosen: the line under the cursor.
        to_come: combatants whose line is still to come.
    """

    place: ClassVar[Place] = "sheet"
    title: ClassVar[str] = "Sheet"
    takes_labels: ClassVar[bool] = True
    lines: tuple[Line, ...]
    chosen: int = 0
    to_come: tuple[Id, ...] = ()

    @staticmethod
    def open(scene: Scene, seconds: float = AT_ONCE) -> Sheet:
        """Return the sheet of the side, group or phase that acts, begun for so long."""
        return Sheet((), to_come=able(scene)).filled(scene, seconds)

    def filled(self, scene: Scene, seconds: float | None = None) -> Sheet:
        """Return the sheet with more lines, at least one.

        They are those that come within so many seconds, or all. Players have lines only where the GM's have none.
        """
        end = None if seconds is None else perf_counter() + seconds
        state = scene.model.state
        lines, left = list(self.lines), list(self.to_come)
        while left and not (lines and state.side_of(left[0]).control != state.side_of(lines[0].by).control):
            line = plain_choice(scene.ruleset, state, left.pop(0))
            if line is not None:
                lines.append(line)
                if line.action is not None:
                    scene.form(line.action)  # its row needs it, and finds it known
            if end is not None and lines and perf_counter() >= end:
                return replace(self, lines=tuple(lines), to_come=tuple(left))
        known = {line.by for line in lines}
        for who in to_act(scene.ruleset, state):
            if who not in known and (not lines or state.side_of(who).control == state.side_of(lines[0].by).control):
                lines.append(Line(who))
        return replace(self, lines=tuple(lines), to_come=())

    @property
    @override
    def unfinished(self) -> bool:
        return bool(self.to_come)

    @override
    def typed(self, scene: Scene, entry: Entry) -> Sheet:
        return replace(self.filled(scene), entry=entry, problem="")

    def planned(self, action: Action) -> Mode:
        """Return the sheet with an action as its form has left it."""
        lines = tuple(
            replace(line, action=action, out=False, typed=True) if line.by == action.by else line for line in self.lines
        )
        return replace(self, lines=lines, problem="")

    def aims(self, scene: Scene) -> tuple[Action, ...]:
        """Return the actions whose odds are wanted, once all are chosen."""
        if self.to_come:
            return ()
        read = read_sheet(scene, self.lines, self.entry.text)
        return tuple(line.action for line in read.lines if line.action is not None and not line.out)

    # What it shows

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in, and the line of each combatant."""
        read = read_sheet(scene, self.lines, self.entry.text)
        problem = self.problem or (read.problem if " " in self.entry.text.strip() else "")
        shown = replace(self, problem=problem).head(width, HINT)
        if not read.lines and not self.to_come:
            return (*shown, Row("none", (Span("  nobody here has a usual action left", "dim"),)))
        idle = _idle_rows(scene, read.lines, width)
        places = _places(read.lines)
        rows = [_row(scene, read.lines[at], at == self.chosen, width, at) for at in places]
        rows += [_coming(scene, Line(who), width) for who in self.to_come]
        here = places.index(self.chosen) if self.chosen in places else 0
        return (*shown, *scrolled(rows, here, max(1, height - len(shown) - len(idle))), *idle)

    # What keys do

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Type, choose a line, open its form, or do them all."""
        if self.to_come and key != "escape":
            return self.filled(scene).press(scene, key, character)
        if key == "space" and not self.entry.text and self.lines:
            line = self.lines[self.chosen]
            return Result(self._with(replace(line, out=not line.out)))
        return super().press(scene, key, character)

    @override
    def leave(self, scene: Scene) -> Result:
        return Result(replace(self, entry=Entry(), problem="")) if self.entry.text else Result(None)

    @override
    def step(self, scene: Scene, by: int) -> Result | None:
        places = _places(read_sheet(scene, self.lines, self.entry.text).lines)
        if not places:
            return None
        here = places.index(self.chosen) if self.chosen in places else 0
        return Result(replace(self, chosen=places[(here + by) % len(places)]))

    @override
    def take(self, scene: Scene, form: bool) -> Result | None:
        read = read_sheet(scene, self.lines, self.entry.text)
        if not form:
            return self._enter(scene, read)
        return self._form(scene, read, read.alone or read.lines[self.chosen].by) if self.lines else None

    def point(self, scene: Scene, row: str) -> Result | None:
        """Put the cursor on a clicked line.

        A second click opens its form.
        """
        kind, _, number = row.partition(":")
        if kind != "line" or not number.isdigit() or int(number) >= len(self.lines):
            return None
        if int(number) == self.chosen:
            read = read_sheet(scene, self.lines, self.entry.text)
            return self._form(scene, read, read.lines[self.chosen].by)
        return Result(replace(self, chosen=int(number)))

    def _with(self, changed: Line) -> Sheet:
        return replace(self, lines=tuple(changed if line.by == changed.by else line for line in self.lines))

    def _enter(self, scene: Scene, read: Read) -> Result:
        """Do all lines one after another, or open the form of a lone label."""
        if read.problem:
            return Result(replace(self, problem=read.problem))
        if read.alone is not None:
            return self._form(scene, read, read.alone)
        turns = tuple(
            Turn(line.by, line.action, line.opener, line.typed, scene.form(line.action).does)
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

    def _form(self, scene: Scene, read: Read, who: Id) -> Result:
        """Open the form of a combatant's action, which comes back here."""
        line = next((line for line in read.lines if line.by == who), None)
        name = clean(scene.model.state.name(who))
        if line is None:
            return Result(replace(self, problem=f"{name} is not on this sheet"))
        back = replace(self, lines=read.lines, entry=Entry(), problem="")
        if line.action is None:
            return Result(replace(back, problem=f"{name} has nothing to do of itself: type a target or an action"))
        return Result(replace(Form.open(scene.form(line.action), line.action), back=back))


def _places(lines: Sequence[Line]) -> list[int]:
    """Return the places of the lines that stand in a row of their own."""
    return [place for place, line in enumerate(lines) if line.action is not None or line.out]


def _idle_rows(scene: Scene, lines: Sequence[Line], width: int) -> tuple[Row, ...]:
    """Return one row for all who can act and have nothing planned."""
    people = [scene.person(line.by) for line in lines if line.action is None and not line.out]
    labels = " ".join(person.label for person in people if person is not None)
    if not labels:
        return ()
    return (Row("idle", cut_spans((Span("  "), Span(labels, "strong"), Span(": nothing planned", "dim")), width)),)


def _lacks(scene: Scene, action: Action) -> str:
    spec = scene.form(action)
    field = None if spec.refusal is not None else missing(spec, action)
    return "" if field is None else clean(field.shown)


def _coming(scene: Scene, line: Line, width: int) -> Row:
    """Return the line of a combatant whose action is not chosen yet."""
    return Row(f"coming:{line.by}", cut_spans((Span("  "), *name_spans(scene, line.by), Span("  …", "dim")), width))


def _row(scene: Scene, line: Line, here: bool, width: int, number: int) -> Row:
    """Return one line: who, on whom, with what, and the odds."""
    key, style = f"line:{number}", "current" if here else ""
    parts: list[Span | str] = [Span("▸ " if here else "  ", "title"), line.by]
    if line.out:
        return Row(key, cut_spans(squeezed(scene, [*parts, Span("  left out", "dim")], width), width), style)
    assert line.action is not None
    spec = scene.form(line.action)
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
        return Row(key, cut_spans((*squeezed(scene, parts, width), *why), width), style)
    if spec.does:
        parts.append(Span(f" ! {clean(spec.does)}", "warn"))
    odds = scene.chance(line.action)
    room = width - (cells(odds) + 1 if odds else 0)
    return Row(key, spread(squeezed(scene, parts, room), (Span(odds, "key"),) if odds else (), width), style)


def _words(scene: Scene, spec: ActionSpec, action: Action, target: str, people: Sequence[Id]) -> str:
    """Return with what: a weapon, another choice, or the action's name and where it goes."""
    chosen: Sequence[str] = [
        field_words(scene.model.state, field, value_of(field, action))
        for field in spec.fields
        if field.name != target and field.kind == "choice" and field.required
    ]
    plain = [
        _short(value_of(field, action), field_words(scene.model.state, field, value_of(field, action)))
        for field in spec.fields
        if field.name in WITH_WHAT and field.kind == "choice"
    ]
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


def _more(scene: Scene, spec: ActionSpec, action: Action, target: str) -> Iterator[str]:
    """Yield what else is chosen where the form itself would choose otherwise."""
    for name, value in action.fields:
        field = spec.field(name)
        if field is None or name in (*WITH_WHAT, target) or field is place_field(spec):
            continue
        left = scene.form(replace(action, fields=tuple(pair for pair in action.fields if pair[0] != name)))
        usual = left.field(name)
        if usual is not None and usual.default != value:
            yield field_words(scene.model.state, field, value)


def _place(scene: Scene, spec: ActionSpec, action: Action) -> str:
    """Return where an action goes, "" where it goes nowhere."""
    where = place_field(spec)
    return "" if where is None else field_words(scene.model.state, where, value_of(where, action))


def _goes(scene: Scene, opener: Action) -> str:
    """Return where a combatant goes first."""
    spec = scene.form(opener)
    return _place(scene, spec, opener) or clean(spec.label).casefold()
