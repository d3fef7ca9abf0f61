"""The panes on the screen: which has the arrow keys, which covers the others."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from typing import TypeVar

from tracker.session.session import Session
from tracker.ui.drawing.lines import LinesPane
from tracker.ui.drawing.look import Realm
from tracker.ui.keys.panes import PANES, Pane
from tracker.ui.panes.console import ConsolePane
from tracker.ui.panes.over import OverPane
from tracker.ui.panes.pane import FightPane
from tracker.ui.panes.reader import Page, Reader
from tracker.ui.panes.roster import RosterPane

__all__ = ["Panes"]

Kind = TypeVar("Kind", bound=FightPane)


class Panes:
    """The panes of the table made for a fight, and the page to read.

    Attributes:
        fight: the panes, as they stand on the screen.
        chosen: the one that has the arrow keys.
        big: the one that was enlarged, if any.
        over: the one in which lists open that need more room.
        cover: the one that covers the others now.
    """

    def __init__(self, session: Session) -> None:
        self.fight = tuple(_made(row, session) for row in PANES)
        self.reader, self.over = Reader(), OverPane()
        self.console = self.of(ConsolePane)
        self.chosen: FightPane = self.of(RosterPane)
        self.big: FightPane | None = None
        self.cover: LinesPane | None = None
        self._wide: LinesPane | None = None
        self._reading = False
        taken: set[str] = set()
        for pane in self.fight:
            if pane.row.place:
                pane.display = pane.row.place not in taken
                taken.add(pane.row.place)

    @property
    def every(self) -> tuple[LinesPane, ...]:
        """All panes, those that only lie over the others among them."""
        return (*self.fight, self.over, self.reader)

    @property
    def moved(self) -> FightPane:
        """The pane whose cursor the arrow keys move."""
        return self.named(self.chosen.row.moves) if self.chosen.row.moves else self.chosen

    def regions(self) -> Iterator[tuple[str, list[FightPane]]]:
        """Yield the rows of panes, each with its name."""
        for region, panes in groupby(self.fight, lambda pane: pane.row.region):
            yield region, list(panes)

    def of(self, kind: type[Kind]) -> Kind:
        """Return the pane of a kind."""
        return next(pane for pane in self.fight if isinstance(pane, kind))

    def named(self, name: str) -> FightPane:
        """Return the pane with this id."""
        return next(pane for pane in self.fight if pane.id == name)

    def choose(self, pane: FightPane) -> None:
        """Give a pane the arrow keys, replacing others of its place."""
        self.shrink()
        self.chosen.choose(False)
        self.chosen = pane
        for other in self.fight if pane.row.place else ():
            if other.row.place == pane.row.place:
                other.display = other is pane
        pane.choose(True)

    def light(self, typing: bool) -> None:
        """Mark the pane that takes the keys: the action pane while something is open there."""
        lit = self.console if typing else self.chosen
        for pane in self.fight:
            if pane.number:
                pane.light(pane is lit)

    def frame(self, realm: Realm) -> None:
        """Mark everything where this is not the real present."""
        for pane in self.every:
            pane.enter(realm)

    def tell_odds(self) -> None:
        """Draw the panes that tell odds anew."""
        self.console.update()
        if self.chosen.row.board:
            self.chosen.update()

    # What covers the panes

    def spread(self, pane: LinesPane | None) -> None:
        """Let a pane cover the others, or show them again."""
        if pane is not self._wide:
            self._wide = pane
            self._settle()

    def grow(self) -> None:
        """Enlarge the chosen pane, or show all again."""
        self.big = None if self.big is not None else self.chosen
        self._settle()

    def shrink(self) -> None:
        """Show all panes, if one was enlarged."""
        if self.big is not None:
            self.big = None
            self._settle()

    def read(self, title: str, page: Page, widest: int = 0) -> None:
        """Open a page to read."""
        self.reader.show(title, page, widest)
        self._reading = True
        self._settle()

    def lower(self) -> None:
        """Show what is under the page."""
        self._reading = False
        self._settle()

    def _settle(self) -> None:
        """Find what covers the others now, and draw everything anew."""
        self.cover = self.reader if self._reading else self._wide or self.big
        for pane in self.every:
            if self.cover in (None, pane) or self.cover.widest:
                pane.update()
            pane.refresh()


def _made(row: Pane, session: Session) -> FightPane:
    """Return the widget of a row."""
    module, _, name = row.widget.partition(":")
    pane: FightPane = getattr(import_module(f"tracker.ui.panes.{module}"), name)(row, session)
    return pane
