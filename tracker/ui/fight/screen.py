"""The screen of a fight: it lays out the panes and passes events to the controller, the keyboard and the mouse."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.events import Key as KeyPress
from textual.events import Paste, Resize
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, WidgetPlacement
from textual.layout import Layout as WidgetLayout
from textual.message import Message
from textual.widget import Widget
from typing_extensions import override

from tracker.core.terms.encounter import Member
from tracker.session.session import Session
from tracker.ui.fight.commands import history, pages, panes, turns
from tracker.ui.fight.commands.pages import find_phones
from tracker.ui.fight.commands.panes import pull_to
from tracker.ui.fight.controller import FightController
from tracker.ui.fight.keyboard import Keyboard
from tracker.ui.fight.mouse import click, turn_wheel
from tracker.ui.fight.panes import Panes
from tracker.ui.keys.keymap import Keymap
from tracker.ui.keys.table import called
from tracker.ui.keys.table import on as on_screen
from tracker.ui.panes.key_screen import KeyScreen
from tracker.ui.panes.pane import FightPane
from tracker.ui.platform.settings import UiState
from tracker.ui.typing.mode import NO_MEMBERS
from tracker.ui.widgets.lines import RowsWidget

PAUSE = 2.0

ACTIONS: Mapping[str, Callable[..., object]] = {
    "open": turns.answer,
    "act": turns.act,
    "sheet": turns.open_sheet,
    "advance": turns.advance,
    "remind": turns.remind,
    "jump": turns.jump,
    "verb": turns.type_verb,
    "line": turns.type_line,
    "repeat": turns.repeat,
    "undo": history.undo,
    "redo": history.redo,
    "look": history.look,
    "correct": history.correct,
    "branches": history.list_branches,
    "name_branch": history.name_branch,
    "what_if": history.what_if,
    "pane": panes.choose_pane,
    "move": panes.move,
    "aside": panes.move_aside,
    "template": panes.widen,
    "lay": panes.lay,
    "size": panes.resize,
    "fog": pages.open_fog,
    "zoom": panes.zoom,
    "round": panes.go_round,
    "block": panes.show_block,
    "pull": panes.pull,
    "odds": panes.show_odds,
    "filter": panes.filter_pane,
    "narrow": panes.narrow,
    "select": panes.select,
    "back": panes.back,
    "forecast": pages.forecast,
    "compare": pages.compare,
    "numbers": pages.numbers,
    "story": pages.story,
    "page": pages.page,
    "save_encounter": pages.save_encounter,
    "weigh": pages.measure_impact,
    "players_view": pages.players_view,
    "serve": pages.serve,
    "hold_screen": pages.hold_screen,
    "palette": pages.open_palette,
    "theme": pages.choose_theme,
    "put_away": pages.put_away,
    "show_picture": pages.show_picture,
    "another": pages.another,
    "quit": pages.quit_app,
    "rule": pages.find_rule,
    "read": FightController.read_rules,
    "keep": turns.keep_effect,
    "help": pages.show_help,
}
"""The function of each action in the table of commands."""


class PaneLayout(WidgetLayout):
    def __init__(self, panes: Panes) -> None:
        self._panes = panes

    @override
    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:
        rectangles = self._panes.rectangles(size.width, size.height)
        return [
            WidgetPlacement(Region(*rectangles[child.id]), NULL_OFFSET, NULL_SPACING, child)
            for child in children
            if child.id in rectangles
        ]


class PaneTable(Widget):
    def __init__(self, panes: Panes) -> None:
        super().__init__(*panes.fight, id="table")
        self._pane_layout = PaneLayout(panes)

    @property
    @override
    def layout(self) -> WidgetLayout:
        return self._pane_layout


class FightScreen(KeyScreen):
    """The screen with the panes, the dialog, the reader, the header and the footer."""

    NAME = "fight"
    ALLOW_IN_MAXIMIZED_VIEW = "#header, #footer, #over, #reader"
    ESCAPE_TO_MINIMIZE = False

    class Another(Message):
        """The GM leaves this fight for another one."""

    def __init__(
        self,
        session: Session,
        find: Callable[[str], Sequence[Member]] = lambda text: NO_MEMBERS,
        odds: bool = False,
        keymap: Callable[[], Keymap] = Keymap,
        effects: Callable[[], Path] | None = None,
        memory: UiState | None = None,
    ) -> None:
        super().__init__(keymap)
        self.controller = FightController(
            self,
            session,
            find=find,
            leave=lambda: self.post_message(self.Another()),
            odds=odds,
            effects=effects,
            memory=memory or UiState(),
        )
        self.overlays = self.controller.panes
        self.controller.panes.recall(self.controller.memory.panes)
        self._keyboard = Keyboard(self.controller)

    def compose(self) -> ComposeResult:
        own = self.controller.panes
        own.apply_layout(self.controller.session.model, self.app.size)
        yield self.controller.header
        yield PaneTable(own)
        yield self.footer
        yield own.over
        yield own.reader

    def on_mount(self) -> None:
        controller = self.controller
        controller.panes.settle()
        controller.panes.chosen.choose(True)
        journal = controller.session.journal
        if not journal.read_only:  # a read-only notice stays in the header
            controller.problem, journal.notice = journal.notice, ""
        with controller.contained():
            controller.show(controller.session.model, None)
            if controller.is_over:
                controller.open_summary()
        self.call_after_refresh(self._complete)
        self.set_interval(PAUSE, self._rest)
        self.set_interval(1, controller.header.tick)

    def on_resize(self, event: Resize) -> None:
        self.controller.panes.apply_layout(self.controller.model, event.size)

    def on_unmount(self) -> None:
        """Remember the panes, stop the odds and the forecast, and close the phones' database."""
        self._remember()
        self.controller.odds.stop()
        if self.controller.phones is not None:
            self.controller.phones.close()
        if self.controller.forecast_runner is not None:
            self.controller.forecast_runner.stop()

    def _complete(self) -> None:
        self.controller.drawn = True
        self.controller.header.remember(self.controller.session.state_at)
        with self.controller.contained():
            self.learn()
            self.controller.take_up()
        find_phones(self.controller)

    def _rest(self) -> None:
        find_phones(self.controller)
        self._remember()

    def _remember(self) -> None:
        memo = self.controller.panes.memo()
        if memo != self.controller.memory.panes:
            self.controller.memory.panes = memo

    def use_keymap(self) -> None:
        controller, keymap = self.controller, self.keymap
        controller.table = on_screen("fight", keymap.table)
        if keymap.problems:
            many, key = len(keymap.problems), next(row.key for row in keymap.table if row.id == "help").split(",")[-1]
            more = f"{many} mistakes in the keymap file, listed under {called(key)}: " if many > 1 else ""
            controller.problem = more + keymap.problems[0]
        controller.refresh()

    def press(self, event: KeyPress) -> None:
        failed = True
        with self.controller.contained():
            super().press(event)
            failed = False
        if failed:
            event.stop()

    def take(self, event: KeyPress, character: str | None) -> bool:
        return self._keyboard.take(event, character)

    def action_of(self, name: str) -> Callable[..., object]:
        return partial(ACTIONS[name], self.controller)

    def close_page(self) -> None:
        self.controller.close_page()

    def on_paste(self, event: Paste) -> None:
        event.stop()
        with self.controller.contained():
            self._keyboard.paste(event)

    @on(RowsWidget.Chosen)
    def _clicked(self, event: RowsWidget.Chosen) -> None:
        event.stop()
        with self.controller.contained():
            click(self.controller, event)

    @on(FightPane.Pulled)
    def _pulled(self, event: FightPane.Pulled) -> None:
        event.stop()
        with self.controller.contained():
            pull_to(self.controller, event)

    @on(RowsWidget.Scrolled)
    def _wheeled(self, event: RowsWidget.Scrolled) -> None:
        event.stop()
        with self.controller.contained():
            turn_wheel(self.controller, event)
