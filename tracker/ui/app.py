"""The app: the start screen or one fight.

It imports no more than the first paint needs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

# Before the terminal library reads it: it waits so long after an escape for the rest of a key.
os.environ.setdefault("ESCDELAY", "25")

from textual.binding import Binding, BindingType  # after the line above, which it would not see otherwise
from textual.screen import Screen

from tracker.core.terms.encounter import Member
from tracker.session.session import Session
from tracker.ui.fight.screen import FightScreen
from tracker.ui.keys.keymap import Keymap, keymap_path, read_keymap
from tracker.ui.keys.table import KEYS
from tracker.ui.platform.settings import UiState, memory_path
from tracker.ui.platform.terminal import ResilientApp
from tracker.ui.typing.mode import NO_MEMBERS
from tracker.ui.widgets.lines import RowsWidget
from tracker.ui.widgets.theme_styles import Styles
from tracker.ui.widgets.themes import THEMES

if TYPE_CHECKING:
    from tracker.forecast.simulation import Simulator
    from tracker.ui.platform.phones import Server
    from tracker.ui.start.catalog import Catalog


class TrackerApp(ResilientApp, inherit_bindings=False):
    """The app: one open fight, or without one the start screen of a repertoire.

    `find` searches the bestiary for those who join later, `odds` shows them from the start, `keymap` reads the user's
    keys once they are needed,
    `effects` says where the GM's own effects are kept, `memory` keeps what else lasts until the next start; `server` is
    the players' page, if it is served.
    """

    CSS_PATH = "tracker.tcss"
    TITLE = "tracker"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key.key, key.action, key.description, show=False, priority=True, id=key.id)
        for key in KEYS
        if key.id == "quit"
    ]

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
        super().__init__()
        self.session, self.find, self.odds, self.keymap, self.effects, self.repertoire = (
            session,
            find,
            odds,
            keymap,
            effects,
            repertoire,
        )
        self.memory = memory or UiState()
        for own in THEMES:
            self.register_theme(own)
        # Sixteen colours are too few for ours: the mark under the cursor would be black on black.
        usual = (
            "tracker-dark" if self.console.color_system in ("256", "truecolor") and not self.no_color else "ansi-dark"
        )
        self.theme = theme or os.environ.get("TEXTUAL_THEME") or self._remembered() or usual
        self._look: tuple[str, Styles] | None = None
        self.server: Server | None = None
        self._forecasters: Simulator | None = None

    def _remembered(self) -> str:
        """Return the theme chosen last, if there is still one of that name."""
        name = self.memory.theme
        return name if name in self.available_themes else ""

    @property
    def problems(self) -> Path | None:
        """The folder of problem files, or None for the user's own."""
        return None if self.session is None else self.session.problems

    @property
    def forecasters(self) -> Simulator:
        """The processes that play the fights of forecasts, begun with the first of them."""
        if self._forecasters is None:
            from tracker.forecast.simulation import Simulator  # few fights are forecast
            from tracker.session.rulesets import registry

            self._forecasters = Simulator(registry.find, idle=True)
        return self._forecasters

    @property
    def look(self) -> Styles:
        """The styles of the current theme."""
        if self._look is None or self._look[0] != self.theme:
            self._look = (self.theme, Styles(self.theme_variables, self.no_color))
        return self._look[1]

    def dismiss(self) -> None:
        """End the processes of forecasts, if there are any."""
        if self._forecasters is not None:
            self._forecasters.close()

    def get_default_screen(self) -> Screen[None]:
        """Begin with the fight that is open, else with the start screen."""
        return self._screen()

    def _screen(self) -> Screen[None]:
        if self.session is not None:
            return FightScreen(
                self.session, self.find, odds=self.odds, keymap=self.keymap, effects=self.effects, memory=self.memory
            )
        from tracker.ui.start.screen import StartScreen  # a fight that is named on the command line does without it

        assert self.repertoire is not None
        return StartScreen(self.repertoire, self.keymap)

    def on_fight_screen_another(self) -> None:
        """Go from a fight to the start screen."""
        if self.repertoire is not None:
            self.repertoire.leave()
            self.session = None
            self._go()

    def on_start_screen_opened(self) -> None:
        """Go to the fight that has been opened in the repertoire."""
        if self.repertoire is not None and self.repertoire.session is not None:
            self.session, self.find = self.repertoire.session, self.repertoire.find
            self._go()

    def _go(self) -> None:
        """Show what is open now instead of what was."""
        before = self.screen
        if not before._result_callbacks:
            before._push_result_callback(
                before, None
            )  # the library takes one away, but has given its first screen none
        self.switch_screen(self._screen())

    def on_mount(self) -> None:
        """Draw anew when the theme changes."""
        self.theme_changed_signal.subscribe(self, self._recolour)

    def _recolour(self, theme: object) -> None:
        self._look = None
        for pane in self.screen.query(RowsWidget):
            pane.refresh()


def run(repertoire: Catalog) -> None:
    """Run the app until the GM leaves.

    It begins on the fight that is open, else on the start screen.
    """
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
    try:
        app.run_to_the_end()
    finally:
        if app.server is not None:
            app.server.stop()
        app.dismiss()


def _effects() -> Path:
    from tracker.library.content.effect_presets import effects_path  # nobody needs it before the first effect

    return effects_path()
