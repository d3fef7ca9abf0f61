"""The lines at the top and bottom: the fight and its moment, the keys."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from textual.events import Click
from textual.events import Key as KeyPress
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tracker.core.fight.settings import turn_clock
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.errors import CorruptJournal
from tracker.session.model import Model
from tracker.ui.keys.command import Command, Footer
from tracker.ui.keys.table import KEYS, called, footer
from tracker.ui.widgets.lines import describe_error
from tracker.views.panes.header import header_line
from tracker.views.panes.side_points import Totals, side_totals
from tracker.views.words.spans import Row, Span, cells, cut_spans
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.ui.widgets.theme_styles import Styles


class _Bar(Widget, can_focus=False):
    """One line across the screen."""

    DEFAULT_CSS = "_Bar { height: 1; width: 1fr; }"

    def row(self, width: int) -> Row:
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        look: Styles = self.app.look  # type: ignore[attr-defined] # our app has one; the base class does not say so
        return look.strip(self.row(self.size.width), self.size.width)


ROUNDS, STEPS = 8, 400
"""Rounds whose points the header shows, and the last steps in which it looks for them."""


class RoundPoints:
    """The points of each side when a round began, by the steps of the fight."""

    def __init__(self, ruleset: Ruleset, state_at: Callable[[int | None], State]) -> None:
        self._ruleset, self._state_at = ruleset, state_at
        self._began: dict[int, tuple[int, Totals]] = {}

    def earlier(self, model: Model) -> tuple[Totals, ...]:
        """Return the points with which the last rounds up to the shown moment began."""
        steps = [record.seq for record in model.steps[-STEPS:]]
        if model.looking_at is not None:
            steps = [seq for seq in steps if seq <= model.looking_at]
        began: list[Totals] = []
        last = 0
        for seq in steps:
            if seq not in self._began:
                state = self._state_at(seq)
                self._began[seq] = (state.clock.round, side_totals(state, self._ruleset))
            number, totals = self._began[seq]
            if number > last:
                began.append(totals)
            last = number
        return tuple(began[-ROUNDS:])


class HeaderLine(_Bar):
    """Title, game, moment, and whether this is the present.

    `history` has the sides' points of earlier rounds; it is set after the first paint.
    """

    model: Model | None = None
    active: Id | None = None
    history: RoundPoints | None = None

    def __init__(self, ruleset: Ruleset, now: Callable[[], float] = monotonic) -> None:
        super().__init__(id="header")
        self.ruleset = ruleset
        self._shown: Row | None = None
        self._now, self._since = now, 0.0
        self._turn: tuple[int, Id | None, Id | None] | None = None

    def remember(self, state_at: Callable[[int | None], State]) -> None:
        """Show the sides' points over the rounds from now on."""
        self.history = RoundPoints(self.ruleset, state_at)
        self.refresh()

    def follow(self, model: Model | None, active: Id | None) -> None:
        clock = None if model is None else model.state.clock
        turn = None if clock is None else (clock.round, clock.at, clock.acting)
        if turn != self._turn and (model is None or model.looking_at is None):
            self._turn, self._since = turn, self._now()
        if model is not self.model or active != self.active:
            before, self.model, self.active = self._shown, model, active
            if before != self.row(self.size.width):
                self.refresh()

    def tick(self) -> None:
        """Redraw the line if the turn clock is on and the line has changed."""
        before = self._shown
        if self._lasted() is not None and before != self.row(self.size.width):
            self.refresh()

    def _lasted(self) -> int | None:
        model = self.model
        if model is None or model.looking_at is not None or model.state.clock.over or not turn_clock(model.state):
            return None
        return max(0, int(self._now() - self._since))

    def row(self, width: int) -> Row:
        model = self.model
        if model is None:
            return Row("header", ())
        resumed = model.resumed.replace("T", " ")[:16]
        try:
            earlier: tuple[Totals, ...] = ()
            if self.history is not None:
                with suppress(CorruptJournal):  # the log names the damage
                    earlier = self.history.earlier(model)
            self._shown = header_line(
                self.ruleset,
                model.state,
                width,
                title=model.title,
                resumed=resumed,
                past=model.looking_at is not None,
                trial=model.trial is not None,
                read_only=model.read_only,
                problem=model.notice,
                held=model.screen_held or (model.screen_covered and getattr(self.app, "server", None) is not None),
                dice=model.by_side,
                active=self.active,
                earlier=earlier,
                lasted=self._lasted(),
            )
        except Exception as error:  # noqa: BLE001 - the ruleset words the moment, and may fail
            spans = (Span(" ✗ ", "bad"), Span(describe_error(error, self.app), "bad"))
            self._shown = Row("header", cut_spans(spans, width))
        return self._shown


class StartLine(_Bar):
    """The line at the top of the start screen: counts and filter, or a problem."""

    def __init__(self) -> None:
        super().__init__(id="header")
        self._counts = self._typed = self.message = self._style = ""

    def show(self, counts: str, typed: str) -> None:
        if (counts, typed) != (self._counts, self._typed):
            self._counts, self._typed = counts, typed
            self.refresh()

    def say(self, text: str, style: str = "bad") -> None:
        """Show a message instead of the counts; "": show the counts again."""
        if text != self.message:
            self.message, self._style = text, style
            self.refresh()

    def row(self, width: int) -> Row:
        if self.message:
            return Row("header", cut_spans((Span(" "), Span(clean(self.message), self._style)), width))
        name, typed = Span("tracker", "title"), Span(f"   {clean(self._typed)}", "key")
        return Row("header", cut_spans((Span(" "), name, Span(f" · {self._counts}"), typed), width))


class FooterLine(_Bar):
    """The keys that work now, as many as fit, always with the last two or three: leave, help, quit."""

    place: reactive[Footer] = reactive[Footer]("fight", init=False)
    trying: reactive[bool] = reactive(False, init=False)

    def __init__(self, table: tuple[Command, ...] = KEYS) -> None:
        super().__init__(id="footer")
        self.table = table

    def row(self, width: int) -> Row:
        spans, taken = list[Span](), 0
        for start, key, word in self._hints(width):
            spans += [Span(" " * (start - taken)), Span(called(key), "key"), Span(f" {word}", "dim")]
            taken = start + _taken(key, word) - 2
        return Row("footer", tuple(spans))

    def _hints(self, width: int) -> list[tuple[int, str, str]]:
        keys = footer(self.place, self.table)
        if self.trying and self.place in ("fight", "waiting"):
            keys = (*((key.key.partition(",")[0], "keep or drop") for key in self.table if key.id == "what_if"), *keys)
        always = 3 if [word for _, word in keys[-3:-1]] == ["leave", "help"] else 2
        first, last = keys[:-always], keys[-always:]
        room = width - 1 - sum(_taken(*pair) for pair in last)
        hints, start = list[tuple[int, str, str]](), 1
        for key, word in first:
            if start - 1 + _taken(key, word) > room:
                break
            hints.append((start, key, word))
            start += _taken(key, word)
        start = 1 + max(room, start - 1)
        for key, word in last:
            hints.append((start, key, word))
            start += _taken(key, word)
        return hints

    def on_click(self, event: Click) -> None:
        event.stop()
        for start, key, word in self._hints(self.size.width):
            if start <= event.x < start + _taken(key, word) - 2:
                sign = called(key)
                self.screen.post_message(KeyPress(key, sign if len(sign) == 1 else None))


def _taken(key: str, word: str) -> int:
    return cells(called(key)) + cells(word) + 3
