"""What combatants can do in between: a list to choose from.

A number or the arrows choose, Enter does it or asks for what is missing.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.terms.actions import ActionSpec, Option
from tracker.ui.keys.command import Place
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.picker import is_called, of_those, spec_rows
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import (
    InputMode,
    Result,
    Scene,
    deliver,
    name_spans,
    put_targets,
    said,
    scrolled,
)
from tracker.ui.typing.parser import missing, tokens_of
from tracker.ui.typing.tokens import tokenize
from tracker.views.words.spans import Row, Span, cut_spans
from tracker.views.words.text import clean

__all__ = ["Responses"]


class Responses(InputMode, frozen=True):
    """What combatants can do in between.

    Each offer has the number of windows passed before it.
    """

    place: ClassVar[Place] = "picker"
    title: ClassVar[str] = "In between"
    takes_labels: ClassVar[bool] = True
    offers: tuple[tuple[int, ActionSpec], ...]
    chosen: int = 0

    def _chosen(self) -> int:
        """Return the place of what is typed, by number or name, else of the cursor."""
        typed = tokenize(self.entry.text, ())
        if typed.number is not None and 1 <= typed.number <= len(self.offers):
            return typed.number - 1
        named = (self._place(word) for word in typed.words)
        return next((place for place in named if place >= 0), self.chosen)

    def _place(self, word: str) -> int:
        """Return the place of the first offer a word names, -1 where it names none."""
        return next((place for place, (_, spec) in enumerate(self.offers) if is_called(spec, word)), -1)

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the offers as a list."""
        specs = tuple(spec for _, spec in self.offers)
        whose = name_spans(scene, specs[0].by) if specs[0].by is not None else (Span("GM", "gm"),)
        head = [
            Row("who", cut_spans((*whose, Span("  in between", "dim")), width)),
            *self.head(width, "number or name of an answer, or labels"),
        ]
        chosen = specs[self._chosen()]
        told = clean(chosen.does or chosen.moot)
        made = said((Span("  → ", "dim"), Span(told, "dim" if chosen.moot else "")), width, "made") if told else ()
        room = max(1, height - len(head) - len(made))
        return (*head, *scrolled(spec_rows(specs, self._chosen(), width), self._chosen(), room), *made)

    @override
    def step(self, scene: Scene, by: int) -> Result:
        return Result(replace(self, chosen=(self._chosen() + by) % len(self.offers), entry=Entry()))

    @override
    def take(self, scene: Scene, form: bool) -> Result:
        number = tokenize(self.entry.text, ()).number
        if number is not None and not 1 <= number <= len(self.offers):
            return Result(replace(self, problem=of_those(number, len(self.offers))))
        typed = tokens_of(scene, self.entry.text, [Option(spec.key, spec.label) for _, spec in self.offers])
        strange = [word for word in typed.words if self._place(word) < 0]
        if strange:
            return Result(replace(self, problem=f'"{clean(strange[0])}" is neither a label nor an answer'))
        passes, spec = self.offers[self._chosen()]
        action = put_targets(spec, spec.bare, scene.who(typed.labels), scene.who(typed.capitals))
        if form or missing(spec, action) is not None:
            return Result(Form.open(spec, action, "respond", passes))
        return deliver(scene, action, "respond", passes)
