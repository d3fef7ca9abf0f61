"""The command line: one line for everything.

It is shown as it is understood before Enter, with completion and the lines typed before.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.terms.actions import Option
from tracker.core.terms.requests import Request
from tracker.ui.keys.command import Place
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.lines.phrase import Completion, Phrase, understood
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import (
    InputMode,
    Mode,
    Result,
    Scene,
    deliver,
    entry_row,
    listed_rows,
    name_spans,
    problem_rows,
    refusal_spans,
    said,
    scrolled,
)
from tracker.views.words.prompts import prompt_title
from tracker.views.words.spans import Row, Span
from tracker.views.words.text import clean

__all__ = ["CommandLine"]

HINT = "who, what, on whom, dice: w att g 14 5 · damage 7 g · undo"


class CommandLine(InputMode, frozen=True):
    """A line being typed.

    Attributes:
        chosen: the completion under the cursor; -1: none.
        back: which of the earlier lines stands in it, counted from the newest; 0: none.
    """

    place: ClassVar[Place] = "line"
    title: ClassVar[str] = "Command"
    takes_labels: ClassVar[bool] = True
    chosen: int = -1
    back: int = 0

    @override
    def typed(self, scene: Scene, entry: Entry) -> Mode:
        if entry.text == self.entry.text:
            return replace(self, entry=entry, problem="")
        return CommandLine(entry=entry)

    # What it shows

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line, how it is understood, what is wrong, and completions."""
        phrase = self._phrase(scene)
        shown = [entry_row(self.entry.spans(width - 2, HINT), width)]
        if phrase.named is not None or phrase.by is not None:
            shown += said(_words(scene, phrase), width, "means")
        shown += [
            row for word, request in phrase.trial.given for row in said(_given(scene, word, request), width, "given")
        ]
        shown += problem_rows(self.problem, width)
        if phrase.refusal is not None:
            shown += said(refusal_spans(phrase.refusal), width, "refusal")
        if not self.problem and (later := _later(scene, phrase)):
            shown += said(later, width, "wants")
        for warning in phrase.draft.warns if phrase.draft is not None else ():
            shown += said((Span("! " + warning, "warn"),), width, "warning")
        if phrase.completions:
            options = [Option(one.text, one.shown, one.note, one.refusal) for one in phrase.completions]
            room = max(1, height - len(shown))
            shown += scrolled(
                listed_rows(options, self.chosen, width, keys=[_key(one) for one in phrase.completions]),
                max(0, self.chosen),
                room,
            )
        return tuple(shown[: max(1, height)])

    def _phrase(self, scene: Scene) -> Phrase:
        return understood(scene, self.entry.text, self.chosen)

    # What keys do

    @override
    def step(self, scene: Scene, by: int) -> Result:
        """Go to an earlier or later line while nothing was typed, else to another completion."""
        lines = scene.earlier()
        if not self.entry.text or self.back:
            back = max(0, min(len(lines), self.back - by))
            return Result(CommandLine(entry=Entry.of(lines[-back]) if back else Entry(), back=back))
        completions = self._phrase(scene).completions
        if not completions:
            return Result(self)
        start = self.chosen if self.chosen >= 0 else (-1 if by > 0 else 0)
        return Result(replace(self, chosen=(start + by) % len(completions), problem=""))

    @override
    def take(self, scene: Scene, form: bool) -> Result:
        return Result(self._completed(scene)) if form else self._enter(scene)

    def _completed(self, scene: Scene) -> CommandLine:
        """Complete the word with the chosen completion, or the first one."""
        completions = self._phrase(scene).completions
        if not completions:
            return self
        text = completions[max(0, min(self.chosen, len(completions) - 1))].text
        kept = self.entry.text
        plain = kept.casefold()
        begun = next(
            (
                length
                for length in range(min(len(text), len(kept)), 0, -1)
                if _whole(kept, length) and plain.endswith(text[:length].casefold())
            ),
            None,
        )
        if begun is None:
            begun = 0 if not kept or kept[-1].isspace() else len(kept) - kept.rfind(" ") - 1
        return CommandLine(entry=Entry.of(kept[: len(kept) - begun] + text + ("" if text.endswith("=") else " ")))

    def _enter(self, scene: Scene) -> Result:
        phrase = self._phrase(scene)
        text, named = self.entry.text.strip(), phrase.named
        if not text:
            return Result(None)
        if named is None:
            return Result(replace(self, problem=phrase.wants))
        if named.command is not None:
            return (
                Result(replace(self, problem=phrase.wants))
                if phrase.wants
                else Result(None, call=named.command.call, remember=text)
            )
        assert phrase.draft is not None
        if phrase.draft.form:
            return Result(Form.open(scene.form(phrase.draft.action), phrase.draft.action), remember=text)
        if phrase.wants and phrase.refusal is None:
            return Result(replace(self, problem=phrase.wants))
        return replace(deliver(scene, phrase.draft.action), hand=phrase.hand, keep=phrase.draft.keep, remember=text)


def _whole(text: str, length: int) -> bool:
    """Tell whether the last so many characters begin a word."""
    return length == len(text) or text[-length - 1].isspace()


def _key(completion: Completion) -> str:
    return completion.text if len(completion.text) < 3 else ""


def _words(scene: Scene, phrase: Phrase) -> tuple[Span, ...]:
    """Return who does what on whom."""
    whose = (*name_spans(scene, phrase.by), Span("  ")) if phrase.by is not None else ()
    if phrase.named is None:
        return whose
    what = (Span(clean(phrase.named.option.shown) + "  ", "title"),)
    note = (Span(clean(phrase.named.option.note), "key"),) if phrase.named.kind == "command" else ()
    return (*whose, *what, *note, *(phrase.draft.says if phrase.draft is not None else ()))


def _given(scene: Scene, word: str, request: Request) -> tuple[Span, ...]:
    return (Span(f"  {word} ", "typed"), *_asked(scene, request))


def _asked(scene: Scene, request: Request) -> tuple[Span, ...]:
    """Return what a request is for, in a few words."""
    if request.brief:
        return (Span(clean(request.brief), "dim"),)
    return tuple(Span(span.text, "dim") for span in prompt_title(scene.model.state, request))


def _later(scene: Scene, phrase: Phrase) -> tuple[Span, ...]:
    """Return what is missing or wrong, else what will be asked."""
    if phrase.wants:
        return (Span(("✗ " if phrase.wrong else "") + phrase.wants, "bad" if phrase.wrong else "dim"),)
    trial = phrase.trial
    spans: list[Span] = []
    if trial.left:
        known = not (trial.open or trial.refused) and phrase.draft is not None and scene.model.pending is None
        spans.append(
            Span(
                f"  {' '.join(trial.left)} " + ("is not asked for" if known else "in hand"),
                "warn" if known else "typed",
            )
        )
    if trial.asks is not None:
        spans += [Span("  then asked: ", "dim"), *_asked(scene, trial.asks)]
    return tuple(spans)
