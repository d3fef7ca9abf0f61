"""Warming up while nobody types.

What the first key of each kind would wait for is fetched, one piece at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.timer import Timer

__all__ = ["MODULES", "warm"]

MODULES = (
    "tracker.ui.fight.commands.turns",
    "tracker.ui.fight.commands.history",
    "tracker.ui.fight.commands.moving",
    "tracker.ui.fight.commands.telling",
    "tracker.ui.fight.commands.foreseeing",
    "tracker.ui.fight.commands.edges",
    "tracker.forecast.odds",
    "tracker.ui.modes.looking.palette",
    "tracker.ui.modes.looking.helping",
    "tracker.ui.modes.past.amending",
    "tracker.ui.modes.past.ways",
    "tracker.ui.modes.lines.line",
    "tracker.ui.typing.hand",
)
"""Modules that the first picture does without."""
PAUSE = 0.05


def warm(screen: Screen[None], *first: Callable[[], object]) -> None:
    """Do some work and load the modules after a screen's first picture.

    Keys are answered in a pause before each piece.
    """
    pieces: list[Callable[[], object]] = [*first, *(partial(import_module, name) for name in MODULES)]

    def piece() -> None:
        if not pieces:
            timer.stop()
            return
        with suppress(Exception):  # a ruleset may stumble; the key that needs it says so
            pieces.pop(0)()

    timer: Timer = screen.set_interval(PAUSE, piece)
