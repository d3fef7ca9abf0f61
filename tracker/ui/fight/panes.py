"""The panes on the screen: which pane has the arrow keys, and which covers the others."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TypeVar

from tracker.core.fight.board import Board
from tracker.core.fight.state import State
from tracker.core.terms.errors import RulesBug
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.keys.command import PANES, Pane
from tracker.ui.panes.console import ConsolePane, DialogPane
from tracker.ui.panes.key_screen import Overlays, Page
from tracker.ui.panes.log import LogPane
from tracker.ui.panes.map_pane import MapPane
from tracker.ui.panes.pane import BlockPane, FightPane
from tracker.ui.panes.roster import RosterPane
from tracker.ui.widgets.layout import (
    MAPPED,
    Content,
    Edge,
    Layout,
    Overrides,
    Rectangle,
    compute_layout,
    read_sizes,
    rectangles,
    resized,
    written,
)
from tracker.ui.widgets.lines import RowsWidget
from tracker.ui.widgets.theme_styles import Timeline

Kind = TypeVar("Kind", bound=FightPane)
EDGES: Mapping[str, Edge] = {"order": "order", "console": "console", "map": "map", "block": "block"}
"""The panes whose width their edge changes; an edge of another pane changes the neighbour's width."""


class Panes(Overlays):
    """The panes of a fight, and which covers the others.

    Attributes:
        chosen: the pane that has the arrow keys.
        big: the enlarged pane, or None.
        sizes, places: the sizes that the GM has set, and the layout that results.
    """

    def __init__(self, session: Session) -> None:
        self.fight = tuple(_made(row, session) for row in PANES)
        self.dialog = DialogPane()
        super().__init__(self.dialog, self.fight)
        self.console = self.of(ConsolePane)
        self.chosen: FightPane = self.of(RosterPane)
        self.big: FightPane | None = None
        self._wide: RowsWidget | None = None
        self._reading = False
        self.sizes, self.places = Overrides(), Layout(0, 0, 0)
        self._size, self._model = (0, 0), session.model
        self._board: tuple[object, Board | None] = (self, None)
        self._active_tab = {pane.row.place: pane for pane in reversed(self.fight) if pane.row.place}

    @property
    def every(self) -> tuple[RowsWidget, ...]:
        """All panes, with the dialog and the reader that cover them."""
        return (*self.fight, self.over, self.reader)

    @property
    def moved(self) -> FightPane:
        return self.named(self.chosen.row.moves) if self.chosen.row.moves else self.chosen

    def rectangles(self, width: int, height: int) -> dict[str, Rectangle]:
        shown = [pane for pane in self.fight if pane.display]
        upper = [pane.row.id for pane in shown if self.is_above(pane)]
        lower = [pane.row.id for pane in shown if not self.is_above(pane)]
        return rectangles(self.places, width, height, upper, lower)

    def is_above(self, pane: FightPane) -> bool:
        return pane.row.region == "above" and not (self.places.lowered and pane.row.id == "order")

    def of(self, kind: type[Kind]) -> Kind:
        return next(pane for pane in self.fight if isinstance(pane, kind))

    def named(self, name: str) -> FightPane:
        return next(pane for pane in self.fight if pane.id == name)

    def choose(self, pane: FightPane) -> None:
        self.shrink()
        self.chosen.choose(False)
        self.chosen = pane
        if pane.row.place:
            self._active_tab[pane.row.place] = pane
        self.apply_layout(self._model)
        pane.choose(True)

    def focus(self, typing: bool) -> None:
        """Highlight the pane that takes the keys: the action pane if a mode is open in it, else the chosen pane."""
        lit = self.console if typing else self.chosen
        for pane in self.fight:
            if pane.number:
                pane.light(pane is lit)

    def frame(self, realm: Timeline) -> None:
        for pane in self.every:
            pane.enter(realm)

    def tell_odds(self) -> None:
        self.console.update()
        for pane in self.fight:
            if pane.row.board and pane.display:
                pane.update()

    # The layout

    def apply_layout(self, model: Model | None, size: tuple[int, int] | None = None) -> None:
        self._size = size or self._size
        if model is None:
            return
        self._model = model
        map_shown = self._active_tab["middle"].row.board
        board = self.board_of(model.state) if map_shown or self._size[0] >= MAPPED else None
        squares = (board.width, board.height) if board is not None and board.kind == "square" else (0, 0)
        rows = self.of(RosterPane).full(model.state)
        used = map_shown and self.chosen.row.id in ("map", "console")
        sides = len(model.state.sides)
        content = Content(rows, sides, board=board is not None, map=map_shown, used=used, squares=squares)
        places = compute_layout(*self._size, content, self.sizes)
        if places == self.places and all(pane.display == self._is_shown(pane, places) for pane in self.fight):
            return
        self.places = places
        for pane in self.fight:
            pane.display = self._is_shown(pane, places)
        self.share_block()
        self.tell_newest()
        self.console.refresh(layout=True)  # one pane is enough: the library then arranges all of them again

    def share_block(self) -> None:
        """Let the map show a stat block if no pane does; the action pane shows another combatant's."""
        block, map_pane = self.of(BlockPane), self.of(MapPane)
        framed = self.places.block > 0 or self.of(LogPane).guest is not None
        map_pane.tells = not framed and not self.places.alone
        self.console.framed = framed
        self.console.told_elsewhere = lambda: block.told if framed else map_pane.told if map_pane.display else None
        map_pane.told_other, map_pane.target = self.console.redraw_block, self.console.target
        self.console.target_other = map_pane.redraw_block

    def tell_newest(self) -> None:
        """Show the newest log line in the frame of the action pane if the log is not shown."""
        self.console.say(foot=self.of(LogPane).newest() if self.places.alone else "")

    def board_of(self, state: State) -> Board | None:
        if self._board[0] is not state.setup:
            try:
                self._board = (state.setup, self.console.ruleset.map.board(state))
            except RulesBug:
                self._board = (state.setup, None)
        return self._board[1]

    def _is_shown(self, pane: FightPane, places: Layout) -> bool:
        if places.alone:
            return pane.row.id in ("map", "console")
        if pane.row.place:
            return places.beside or self._active_tab[pane.row.place] is pane
        return pane.row.id != "block" or places.block > 0

    def pull(self, edge: Edge, by: int) -> None:
        self.sizes = resized(self.sizes, self.places, edge, by, self._size[1])
        self.apply_layout(self._model)

    def _row_of(self, pane: FightPane) -> list[FightPane]:
        above = self.is_above(pane)
        row = [other for other in self.fight if other.display and self.is_above(other) == above]
        return sorted(row, key=lambda other: other.region.x)

    def before(self, pane: FightPane) -> FightPane | None:
        row = self._row_of(pane)
        return row[row.index(pane) - 1] if pane in row[1:] else None

    def last_of(self, pane: FightPane) -> FightPane:
        return self._row_of(pane)[-1]

    def edge_of(self, pane: FightPane) -> Edge:
        """Return the vertical edge of a pane: the right one, or the left one of the last pane of a row."""
        row = self._row_of(pane)
        place = row.index(pane) if pane in row else 0
        right = row[min(place + 1, len(row) - 1)]
        left = row[row.index(right) - 1]
        return EDGES.get(left.row.id) or EDGES.get(right.row.id, "order")

    # The layout that is remembered

    def memo(self) -> str:
        """Return the layout, the chosen pane and the enlarged pane as a line of text."""
        log = self.of(LogPane)
        return written(
            self.sizes,
            chosen=self.chosen.row.id,
            big="yes" if self.big is not None else "",
            guest=log.guest.id or "" if log.guest is not None else "",
        )

    def recall(self, memo: str) -> None:
        self.sizes, words = read_sizes(memo)
        pane = next((pane for pane in self.fight if pane.number and pane.row.id == words.get("chosen")), None)
        if pane is not None and (not pane.row.board or self.board_of(self._model.state) is not None):
            self.chosen = pane
            if pane.row.place:
                self._active_tab[pane.row.place] = pane
            self.big = pane if "big" in words else None
            self.cover = self.big
        guest = next((pane for pane in self.fight if pane.row.id == words.get("guest") and not pane.number), None)
        if guest is not None:
            self.of(LogPane).show_guest(guest)

    # The cover of the panes

    def overlay(self, pane: RowsWidget | None) -> None:
        if pane is not self._wide:
            self._wide = pane
            self.settle()

    def grow(self) -> None:
        self.big = None if self.big is not None else self.chosen
        self.settle()

    def shrink(self) -> None:
        if self.big is not None:
            self.big = None
            self.settle()

    def read(self, title: str, page: Page, widest: int = 0) -> None:
        self.reader.show(title, page, widest)
        self._reading = True
        self.settle()

    def lower(self) -> None:
        self._reading = False
        self.settle()

    def settle(self) -> None:
        self.put_over(self.reader if self._reading else self._wide or self.big)
        screen = self.console.screen
        if isinstance(self.cover, FightPane):
            screen.maximize(self.cover, container=False)
        else:
            screen.minimize()
        for pane in self.fight:
            pane.update()


def _made(row: Pane, session: Session) -> FightPane:
    module, _, name = row.widget.partition(":")
    pane: FightPane = getattr(import_module(f"tracker.ui.panes.{module}"), name)(row, session)
    return pane
