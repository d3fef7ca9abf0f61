"""The action pane: the open mode, else who acts and what they can do."""

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
    """Contents of the action pane: the open mode, the last refusal and messages, the reminders shown before.

    With `whole` rows each refused action has its line where all of them fit.
    """

    scene: ModeContext
    mode: Mode | None = None
    refusal: Refusal | None = None
    problem: str = ""
    note: str = ""
    reminded: Container[str] = ()

    def rows(self, width: int, height: int, odds: str, app: App[object], whole: bool = False) -> tuple[Row, ...]:
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
        """Return the first line shown of a scrolled mode, how many lines are not its own, and how long it is."""
        scroll = self.mode.scrolled() if self.mode is not None else None
        return (0, 0, 0) if scroll is None else (scroll.top, height - scroll.room, scroll.total)


LEAST_CARD = 4
"""Empty lines from which on it shows the first keys instead, before round 1."""


CARD = (
    ("answer", "take what is proposed"),
    ("next", "next turn, next round"),
    ("act", "one combatant acts"),
    ("sheet", "a whole side acts"),
    ("undo", "take back anything"),
    ("help", "all keys"),
)
"""The keys with which a fight can be led, by their commands; they are shown until its first round begins."""


def _card(scene: ModeContext, width: int, room: int) -> tuple[Row, ...]:
    """Return the keys that have room; of several of a command the last, which works while a question is asked too."""
    keys = {row.id: called(row.key.rpartition(",")[2]) for row in scene.table}
    rows = [Row("card", (Span("All it takes", "strong"),))] if room > len(CARD) else []
    for name, words in CARD:
        spans = (Span(keys[name].rjust(7), "key"), Span(f"  {words}", "dim"))
        rows.append(Row("card", cut_spans(spans, width)))
    return tuple(rows[:room])


def _asked_about(model: Model) -> Action | None:
    """Return the action whose questions are asked."""
    taken = (entry.event for entry in reversed(model.pending.entries if model.pending is not None else ()))
    return next((event.action for event in taken if isinstance(event, ActionTaken)), None)


def one_target(state: State, action: Action) -> Id | None:
    found = action.get("target") or action.get("targets")
    names = [name for name in (found if isinstance(found, tuple) else (found,)) if isinstance(name, str)]
    return names[0] if len(names) == 1 and names[0] in state else None


PLENTY = 10_000
"""Lines in which every list has room."""


def whole_list(
    state: ConsoleState, rows: Sequence[Row], width: int, height: int, app: App[object]
) -> tuple[int, Beyond]:
    """Return how many lines the mode would have with room for all of them, and how many of its list are out of sight.

    Lines of a list have a number in their key.
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
    """The open mode, or what can be done now; where lines are left, the stat block of the target or of who acts.

    `framed`: stat blocks have a pane of their own. `told_elsewhere`: whose stat block another pane shows.
    `target_other` hears of each other target.
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
        """Show another stat block, unless the target changes and all is drawn anew."""
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
        """Return whose stat block is wanted here: the target, else who does it, is chosen or acts.

        Whose stat block another pane shows is left out.
        """
        if self.state is None:
            return None
        scene, action = self.state.scene, self._aimed()
        known = (None, self.told_elsewhere())
        people = (self.target(), action.by if action is not None else None, scene.selected, scene.active)
        return next((who for who in people if who not in known and who in scene.model.state), None)

    def target(self) -> Id | None:
        """Return the one target of what is asked, chosen on a sheet or would be done."""
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
"""Cells a sheet is wide at most, so that an eye still finds the end of a line."""


class DialogPane(RowsWidget):
    """A list in the middle of the screen, open while a mode wants it."""

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
            self.styles.max_width = None if state.mode.place == "report" else WIDEST  # that is as wide as there is room
            self.say(title=state.mode.title, note="" if state.mode.place == "trial" else "esc leaves")
            self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.state is None:
            return (), -1, 0
        rows = self.state.rows(width, height, "", self.app)
        listed, self._left_out = whole_list(self.state, rows, width, height, self.app)
        self.top, self.beside, total = self.state.scrolled(height)
        # A page that grows does not shrink, nor does a list that is searched.
        before = self._longest if self._longest_at == width else 0
        self._longest, self._longest_at = max(before, total + self.beside if total else listed), width
        self.fit(self._longest)
        return rows, -1, total

    def beyond(self, height: int, total: int) -> Beyond:
        return super().beyond(height, total) if total else self._left_out

    def move(self, by: int) -> None:
        """Stay: a mode reads the arrow keys itself."""
