"""The branches of a fight, and the end of a what-if."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.state import State
from tracker.core.terms.errors import CorruptJournal
from tracker.session.intents import Branch, NameBranch, WhatIf
from tracker.session.model import BranchTip, differences
from tracker.ui.keys.command import Footer
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import ListMode, Mode, ModeContext, Result, ScrolledMode
from tracker.ui.typing.rows import entry_row, visible_rows, wrapped_rows
from tracker.views.panes.changes import change_rows
from tracker.views.panes.header import moment_words
from tracker.views.words.spans import Row, Span, cut_spans, spread
from tracker.views.words.text import clean

WHY = {"undone": "taken back", "amended": "corrected", "present": "here and now"}


class BranchList(ListMode, frozen=True):
    """All branches of the fight, the present one first; Enter continues from the end of another branch.

    Attributes:
        naming: the name being typed.
    """

    place: ClassVar[Footer] = "branches"
    where: ClassVar[Literal["over"]] = "over"
    title: ClassVar[str] = "Branches"
    tips: tuple[BranchTip, ...]
    chosen: int = 0
    naming: Entry | None = None

    @override
    def paste(self, scene: ModeContext, text: str) -> Mode:
        return self if self.naming is None else replace(self, naming=self.naming.typed(text))

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        if not self.tips:
            return (Row("none", cut_spans((Span("the fight has not begun", "dim"),), width)),)
        if self.naming is not None:
            head = wrapped_rows((Span("a name for it; an empty one takes the name away", "dim"),), width, "hint")
            head += (entry_row(self.naming.spans(width - 2), width),)
        else:
            head = ()
        if len(self.tips) == 1:
            head += wrapped_rows((Span("the fight has gone one way only so far", "dim"),), width, "none")
        listed = tuple(self._row(scene, tip, number, width) for number, tip in enumerate(self.tips))
        room = max(1, (height - len(head)) // 2)
        shown = visible_rows(listed, self.chosen, room if self.chosen else height - len(head))
        if not self.chosen or height - len(head) - len(shown) < 2:
            return (*head, *shown)
        return (*head, *shown, Row("line", (Span(" "),)), *self._preview(scene, width))[:height]

    def _row(self, scene: ModeContext, tip: BranchTip, number: int, width: int) -> Row:
        here = number == self.chosen
        name = clean(tip.name) or ("the fight as it stands" if tip.why == "present" else "branch")
        count = f"{tip.steps} step{'' if tip.steps == 1 else 's'}"
        why = "tried" if tip.name.startswith("what-if") and tip.why == "undone" else WHY[tip.why]
        left = "" if tip.why == "present" else "  from the start"
        if tip.fork is not None:
            left = f"  left after step {tip.fork} ({self._moment(scene, tip.fork)})"
        start = (
            Span("▸ " if here else "  ", "title"),
            Span("● " if tip.why == "present" else "  ", "good"),
            Span(name, "strong"),
            Span(left),
        )
        end = (Span(f"  {count}, {why}, {tip.at[11:16]}", "dim"),)
        return Row(f"option:{number}", spread(start, end, width), "current" if here else "")

    def _moment(self, scene: ModeContext, step: int) -> str:
        try:
            return clean(moment_words(scene.history.state_at(step)))
        except CorruptJournal:
            return "its record is damaged"

    def _preview(self, scene: ModeContext, width: int) -> tuple[Row, ...]:
        model = scene.model
        now = model.state if model.looking_at is None else scene.history.state_at(model.head)
        try:
            there = scene.history.state_at(self.tips[self.chosen].seq)
        except CorruptJournal as error:
            return wrapped_rows((Span(clean(error.message), "bad"),), width, "damaged")
        return change_rows(
            scene.ruleset, now, now=there, changes=differences(now, there), width=width, heads=("now", "there")
        )

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        if not self.tips:
            return Result(None)
        tip = self.tips[self.chosen]
        if self.naming is not None:
            return self._name(tip, self.naming, key, character)
        if key == "escape":
            return Result(None)
        if key in ("up", "down"):
            return Result(replace(self, chosen=(self.chosen + (1 if key == "down" else -1)) % len(self.tips)))
        if character == "n":
            return Result(replace(self, naming=Entry.of(tip.name)))
        if key == "enter":
            return Result(None, () if tip.why == "present" else (Branch(tip.seq),))
        return Result(self)

    def _name(self, tip: BranchTip, naming: Entry, key: str, character: str | None) -> Result | None:
        if key == "escape":
            return Result(replace(self, naming=None))
        if key == "enter":
            named = replace(tip, name=" ".join(naming.text.split()))
            tips = (*self.tips[: self.chosen], named, *self.tips[self.chosen + 1 :])
            return Result(replace(self, tips=tips, naming=None), (NameBranch(tip.seq, naming.text),))
        entry = naming.press(key, character)
        return None if entry is None else Result(replace(self, naming=entry))


class KeepOrDrop(ScrolledMode, frozen=True):
    """The differences between the what-if and the real fight, and the choice to keep or drop it."""

    place: ClassVar[Footer] = "trial"
    title: ClassVar[str] = "What-if"
    where: ClassVar[Literal["over"]] = "over"
    real: State
    tried: State
    steps: int

    @override
    def head(self, scene: ModeContext, width: int) -> tuple[Row, ...]:
        steps, stay = ("1 step", "it stays") if self.steps == 1 else (f"{self.steps} steps", "they stay")
        words = f"{steps} tried; if dropped, {stay} in the list of branches" if self.steps else "no whole step tried"
        return wrapped_rows((Span(words, "dim"),), width, "tried")

    @override
    def body(self, scene: ModeContext, width: int) -> Sequence[Row]:
        found = differences(self.real, self.tried)
        return change_rows(
            scene.ruleset, self.real, now=self.tried, changes=found, width=width, heads=("real", "what-if")
        )

    @override
    def decide(self, scene: ModeContext, key: str, character: str | None) -> Result:
        if key == "enter" or character == "k":
            return Result(None, (WhatIf("keep"),))
        return Result(None, (WhatIf("drop"),)) if character == "d" else Result(self)
