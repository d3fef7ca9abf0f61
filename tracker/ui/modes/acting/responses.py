"""What combatants can do in between: a list to choose from.

A number or the arrows choose, Enter does it or asks for what is missing.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.terms.actions import ActionSpec
from tracker.ui.keys.command import Place
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.picker import is_called, missing, of_those, spec_rows
from tracker.ui.typing.command import read
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import (
    Mode,
    Result,
    Scene,
    deliver,
    entry_row,
    name_spans,
    put_targets,
    said,
    scrolled,
)
from tracker.views.words.spans import Row, Span, cut_spans
from tracker.views.words.text import clean

__all__ = ["Responses"]


class Responses(Struct, frozen=True):
    """What combatants can do in between.

    Each offer has the number of windows passed before it.
    """

    place: ClassVar[Place] = "picker"
    title: ClassVar[str] = "In between"
    takes_labels: ClassVar[bool] = True
    offers: tuple[tuple[int, ActionSpec], ...]
    chosen: int = 0
    entry: Entry = Entry()
    problem: str = ""

    def paste(self, scene: Scene, text: str) -> Mode:
        """Return the list with a pasted text in its line."""
        return replace(self, entry=self.entry.typed(text))

    def _chosen(self) -> int:
        """Return the place of what is typed, by number or name, else of the cursor."""
        typed = read(self.entry.text, ())
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
            entry_row(self.entry.spans(width - 2, "number or name of an answer, or labels"), width),
        ]
        if self.problem:
            head += said((Span("✗ " + self.problem, "bad"),), width, "problem")
        chosen = specs[self._chosen()]
        told = clean(chosen.does or chosen.moot)
        made = said((Span("  → ", "dim"), Span(told, "dim" if chosen.moot else "")), width, "made") if told else ()
        room = max(1, height - len(head) - len(made))
        return (*head, *scrolled(spec_rows(specs, self._chosen(), width), self._chosen(), room), *made)

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Choose, or do it."""
        if key == "escape":
            return Result(None)
        if key in ("up", "down"):
            return Result(
                replace(self, chosen=(self._chosen() + (1 if key == "down" else -1)) % len(self.offers), entry=Entry())
            )
        if key in ("enter", "tab"):
            number = read(self.entry.text, ()).number
            if number is not None and not 1 <= number <= len(self.offers):
                return Result(replace(self, problem=of_those(number, len(self.offers))))
            strange = [word for word in read(self.entry.text, scene.labels).words if self._place(word) < 0]
            if strange:
                return Result(replace(self, problem=f'"{clean(strange[0])}" is neither a label nor an answer'))
            passes, spec = self.offers[self._chosen()]
            action = spec.bare
            typed = read(self.entry.text, scene.labels)
            action = put_targets(spec, action, scene.who(typed.labels), scene.who(typed.capitals))
            if key == "tab" or missing(spec, action) is not None:
                return Result(Form.open(spec, action, "respond", passes))
            return deliver(scene, action, "respond", passes)
        entry = self.entry.press(key, character)
        return None if entry is None else Result(replace(self, entry=entry, problem=""))
