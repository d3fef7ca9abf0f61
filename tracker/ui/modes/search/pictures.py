"""The dialog that shows players a picture from beside the encounter's file."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.terms.actions import Option
from tracker.core.terms.errors import TrackerError
from tracker.core.terms.labels import folded
from tracker.ui.keys.command import Footer
from tracker.ui.platform.phones import Phones
from tracker.ui.typing.mode import InputMode, Mode, ModeContext, Result
from tracker.ui.typing.rows import listed_rows, visible_rows, wrapped_rows
from tracker.views.words.spans import Row, Span
from tracker.views.words.text import clean

MOST_LISTED = 200
KINDS = (".png", ".jpg", ".jpeg")


class PictureMode(InputMode, frozen=True):
    """The pictures beside the encounter; `names` are their files, `shown` the one that players see, `chosen` a row."""

    place: ClassVar[Footer] = "palette"
    title: ClassVar[str] = "A picture for the players"
    phones: Phones
    folder: Path | None
    names: tuple[str, ...]
    shown: str = ""
    chosen: int = 0

    @classmethod
    def open(cls, phones: Phones) -> PictureMode:
        folder = phones.folder
        return cls(phones=phones, folder=folder, names=pictures_in(folder), shown=phones.picture)

    def _found(self) -> tuple[str, ...]:
        wanted = folded(self.entry.text)
        return tuple([name for name in self.names if wanted in folded(name)])

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        head = list(self.head(width))
        if self.folder is None:
            words = "the folder of this fight is not known: begin it from its file to show pictures beside it"
            return (*head, *wrapped_rows((Span(words, "dim"),), width, "hint"))[:height]
        found = self._found()
        options = [Option(name, clean(name), "players see it" if name == self.shown else "") for name in found]
        words = "enter shows it" if found else f"no PNG or JPEG of this name in {clean(str(self.folder))}"
        hides = f" · 0 and enter: no longer {clean(self.shown)}" if self.shown else ""
        head += wrapped_rows((Span(f"{words}{hides}", "dim"),), width, "hint")
        listed = listed_rows(tuple(options), self.chosen, width)
        return (*head, *visible_rows(listed, max(0, self.chosen), max(1, height - len(head))))[:height]

    @override
    def typed(self, scene: ModeContext, entry: object) -> Mode:
        return replace(self, entry=entry, chosen=0, problem="")

    @override
    def step(self, scene: ModeContext, by: int) -> Result | None:
        count = len(self._found())
        return Result(replace(self, chosen=(self.chosen + by) % count, problem="")) if count else None

    @override
    def take(self, scene: ModeContext, form: bool) -> Result | None:
        if self.entry.text.strip() == "0":
            self.phones.hide_picture()
            return Result(None)
        found = self._found()
        if self.folder is None or not found:
            return Result(replace(self, problem="there is no such picture"))
        try:
            self.phones.show_picture(self.folder, found[min(self.chosen, len(found) - 1)])
        except TrackerError as error:
            return Result(replace(self, problem=error.message))
        return Result(None)


def pictures_in(folder: Path | None) -> tuple[str, ...]:
    """Return the names of the pictures in a folder, not those in folders below it."""
    try:
        found = [] if folder is None else [path.name for path in folder.iterdir() if path.suffix.casefold() in KINDS]
    except OSError:
        return ()
    return tuple(sorted(found)[:MOST_LISTED])
