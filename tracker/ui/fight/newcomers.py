"""Newcomers without a square: if combatants join a fight on a map, the GM places them one after another."""

from __future__ import annotations

from tracker.core.fight.slots import Id
from tracker.core.terms.errors import RulesBug
from tracker.session.model import Model
from tracker.ui.fight.panes import Panes
from tracker.ui.panes.map_pane import MapPane, unplaced
from tracker.ui.panes.pane import FightPane
from tracker.views.words.text import clean


class Newcomers:
    """Chooses the map until every newcomer has a square, then the previously chosen pane."""

    def __init__(self, panes: Panes) -> None:
        self._panes = panes
        self._known: frozenset[Id] | None = None
        self._waiting: tuple[Id, ...] = ()
        self._before: FightPane | None = None

    def next(self, model: Model) -> tuple[Id | None, str]:
        """Return the newcomer to place now, or None, and the question about it."""
        if model.pending is not None or model.looking_at is not None:
            return None, ""
        try:
            without_square = unplaced(model.state, self._panes.console.ruleset)
        except RulesBug:  # the map shows the error
            without_square = ()
        fresh = () if self._known is None else tuple(who for who in without_square if who not in self._known)
        self._known = frozenset(without_square)
        self._waiting = fresh or tuple(who for who in self._waiting if who in without_square)
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
