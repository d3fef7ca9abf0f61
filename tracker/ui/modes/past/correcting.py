"""Correcting the past.

The GM chooses what was given wrongly, gives what is right, sees what would differ, and takes or leaves it.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from tracker.core.run import Pending
from tracker.core.terms.actions import Action
from tracker.session.intents import Amend, Do, Reply
from tracker.ui.keys.command import Place
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.past.amended import Amended
from tracker.ui.modes.past.givens import Given, answer_words, people_words
from tracker.ui.typing.mode import Following, Mode, Result, Scene
from tracker.views.words.spans import Row, Span, cut_spans
from tracker.views.words.text import clean

__all__ = ["Correcting"]


class Correcting(Mode, frozen=True):
    """A question or the form of an action, open again as it stood.

    Attributes:
        back: the list it was chosen from.
        given: what was given then.
        inner: the prompt, the responses or the form that is open.
        asked: the step as it stood when it asked; None: it is the action itself.
        actions: those of the step, where it is an action.
    """

    title: ClassVar[str] = "Correct"
    over: ClassVar[bool] = True
    back: Mode
    given: Given
    inner: Mode
    asked: Pending | None = None
    actions: tuple[Action, ...] = ()

    @property
    def place(self) -> Place:
        """Whose footer it has."""
        return self.inner.place

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
            return Result(self.back)
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
