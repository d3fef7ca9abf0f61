"""The size of an area on the map, typed while the area is placed.

The map keeps the arrow keys meanwhile; the key of another command closes the line and is done.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec.structs import replace
from typing_extensions import override

from tracker.ui.keys.command import Call, Footer
from tracker.ui.keys.table import commands
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import Mode, ModeContext, Result
from tracker.ui.typing.rows import entry_row, wrapped_rows
from tracker.views.words.spans import Row, Span

DIGITS = 3


class AreaSizeMode(Mode, frozen=True):
    """The line for the size: the size and unit of the area, the name of its form, the typed digits."""

    place: ClassVar[Footer] = "area"
    title: ClassVar[str] = "Area"
    where: ClassVar[Literal["beside"]] = "beside"
    size: int
    unit: str
    form: str
    typed: str = ""

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        hint = f"{self.size} {self.unit} {self.form}: digits for another size"
        entry = Entry.of(self.typed)
        spans = (*entry.spans(width - 2), Span(f" {self.unit} {self.form}", "dim")) if self.typed else ()
        more = (
            f"{scene.key('template')}: wider · {scene.key('shape')}: another form · "
            f"{scene.key('damage')} {scene.key('effect')}: begins with those it catches"
        )
        return (entry_row(spans or entry.spans(width - 2, hint), width), *wrapped_rows((Span(more, "dim"),), width))

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        if key == "escape":
            return Result(None, call=Call("size", 0))
        if key == "enter":
            return Result(None)
        if key in ("backspace", "ctrl+h"):
            return self._sized(self.typed[:-1]) if self.typed else Result(self)
        if character is not None and character.isascii() and character.isdigit():
            return self._sized((self.typed + character)[:DIGITS])
        command = commands(scene.table).get(key)
        if character is None or command is None:
            return None
        return Result(replace(self, typed="") if command.board else None, call=command.call)

    def _sized(self, typed: str) -> Result:
        size = int(typed or 0)
        return Result(replace(self, typed=typed, size=size or self.size), call=Call("size", size) if size else None)
