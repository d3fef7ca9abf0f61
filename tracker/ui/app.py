"""The app: one fight on the screen. Imports no more than the first paint needs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

# Before the terminal library reads it: it waits so long after an escape for the rest of a key.
os.environ.setdefault("ESCDELAY", "25")

from textual.app import App  # after the line above, which it would not see otherwise
from textual.binding import Binding, BindingType

from tracker.core.encounter import Member
from tracker.session.session import Session
from tracker.ui.fight_screen import FightScreen
from tracker.ui.keymap import Keymap, keymap_path, read_keymap
from tracker.ui.keys import KEYS
from tracker.ui.lines_pane import LinesPane
from tracker.ui.look import Look, themes
from tracker.ui.memory import Memory, memory_path
from tracker.ui.modes import BESIDE
from tracker.ui.starting import settle

__all__ = ["TrackerApp", "run"]


class TrackerApp(App[None], inherit_bindings=False):
    """The app of one open fight.

    `find` searches the bestiary for those who join later, `odds` shows them from the start, `keymap` reads the user's keys once they are needed,
    `effects` says where the game master's own effects are kept, `memory` keeps what else lasts until the next start.
    """

    CSS_PATH = "tracker.tcss"
    TITLE = "tracker"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key.key, key.action, key.description, show=False, priority=True, id=key.id) for key in KEYS if key.id == "quit"
    ]

    def __init__(
        self,
        session: Session,
        find: Callable[[str], Sequence[Member]] = lambda text: BESIDE,
        theme: str = "",
        odds: bool = False,
        keymap: Callable[[], Keymap] = Keymap,
        effects: Callable[[], Path] | None = None,
        memory: Memory | None = None,
    ) -> None:
        super().__init__()
        self.session, self.find, self.odds, self.keymap, self.effects = session, find, odds, keymap, effects
        self.memory = memory or Memory()
        for own in themes():
            self.register_theme(own)
        # Sixteen colours are too few for ours: the mark under the cursor would be black on black.
        usual = "tracker-dark" if self.console.color_system in ("256", "truecolor") and not self.no_color else "ansi-dark"
        self.theme = theme or os.environ.get("TEXTUAL_THEME") or self._remembered() or usual
        self._look: tuple[str, Look] | None = None

    def _remembered(self) -> str:
        """Return the theme chosen last, if there is still one of that name."""
        name = self.memory.theme
        return name if name in self.available_themes else ""

    @property
    def look(self) -> Look:
        """The styles of the current theme."""
        if self._look is None or self._look[0] != self.theme:
            self._look = (self.theme, Look(self.theme_variables, self.no_color))
        return self._look[1]

    def get_default_screen(self) -> FightScreen:
        """Begin with the cockpit."""
        return FightScreen(self.session, self.find, self.odds, self.keymap, self.effects, self.memory)

    def on_mount(self) -> None:
        """Draw anew when the theme changes."""
        self.theme_changed_signal.subscribe(self, self._recolour)
        self.call_after_refresh(settle)

    def _recolour(self, theme: object) -> None:
        self._look = None
        for pane in self.screen.query(LinesPane):
            pane.refresh()


def run(session: Session, find: Callable[[str], Sequence[Member]] = lambda text: BESIDE) -> None:
    """Run the app on a fight until the game master leaves; whatever was done is in the journal already."""
    keymap, memory = (lambda: read_keymap(keymap_path())), Memory(memory_path)
    TrackerApp(session, find, odds=True, keymap=keymap, effects=_effects, memory=memory).run()


def _effects() -> Path:
    from tracker.library.effects import effects_path  # nobody needs it before the first effect

    return effects_path()
