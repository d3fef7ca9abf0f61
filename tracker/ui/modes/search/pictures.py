"""The dialog that shows players a picture from the folder of the encounter's file."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.terms.actions import Option
from tracker.core.terms.labels import folded
from tracker.ui.keys.command import Call, Footer
from tracker.ui.platform.phones import Phones
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import InputMode, Mode, ModeContext, Result
from tracker.ui.typing.rows import listed_rows, visible_rows, wrapped_rows
from tracker.views.words.spans import Row, Span
from tracker.views.words.text import clean

MOST_LISTED = 200
KINDS = (".png", ".jpg", ".jpeg")


class PictureMode(InputMode, frozen=True):
    """The pictures in the encounter's folder; `names` are their files, `shown` is the picture that players see."""

    place: ClassVar[Footer] = "palette"
    title: ClassVar[str] = "A picture for the players"
    phones: Phones
    folder: Path | None
    names: tuple[str, ...]
    shown: str = ""
    chosen: int = 0
    back: Mode | None = None

    @classmethod
    def open(cls, phones: Phones, typed: str = "", back: Mode | None = None) -> PictureMode:
        """Open the dialog with text that is typed already; Escape opens `back`."""
        folder, entry = phones.folder, Entry.of(typed)
        names = pictures_in(folder)
        return cls(phones=phones, folder=folder, names=names, shown=phones.picture, back=back, entry=entry)

    def meant(self) -> str:
        """Return the only file whose name is or contains the typed text, "0" for no picture, "" if it is not clear."""
        typed, names = self.entry.text.strip(), self._matching()
        if typed in ("", "0"):
            return typed
        return next((name for name in names if folded(name) == folded(typed)), names[0] if len(names) == 1 else "")

    def _matching(self) -> tuple[str, ...]:
        wanted = folded(self.entry.text.strip())
        return tuple([name for name in self.names if wanted in folded(name)])

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        head = list(self.head(width))
        if self.folder is None:
            words = "the folder of this fight is not known: begin it from its file to show pictures beside it"
            return (*head, *wrapped_rows((Span(words, "dim"),), width, "hint"))[:height]
        found = self._matching()
        options = [Option(name, clean(name), "players see it" if name == self.shown else "") for name in found]
        words = "enter shows it" if found else f"no PNG or JPEG of this name in {clean(str(self.folder))}"
        hides = f" · 0 and enter: no longer {clean(self.shown)}" if self.shown else ""
        covered = " · seen once P shows the fight" if scene.model.screen_covered else ""
        head += wrapped_rows((Span(f"{words}{hides}{covered}", "dim"),), width, "hint")
        listed = listed_rows(tuple(options), self.chosen, width)
        return (*head, *visible_rows(listed, max(0, self.chosen), max(1, height - len(head))))[:height]

    @override
    def typed(self, scene: ModeContext, entry: Entry) -> Mode:
        return replace(self, entry=entry, chosen=0, problem="")

    @override
    def step(self, scene: ModeContext, by: int) -> Result | None:
        count = len(self._matching())
        return Result(replace(self, chosen=(self.chosen + by) % count, problem="")) if count else None

    @override
    def leave(self, scene: ModeContext) -> Result:
        return Result(self.back)

    @override
    def take(self, scene: ModeContext, form: bool) -> Result | None:
        found = self._matching()
        if self.entry.text.strip() == "0":
            return Result(self.back, call=Call("show_picture", "0"))
        if self.folder is None or not found:
            return Result(replace(self, problem="there is no such picture"))
        return Result(self.back, call=Call("show_picture", found[min(self.chosen, len(found) - 1)]))


def pictures_in(folder: Path | None) -> tuple[str, ...]:
    """Return the names of the pictures in a folder, without its subfolders."""
    try:
        names = [] if folder is None else [path.name for path in folder.iterdir() if path.suffix.casefold() in KINDS]
    except OSError:
        return ()
    return tuple(sorted(names)[:MOST_LISTED])
