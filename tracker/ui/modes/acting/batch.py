"""The sheet of a side: the turns of its combatants on one page, done with one Enter.

`ho` or `h o` aims h at o, `-h` leaves h out, `+h` includes it again, `all o` aims all at o, `h run` lets h run; a label
without a target opens its form. One line may have all of these, and Enter takes it; Enter on an empty line does the
turns. In a game with declarations it does the acts that are due.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from typing_extensions import override

from tracker.core.clock import schedule
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Step
from tracker.core.terms.actions import Action, Option
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import Roll
from tracker.core.terms.words import minus
from tracker.session.step.runner import dry_run
from tracker.ui.keys.command import Footer
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.default_actions import Outlook, PlannedLine, able_combatants, leaving, opens_turn
from tracker.ui.modes.acting.dice_row import LEFT, short_row_title
from tracker.ui.modes.acting.expected import asked_together, first_roll
from tracker.ui.modes.acting.idle import (
    closes_declarations,
    next_slot_words,
    sheet_follows,
    still_to_act,
)
from tracker.ui.modes.acting.sheet_rows import SheetLine, coming_line, idle_rows, planned_line, sheet_rows
from tracker.ui.modes.acting.turn_plan import next_line, planned_after, replanned, with_action, with_target
from tracker.ui.typing.action_line import LABELS_ONLY, read_action_line
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import (
    GradualMode,
    InputMode,
    Mode,
    ModeContext,
    PlannedTurn,
    Result,
    UntilActor,
    target_field,
)
from tracker.ui.typing.parser import leading_labels, left_over, missing_field, people_of
from tracker.ui.typing.tokens import BEGINS, rank
from tracker.views.words.spans import Row, Span, cut_spans
from tracker.views.words.text import clean

AT_ONCE = 0.004
"""Seconds of planning before the first paint; the remaining lines are planned after it."""
NOBODY = "nobody is left on this sheet"
NOTHING = "nothing is planned: a label and its target, or a label and an action's name"
AIM_HINT = "ho: h aims at o"
HINT = f"{AIM_HINT} · all o: all do"
LAST_HINT = f"{AIM_HINT} · declarations close"


class ParsedSheet(Struct, frozen=True):
    """The lines as the typed text changes them, and what is wrong with the text.

    Attributes:
        last: the combatant that the text names last.
        bare: the text has no words for it yet.
    """

    lines: tuple[PlannedLine, ...]
    last: Id | None = None
    problem: str = ""
    bare: bool = False


class TurnBatch(InputMode, GradualMode, frozen=True):
    """The planned actions of the combatants that can still act, without the typed text.

    Attributes:
        to_come: the combatants whose lines are not planned yet.
        read: the lines as the typed text changes them.
        asks: the dice that the first prompt will ask for together.
    """

    place: ClassVar[Footer] = "sheet"
    title: ClassVar[str] = "Sheet"
    takes_labels: ClassVar[bool] = True
    lines: tuple[PlannedLine, ...]
    chosen: int = 0
    to_come: tuple[Id, ...] = ()
    read: ParsedSheet | None = None
    asks: tuple[Roll, ...] = ()

    @staticmethod
    def open(scene: ModeContext, seconds: float = AT_ONCE) -> TurnBatch:
        """Return the sheet of the acting side, group or phase, planned for so many seconds."""
        return TurnBatch((), to_come=able_combatants(scene)).filled(scene, seconds)

    @staticmethod
    def of(scene: ModeContext, turns: Sequence[PlannedTurn]) -> TurnBatch:
        """Return the sheet of the turns that are left of an earlier sheet."""
        lines = tuple(
            PlannedLine(turn.by, turn.action, turn.opener, typed=turn.fixed, dice=turn.dice) for turn in turns
        )
        return TurnBatch(replanned(scene.ruleset, scene.model.state, lines, 0))._asking(scene)

    @override
    def filled(self, scene: ModeContext, seconds: float | None = None) -> TurnBatch:
        end = None if seconds is None else perf_counter() + seconds
        state = scene.model.state
        lines, left = list(self.lines), list(self.to_come)
        while left and not _on_another(state, lines, left[0]):
            line = next_line(scene.ruleset, state, lines, left.pop(0))
            if line is not None:
                lines.append(line)
            if end is not None and lines and left and perf_counter() >= end:
                return replace(self, lines=tuple(lines), to_come=tuple(left))
        known = {line.by for line in lines}
        for who in still_to_act(state, scene.ruleset):
            if who not in known and not _on_another(state, lines, who):
                lines.append(PlannedLine(who))
        return replace(self, lines=tuple(lines), to_come=())._asking(scene)

    def _asking(self, scene: ModeContext) -> TurnBatch:
        """Return the sheet with the dice that its first line asks for, and the equal dice of other lines."""
        settings, active = scene.history.settings, [line for line in self.lines if not line.out and line.action]
        rolls: list[Roll] = []
        for place, line in enumerate(active):
            if line.action is None or line.outlook is None or line.dice:
                return replace(self, asks=())
            roll = first_roll(scene.ruleset, settings, line.outlook.at, line.action)
            if place == 0 and roll is not None:
                rolls, active[1:] = [roll], planned_after(scene.ruleset, scene.model.state, active)[1:]
            elif place == 0:
                break
            elif roll is not None and asked_together(roll, rolls[0]):
                rolls.append(roll)
        return replace(self, asks=tuple(rolls))

    @override
    def typed(self, scene: ModeContext, entry: Entry) -> TurnBatch:
        whole = self.filled(scene)
        is_line = entry.text.strip() and not _is_dice(entry.text)
        read = parse_sheet(scene, whole.lines, entry.text, whole.chosen) if is_line else None
        return replace(whole, entry=entry, problem="", read=read)

    @property
    def _read(self) -> ParsedSheet:
        return ParsedSheet(self.lines) if self.read is None else self.read

    def planned(self, scene: ModeContext, action: Action) -> Mode:
        state = scene.model.state
        lines = tuple(
            with_action(scene.ruleset, state, line, action) if line.by == action.by else line for line in self.lines
        )
        return self._with(scene, lines)

    @override
    def aims(self, scene: ModeContext) -> Mapping[Action, State]:
        if self.to_come:
            return {}
        lines = self._read.lines
        return {line.action: line.outlook.at for line in lines if line.action and line.outlook and not line.out}

    @override
    def looks_at(self, scene: ModeContext) -> Action | None:
        lines = self._read.lines
        return lines[self.chosen].action if self.chosen < len(lines) else None

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        read = self._read
        problem = self.problem or (read.problem if " " in self.entry.text.strip() else "")
        hint = self._hint(scene)
        shown = replace(self, problem=problem).head(width, hint)
        if not read.lines and not self.to_come:
            return (*shown, Row("none", (Span("  nobody here has a usual action left", "dim"),)))
        idle = (*idle_rows(scene, read.lines, width), *self._asks_rows(scene, width))
        places = _places(read.lines)
        lines = [planned_line(scene, read.lines[at], at == self.chosen, at) for at in places]
        lines += [coming_line(who) for who in self.to_come]
        here = places.index(self.chosen) if self.chosen in places else 0
        return (*shown, *sheet_rows(scene, lines, here, width, max(1, height - len(shown) - len(idle))), *idle)

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        if _opens_sheet(scene, key, self.entry):
            return Result(self)
        if self.to_come and key != "escape":
            return self.filled(scene).press(scene, key, character)
        if key == "space" and not self.entry.text and self.lines:
            line = self.lines[self.chosen]
            changed = replace(line, out=not line.out)
            return Result(self._with(scene, tuple(changed if one is line else one for one in self.lines)))
        return super().press(scene, key, character)

    @override
    def leave(self, scene: ModeContext) -> Result:
        return Result(replace(self, entry=Entry(), problem="", read=None)) if self.entry.text else Result(None)

    @override
    def step(self, scene: ModeContext, by: int) -> Result | None:
        places = _places(self._read.lines)
        if not places:
            return None
        here = places.index(self.chosen) if self.chosen in places else 0
        return Result(replace(self, chosen=places[(here + by) % len(places)]))

    @override
    def take(self, scene: ModeContext, form: bool) -> Result | None:
        read = self._read
        if form:
            return self._form(scene, read, read.last or read.lines[self.chosen].by) if self.lines else None
        if not self.entry.text.strip() or _is_dice(self.entry.text):
            return self._do_turns(scene)
        return self._take_text(scene, read)

    @override
    def point(self, scene: ModeContext, row: str) -> Result | None:
        kind, _, number = row.partition(":")
        if kind != "line" or not number.isdigit() or int(number) >= len(self.lines):
            return None
        if int(number) == self.chosen:
            return self._form(scene, self._read, self._read.lines[self.chosen].by)
        return Result(replace(self, chosen=int(number)))

    def _hint(self, scene: ModeContext) -> str:
        """Return how lines are typed, and what follows the sheet if it has all combatants."""
        state, ruleset = scene.model.state, scene.ruleset
        slot = state.clock.current
        if slot is None or self.to_come or any(line.out or line.action is None for line in self.lines):
            return HINT
        missing = () if closes_declarations(ruleset, state) else still_to_act(state, ruleset)
        if not set(missing) <= {line.by for line in self.lines}:
            return HINT
        if slot.turns == "none":
            return LAST_HINT
        return f"{AIM_HINT} · then → {next_slot_words(ruleset, state)}" if sheet_follows(ruleset, state) else HINT

    def _asks_rows(self, scene: ModeContext, width: int) -> tuple[Row, ...]:
        """Return which dice will be asked for first; they can be typed here."""
        if _is_dice(self.entry.text):
            words = "Enter: all, these dice first"
        elif self.asks and not self.entry.text:
            words = short_row_title(scene.model.state, self.asks)
        else:
            return ()
        return (Row("asks", cut_spans((Span(f"  {words}", "dim"),), width)),)

    def _with(self, scene: ModeContext, lines: tuple[PlannedLine, ...]) -> TurnBatch:
        """Return the sheet with changed lines, those after the first one planned again, and no typed text."""
        changed = [place for place, line in enumerate(lines) if line is not self.lines[place]]
        lines = replanned(scene.ruleset, scene.model.state, lines, min(changed, default=len(lines)))
        return replace(self, lines=lines, entry=Entry(), problem="", read=None)._asking(scene)

    def _take_text(self, scene: ModeContext, read: ParsedSheet) -> Result:
        if read.problem:
            return Result(replace(self, problem=read.problem))
        line = next((line for line in read.lines if line.by == read.last), None)
        if read.last is not None and (read.bare or line is None or line.action is None or _lacks(line)):
            return self._form(scene, read, read.last)
        return Result(self._with(scene, read.lines))

    def _do_turns(self, scene: ModeContext) -> Result:
        active = [line for line in self.lines if not line.out and line.action is not None]
        for line in active:
            if lacks := _lacks(line):
                return Result(replace(self, problem=f"{_name(scene, line.by)}: {lacks} is missing"))
        turns = tuple(
            PlannedTurn(line.by, line.action, line.opener, line.typed, _risk(line), line.dice)
            for line in active
            if line.action is not None
        )
        if not turns:
            return Result(replace(self, problem=NOBODY if any(line.out for line in self.lines) else NOTHING))
        return Result(None, plan=turns, typed_answers=tuple(self.entry.text.split()))

    def _form(self, scene: ModeContext, read: ParsedSheet, who: Id) -> Result:
        """Open the form of a combatant's action; Enter in the form returns to the sheet."""
        line = next((line for line in read.lines if line.by == who), None)
        name = _name(scene, who)
        if line is None:
            return Result(replace(self, problem=f"{name} is not on this sheet"))
        back = self._with(scene, read.lines)
        if line.action is None:
            return Result(replace(back, problem=f"{name} has nothing to do of itself: type a target or an action"))
        form = Form.open(scene.spec(line.action), line.action)
        return Result(replace(form, back=back, planned=lambda action: back.planned(scene, action)))


