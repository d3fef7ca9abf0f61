"""The base of the panes of a fight, and the panes of the stat block and the initiative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from textual.app import App
from textual.events import Click, MouseDown, MouseMove, MouseUp
from textual.message import Message

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.core.terms.labels import folded
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.keys.command import Pane
from tracker.ui.modes.acting.idle import still_to_act
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.typing.mode import ModeContext, Result
from tracker.ui.widgets.lines import ErrorRows, RowsWidget, window
from tracker.views.panes.blocks import KIND, block_rows
from tracker.views.panes.order import OrderRows, parts_of_key
from tracker.views.words.spans import Row, Span

Side: TypeAlias = Literal["top", "bottom", "left", "right"]


class StatBlock:
    """The stat block of a combatant as rows, cached for one state, combatant and width."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._drawn_for: tuple[State, Id, int] | None = None
        self._rows: Sequence[Row] = ()

    def rows(self, app: App[object], state: State, who: Id, width: int) -> Sequence[Row]:
        if self._drawn_for is None or self._drawn_for[0] is not state or self._drawn_for[1:] != (who, width):
            failures = ErrorRows()
            rows = block_rows(self._ruleset, state, who, width, failures.note)
            self._rows, self._drawn_for = (*rows, *failures.rows(app, width)), (state, who, width)
        return self._rows


LEAST_BLOCK = 3
"""Lines that a stat block needs at least: its rule, the name, and a line of numbers."""


def block_below(rows: Sequence[Row], width: int, room: int) -> tuple[Sequence[Row], int]:
    """Return a stat block below a rule in at most `room` lines, and the number of lines left out.

    If it is too long, its headings and its side are left out first.
    """
    if room <= len(rows):
        rows = (*rows[:1], *(row for row in rows[1:] if row.state != "head" and row.key != KIND))
    shown = rows[: room - 1]
    return (Row("rule", (Span("─" * width, "quiet"),)), *shown), len(rows) - len(shown)


class FightPane(RowsWidget):
    """A pane made from its row of the table of panes.

    `active` is the acting combatant, `selected` the combatant under the cursor.
    """

    class Pulled(Message):
        """An edge of the pane was dragged with the mouse to a column and row of the screen."""

        def __init__(self, pane: FightPane, edge: Side, column: int, row: int) -> None:
            super().__init__()
            self.pane, self.edge, self.column, self.row = pane, edge, column, row

        @property
        def control(self) -> FightPane:
            return self.pane

    ALLOW_MAXIMIZE = True

    model: Model | None = None
    selected: Id | None = None
    active: Id | None = None

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row.number, row.title, row.id)
        self.row, self.ruleset = row, session.ruleset
        self._pulled_edge: Side | None = None
        self._pulled = False

    def follow(self, model: Model | None, selected: Id | None) -> None:
        self.model, self.selected = model, selected
        self.update()

    def go(self, by: int) -> Id | None:
        """Move the cursor, and return the combatant to select, if any."""
        self.move(by)
        return None

    def go_aside(self, by: int) -> None:
        """Move the cursor sideways, if the pane has columns or groups."""

    def open(self, scene: ModeContext) -> Result | None:
        """Return what Enter does here: by default it opens the actions of the selected combatant."""
        return Result(Picker(scene.selected)) if scene.selected is not None else None

    def aims(self, scene: ModeContext) -> Mapping[Action, Action | None] | None:
        """Return the actions at the cursor, whose odds are then computed; None: the pane has none."""
        return None

    def about(self) -> Id | None:
        """Return the combatant at the cursor, in panes moment it can differ from the selected one."""
        return None

    def seen(self, who: Id | None) -> Id | None:
        """Return the combatant to select after the pane was narrowed: by default the same."""
        return who

    def step_back(self) -> bool:
        """Undo what Escape undoes in this pane, such as a filter, and tell whether there was anything."""
        if self.narrowed:
            self.narrow("")
            return True
        return False

    def point(self, event: RowsWidget.Chosen, chosen: bool) -> bool:
        """Move the cursor to the clicked line, and tell whether the click opens it.

        `chosen`: the pane was chosen before.
        """
        return chosen and event.again

    # Dragging an edge

    def on_mouse_down(self, event: MouseDown) -> None:
        width, height = self.outer_size
        sides: tuple[tuple[Side, bool], ...] = (
            ("top", event.y == 0),
            ("bottom", event.y == height - 1),
            ("left", event.x == 0),
            ("right", event.x == width - 1),
        )
        self._pulled_edge = (
            next((side for side, at_edge in sides if at_edge), None) if self.screen.maximized is None else None
        )
        self._pulled = False
        if self._pulled_edge is not None:
            self.capture_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        if self._pulled_edge is not None:
            event.stop()
            self._pulled = True
            self.post_message(self.Pulled(self, self._pulled_edge, int(event.screen_x), int(event.screen_y)))

    def on_mouse_up(self, event: MouseUp) -> None:
        if self._pulled_edge is not None:
            self.release_mouse()
            self._pulled_edge = None

    def on_click(self, event: Click) -> None:
        if self._pulled:
            self._pulled = False
            event.stop()
            event.prevent_default()


