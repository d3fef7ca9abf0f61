"""The one screen of a fight.

It lays out the panes and hands what happens to the parts of the controller.

Nothing here has the terminal library's focus: keys come to the screen, go to the open mode first, and only what that
leaves reaches the commands. So a letter typed into a question can never be a command, and moving between panes costs no
restyling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Key as KeyPress
from textual.events import Paste, Resize
from textual.message import Message
from textual.screen import Screen

from tracker.core.terms.encounter import Member
from tracker.session.session import Session
from tracker.ui.fight.commands.panes import pull_to
from tracker.ui.fight.commands.players import find_phones
from tracker.ui.fight.controller import FightController
from tracker.ui.fight.keyboard import Keyboard
from tracker.ui.fight.mouse import click, turn_wheel
from tracker.ui.keys.keymap import Keymap
from tracker.ui.panes.pane import FightPane
from tracker.ui.platform.settings import UiState
from tracker.ui.typing.mode import NO_MEMBERS
from tracker.ui.widgets.lines import RowsWidget

PAUSE = 2.0


class FightScreen(Screen[None]):
    """The panes, the page to read, and the lines above and below them."""

    AUTO_FOCUS = ""
    ALLOW_SELECT = False
    ALLOW_IN_MAXIMIZED_VIEW = "#header, #footer, #over, #reader"
    ESCAPE_TO_MINIMIZE = False

    class Another(Message):
        """The GM wants to leave this fight for another one."""

    def __init__(
        self,
        session: Session,
        find: Callable[[str], Sequence[Member]] = lambda text: NO_MEMBERS,
        odds: bool = False,
        keymap: Callable[[], Keymap] = Keymap,
        effects: Callable[[], Path] | None = None,
        memory: UiState | None = None,
    ) -> None:
        super().__init__()
        self.controller = FightController(
            self,
            session,
            find=find,
            odds=odds,
            effects=effects,
            memory=memory or UiState(),
            leave=lambda: self.post_message(self.Another()),
        )
        self.controller.panes.recall(self.controller.memory.panes)
        self._keyboard = Keyboard(self.controller, keymap)

    def compose(self) -> ComposeResult:
        """Lay out the panes."""
        self.controller.panes.apply_layout(self.controller.session.model, self.app.size)
        yield self.controller.header
        for region, panes in self.controller.panes.regions():
            with Horizontal(id=region) as row:
                yield from panes
            self.controller.panes.lay(region, row)
        yield self.controller.footer
        yield self.controller.panes.over
        yield self.controller.panes.reader

    def on_mount(self) -> None:
        """Show the fight as it stands."""
        controller = self.controller
        controller.panes.settle()
        controller.panes.chosen.choose(True)
        journal = controller.session.journal
        if not journal.read_only:  # that stays in the header
            controller.problem, journal.notice = journal.notice, ""
        with controller.contained():
            controller.show(controller.session.model, None)
        self.call_after_refresh(self._learn)
        self.set_interval(PAUSE, self._rest)

    def on_resize(self, event: Resize) -> None:
        """Put the panes where they belong on a screen of another size."""
        self.controller.panes.apply_layout(self.controller.model, event.size)

    def on_unmount(self) -> None:
        """Close what the players' phones write, play no more fights, and remember the panes."""
        self._remember()
        self.controller.odds.stop()
        if self.controller.phones is not None:
            self.controller.phones.close()
        if self.controller.forecast_runner is not None:
            self.controller.forecast_runner.stop()

    def _learn(self) -> None:
        self.controller.drawn = True
        with self.controller.contained():
            self._keyboard.learn()
            self.controller.take_up()
        self._find_phones()

    def _find_phones(self) -> None:
        find_phones(self.controller)

    def _rest(self) -> None:
        """Look for phones and remember the panes in a pause between keys."""
        self._find_phones()
        self._remember()

    def _remember(self) -> None:
        """Keep how the panes stand for the next start."""
        memo = self.controller.panes.memo()
        if memo != self.controller.memory.panes:
            self.controller.memory.panes = memo

    async def on_key(self, event: KeyPress) -> None:
        """Do what a key means."""
        await self._keyboard.press(event)

    def on_paste(self, event: Paste) -> None:
        """Type a pasted text."""
        event.stop()
        with self.controller.contained():
            self._keyboard.paste(event)

    @on(RowsWidget.Chosen)
    async def _clicked(self, event: RowsWidget.Chosen) -> None:
        event.stop()
        with self.controller.contained():
            await click(self.controller, event)

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
