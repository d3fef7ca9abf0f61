"""A line of the story."""

from __future__ import annotations

from msgspec import Struct

from tracker.views.story.signs import Sign
from tracker.views.words.spans import Span


class Line(Struct, frozen=True, gc=False):
    """One line of the story, however long.

    Attributes:
        spans: what it says.
        depth: how deep it stands.
        rules: ids of the rules behind it.
        round: the round it happens in.
        kind: "" an action or what follows from it, `round` and `turn` where the clock moves on, `gm` where the game
            master overrules.
        asked: the key of the last answer it tells of.
        sign: the gravest of what it tells.
    """

    spans: tuple[Span, ...]
    depth: int
    rules: tuple[str, ...]
    round: int
    kind: str = ""
    asked: str = ""
    sign: Sign = ""

    @property
    def text(self) -> str:
        """The line without its styles."""
        return "".join(span.text for span in self.spans)
