"""Correcting the past.

The GM chooses what was given wrongly, gives what is right, sees what would differ, and takes or leaves it.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.run import Pending
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, Request
from tracker.session.intents import Amend, Do, Reply
from tracker.ui.keys.command import Place
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.past.amended import Amended
from tracker.ui.modes.past.givens import FIRST_STEPS, Given, answer_words, givens, people_words
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import Following, Mode, Result, Scene, entry_row, said
from tracker.views.words.spans import Row, Span, cut_spans, spread
from tracker.views.words.text import clean

__all__ = ["Amending", "Correcting"]


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