class BlockPane(FightPane):
    """The stat block of the combatant under the cursor."""

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self._block = StatBlock(self.ruleset)
        self._pinned: Id | None = None

    @property
    def told(self) -> Id | None:
        """The combatant whose stat block is shown."""
        return self._pinned or self.selected

    def pin(self) -> None:
        self._pinned = self.selected if self._pinned is None else None
        self.say(title=self.row.title if self._pinned is None else f"{self.row.title}, held")
        self.update()

    def follow(self, model: Model | None, selected: Id | None) -> None:
        if selected != self.selected:
            self.top = 0
        super().follow(model, selected)

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        model, who = self.model, self.told
        if model is None or who is None or who not in model.state:
            return (), -1, 0
        rows = self._block.rows(self.app, model.state, who, width)
        self.top = max(0, min(self.top, len(rows) - height))
        return rows[self.top : self.top + height], -1, len(rows)


class OrderPane(FightPane):
    """The initiative: the game's order, and below it what ends or fires next."""

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self._rows: OrderRows | None = None
        self._drawn_for: tuple[State | None, int, int, Id | None] = (None, 0, 0, None)
        self.cursor = -1
        self._moment: object = None

    def follow(self, model: Model | None, selected: Id | None) -> None:
        if model is not self.model or self.active != self._drawn_for[3]:
            self.model = model
            self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.model is None:
            return (), -1, 0
        state, drawn_for = self.model.state, self._drawn_for
        if self._rows is None or drawn_for[0] is not state or drawn_for[1:] != (width, height, self.active):
            self._rows = OrderRows(self.ruleset, state, width, active=self.active, height=height, due=still_to_act)
            self._drawn_for = (state, width, height, self.active)
            moment = (state.clock.at, state.clock.acting, len(state.clock.acted))
            if moment != self._moment:
                self._moment, self.top = moment, self._follow(height)
        rows: Sequence[Row] = self._rows
        if self.narrowed:
            rows = [row for row in rows if self.narrowed in folded(row.text)]
        self.cursor = min(self.cursor, len(rows) - 1)
        cursor = self.cursor if self.chosen_pane else -1
        self.top = window(self.top, cursor, height, len(rows))
        return rows[self.top : self.top + height], cursor - self.top if cursor >= 0 else -1, len(rows)

    def _follow(self, height: int) -> int:
        """Return the first line to show after time has moved: the acting combatant and some after it are in sight."""
        place = self._rows.now if self._rows is not None else 0
        if self.top <= place < self.top + height - min(3, height // 3):
            return self.top
        return max(0, place - 1)

    def move(self, by: int) -> None:
        start = self.cursor if self.cursor >= 0 else self.top - 1
        self.cursor = max(0, min(len(self._rows or ()) - 1, start + by))
        self.update()

    def go(self, by: int) -> Id | None:
        self.move(by)
        return self.person()

    def point(self, event: RowsWidget.Chosen, chosen: bool) -> bool:
        if event.key:
            self.put_on(event.place)
        return super().point(event, chosen)

    def person(self) -> Id | None:
        who = parts_of_key(self.chosen_key())[1]
        return who if self.model is not None and who in self.model.state else None
