"""The action pane: the open mode, else the acting combatant and its actions; and the dialog pane."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from msgspec import Struct
from textual.app import App
from textual.reactive import var

from tracker.core.fight.events import ActionTaken
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal, RulesBug
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.keys.command import Pane
from tracker.ui.keys.table import called
from tracker.ui.modes.acting.idle import idle_rows, message_rows
from tracker.ui.panes.pane import LEAST_BLOCK, FightPane, StatBlock, block_below
from tracker.ui.typing.mode import Mode, ModeContext
from tracker.ui.typing.rows import wrapped_rows
from tracker.ui.widgets.lines import Beyond, RowsWidget, describe_error
from tracker.views.words.spans import Row, Span, cut_spans


class ConsoleState(Struct, frozen=True):
    """Contents of the action pane: the open mode, the last refusal and messages, the reminders shown before."""

    scene: ModeContext
    mode: Mode | None = None
    refusal: Refusal | None = None
    problem: str = ""
    note: str = ""
    reminded: Container[str] = ()

    def rows(self, width: int, height: int, odds: str, app: App[object], whole: bool = False) -> tuple[Row, ...]:
        """Return the lines of the pane; `whole`: each refused action has a line if all of them fit."""
        below = message_rows(self.refusal, self.problem, width, self.note)[: height // 2]
        if odds and self.mode is not None:
            below = (*wrapped_rows((Span(odds, "title"),), width, "odds")[:2], *below)
        room = height - len(below)
        try:
            if self.mode is None:
                rows = idle_rows(self.scene, width, room, self.reminded, whole)
            else:
                rows = self.mode.rows(self.scene, width, room)
        except Exception as error:  # noqa: BLE001 - a ruleset may fail; the other panes stay
            rows = message_rows(None, describe_error(error, app), width, "")
        return (*rows[:room], *below)

    def scrolled(self, height: int) -> tuple[int, int, int]:
        """Return the first line shown of a scrolled mode, the number of lines besides it, and its length."""
        scroll = self.mode.scrolled() if self.mode is not None else None
        return (0, 0, 0) if scroll is None else (scroll.top, height - scroll.room, scroll.total)


LEAST_CARD = 4
"""Empty lines that are needed to show the first keys below, before round 1."""


CARD = (
    ("answer", "take what is proposed"),
    ("next", "next turn, next round"),
    ("act", "one combatant acts"),
    ("sheet", "a whole side acts"),
    ("undo", "take back anything"),
    ("help", "all keys"),
)
"""The commands with which a fight can be led; their keys are shown until round 1 begins."""


def _card(scene: ModeContext, width: int, room: int) -> tuple[Row, ...]:
    """Return the keys that fit; of a command with several keys the last, which works during a question too."""
    keys = {row.id: called(row.key.rpartition(",")[2]) for row in scene.table}
    rows = [Row("card", (Span("All it takes", "strong"),))] if room > len(CARD) else []
    for name, words in CARD:
        spans = (Span(keys[name].rjust(7), "key"), Span(f"  {words}", "dim"))
        rows.append(Row("card", cut_spans(spans, width)))
    return tuple(rows[:room])


def _asked_about(model: Model) -> Action | None:
    """Return the action that asks the pending question."""
    taken = (entry.event for entry in reversed(model.pending.entries if model.pending is not None else ()))
    return next((event.action for event in taken if isinstance(event, ActionTaken)), None)


def one_target(state: State, action: Action) -> Id | None:
    value = action.get("target") or action.get("targets")
    targets = [target for target in (value if isinstance(value, tuple) else (value,)) if isinstance(target, str)]
    return targets[0] if len(targets) == 1 and targets[0] in state else None


PLENTY = 10_000
"""More lines than any list has."""


def whole_list(
    state: ConsoleState, rows: Sequence[Row], width: int, height: int, app: App[object]
) -> tuple[int, Beyond]:
    """Return the number of lines of the mode without a limit, and how many lines of its list are out of sight.

    The rows of a list have a number at the end of their key.
    """
    if state.mode is None or state.mode.scrolled() is not None or len(rows) < height:
        return len(rows), (0, 0)
    every = state.rows(width, PLENTY, "", app)
    keys, shown = _listed(every), set(_listed(rows))
    above = next((place for place, key in enumerate(keys) if key in shown), 0)
    return len(every), (above, len(keys) - above - len(shown.intersection(keys)))


def _listed(rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row.key for row in rows if row.key.rpartition(":")[2].isdigit()))


class ConsolePane(FightPane):
    """The open mode, else the possible actions; in empty lines the stat block of the target or acting combatant.

    Attributes:
        framed: stat blocks have a pane of their own.
        told_elsewhere: returns the combatant whose stat block another pane shows.
        target_other: is called when the target changes.
    """

    state: var[ConsoleState | None] = var(None, init=False, always_update=True)

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self.odds = ""
        self.framed = False
        self.told_elsewhere: Callable[[], Id | None] = lambda: None
        self.target_other: Callable[[], None] = lambda: None
        self._target: Id | None = None
        self._left_out: Beyond = (0, 0)
        self._block = StatBlock(self.ruleset)

    def follow(self, model: Model | None, selected: Id | None) -> None:
        """Stay: what is shown here comes with the mode."""

    def watch_state(self) -> None:
        state = self.state
        if state is not None:
            self.say(title=self.row.title if state.mode is None else state.mode.title)
            self.top = 0
            before, target = self._target, self.target()
            if target != before:
                self.target_other()
                self._target = target
            self.update()

    def redraw_block(self) -> None:
        """Redraw for another stat block, unless the target changes and the pane is redrawn anyway."""
        if self._target == self.target():
            self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.state is None:
            return (), -1, 0
        whole = self.framed and self.state.scene.model.state.clock.round > 0
        rows = self.state.rows(width, height, self.odds, self.app, whole)
        _, self._left_out = whole_list(self.state, rows, width, height, self.app)
        self.top, self.beside, total = self.state.scrolled(height)
        below = self._about(self.state, width, height - len(rows))
        return (*rows, *below), -1, total

    def beyond(self, height: int, total: int) -> Beyond:
        return super().beyond(height, total) if total else self._left_out

    def _about(self, state: ConsoleState, width: int, room: int) -> Sequence[Row]:
        model = state.scene.model
        scrolls = state.mode is not None and state.mode.scrolled() is not None
        first = model.state.clock.round == 0
        if room < (LEAST_CARD if first else LEAST_BLOCK) or scrolls or model.looking_at is not None:
            return ()
        if first:
            line = Row("rule", (Span("─" * width, "quiet"),))
            return (line, *_card(state.scene, width, room - 1))
        who = self.about_whom()
        if who is None:
            return ()
        about, left_out = block_below(self._block.rows(self.app, model.state, who, width), width, room)
        self._left_out = (0, left_out)
        return about

    def about_whom(self) -> Id | None:
        """Return the combatant of the stat block: the target, else the attacker, the selected or the acting combatant.

        A combatant whose stat block another pane shows is left out.
        """
        if self.state is None:
            return None
        scene, action = self.state.scene, self._aimed()
        left_out = (None, self.told_elsewhere())
        people = (self.target(), action.by if action is not None else None, scene.selected, scene.active)
        return next((who for who in people if who not in left_out and who in scene.model.state), None)

    def target(self) -> Id | None:
        """Return the only target of the action that asks, is chosen on a sheet or is open in a form."""
        action = self._aimed()
        return None if action is None or self.state is None else one_target(self.state.scene.model.state, action)

    def _aimed(self) -> Action | None:
        if self.state is None:
            return None
        scene, mode = self.state.scene, self.state.mode
        try:
            aimed = mode.looks_at(scene) if mode is not None else None
        except RulesBug:
            aimed = None
        return aimed or _asked_about(scene.model)

    def tell_odds(self, line: str) -> None:
        if line != self.odds:
            self.odds = line
            self.update()

    def move(self, by: int) -> None:
        """Stay: a mode reads the arrow keys itself."""


WIDEST = 120
"""Cells of a dialog's width at most, so that lines stay readable."""


