"""A report above a decision: what would come of it, scrolled, taken or left."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import field

from tracker.ui.typing.mode import Mode, Result, Scene, Scroll, said
from tracker.views.words.spans import Row, Span

__all__ = ["Report", "Scroll", "hint"]


class Report(Mode, frozen=True, kw_only=True):
    """What would come of a decision: lines that stay, and lines that scroll below them."""

    scroll: Scroll = field(default_factory=Scroll)

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
