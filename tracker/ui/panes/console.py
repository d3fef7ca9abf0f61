"""The action pane: the open mode, else who acts and what they can do."""

from __future__ import annotations

from collections.abc import Container, Sequence

from msgspec import Struct
from textual.app import App
from textual.reactive import var

from tracker.core.fight.slots import Id
from tracker.core.terms.errors import Refusal
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.keys.command import Pane
from tracker.ui.modes.acting.idle import idle_rows, message_rows
from tracker.ui.panes.pane import FightPane
from tracker.ui.typing.mode import Mode, ModeContext, ScrolledMode
from tracker.ui.typing.rows import wrapped_rows
from tracker.ui.widgets.lines import RowsWidget, describe_error
from tracker.views.words.spans import Row, Span


class ConsoleState(Struct, frozen=True):
    """Contents of the action pane: the open mode, the last refusal and messages, the reminders shown before."""

    scene: ModeContext
    mode: Mode | None = None
    refusal: Refusal | None = None
    problem: str = ""
    note: str = ""
    reminded: Container[str] = ()

    def rows(self, width: int, height: int, odds: str, app: App[object]) -> tuple[Row, ...]:
        below = message_rows(self.refusal, self.problem, width, self.note)[: height // 2]
        if odds and self.mode is not None:
            below = (*wrapped_rows((Span(odds, "title"),), width, "odds")[:2], *below)
        room = height - len(below)
        try:
            if self.mode is None:
                rows = idle_rows(self.scene, width, room, self.reminded)
            else:
                rows = self.mode.rows(self.scene, width, room)
        except Exception as error:  # noqa: BLE001 - a ruleset may fail; the other panes stay
            rows = message_rows(None, describe_error(error, app), width, "")
        return (*rows[:room], *below)

    def scrolled(self, height: int) -> tuple[int, int, int]:
        """Return the first line shown of a scrolled mode, how many lines are not its own, and how long it is."""
        scroll = self.mode.scroll if isinstance(self.mode, ScrolledMode) else None
        return (0, 0, 0) if scroll is None else (scroll.top, height - scroll.room, scroll.total)


class ConsolePane(FightPane):
    """The open mode, or what can be done now."""

    state: var[ConsoleState | None] = var(None, init=False, always_update=True)

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self.odds = ""

    def follow(self, model: Model | None, selected: Id | None) -> None:
        """Stay: what is shown here comes with the mode."""

    def watch_state(self) -> None:
        state = self.state
        if state is not None:
            self.say(title=self.row.title if state.mode is None else state.mode.title)
            self.top = 0
            self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.state is None:
            return (), -1, 0
        rows = self.state.rows(width, height, self.odds, self.app)
        self.top, self.beside, total = self.state.scrolled(height)
        return rows, -1, total

    def tell_odds(self, line: str) -> None:
        if line != self.odds:
            self.odds = line
            self.update()

    def move(self, by: int) -> None:
        """Stay: a mode reads the arrow keys itself."""


WIDEST = 120
"""Cells a sheet is wide at most, so that an eye still finds the end of a line."""


class DialogPane(RowsWidget):
    """A list in the middle of the screen, open while a mode wants it."""

    def __init__(self) -> None:
        super().__init__(0, "", "over")
        self.state: ConsoleState | None = None
        self.lit = True
        self.styles.max_width = WIDEST

    def show(self, state: ConsoleState | None) -> None:
        self.state = state
        if state is not None and state.mode is not None:
            self.say(title=state.mode.title, note="esc leaves")
            self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.state is None:
            return (), -1, 0
        rows = self.state.rows(width, height, "", self.app)
        self.top, self.beside, total = self.state.scrolled(height)
        return rows, -1, total

    def move(self, by: int) -> None:
        """Stay: a mode reads the arrow keys itself."""