def _opens_sheet(scene: ModeContext, key: str, entry: Entry) -> bool:
    """Tell whether a key opens a sheet: on an open sheet, which may have opened by itself, it does nothing."""
    return not entry.text and scene.command(key) == "sheet"


def _is_dice(text: str) -> bool:
    """Tell whether a text has only numbers, and `-` for dice of the program."""
    words = text.split()
    return bool(words) and words[0].isdigit() and all(word.isdigit() or word == LEFT for word in words)


def _on_another(state: State, lines: Sequence[PlannedLine], who: Id) -> bool:
    """Tell whether a combatant is on another sheet: players' and GM's sides share a sheet only for declarations."""
    slot = state.clock.current
    declares = slot is not None and slot.turns == "none"
    return bool(lines) and not declares and state.side_of(who).control != state.side_of(lines[0].by).control


def _places(lines: Sequence[PlannedLine]) -> list[int]:
    return [place for place, line in enumerate(lines) if line.action is not None or line.out]


def _lacks(line: PlannedLine) -> str:
    """Return the name of the required field that a line lacks, "" if it lacks none."""
    spec = None if line.outlook is None else line.outlook.spec
    field = None if spec is None or spec.refusal or line.action is None else missing_field(spec, line.action)
    return "" if field is None else clean(field.shown)


