"""The forecast's sheet: who wins from here, who falls, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from msgspec import field
from msgspec.structs import replace

from tracker.forecast.outlook import Difference
from tracker.forecast.rows import Lane, compared_rows, forecast_rows, sweep_rows
from tracker.ui.keys.command import Place
from tracker.ui.modes.forecast.asking import Asked, Foresight, Known
from tracker.ui.typing.mode import Mode, Result, Scene, Scroll
from tracker.views.words.spans import Row, Span, line, wrap_spans

__all__ = ["Foreseen", "known_rows"]

STEPS = ("next", "undo", "redo", "earlier", "later")
"""Commands that work while the sheet lies over the panes."""
USUALLY = "each side focused"


def known_rows(asked: Asked, known: Known, width: int) -> tuple[Row, ...]:
    """Return what is known of a question as rows."""
    if known.problem:
        return tuple(
            Row("problem", spans) for spans in wrap_spans((Span("✗ ", "bad"), Span(known.problem, "bad")), width, 2)
        )
    if not known.outlooks:
        return (line("few", "the first fights are being played …", width, "dim"),)
    lanes = tuple(Lane(name, found) for (name, _), found in zip(asked.lanes, known.outlooks, strict=False))
    match asked.kind:
        case "compared":
            return compared_rows(lanes[0], lanes[1], known.change or Difference(), asked.cast, width)
        case "sweep":
            return sweep_rows(lanes, asked.cast, width)
    return forecast_rows(lanes, asked.cast, width)


def head_words(asked: Asked, known: Known) -> str:
    """Return from when fights were played, how many, and by which tactics."""
    many = min((one.fights for one in known.outlooks), default=0)
    if asked.kind == "range" and known.outlooks:
        many = known.outlooks[0].fights
    each = " each" if asked.kind != "range" else ""
    words = [asked.moment, f"{many} fights{each}" if many else "", USUALLY, "playing on …" if known.going else ""]
    return " · ".join(word for word in words if word)


class Foreseen(Mode, frozen=True):
    """What the fights say that were played from here.

    Attributes:
        foresight: who asks, and what is known.
        ask: makes the question that Enter asks.
        told: what the two ways are, where two are compared.
        earlier: what was known before, newest last.
        back: what was open before, and is again after Escape.
    """

    place: ClassVar[Place] = "forecast"
    title: ClassVar[str] = "Forecast"
    over: ClassVar[bool] = True
    foresight: Foresight
    ask: Callable[[], Asked]
    told: Sequence[str] = ()
    back: Mode | None = None
    scroll: Scroll = field(default_factory=Scroll)

    def stale(self, scene: Scene) -> bool:
        """Tell whether the fight has gone on since it was asked."""
        asked = self.foresight.asked
        return asked is not None and asked.about is not scene.model.state

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return what is known, from where, and how sure it is."""
        asked, known = self.foresight.asked, self.foresight.known
        if asked is None:
            return ()
        head: list[Row] = []
        if self.stale(scene):
            words = (Span(f"as of {asked.moment} · ", "warn"), Span("enter", "key"), Span(": again", "warn"))
            head += [Row("stale", spans) for spans in wrap_spans(words, width, 2)]
        head += [Row("head", spans) for spans in wrap_spans((Span(head_words(asked, known), "dim"),), width, 2)]
        for text in self.told:
            head += [Row("told", spans) for spans in wrap_spans((Span(text),), width, 2)]
        body = [Row("", ()), *known_rows(asked, known, width)]
        if self.foresight.earlier:
            body += [Row("", ()), line("earlier", f"before: {' · '.join(self.foresight.earlier)}", width, "dim")]
        return (*head, *self.scroll.seen(body, height - len(head)))[:height]

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Ask again, go on with the fight beneath, or leave."""
        if key == "escape":
            self.foresight.stop()
            return Result(self.back)
        if self.scroll.press(key):
            return Result(self)
        if key == "enter":
            self.foresight.ask(self.ask())
            return Result(self)
        command = next((row for row in scene.table if row.action and key in row.key.split(",")), None)
        if command is not None and command.id in STEPS and self.back is None:
            return Result(self, call=replace(command.call, beneath=True))
        return None if command is not None and command.id in ("quit", "help", "palette") else Result(self)
