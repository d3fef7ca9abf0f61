"""The one screen of a fight.

It lays out the panes and hands what happens to the parts of the cockpit.

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
from tracker.ui.desk.memory import Memory
from tracker.ui.drawing.lines import LinesPane
from tracker.ui.fight.cockpit import Cockpit
from tracker.ui.fight.keyboard import Keyboard
from tracker.ui.fight.mouse import click, turn_wheel
from tracker.ui.keys.keymap import Keymap
from tracker.ui.panes.pane import FightPane
from tracker.ui.typing.mode import BESIDE

__all__ = ["FightScreen"]

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
        find: Callable[[str], Sequence[Member]] = lambda text: BESIDE,
        odds: bool = False,
        keymap: Callable[[], Keymap] = Keymap,
        effects: Callable[[], Path] | None = None,
        memory: Memory | None = None,
    ) -> None:
        super().__init__()
        self.cockpit = Cockpit(
            self,
            session,
            find=find,
            odds=odds,
            effects=effects,
            memory=memory or Memory(),
            leave=lambda: self.post_message(self.Another()),
        )
        self.cockpit.panes.recall(self.cockpit.memory.panes)
        self._keyboard = Keyboard(self.cockpit, keymap)

    def compose(self) -> ComposeResult:
        """Lay out the panes."""
        self.cockpit.panes.stand(self.cockpit.session.model, self.app.size)
        yield self.cockpit.header
        for region, panes in self.cockpit.panes.regions():
            with Horizontal(id=region) as row:
                yield from panes
            self.cockpit.panes.lay(region, row)
        yield self.cockpit.footer
        yield self.cockpit.panes.over
        yield self.cockpit.panes.reader

    def on_mount(self) -> None:
        """Show the fight as it stands."""
        cockpit = self.cockpit
        cockpit.panes.settle()
        cockpit.panes.chosen.choose(True)
        journal = cockpit.session.journal
        if not journal.read_only:  # that stays in the header
            cockpit.showing.problem, journal.notice = journal.notice, ""
        with cockpit.contained():
            cockpit.showing.show(cockpit.session.model, None)
        self.call_after_refresh(self._learn)
        self.set_interval(PAUSE, self._rest)

    def on_resize(self, event: Resize) -> None:
        """Put the panes where they belong on a screen of another size."""
        self.cockpit.panes.stand(self.cockpit.showing.model, event.size)

    def on_unmount(self) -> None:
        """Close what the players' phones write, play no more fights, and remember the panes."""
        self._remember()
        self.cockpit.showing.odds.stop()
        if self.cockpit.phones is not None:
            self.cockpit.phones.close()
        if self.cockpit.foresight is not None:
            self.cockpit.foresight.stop()

    def _learn(self) -> None:
        self.cockpit.scenes.drawn = True
        with self.cockpit.contained():
            self._keyboard.learn()
            self.cockpit.showing.take_up()
        self._find_phones()

    def _find_phones(self) -> None:
        from tracker.ui.fight.commands.players import find_phones  # the first picture does without

        find_phones(self.cockpit)

    def _rest(self) -> None:
        """Look for phones and remember the panes in a pause between keys."""
        self._find_phones()
        self._remember()

    def _remember(self) -> None:
        """Keep how the panes stand for the next start."""
        memo = self.cockpit.panes.memo()
        if memo != self.cockpit.memory.panes:
            self.cockpit.memory.panes = memo

    async def on_key(self, event: KeyPress) -> None:
        """Do what a key means."""
        await self._keyboard.press(event)

    def on_paste(self, event: Paste) -> None:
        """Type a pasted text."""
        event.stop()
        with self.cockpit.contained():
            self._keyboard.paste(event)

    @on(LinesPane.Chosen)
    async def _clicked(self, event: LinesPane.Chosen) -> None:
        event.stop()
        with self.cockpit.contained():
            await click(self.cockpit, event)

    @on(FightPane.Pulled)
    def _pulled(self, event: FightPane.Pulled) -> None:
        event.stop()
        with self.cockpit.contained():
            from tracker.ui.fight.commands.edges import pull_to  # only with a mouse

            pull_to(self.cockpit, event)

    @on(LinesPane.Scrolled)
    def _wheeled(self, event: LinesPane.Scrolled) -> None:
        event.stop()
        with self.cockpit.contained():
            turn_wheel(self.cockpit, event)