def _risk(line: PlannedLine) -> str:
    return line.outlook.spec.does if line.outlook is not None and line.outlook.spec is not None else ""


ALL = "all"


class _Clause(Struct, frozen=True):
    """Lines as they were before, and the typed words that change them.

    `aimed`: the words are only a target.
    """

    lines: tuple[PlannedLine, ...] = ()
    words: tuple[str, ...] = ()
    aimed: bool = False


def parse_sheet(scene: ModeContext, lines: Sequence[PlannedLine], text: str, chosen: int) -> ParsedSheet:
    """Return the lines of a sheet as a text changes them: a combatant or `all`, then its action or target, and so on.

    Labels alone are pairs: `ho rs` and `hors` aim h at o and r at s. Other words after a label are read as the line of
    an action. A sign alone changes the line under the cursor.
    """
    read, clause = ParsedSheet(tuple(lines)), _Clause()
    words = text.split()
    place = 0
    while place < len(words) and not read.problem:
        word = words[place]
        if word[0] in "-+":
            read, clause, place = _signed(scene, read, word, chosen), _Clause(), place + 1
            continue
        labels, used = leading_labels(scene, words[place:])
        problem = ""
        if clause.lines and not _pairs(clause, word, labels):
            more = replace(clause, words=(*clause.words, *words[place : place + max(1, used)]), aimed=False)
            changed, problem = _changed_lines(scene, more)
            if not problem:
                read, clause, place = _with_lines(read, changed), more, place + max(1, used)
                continue
        if word.casefold() == ALL and (clause.words or not clause.lines):
            clause, place = _Clause(tuple(line for line in read.lines if not line.out)), place + 1
            continue
        if not labels or (problem and scene.labels[labels[0]] not in [line.by for line in read.lines]):
            return replace(read, problem=problem or f'"{clean(word)}" is no label here')
        for label in labels:
            read, clause = (read, clause) if read.problem else _labelled(scene, read, clause, label)
        place += used
    bare = bool(clause.lines) and not clause.words
    if bare and len(clause.lines) > 1 and not read.problem:
        return replace(read, problem='"all" do what? a label, an action or an option')
    return replace(read, last=clause.lines[0].by if len(clause.lines) == 1 else None, bare=bare)


