"""The app: the start screen or one fight; it imports only what the first paint needs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

# Set before Textual reads it: milliseconds that it waits after an escape for the rest of a key.
os.environ.setdefault("ESCDELAY", "25")

from textual.binding import Binding, BindingType  # after the line above, which it reads
from textual.screen import Screen

from tracker.core.terms.encounter import Member
from tracker.session.session import Session
from tracker.ui.fight.screen import FightScreen
from tracker.ui.keys.keymap import Keymap, keymap_path, read_keymap
from tracker.ui.platform.settings import UiState, memory_path
from tracker.ui.typing.mode import NO_MEMBERS
from tracker.ui.widgets.lines import RowsWidget
from tracker.ui.widgets.themes import ThemedApp

if TYPE_CHECKING:
    from tracker.forecast.simulation import Simulator
    from tracker.ui.platform.phones import Server
    from tracker.ui.start.catalog import Catalog


class TrackerApp(ThemedApp, inherit_bindings=False):
    """The app: one open fight, or without one the start screen of a catalog.

    `find` searches the bestiary, `odds` shows the odds from the start, `keymap` reads the user's keys, `effects`
    returns the path of the GM's own effects, `memory` keeps what else lasts until the next start; `server` serves the
    players' page, if it is served.
    """

    CSS_PATH = "tracker.tcss"
    TITLE = "tracker"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", show=False, priority=True, id="quit")]

    def __init__(
        self,
        session: Session | None = None,
        find: Callable[[str], Sequence[Member]] = lambda text: NO_MEMBERS,
        theme: str = "",
        odds: bool = False,
        keymap: Callable[[], Keymap] = Keymap,
        effects: Callable[[], Path] | None = None,
        memory: UiState | None = None,
        repertoire: Catalog | None = None,
    ) -> None:
        self.memory = memory or UiState()
        super().__init__(theme, self.memory.theme)
        self.session, self.find, self.odds, self.keymap = session, find, odds, keymap
        self.effects, self.repertoire = effects, repertoire
        self.server: Server | None = None
        self._forecasters: Simulator | None = None

    @property
    def home(self) -> Path | None:
        """The folder of the fight's encounter file, None if it is not known."""
        return getattr(self.repertoire, "home", None)

    @property
    def problems(self) -> Path | None:
        return None if self.session is None else self.session.problems

    @property
    def forecasters(self) -> Simulator:
        """The worker processes of forecasts, started with the first forecast."""
        if self._forecasters is None:
            from tracker.forecast.simulation import Simulator  # most fights have no forecast
            from tracker.session.rulesets import registry

            self._forecasters = Simulator(registry.find, idle=True)
        return self._forecasters

    def on_unmount(self) -> None:
        if self.server is not None:
            self.server.stop()
        if self._forecasters is not None:
            self._forecasters.close()

    def get_default_screen(self) -> Screen[None]:
        if self.session is not None:
            return FightScreen(
                self.session, self.find, odds=self.odds, keymap=self.keymap, effects=self.effects, memory=self.memory
            )
        from tracker.ui.start.screen import StartScreen  # not needed for a fight named on the command line

        assert self.repertoire is not None
        return StartScreen(self.repertoire, self.keymap)

    def on_fight_screen_another(self) -> None:
        if self.repertoire is not None:
            self.repertoire.leave()
            self.session = None
            self._go()

    def on_start_screen_opened(self) -> None:
        if self.repertoire is not None and self.repertoire.session is not None:
            self.session, self.find = self.repertoire.session, self.repertoire.find
            self._go()

    def _go(self) -> None:
        before = self.screen
        if not before._result_callbacks:  # Textual removes one, but gives its first screen none
            before._push_result_callback(before, None)
        self.switch_screen(self.get_default_screen())

    def on_mount(self) -> None:
        self.theme_changed_signal.subscribe(self, self._recolour)

    def _recolour(self, theme: object) -> None:
        self._look = None
        for pane in self.screen.query(RowsWidget):
            pane.refresh()


def run(repertoire: Catalog) -> None:
    keymap, memory = (lambda: read_keymap(keymap_path())), UiState(memory_path)
    app = TrackerApp(
        repertoire.session,
        repertoire.find,
        odds=True,
        keymap=keymap,
        effects=_effects,
        memory=memory,
        repertoire=repertoire,
    )
    app.run_to_the_end()


def _effects() -> Path:
    from tracker.library.content.effect_presets import effects_path  # not needed before the first effect

    return effects_path()
