"""Newcomers without a square: joining a fight on a map asks where, one after another."""

from __future__ import annotations

from tracker.core.fight.slots import Id
from tracker.core.terms.errors import RulesBug
from tracker.session.model import Model
from tracker.ui.fight.panes import Panes
from tracker.ui.panes.map_pane import MapPane, unplaced
from tracker.ui.panes.pane import FightPane
from tracker.views.words.text import clean


class Newcomers:
    """Chooses the map for each newcomer without a square, then the pane that was chosen before."""

    def __init__(self, panes: Panes) -> None:
        self._panes = panes
        self._known: frozenset[Id] | None = None
        self._waiting: tuple[Id, ...] = ()
        self._before: FightPane | None = None

    def next(self, model: Model) -> tuple[Id | None, str]:
        """Return the newcomer that is to be placed now, None if there is none, and what to say about it."""
        if model.pending is not None or model.looking_at is not None:
            return None, ""
        try:
            found = unplaced(model.state, self._panes.console.ruleset)
        except RulesBug:  # the map says so itself
            found = ()
        fresh = () if self._known is None else tuple(who for who in found if who not in self._known)
        self._known = frozenset(found)
        self._waiting = fresh or tuple(who for who in self._waiting if who in found)
        board = self._panes.of(MapPane)
        if not self._waiting:
            if self._before is not None and self._panes.chosen is board:
                self._panes.choose(self._before)
            self._before = None
            return None, ""
        if fresh or self._panes.chosen is board:
            if self._panes.chosen is not board:
                self._before = self._panes.chosen
                self._panes.choose(board)
            who = self._waiting[0]
            board.seek_square(model.state, who)
            name = clean(model.state.name(who))
            return who, f"where does {name} come in? arrows, Enter puts it there; Escape leaves it without a square"
        return None, ""