def _signed(scene: ModeContext, read: ParsedSheet, token: str, chosen: int) -> ParsedSheet:
    here = tuple(line.by for line in read.lines[chosen : chosen + 1])
    people = here if token in ("-", "+") else people_of(scene, token[1:])
    if not people:
        return replace(read, problem=f'"{clean(token)}": a label stands behind {token[0]}')
    for who in people:
        if not any(line.by == who for line in read.lines):
            return replace(read, problem=f"{_name(scene, who)} is not on this sheet")
    lines = tuple(replace(line, out=token[0] == "-") if line.by in people else line for line in read.lines)
    return replace(read, lines=lines)


def _pairs(clause: _Clause, word: str, labels: Sequence[str]) -> bool:
    """Tell whether labels are read as pairs: all words before them are labels, and this one is too short for a word."""
    return bool(labels) and len(word) <= LABELS_ONLY and (clause.aimed or not clause.words)


def _labelled(scene: ModeContext, read: ParsedSheet, clause: _Clause, label: str) -> tuple[ParsedSheet, _Clause]:
    """Read a label: the target of lines that have no words yet, else the combatant of the next line."""
    who = scene.labels[label]
    if clause.lines and not clause.words:
        changed, problem = _changed_lines(scene, replace(clause, words=(label,)))
        return replace(_with_lines(read, changed), problem=problem), replace(clause, words=(label,), aimed=True)
    line = next((line for line in read.lines if line.by == who), None)
    if line is None:
        return replace(read, problem=f"{_name(scene, who)} is not on this sheet"), clause
    return read, _Clause((line,))


