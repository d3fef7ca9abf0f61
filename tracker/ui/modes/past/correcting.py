"""Correcting the past.

The GM chooses what was given wrongly, gives what is right, sees what would differ, and takes or leaves it.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field
from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.run import Pending
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, Request
from tracker.session.intents import Amend, Do, Reply
from tracker.session.model import AmendReport, StepOutcome
from tracker.ui.keys.command import Place
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.past.givens import FIRST_STEPS, Given, answer_words, givens, people_words
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import Following, Mode, Result, Scene, Scroll, entry_row, said
from tracker.views.panes.changes import change_rows
from tracker.views.words.spans import Row, Span, cut_spans, spread
from tracker.views.words.text import clean, listed

__all__ = ["Amended", "Amending", "Correcting"]

WORDS = {
    "changed": "has another result",
    "unused": "has another result; some answers are no longer asked for",
    "open": "asks something that has no answer yet",
    "gone": "is left out: its moment has passed",
    "waiting": "waits for the open question",
}


class Amending(Struct, frozen=True):
    """Choosing what was given wrongly.

    A value typed here is what it should have been; Enter alone asks anew or opens the action's form.
    """

    listed: tuple[Given, ...]
    chosen: int = 0
    entry: Entry = Entry()
    problem: str = ""

    @property
    def place(self) -> Place:
        """Whose footer it has."""
        return "verb"

    @property
    def title(self) -> str:
        """What the pane is called meanwhile."""
        return "Correct"

    def paste(self, scene: Scene, text: str) -> Mode:
        """Return the mode with a pasted text in its line."""
        return replace(self, entry=self.entry.typed(text), problem="")

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in and what was given, the newest first."""
        head = [entry_row(self.entry.spans(width - 2, "up and down choose; the right value"), width)]
        if self.problem:
            head += said((Span("✗ " + self.problem, "bad"),), width, "problem")
        room = max(1, height - len(head))
        first = max(0, min(self.chosen - room // 2, len(self.listed) - room))
        rows = []
        for number, given in enumerate(self.listed[first : first + room], start=first):
            here = number == self.chosen
            start = (
                Span("▸ " if here else "  ", "title"),
                Span(clean(given.title), "strong" if here else "" if given.key else "dim"),
            )
            end = (Span(" " + clean(given.shown), "typed" if given.key else "dim"),)
            rows.append(Row(f"option:{number}", spread(start, end, width), "current" if here else ""))
        if not rows:
            rows.append(Row("none", cut_spans((Span("nothing has been rolled or decided yet", "dim"),), width)))
        return (*head, *rows)

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Choose, type, and ask what would differ."""
        if key == "escape":
            return Result(None)
        moves = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
        if key in moves and self.listed:
            more = self._longer(scene) if self.chosen + moves[key] >= len(self.listed) else self
            return Result(replace(more, chosen=max(0, min(len(more.listed) - 1, self.chosen + moves[key])), problem=""))
        if key == "enter" and self.listed:
            return self._ask(scene, self.listed[self.chosen])
        entry = self.entry.press(key, character)
        return None if entry is None else Result(replace(self, entry=entry, problem=""))

    def _longer(self, scene: Scene) -> Amending:
        """Return the list with what was given before its oldest line, if anything was."""
        steps = scene.model.steps
        told = next(
            (number for number, record in enumerate(reversed(steps), start=1) if record.seq == self.listed[-1].step),
            len(steps),
        )
        return replace(self, listed=givens(scene.model.state, steps, most=2 * told + FIRST_STEPS))

    def _ask(self, scene: Scene, given: Given) -> Result | None:
        if not given.key:
            return self._reopen(scene, given)
        asked = scene.asked(given.step, given.key)
        if asked is None:
            return Result(
                replace(
                    self, problem="this cannot be asked again by itself: go back before it and on from there instead"
                )
            )
        correcting = Correcting(self, given, _prompt(asked.request, given.answer), asked)
        if not self.entry.text.strip():
            return Result(correcting)
        return replace(correcting, inner=Prompt(self.entry)).press(scene, "enter", None)

    def _reopen(self, scene: Scene, given: Given) -> Result:
        if self.entry.text.strip():
            return Result(replace(self, problem="this is an action: enter alone opens its form"))
        record = next(record for record in scene.model.steps if record.seq == given.step)
        action = record.step.actions[given.place]
        state = scene.at(record.parent)
        if action.by is not None and action.by not in state:
            late = f"{clean(state.name(action.by))} came only in the middle of this step"
            return Result(replace(self, problem=f"{late}: its form cannot be opened again"))
        form = Form.open(spec_of(scene.ruleset, state, action), action)
        return Result(Correcting(self, given, inner=form, asked=None, actions=record.step.actions))


def _prompt(request: Request, answer: Answer | None) -> Prompt:
    """Return the prompt of a request with what was answered under the cursor."""
    given = () if answer is None else answer.keys
    if request.several:
        return Prompt(picked=None if answer is None else given)
    return Prompt(chosen=next((place for place, option in enumerate(request.options) if option.key in given), -1))


class Correcting(Struct, frozen=True):
    """A question or the form of an action, open again as it stood.

    Attributes:
        back: the list it was chosen from.
        given: what was given then.
        inner: the prompt, the responses or the form that is open.
        asked: the step as it stood when it asked; None: it is the action itself.
        actions: those of the step, where it is an action.
    """

    back: Amending
    given: Given
    inner: Mode
    asked: Pending | None = None
    actions: tuple[Action, ...] = ()

    @property
    def place(self) -> Place:
        """Whose footer it has."""
        return self.inner.place

    @property
    def title(self) -> str:
        """What the pane is called meanwhile."""
        return "Correct"

    def _then(self, scene: Scene) -> Scene:
        """Return what the question or the form saw then."""
        if self.asked is not None:
            model = replace(scene.model, state=self.asked.state, pending=self.asked, looking_at=None)
            return replace(scene, model=model, selected=None, following=Following(self.asked.request))
        parent = next(record.parent for record in scene.model.steps if record.seq == self.given.step)
        return replace(
            scene,
            model=replace(scene.model, state=scene.at(parent), pending=None, looking_at=None),
            selected=None,
            following=None,
        )

    def paste(self, scene: Scene, text: str) -> Mode:
        """Return it with a pasted text where one is typed."""
        return replace(self, inner=self.inner.paste(self._then(scene), text))

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return what it was, and the question or the form."""
        was = (Span("was ", "dim"), Span(clean(self.given.shown), "typed"), Span(f"  step {self.given.step}", "dim"))
        return (Row("was", cut_spans(was, width)), *self.inner.rows(self._then(scene), width, height - 1))

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Let the question or the form read the key, and show what would differ now."""
        result = self.inner.press(self._then(scene), key, character)
        if result is None:
            return None
        if result.mode is not None:
            return Result(replace(self, inner=result.mode))
        if not result.intents:
            return Result(replace(self.back, entry=Entry(), problem=""))
        intent, words = self._amendment(result, scene)
        if intent is None:
            return Result(
                replace(
                    self, inner=replace(self.inner, problem=words) if isinstance(self.inner, Prompt) else self.inner
                )
            )
        report = scene.preview(intent)
        if report.refusal is not None or report.problem:
            text = clean(report.refusal.text if report.refusal is not None else report.problem)
            return Result(
                replace(
                    self,
                    inner=replace(self.inner, problem=text) if isinstance(self.inner, Prompt | Form) else self.inner,
                )
            )
        return Result(Amended(intent, report, f"{self.given.title}: {self.given.shown} → {words}"))

    def _amendment(self, result: Result, scene: Scene) -> tuple[Amend | None, str]:
        """Return the amendment and the new value in words, or None and the reason."""
        last = result.intents[-1]
        state = self._then(scene).model.state
        if isinstance(last, Do):
            actions = (*self.actions[: self.given.place], *last.actions, *self.actions[self.given.place + 1 :])
            return Amend(self.given.step, (), actions=actions), people_words(
                state, last.actions[0]
            ) or "as filled in now"
        answer = last.answer if isinstance(last, Reply) else None
        if answer is None and self.asked is not None:
            answer = self.asked.request.usual
        if answer is None:
            return None, "type what the dice show: dice of the past are not rolled again"
        return Amend(self.given.step, ((self.given.key, answer),)), answer_words(state, answer)


class Amended(Struct, frozen=True):
    """What would differ: take it or leave it."""

    intent: Amend
    report: AmendReport
    headline: str
    scroll: Scroll = field(default_factory=Scroll)

    @property
    def place(self) -> Place:
        """Whose footer it has."""
        return "report"

    @property
    def title(self) -> str:
        """What the pane is called meanwhile."""
        return "What would differ"

    def paste(self, scene: Scene, text: str) -> Mode:
        """Return it unchanged."""
        return self

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return before and after side by side, and the steps that change."""
        dropping = self.intent.refused == "drop"
        refused = any(outcome.outcome == "refused" for outcome in self.report.outcomes)
        drops = (
            (
                Span(" · "),
                Span("x", "key"),
                Span(" keeps what is not allowed" if dropping else " drops what is not allowed"),
            )
            if refused
            else ()
        )
        head = said(
            (
                Span("enter", "key"),
                Span(" takes it"),
                *drops,
                Span(" · "),
                Span("esc", "key"),
                Span(" leaves all as it was"),
            ),
            width,
            "hint",
        )
        rows = [*said((Span(clean(self.headline), "strong"),), width, "headline")]
        rows += change_rows(scene.ruleset, *self.report.states, self.report.changes, width)
        later = self.report.outcomes[1:]
        if later:
            counts = Counter(outcome.outcome == "same" for outcome in later)
            many = f"{len(later)} later step{'' if len(later) == 1 else 's'}"
            words = f"{many} done again: {counts[True]} the same, {counts[False]} not"
            rows += said((Span(words, "dim"),), width, "later")
        for outcome in self.report.outcomes:
            if words := _outcome_words(outcome):
                style = "warn" if outcome.outcome in ("refused", "open", "gone") else "dim"
                rows += said((Span(f"{_called(scene, outcome)} {words}", style),), width, "outcome")
        return (*head, *self.scroll.seen(rows, height - len(head)))[:height]

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Take it, see it without what the rules refuse, or leave everything as it is."""
        if key == "escape":
            return Result(None)
        if self.scroll.press(key):
            return Result(self)
        if key == "enter":
            return Result(None, (self.intent,))
        if character == "x":
            intent = replace(self.intent, refused="keep" if self.intent.refused == "drop" else "drop")
            return Result(replace(self, intent=intent, report=scene.preview(intent), scroll=Scroll()))
        return Result(self)


def _called(scene: Scene, outcome: StepOutcome) -> str:
    """Return what to call a step of a report."""
    state = scene.model.state
    actions = [f"{state.name(action.by)}: {action.key.replace('_', ' ')}" for action in outcome.step.actions] or [
        outcome.step.kind
    ]
    return clean(
        f"step {outcome.seq} ({listed(actions)})"
        if outcome.seq is not None
        else f"the step that waits ({listed(actions)})"
    )


def _outcome_words(outcome: StepOutcome) -> str:
    """Return how a step changes, or "" where its result is the same."""
    if outcome.outcome != "refused":
        return WORDS.get(outcome.outcome, "")
    why = f": {clean(outcome.refusal.text)}" if outcome.refusal is not None else ""
    return f"is no longer allowed{why}; it is {'kept, forced' if outcome.kept else 'left out'}"