class DialogPane(RowsWidget):
    """The mode that is open over the panes, in the middle of the screen."""

    def __init__(self) -> None:
        super().__init__(0, "", "over")
        self.state: ConsoleState | None = None
        self.lit = True
        self._left_out: Beyond = (0, 0)
        self._longest = self._longest_at = 0
        self.styles.max_width = WIDEST

    def show(self, state: ConsoleState | None) -> None:
        before, self.state = self.title, state
        if state is not None and state.mode is not None:
            self._longest = self._longest if state.mode.title == before else 0
            self.styles.max_width = None if state.mode.place == "report" else WIDEST  # a report uses the whole width
            self.say(title=state.mode.title, note="" if state.mode.place == "trial" else "esc leaves")
            self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.state is None:
            return (), -1, 0
        rows = self.state.rows(width, height, "", self.app)
        listed, self._left_out = whole_list(self.state, rows, width, height, self.app)
        self.top, self.beside, total = self.state.scrolled(height)
        # The dialog grows with its list and does not shrink while it is searched.
        before = self._longest if self._longest_at == width else 0
        self._longest, self._longest_at = max(before, total + self.beside if total else listed), width
        self.fit(self._longest)
        return rows, -1, total

    def beyond(self, height: int, total: int) -> Beyond:
        return super().beyond(height, total) if total else self._left_out

    def move(self, by: int) -> None:
        """Stay: a mode reads the arrow keys itself."""
