"""The parts of a fight on the screen, on which commands, keyboard and mouse work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from tracker.core.terms.encounter import Member
from tracker.session.session import Session
from tracker.ui.desk.kept import KeptEffects
from tracker.ui.desk.memory import Memory
from tracker.ui.drawing.slips import stumbled
from tracker.ui.fight.panes import Panes
from tracker.ui.fight.scenes import Scenes
from tracker.ui.fight.showing import Showing
from tracker.ui.keys.keymap import Keymap
from tracker.ui.modes.acting.odds_line import OddsLine
from tracker.ui.panes.bars import FooterLine, HeaderLine
from tracker.ui.panes.ground import MapPane

if TYPE_CHECKING:
    from tracker.ui.desk.phones import Phones
    from tracker.ui.modes.forecast.asking import Foresight

__all__ = ["Cockpit"]


class Cockpit:
    """The parts of one fight on a screen.

    Attributes:
        panes: the panes, and what covers them.
        scenes: what a mode sees.
        showing: the model, the cursor and the open mode.
        keymap: the keys as the user has them.
        leave: what leads to another fight.
        phones: the players' phones, once there are any.
        foresight: the forecasts, once there are any.
    """

    def __init__(
        self,
        screen: Screen[None],
        session: Session,
        *,
        find: Callable[[str], Sequence[Member]],
        odds: bool,
        effects: Callable[[], Path] | None,
        memory: Memory,
        leave: Callable[[], object],
    ) -> None:
        self.screen, self.session, self.memory, self.leave = screen, session, memory, leave
        self.keymap = Keymap()
        self.phones: Phones | None = None
        self.foresight: Foresight | None = None
        self.header, self.footer = HeaderLine(session.ruleset), FooterLine()
        self.panes = Panes(session)
        kept = KeptEffects(effects)
        self.scenes = Scenes(session, find, kept, memory)
        odds_line = OddsLine(screen, self.panes.console.tell_odds, on=odds, redraw=self.panes.tell_odds)
        self.scenes.chance = self.panes.of(MapPane).aim.chance = odds_line.chance
        self.showing = Showing(
            session,
            self.scenes,
            self.panes,
            bars=(self.header, self.footer),
            kept=kept,
            memory=memory,
            odds=odds_line,
        )
        self.showing.later = partial(screen.call_after_refresh, self.fill)

    def fill(self) -> None:
        """Let the open mode go on with what it has not worked out yet."""
        with self.contained():
            self.showing.fill()

    @contextmanager
    def contained(self) -> Iterator[None]:
        """Let a ruleset fail at the cost of one key or click, then count odds."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - a ruleset may stumble over a form or a list of actions
            self.showing.clear()
            self.showing.problem = stumbled(error, self.screen.app)
            with suppress(Exception):  # what the action pane shows of it has said enough
                self.showing.open(None)
        self.showing.odds.begin()
