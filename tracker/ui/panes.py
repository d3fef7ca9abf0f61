"""The panes of initiative and combatants."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_

from textual.reactive import var

from tracker.core.ruleset import Ruleset
from tracker.core.state import Combatant, Id
from tracker.session.model import Model
from tracker.ui.lines_pane import LinesPane, window
from tracker.views.combatants import combatant_header, combatant_row
from tracker.views.order import order_rows, parts_of_key
from tracker.views.spans import Row

__all__ = ["OrderPane", "RosterPane"]


class OrderPane(LinesPane):
    """The initiative: the game's own order, and below it what ends or fires next."""

    model: var[Model | None] = var(None, init=False)

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(1, "Initiative", "order")
        self.ruleset = ruleset
        self._rows: tuple[Row, ...] = ()
        self._made: tuple[object, int] = (None, 0)
        self.cursor = -1
        self._at: object = None

    def watch_model(self) -> None:
        """Follow the fight."""
        self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        """Return the visible part of the order."""
        if self.model is None:
            return (), -1, 0
        state = self.model.state
        if self._made != (state, width) or self._made[0] is not state:
            self._rows, self._made = order_rows(self.ruleset, state, width), (state, width)
            where = (state.clock.at, state.clock.acting, len(state.clock.acted))
            if where != self._at:
                self._at, self.top = where, self._follow(height)
        rows = [row for row in self._rows if self.narrowed in row.text.casefold()] if self.narrowed else self._rows
        self.cursor = min(self.cursor, len(rows) - 1)
        cursor = self.cursor if self.chosen_pane else -1
        self.top = window(self.top, cursor, height, len(rows))
        return rows[self.top : self.top + height], cursor - self.top if cursor >= 0 else -1, len(rows)

    def _follow(self, height: int) -> int:
        """Return the first line to show when time has moved: who acts is in sight, with a few of those that come next."""
        now = [number for number, row in enumerate(self._rows) if row.state in ("current", "acting")]
        place = now[-1] if now else 0
        if self.top <= place < self.top + height - min(3, height // 3):
            return self.top
        return max(0, place - 1)

    def move(self, by: int) -> None:
        """Move the cursor."""
        start = self.cursor if self.cursor >= 0 else self.top - 1
        self.cursor = max(0, min(len(self._rows) - 1, start + by))
        self.update()

    def person(self) -> Id | None:
        """Return who is under the cursor; nobody where the line tells of something else, such as what ends next."""
        who = parts_of_key(self.chosen_key())[1]
        return who if self.model is not None and who in self.model.state else None


class RosterPane(LinesPane):
    """The combatants, one line each, made for the visible ones only."""

    model: var[Model | None] = var(None, init=False)
    selected: var[Id | None] = var(None, init=False)

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(2, "Combatants", "roster")
        self.ruleset = ruleset
        self._memo: dict[Id, tuple[Combatant, tuple[object, ...], int, Row]] = {}
        self._people: tuple[Combatant, ...] = ()
        self._of: tuple[object, str] = (None, "")

    def watch_model(self) -> None:
        """Follow the fight."""
        self.update()

    def watch_selected(self) -> None:
        """Follow the cursor."""
        self.update()

    def people(self) -> tuple[Combatant, ...]:
        """Return those that are listed."""
        if self.model is None:
            return ()
        combatants = self.model.state.combatants
        if not self.narrowed:
            return combatants
        if self._of != (combatants, self.narrowed):
            self._of = (combatants, self.narrowed)
            self._people = tuple(person for person in combatants if self.narrowed in self._row(person, max(40, self.room[0])).text.casefold())
        return self._people

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        """Return the header and the visible combatants."""
        if self.model is None:
            return (), -1, 0
        people = self.people()
        cursor = self._cursor(people)
        self.top = window(self.top, cursor, height - 1, len(people))
        rows = [combatant_header(self.ruleset, width)]
        rows += [self._row(person, width) for person in people[self.top : self.top + height - 1]]
        return rows, cursor - self.top + 1 if cursor >= 0 else -1, len(people)

    def _cursor(self, people: tuple[Combatant, ...]) -> int:
        if self.model is None or self.selected is None:
            return -1
        if not self.narrowed:
            return self.model.state.places.get(self.selected, -1)
        return next((place for place, person in enumerate(people) if person.id == self.selected), -1)

    def _row(self, person: Combatant, width: int) -> Row:
        """Return a combatant's row; the same combatant under the same clock, with the same facts about the fight, has the same row."""
        assert self.model is not None
        state = self.model.state
        ground = (state.clock, state.facts, state.effects, state.house_rules)
        held = self._memo.get(person.id)
        if held is not None and held[0] is person and held[2] == width and all(map(is_, held[1], ground)):
            return held[3]
        row = combatant_row(self.ruleset, state, person.id, width)
        self._memo[person.id] = (person, ground, width, row)
        return row

    def neighbour(self, by: int) -> Id | None:
        """Return who stands so many lines below the cursor."""
        people = self.people()
        if not people:
            return None
        place = self._cursor(people)
        return people[max(0, min(len(people) - 1, place + by))].id