def _with_lines(read: ParsedSheet, changed: Sequence[PlannedLine]) -> ParsedSheet:
    by = {line.by: line for line in changed}
    return replace(read, lines=tuple(by.get(line.by, line) for line in read.lines))


def _changed_lines(scene: ModeContext, clause: _Clause) -> tuple[tuple[PlannedLine, ...], str]:
    """Return the lines changed by the words of a clause, and the problem if none of them can do it."""
    changed, problem = list[PlannedLine](), ""
    for line in clause.lines:
        done, why = _changed_line(scene, line, clause.words)
        changed += [] if done is None else [done]
        problem = problem or why
    return tuple(changed), "" if changed else problem


def _changed_line(scene: ModeContext, line: PlannedLine, words: Sequence[str]) -> tuple[PlannedLine | None, str]:
    """Return a line with the target or action that words name, or None and what is wrong with the words."""
    state, ruleset = scene.model.state, scene.ruleset
    labels, used = leading_labels(scene, words)
    out = leaving(ruleset, line.by)
    if used == len(words) and len(labels) == 1:
        offers = [spec for spec in scene.offers(line.by) if target_field(spec) is not None]
        first = [Action(spec.key, line.by) for spec in sorted(offers, key=lambda spec: spec.refusal is not None)]
        aimed = with_target(ruleset, state, line, scene.labels[labels[0]], first)
        if aimed is None:
            return None, f"{_name(scene, line.by)} has nothing to aim"
        wrong = _not_offered(aimed, scene.labels[labels[0]])
        return (None, f"{_name(scene, scene.labels[labels[0]])} {wrong}") if wrong else (aimed, "")
    gone = out is not None and len(words) == 1 and len(words[0]) > LABELS_ONLY
    if out is not None and gone and rank(words[0], Option(str(out.get("status")))) <= BEGINS:
        return with_action(ruleset, state, line, out), ""
    there = scene if line.outlook is None else replace(scene, model=replace(scene.model, state=_begins(line.outlook)))
    specs = there.offers(line.by)
    place = next((at for at, spec in enumerate(specs) if line.action is not None and spec.key == line.action.key), None)
    read = read_action_line(there, specs, " ".join(words), usual=line.action, marked=place, numbered=False)
    if read.answers:
        dice = ": dice are asked for when the line is done" if "".join(read.answers).isdigit() else ""
        return None, left_over(read.answers) + dice
    if read.problem or read.action is None:
        return None, read.problem or f'"{clean(" ".join(words))}" is no action here'
    named = tuple(name for name, _ in read.typed.fields) if read.typed is not None else ()
    wanted = _with_own(line, read.action)
    done = with_action(ruleset, state, line, wanted, named)
    lost = done.action is None or any(done.action.get(name) != wanted.get(name) for name in named)
    stuck = line.opener is not None and done.opener is None and _why_not(scene, wanted) != ""
    return (None, _why_not(there, wanted) or "there is no way to do that") if lost or stuck else (done, "")


