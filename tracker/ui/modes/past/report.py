"""A report above a decision: what would come of it, scrolled, taken or left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from msgspec import Struct, field

from tracker.ui.keys.command import Place
from tracker.ui.typing.mode import Result, Scene, said
from tracker.views.words.spans import Row, Span

__all__ = ["Report", "Scroll", "hint"]


class Scroll(Struct):
    """How far a report is scrolled, never beyond its end.

    `room` is how many of its `total` lines are shown.
    """

    top: int = 0
    total: int = 0
    room: int = 0

    def seen(self, rows: Sequence[Row], room: int) -> Sequence[Row]:
        """Return the rows from where it stands."""
        self.top, self.total, self.room = max(0, min(self.top, len(rows) - room)), len(rows), room
        return rows[self.top :]

    def press(self, key: str) -> bool:
        """Scroll if the key is for that, and tell whether it is."""
        by = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}.get(key, 0)
        self.top = max(0, self.top + by)
        return by != 0


class Report(Struct, frozen=True, kw_only=True):
    """What would come of a decision: lines that stay, and lines that scroll below them."""

    place: ClassVar[Place] = "report"
    scroll: Scroll = field(default_factory=Scroll)

    @property
    def title(self) -> str:
        """What the pane is called meanwhile."""
        raise NotImplementedError

    def paste(self, scene: Scene, text: str) -> Self:
        """Return it unchanged."""
        return self

    def head(self, scene: Scene, width: int) -> tuple[Row, ...]:
        """Return the lines that stay."""
        raise NotImplementedError

    def body(self, scene: Scene, width: int) -> Sequence[Row]:
        """Return the lines that scroll."""
        raise NotImplementedError

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return what fits."""
        head = self.head(scene, width)
        return (*head, *self.scroll.seen(self.body(scene, width), height - len(head)))[:height]

    def decide(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Return what comes of a key that neither leaves nor scrolls."""
        raise NotImplementedError

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Leave all as it is, scroll, or decide."""
        if key == "escape":
            return Result(None)
        return Result(self) if self.scroll.press(key) else self.decide(scene, key, character)


def hint(width: int, *pairs: tuple[str, str]) -> tuple[Row, ...]:
    """Return the line that says what each key does."""
    spans: list[Span] = []
    for key, words in pairs:
        spans += [Span(" · " if spans else ""), Span(key, "key"), Span(f" {words}")]
    return said(tuple(spans), width, "hint")
