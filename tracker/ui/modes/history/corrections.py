"""Corrections of the past: choose a recorded input, type the right value, take or leave the result."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, Literal

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.engine import spec_of
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.run import Pending
from tracker.core.terms.actions import Action
from tracker.core.terms.labels import folded
from tracker.core.terms.requests import Answer, Passed, Request, Roll
from tracker.core.terms.words import listed
from tracker.session.intents import Amend, Do, Reply
from tracker.session.model import AmendReport, Assumed, Model, StepOutcome
from tracker.ui.keys.command import Footer
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.history.inputs import (
    BESIDES,
    FIRST_STEPS,
    RecordedInput,
    answer_words,
    people_words,
    recorded_inputs,
)
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import InputMode, Mode, ModeContext, PendingQuestion, Result, Scroll, ScrolledMode
from tracker.ui.typing.names import named_so
from tracker.ui.typing.rows import key_hint, visible_rows, wrapped_rows
from tracker.views.panes.changes import change_rows
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, spread
from tracker.views.words.text import clean, key_words

HINT = "a label or words find it; a number is the right value: o 14"
MOST_VALUE = 24
"""Cells of a value at most for which the words before it are cut."""
_VALUE = re.compile(r"[\d*+-].*")
_GLUED = re.compile(r"([^\W\d_]+)(\d.*)")
_DIE = re.compile(r"\d*[dD]\d+")


class ChooseCorrection(InputMode, frozen=True):
    """The list of recorded inputs, the newest first.

    Typed labels and words filter the list; a number is the right value. Enter alone asks the question again, or opens
    the form of an action.
    """

    place: ClassVar[Footer] = "palette"
    title: ClassVar[str] = "Correct"
    where: ClassVar[Literal["over"]] = "over"
    listed: tuple[RecordedInput, ...]
    chosen: int = 0

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        head = self.head(width, HINT)
        lines: list[tuple[int, bool]] = []
        at, before = 0, None
        for place in self._filtered(scene):
            given = self.listed[place]
            alone = not given.key and (given.step, given.action) != before
            if not alone and (given.step, given.action) != before:
                lines.append((place, True))
            before = (given.step, given.action)
            if place == self.chosen:
                at = len(lines)
            lines.append((place, False))
        if not lines:
            words = "nothing fits" if self.listed else "nothing has been rolled or decided yet"
            return (*head, Row("none", cut_spans((Span(words, "dim"),), width)))
        shown = visible_rows(tuple(enumerate(lines)), at, max(1, height - len(head)))
        return (*head, *(self._row(lines, number, width) for number, _ in shown))

    @property
    def _longest(self) -> int:
        return max(cells(clean(given.what)) for given in self.listed)

    def _row(self, lines: Sequence[tuple[int, bool]], number: int, width: int) -> Row:
        place, heading = lines[number]
        given = self.listed[place]
        when = f"R{given.round}" if given.round else ""
        if heading:
            start = (Span("  " + fit(when, 4), "dim"), Span(clean(given.action), "head"))
            return Row(f"deed:{place}", spread(start, (Span(" " + clean(given.effect), "dim"),), width), "head")
        here = place == self.chosen
        mark, style = Span("▸ " if here else "  ", "title"), "strong" if here else ""
        state, key = "current" if here else "", f"option:{place}"
        if given.key:
            values = max(cells(clean(one.shown)) for one in self.listed if one.key)
            room = width - 10 - min(values, MOST_VALUE)  # besides the mark, the indent and the gap
            what = Span(" " * 6 + fit(clean(given.what), min(self._longest, max(12, room))), style)
            shown = Span("  " + clean(given.shown), "dim" if _is_pass(given) else "typed")
            return Row(key, cut_spans((mark, what, shown), width), state)
        above = self.listed[lines[number - 1][0]] if number else None
        if above is not None and (above.step, above.action) == (given.step, given.action):
            return Row(key, cut_spans((mark, Span(" " * 6 + clean(given.what), style or "dim")), width), state)
        alone = (mark, Span(fit(when, 4), "dim"), Span(clean(given.action), style))
        return Row(key, spread(alone, (Span(" " + clean(given.effect), "dim"),), width), state)

    def _parts(self, scene: ModeContext) -> tuple[str, str]:
        """Return the words that filter the list, and the right value: the words that match no line and no label."""
        text = self.entry.text.strip()
        words, value = _split_value(scene, text)
        narrows = not words or self._matches(scene, words)
        return (words, value) if narrows else ("", text)

    def _matches(self, scene: ModeContext, words: str) -> tuple[int, ...]:
        """Return the places of the inputs that match the labels and names, and all other words."""
        people, parts = _named(scene, words)
        places = tuple(range(len(self.listed)))
        for who in people:
            own = tuple(place for place in places if who in self.listed[place].by)
            places = own or tuple(place for place in places if who in self.listed[place].targets)
        return tuple(place for place in places if all(_contains(self.listed[place], part) for part in parts))

    def _filtered(self, scene: ModeContext) -> tuple[int, ...]:
        words, _ = self._parts(scene)
        return self._matches(scene, words) if words else tuple(range(len(self.listed)))

    @override
    def typed(self, scene: ModeContext, entry: Entry) -> ChooseCorrection:
        typed = replace(self, entry=entry, problem="")
        (was, _), (now, value) = self._parts(scene), typed._parts(scene)
        if was == now and not (value.isdigit() and self.chosen in typed._filtered(scene)):
            return typed
        fitting = typed._filtered(scene)
        given = [place for place in fitting if self.listed[place].key and not _is_pass(self.listed[place])]
        if was == now:
            given = [self.chosen, *given]
        able = [place for place in given if _can_show(self.listed[place], value)]
        return replace(typed, chosen=(able or given or list(fitting) or [0])[0])

    @override
    def leave(self, scene: ModeContext) -> Result:
        return Result(replace(self, entry=Entry(), problem="") if self.entry.text else None)

    @override
    def step(self, scene: ModeContext, by: int) -> Result | None:
        return Result(self._moved(scene, by)) if self.listed else None

    @override
    def take(self, scene: ModeContext, form: bool) -> Result | None:
        if form or not self.listed:
            return None
        return self._ask(scene, self.listed[self.chosen]) if self.chosen in self._filtered(scene) else Result(self)

    def _moved(self, scene: ModeContext, by: int) -> ChooseCorrection:
        """Move the cursor over the matching inputs; beyond the oldest one, older steps are added."""
        fitting = self._filtered(scene)
        at = next((number for number, place in enumerate(fitting) if place >= self.chosen), 0) + by
        more = self._longer(scene) if at >= len(fitting) else self
        fitting = more._filtered(scene)
        return replace(more, chosen=fitting[max(0, min(len(fitting) - 1, at))], problem="") if fitting else more

    def _longer(self, scene: ModeContext) -> ChooseCorrection:
        steps = scene.model.steps
        seqs = [record.seq for record in reversed(steps)]
        listed = seqs.index(self.listed[-1].step) + 1 if self.listed[-1].step in seqs else len(steps)
        return replace(self, listed=recorded_inputs(scene.model.state, steps, most=2 * listed + FIRST_STEPS))

    def _ask(self, scene: ModeContext, given: RecordedInput) -> Result | None:
        _, value = self._parts(scene)
        if not given.key:
            return self._reopen(scene, given, value)
        asked = scene.history.asked_at(given.step, given.key)
        if asked is None:
            problem = "this cannot be asked again by itself: go back before it and on from there instead"
            return Result(replace(self, problem=problem))
        correcting = CorrectInput(replace(self, entry=Entry()), given, _prompt(asked.request, given.answer), asked)
        if not value:
            return Result(correcting)
        return replace(correcting, inner=Prompt(entry=Entry.of(value))).press(scene, "enter", None)

    def _reopen(self, scene: ModeContext, given: RecordedInput, value: str) -> Result:
        if value:
            return Result(replace(self, problem="this is an action: enter alone opens its form"))
        record = next(record for record in scene.model.steps if record.seq == given.step)
        action = record.step.actions[given.place]
        state = scene.history.state_at(record.parent)
        if action.by is not None and action.by not in state:
            late = f"{clean(state.name(action.by))} came only in the middle of this step"
            return Result(replace(self, problem=f"{late}: its form cannot be opened again"))
        form = Form.open(spec_of(scene.ruleset, state, action), action)
        back = replace(self, entry=Entry())
        return Result(CorrectInput(back, given, inner=form, asked=None, actions=record.step.actions))


def _split_value(scene: ModeContext, text: str) -> tuple[str, str]:
    """Split typed text into words and the value after them; `archer 2` is a name if a combatant has it."""
    glued = _GLUED.fullmatch(text.split(" ")[0]) if text else None
    if glued is not None and (glued[1].casefold() in scene.labels or not _DIE.fullmatch(text.split(" ")[0])):
        text = f"{glued[1]} {glued[2]}{text[glued.end() :]}"
    chunks = text.split()
    for place, word in enumerate(chunks):
        named = place > 0 and len(named_so(scene, " ".join(chunks[place - 1 : place + 1]))) == 1
        die = _DIE.fullmatch(word) is not None and not word.isdigit()
        if _VALUE.fullmatch(word) and not named and not die:
            return " ".join(chunks[:place]), " ".join(chunks[place:])
    return " ".join(chunks), ""


def _named(scene: ModeContext, words: str) -> tuple[tuple[Id, ...], tuple[str, ...]]:
    """Return the combatants that labels, or names with a number, among the words mean, and the other words."""
    people: list[Id] = []
    parts: list[str] = []
    chunks = words.split()
    while chunks:
        numbered = len(chunks) > 1 and chunks[1].isdigit() and named_so(scene, " ".join(chunks[:2]))
        if numbered:
            people.append(numbered[0].id)
            chunks = chunks[2:]
            continue
        word = chunks.pop(0)
        if word.casefold() in scene.labels:
            people.append(scene.labels[word.casefold()])
        else:
            parts.append(folded(word))
    return tuple(people), tuple(parts)


def _contains(given: RecordedInput, word: str) -> bool:
    """Tell whether an input contains a word; a die matches by its size, however many are rolled."""
    if _DIE.fullmatch(word) and given.dice is not None:
        return any(f"d{sides}" == "d" + word.rpartition("d")[2] for sides in given.dice.sides)
    return word in folded(f"{given.action} {given.what} {given.shown}")


def _can_show(given: RecordedInput, value: str) -> bool:
    """Tell whether the dice of an input can show a number."""
    dice = given.dice
    return dice is None or not value.isdigit() or len(dice.sides) <= int(value) <= sum(dice.sides)


def _is_pass(given: RecordedInput) -> bool:
    return isinstance(given.answer, Passed)


def _prompt(request: Request, answer: Answer | None) -> Prompt:
    given = () if answer is None else answer.keys
    if request.several:
        return Prompt(picked=None if answer is None else given)
    return Prompt(chosen=next((place for place, option in enumerate(request.options) if option.key in given), -1))


class CorrectInput(Mode, frozen=True):
    """A question of the past (`asked`), or the form of an action, open again as `inner`."""

    title: ClassVar[str] = "Correct"
    where: ClassVar[Literal["over"]] = "over"
    back: Mode
    given: RecordedInput
    inner: Mode
    asked: Pending | None = None
    actions: tuple[Action, ...] = ()

    @property
    @override
    def place(self) -> Footer:
        return self.inner.place

    def _past_scene(self, scene: ModeContext) -> ModeContext:
        if self.asked is not None:
            model = replace(scene.model, state=self.asked.state, pending=self.asked, looking_at=None)
            return replace(scene, model=model, selected=None, following=PendingQuestion(self.asked.request))
        parent = next(record.parent for record in scene.model.steps if record.seq == self.given.step)
        model = replace(scene.model, state=scene.history.state_at(parent), pending=None, looking_at=None)
        return replace(scene, model=model, selected=None, following=None)

    @override
    def paste(self, scene: ModeContext, text: str) -> Mode:
        return replace(self, inner=self.inner.paste(self._past_scene(scene), text))

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        was = (Span("was ", "dim"), Span(clean(self.given.shown), "typed"), Span(f"  step {self.given.step}", "dim"))
        return (Row("was", cut_spans(was, width)), *self.inner.rows(self._past_scene(scene), width, height - 1))

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        result = self.inner.press(self._past_scene(scene), key, character)
        if result is None:
            return None
        if result.mode is not None:
            return Result(replace(self, inner=result.mode))
        if not result.intents:
            return Result(self.back)
        intent, words = self._amendment(result, scene)
        if intent is None:
            return self._refused(words)
        report = scene.history.preview(intent)
        if report.refusal is not None or report.problem:
            return self._refused(clean(report.refusal.text if report.refusal is not None else report.problem))
        return Result(CorrectionPreview(intent, report, f"{self.given.title}: {self.given.shown} → {words}"))

    def _refused(self, problem: str) -> Result:
        inner = self.inner
        return Result(
            replace(self, inner=replace(inner, problem=problem) if isinstance(inner, Prompt | Form) else inner)
        )

    def _amendment(self, result: Result, scene: ModeContext) -> tuple[Amend | None, str]:
        """Return the amendment and the new value in words, or None and the reason."""
        last = result.intents[-1]
        state = self._past_scene(scene).model.state
        if isinstance(last, Do):
            actions = (*self.actions[: self.given.place], *last.actions, *self.actions[self.given.place + 1 :])
            words = people_words(state, last.actions[0]) or "as filled in now"
            return Amend(self.given.step, (), actions=actions), words
        answer = last.answer if isinstance(last, Reply) else None
        if answer is None and self.asked is not None:
            answer = self.asked.request.default_answer
        if answer is None:
            return None, "type what the dice show: dice of the past are not rolled again"
        return Amend(self.given.step, ((self.given.key, answer),)), answer_words(state, answer)


WORDS = {
    "changed": "gives another result",
    "unused": "gives another result; some answers are no longer asked for",
    "open": "asks a question that has no answer yet",
    "gone": "is left out: its moment is over",
    "waiting": "waits for the open question",
}
ONE = "one"
MOST_TOLD = 3
"""Assumed answers that the preview lists."""


class CorrectionPreview(ScrolledMode, frozen=True):
    """The preview of a correction, which Enter applies."""

    title: ClassVar[str] = "What would differ"
    intent: Amend
    report: AmendReport
    headline: str

    @override
    def head(self, scene: ModeContext, width: int) -> tuple[Row, ...]:
        tone = "warn" if self.report.asks or _refused(self.report) else "strong"
        pairs = [("enter", "takes it")]
        if _refused(self.report):
            drops = self.intent.refused == "drop"
            pairs = [("enter", f"takes it {'without' if drops else 'with'} what is not allowed")]
            pairs.append(("x", f"{'keeps' if drops else 'leaves out'} what is not allowed"))
        return (
            *wrapped_rows((Span(_summary(self.report), tone),), width, "summary"),
            *key_hint(width, *pairs, ("esc", "leaves all as it was")),
        )

    @override
    def body(self, scene: ModeContext, width: int) -> list[Row]:
        report = self.report
        refused = [outcome for outcome in report.outcomes if outcome.outcome == "refused"]
        rows = [*wrapped_rows((Span(clean(self.headline), "strong"),), width, "headline")]
        for outcome in sorted(refused, key=lambda outcome: not outcome.kept):
            rows += wrapped_rows((Span(_refusal_words(scene.model.state, outcome), "warn"),), width, "refused")
        if report.asks:
            rows += wrapped_rows((Span(_assumed_words(scene, report.asks), "dim"),), width, "assumed")
        if report.until is not None:
            words = f"compared before step {report.until}, which asks what nobody can foresee"
            rows += wrapped_rows((Span(words, "warn"),), width, "until")
        rows += change_rows(scene.ruleset, *report.states, report.changes, width)
        for outcome in report.outcomes:
            if outcome not in refused and (words := WORDS.get(outcome.outcome, "")):
                rows += wrapped_rows(
                    (Span(f"{_step_words(scene.model.state, outcome)} {words}", "dim"),), width, "outcome"
                )
        return rows

    @override
    def decide(self, scene: ModeContext, key: str, character: str | None) -> Result:
        if key == "enter":
            return Result(None, (self.intent,))
        if character == "x":
            intent = replace(self.intent, refused="keep" if self.intent.refused == "drop" else "drop")
            return Result(replace(self, intent=intent, report=scene.history.preview(intent), scroll=Scroll()))
        return Result(self)


def _refused(report: AmendReport) -> int:
    return sum(outcome.outcome == "refused" for outcome in report.outcomes)


def _summary(report: AmendReport) -> str:
    later = report.outcomes[1:]
    kinds = Counter(outcome.outcome for outcome in later)
    parts = []
    if report.asks:
        parts.append(f"asks {_asks_words(report.asks)}")
    if later:
        steps = f"{len(later)} step{'' if len(later) == 1 else 's'}"
        changed = sum(kinds[kind] for kind in ("changed", "unused", "open"))
        results = f"{changed} with another result" if changed else "with the same result"
        parts.append(f"replays {steps}, {results}")
    forced = sum(outcome.outcome == "refused" and outcome.kept for outcome in report.outcomes)
    left = _refused(report) - forced
    tail = [f"{count} {word}" for count, word in ((forced, "forced"), (left, "left out")) if count]
    return "; ".join(part for part in (", then ".join(parts) or "changes this step alone", ", ".join(tail)) if part)


def _asks_words(asks: tuple[Assumed, ...]) -> str:
    dice = Counter(str(asked.request.dice) for asked in asks if isinstance(asked.request, Roll))
    decisions = len(asks) - dice.total()
    words = [f"{ONE} {name}" if count == 1 else f"{count} × {name}" for name, count in dice.items()]
    if decisions:
        words.append(f"{ONE} decision" if decisions == 1 else f"{decisions} decisions")
    return listed(words)


def _assumed_words(scene: ModeContext, asks: tuple[Assumed, ...]) -> str:
    state = scene.model.state
    words = []
    for asked in asks[:MOST_TOLD]:
        request = asked.request
        whose = f"{state.name(request.who)}, " if request.who is not None else ""
        matter = request.why or key_words(request.key.rpartition("/")[2].partition(":")[0])
        words.append(f"{whose}{matter}: {answer_words(state, asked.answer)}")
    more = f" and {len(asks) - MOST_TOLD} more" if len(asks) > MOST_TOLD else ""
    return clean(f"as if {'; '.join(words)}{more}")


def _step_words(state: State, outcome: StepOutcome) -> str:
    actions = [f"{state.name(action.by)}: {action.key.replace('_', ' ')}" for action in outcome.step.actions]
    step = f"step {outcome.seq}" if outcome.seq is not None else "the step that waits"
    return clean(f"{step} ({listed(actions or [BESIDES.get(outcome.step.kind, outcome.step.kind).casefold()])})")


def left_out_words(model: Model) -> str:
    """Return the steps that the last correction has left out, and why."""
    return "; ".join(_refusal_words(model.state, outcome) for outcome in model.left_out)


def _refusal_words(state: State, outcome: StepOutcome) -> str:
    why = f": {clean(outcome.refusal.text)}" if outcome.refusal is not None else ""
    return f"{'forced' if outcome.kept else 'left out'}: {_step_words(state, outcome)}{why}"