def _not_offered(line: PlannedLine, target: Id) -> str:
    """Return why a line cannot be aimed at a combatant that its action does not offer; "": it can."""
    spec = None if line.outlook is None else line.outlook.spec
    field = None if spec is None else target_field(spec)
    if spec is None or field is None or not field.options or field.takes_all:
        return ""
    return "" if any(option.key == target for option in field.options) else f"is no target of {clean(spec.label)}"


def _begins(outlook: Outlook) -> State:
    """Return the state in which a line's action is chosen: at the start of its turn, opened if turns are opened."""
    return outlook.at if opens_turn(outlook.before) else outlook.before


def _with_own(line: PlannedLine, action: Action) -> Action:
    """Return a typed action with the fields typed for it before, if it is the same action."""
    if line.action is None or line.action.key != action.key:
        return action
    kept = {name: line.action.get(name) for name in line.named if action.get(name) is None}
    return action.put(**{name: value for name, value in kept.items() if value is not None})


def _why_not(scene: ModeContext, action: Action) -> str:
    """Return why an action is impossible, "" if it is possible."""
    outcome = dry_run(scene.ruleset, scene.model.state, Step("do", (action,)))
    return clean(outcome.text) if isinstance(outcome, Refusal) else ""


def _name(scene: ModeContext, who: Id) -> str:
    return clean(scene.model.state.name(who))


ACTS_HINT = "Enter: all · s: as far as s"


def act_due(ruleset: Ruleset, state: State) -> Id | None:
    slot = state.clock.current
    if slot is None or slot.segment is None or not slot.members or state.clock.over:
        return None
    return slot.members[0] if ruleset.advance(state) is not None else None


class ActBatch(InputMode, frozen=True):
    """The declared acts that are due; with a typed label, the acts before the next act of that combatant."""

    place: ClassVar[Footer] = "acts"
    title: ClassVar[str] = "Acts"
    takes_labels: ClassVar[bool] = True

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        shown = self.head(width, ACTS_HINT)
        acts = _acts(scene)
        before = self._before(scene)
        end = next((place for place, slot in enumerate(acts) if place and slot.members[:1] == (before,)), len(acts))
        lines = [_act_line(scene, slot, done=place < end) for place, slot in enumerate(acts)]
        place = end if end < len(acts) else 0
        return (*shown, *sheet_rows(scene, lines, place, width, max(1, height - len(shown))))

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        return Result(self) if _opens_sheet(scene, key, self.entry) else super().press(scene, key, character)

    @override
    def take(self, scene: ModeContext, form: bool) -> Result | None:
        if form:
            return None
        text, before = self.entry.text.strip(), self._before(scene)
        if _is_dice(text):
            return Result(None, plan=UntilActor(None), typed_answers=tuple(text.split()))
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
        and (slot is clock.current or schedule.why_skipped(scene.ruleset, state, slot) is None)
    )


def _act_line(scene: ModeContext, slot: Slot, *, done: bool) -> SheetLine:
    name = scene.model.state.name(slot.members[0])
    what = slot.title.removeprefix(f"{name}: ")
    at, key = minus(f"{slot.segment:>3} "), f"act:{slot.id}"
    if not done:
        return SheetLine(key, (Span(f"{at}{clean(name)} · {clean(what)}", "dim"),))
    action, target = _aimed(scene.model.state, what)
    aimed = () if target is None else (Span(" → ", "dim"), target)
    return SheetLine(key, (Span(at, "dim"), slot.members[0]), (Span(f" · {clean(action)}", "dim"), *aimed))


def _aimed(state: State, what: str) -> tuple[str, Id | None]:
    """Return the declared action and its target, if its words name one: `mace at Wolf`."""
    found = [one for one in state.combatants if what.endswith(f" at {one.name}")]
    target = max(found, key=lambda one: len(one.name), default=None)
    return (what, None) if target is None else (what.removesuffix(f" at {target.name}"), target.id)
