"""The commands of the GM, typed in one line.

Labels, numbers and words are shown as they are understood before Enter.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.engine import spec_of
from tracker.core.terms.actions import Action
from tracker.ui.keys.command import Place
from tracker.ui.keys.table import LINES
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.gm_lines import again, parse_command
from tracker.ui.typing.mode import (
    InputMode,
    Mode,
    Result,
    Scene,
    deliver,
    entry_row,
    listed_rows,
    problem_rows,
    refusal_spans,
    said,
    scrolled,
)
from tracker.ui.typing.outcome import outcome_spans
from tracker.ui.typing.parser import ParsedCommand
from tracker.views.words.spans import Row, Span


class VerbLine(InputMode, frozen=True):
    """A GM command being typed.

    `chosen` is the option under the cursor, `again` the action that is done on new labels.
    """

    place: ClassVar[Place] = "verb"
    takes_labels: ClassVar[bool] = True
    verb: str
    chosen: int = -1
    again: Action | None = None

    @property
    def title(self) -> str:
        """What the pane is called meanwhile."""
        return LINES[self.verb].title

    @override
    def typed(self, scene: Scene, entry: Entry) -> Mode:
        same = entry.text == self.entry.text
        return replace(self, entry=entry, chosen=self.chosen if same else -1, problem="")

    def _draft(self, scene: Scene) -> ParsedCommand:
        if self.again is not None:
            return again(scene, self.again, self.entry.text)
        return parse_command(scene, self.verb, self.entry.text, self.chosen)

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in, how it is understood, and what can be chosen."""
        draft = self._draft(scene)
        hint = "labels of the new targets" if self.again is not None else LINES[self.verb].hint
        shown = [entry_row(self.entry.spans(width - 2, hint), width)]
        if draft.says:
            shown += said(draft.says, width, "draft")
        shown += problem_rows(self.problem, width)
        spec = spec_of(scene.ruleset, scene.model.state, draft.action)
        if spec.refusal is not None:
            shown += said(refusal_spans(spec.refusal), width, "refusal")
        if spec.refusal is None and not draft.wants and self.entry.text.strip():
            comes = outcome_spans(scene, draft.action)
            shown += said((Span("→ ", "dim"), *comes), width, "comes") if comes else ()
        if draft.wants and not self.problem:
            shown += said((Span(draft.wants, "dim"),), width, "wants")
        for warning in draft.warns:
            shown += said((Span("! " + warning, "warn"),), width, "warning")
        if draft.options:
            shown += scrolled(
                listed_rows(draft.options, draft.at, width, keys=draft.keys),
                max(0, draft.at),
                max(1, height - len(shown)),
            )
        return tuple(shown[: max(1, height)])

    @override
    def step(self, scene: Scene, by: int) -> Result | None:
        draft = self._draft(scene)
        if not draft.options:
            return None
        return Result(replace(self, chosen=(draft.at + by) % len(draft.options), problem=""))

    @override
    def take(self, scene: Scene, form: bool) -> Result:
        draft = self._draft(scene)
        spec = spec_of(scene.ruleset, scene.model.state, draft.action)
        if draft.form or (form and spec.fields):
            return Result(Form.open(spec, draft.action))
        if draft.wants:
            return Result(replace(self, problem=draft.wants))
        return replace(deliver(scene, draft.action), keep=draft.keep)
