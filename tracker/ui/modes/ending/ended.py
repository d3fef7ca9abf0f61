"""The end of a fight as a sheet over the panes, and its story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tracker.core.fight.state import State
from tracker.session.session import Session
from tracker.ui.keys.command import Call, Place
from tracker.ui.modes.acting.idle import summary_rows
from tracker.ui.modes.past.report import Report, hint
from tracker.ui.typing.mode import Mode, Result, Scene, said
from tracker.views.tale.chronicle import Chronicle
from tracker.views.tale.ending import ending_rows, length_words, story_rows
from tracker.views.tale.reckoning import Reckoning, reckon
from tracker.views.tale.scribe import chronicle
from tracker.views.words.spans import Row, Span
from tracker.views.words.text import clean

__all__ = ["Ended", "Told", "chronicle_of", "ended_of"]


KEYS = (("s", "story"), ("r", "page to keep"), ("l", "another fight"), ("u", "not yet"), ("esc", "the table"))


class Ended(Report, frozen=True):
    """The numbers of the fight, with the ways on from there.

    Attributes:
        told, numbers: the fight.
        page: where its page was written to, or why it could not be.
    """

    over: ClassVar[bool] = True
    told: Chronicle
    numbers: Reckoning
    page: str = ""

    @property
    def place(self) -> Place:
        """Whose footer it has."""
        return "ended"

    @property
    def title(self) -> str:
        """What the pane is called meanwhile."""
        return "The end"

    def head(self, scene: Scene, width: int) -> tuple[Row, ...]:
        """Return how long it was, how each side stands, and what to press."""
        over = scene.model.state.clock.over
        words = Span("the fight is over" if over else "so far", "strong")
        offers = scene.offers(None, generic=False) if over else ()
        more = ", ".join(clean(spec.label) for spec in offers if spec.refusal is None and spec.rule)
        return (
            *said((words, Span(f" · {length_words(self.told)}", "dim")), width, "over"),
            *summary_rows(scene, width),
            *hint(width, *KEYS),
            *(said((Span("possible now: ", "dim"), Span(more)), width, "after") if more else ()),
            *(said((Span(clean(self.page), "good"),), width, "page") if self.page else ()),
            Row("", ()),
        )

    def body(self, scene: Scene, width: int) -> Sequence[Row]:
        """Return the numbers."""
        return ending_rows(self.told, self.numbers, width)

    def decide(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Open the story, write the page, or leave for another fight."""
        calls = {"s": "story", "r": "page", "l": "another", "u": "undo"}
        if character in calls:
            return Result(self if character in "sr" else None, call=Call(calls[character]))
        return None if scene.command(key) in ("quit", "palette") else Result(None)


class Told(Report, frozen=True):
    """The story of the fight, to be read aloud.

    Attributes:
        told: the fight.
        back: what was open before.
        notes: whether the GM's notes are in it.
    """

    over: ClassVar[bool] = True
    told: Chronicle
    back: Mode | None = None
    notes: bool = False

    @property
    def place(self) -> Place:
        """Whose footer it has."""
        return "told"

    @property
    def title(self) -> str:
        """What the pane is called meanwhile."""
        return "The story"

    def head(self, scene: Scene, width: int) -> tuple[Row, ...]:
        """Return what to press."""
        notes = "leaves your notes out" if self.notes else "your notes too"
        return (*hint(width, ("n", notes), ("esc", "leaves")), Row("", ()))

    def body(self, scene: Scene, width: int) -> Sequence[Row]:
        """Return the sentences."""
        return story_rows(self.told, self.notes, width)

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Go back to what was open before, else as every report."""
        return Result(self.back) if key == "escape" else super().press(scene, key, character)

    def decide(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Show the GM's notes, or leave them out."""
        if character == "n":
            return Result(Told(self.told, self.back, not self.notes))
        return None if scene.command(key) in ("quit", "palette") else Result(self.back)


def chronicle_of(session: Session, marks: bool) -> Chronicle:
    """Return the fight of a session deed by deed.

    `marks`: with what a game leaves beside points.
    """
    steps = session.model.steps

    def states(number: int) -> tuple[State, State]:
        return session.state_at(steps[number].parent), session.state_at(steps[number].seq)

    return chronicle(session.ruleset, (record.entries for record in steps), states if marks else None)


def ended_of(session: Session) -> Ended:
    """Return the end of a session's fight."""
    told = chronicle_of(session, marks=False)
    return Ended(told, reckon(told))
