"""The dialog that asks for a name and writes the encounter of the fight as a file."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from typing_extensions import override

from tracker.core.clock.joining import slug
from tracker.ui.keys.command import Call, Footer
from tracker.ui.typing.mode import InputMode, ModeContext, Result
from tracker.ui.typing.rows import wrapped_rows
from tracker.views.words.spans import Row, Span
from tracker.views.words.text import clean

FOLDER = Path("encounters")
"""Where the start screen looks for encounters."""


def file_of(game: str, name: str) -> Path:
    return FOLDER / game / f"{slug(name)}.yaml"


class SaveEncounter(InputMode, frozen=True):
    place: ClassVar[Footer] = "line"
    title: ClassVar[str] = "Save the encounter"

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        path = file_of(scene.ruleset.key, self.entry.text)
        spans = (
            Span("enter", "key"),
            Span(" writes ", "dim"),
            Span(clean(str(path))),
            Span(": what was prepared", "dim"),
        )
        hint = () if self.problem or not self.entry.text.strip() else wrapped_rows(spans, width, "hint")
        return (*self.head(width, "its name"), *hint)[: max(1, height)]

    @override
    def take(self, scene: ModeContext, form: bool) -> Result:
        name = self.entry.text.strip()
        return Result(None, call=Call("save_encounter", name) if name else None)
