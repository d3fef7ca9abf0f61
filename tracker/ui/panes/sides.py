"""The panes of initiative and combatants."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.fight.state import Combatant, Id, State
from tracker.core.terms.labels import folded
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.drawing.lines import LinesPane, window
from tracker.ui.drawing.slips import Slipped
from tracker.ui.keys.panes import Pane
from tracker.ui.panes.pane import FightPane
from tracker.views.panes.combatants import Standing, combatant_header, combatant_row, ground_of, standing
from tracker.views.panes.order import OrderRows, order_rows, parts_of_key
from tracker.views.words.spans import Row

__all__ = ["OrderPane", "RosterPane"]

MOST_KEPT = 4000


class OrderPane(FightPane):
    """The initiative: the game's own order, and below it what ends or fires next."""

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self._rows: OrderRows | None = None
        self._made: tuple[State | None, int] = (None, 0)
        self.cursor = -1
        self._at: object = None

    def follow(self, model: Model | None, selected: Id | None) -> None:
        """Follow the fight."""
        if model is not self.model:
            self.model = model
            self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        """Return the visible part of the order."""
        if self.model is None:
            return (), -1, 0
        state = self.model.state
        if self._rows is None or self._made[0] is not state or self._made[1] != width:
            self._rows, self._made = order_rows(self.ruleset, state, width), (state, width)
            where = (state.clock.at, state.clock.acting, len(state.clock.acted))
            if where != self._at:
                self._at, self.top = where, self._follow(height)
        rows: Sequence[Row] = self._rows
        if self.narrowed:
            rows = [row for row in rows if self.narrowed in folded(row.text)]
        self.cursor = min(self.cursor, len(rows) - 1)
        cursor = self.cursor if self.chosen_pane else -1
        self.top = window(self.top, cursor, height, len(rows))
        return rows[self.top : self.top + height], cursor - self.top if cursor >= 0 else -1, len(rows)

    def _follow(self, height: int) -> int:
        """Return the first line to show when time has moved.

        Who acts is in sight, with a few of those that come next.
        """
        place = self._rows.now if self._rows is not None else 0
        if self.top <= place < self.top + height - min(3, height // 3):
            return self.top
        return max(0, place - 1)

    def move(self, by: int) -> None:
        """Move the cursor."""
        start = self.cursor if self.cursor >= 0 else self.top - 1
        self.cursor = max(0, min(len(self._rows or ()) - 1, start + by))
        self.update()

    def go(self, by: int) -> Id | None:
        """Move the cursor, and return the combatant it comes to."""
        self.move(by)
        return self.person()

    def point(self, event: LinesPane.Chosen, chosen: bool) -> bool:
        """Move the cursor to the line that was clicked."""
        if event.key:
            self.put_on(event.place)
        return super().point(event, chosen)

    def person(self) -> Id | None:
        """Return the combatant under the cursor, if its line is about one."""
        who = parts_of_key(self.chosen_key())[1]
        return who if self.model is not None and who in self.model.state else None


class RosterPane(FightPane):
    """The combatants, one line each, made for the visible ones only."""

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self._memo: dict[tuple[Id, int], tuple[State, Standing, Row]] = {}
        self._ground: tuple[State | None, tuple[object, ...]] = (None, ())
        self._people: tuple[Combatant, ...] = ()
        self._of: tuple[object, str] = (None, "")
        self._slipped = Slipped()

    def people(self) -> tuple[Combatant, ...]:
        """Return those that are listed."""
        if self.model is None:
            return ()
        state = self.model.state
        combatants = state.combatants
        if not self.narrowed:
            return combatants
        if self._of != (combatants, self.narrowed):
            self._of = (combatants, self.narrowed)
            self._people = tuple(
                person
                for person in combatants
                if self.narrowed in folded(self._row(state, person, max(40, self.room[0])).text)
            )
        return self._people

    def seen(self, who: Id | None) -> Id | None:
        """Return a combatant that is listed, else the first one that is."""
        people = self.people()
        return who if not people or any(person.id == who for person in people) else people[0].id

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        """Return the header and the visible combatants."""
        if self.model is None:
            return (), -1, 0
        state = self.model.state
        self._slipped.begin(state)
        people = self.people()
        cursor = self._cursor(people)
        rows = self._visible(state, people, width, height - 1)
        told = self._slipped.rows(self.app, width)[: height // 2]
        if told and len(rows) + len(told) >= height:
            rows = self._visible(state, people, width, height - 1 - len(told))
        shown = [combatant_header(self.ruleset, width), *rows, *told]
        return shown, cursor - self.top + 1 if cursor >= 0 else -1, len(people)

    def _visible(self, state: State, people: tuple[Combatant, ...], width: int, height: int) -> list[Row]:
        self.top = window(self.top, self._cursor(people), height, len(people))
        return [self._row(state, person, width) for person in people[self.top : self.top + height]]

    def _cursor(self, people: tuple[Combatant, ...]) -> int:
        if self.model is None or self.selected is None:
            return -1
        if not self.narrowed:
            return self.model.state.places.get(self.selected, -1)
        return next((place for place, person in enumerate(people) if person.id == self.selected), -1)

    def _row(self, state: State, person: Combatant, width: int) -> Row:
        """Return a combatant's row, the same one again if it says the same."""
        held = self._memo.get((person.id, width))
        if held is not None and held[0] is state:
            return held[2]
        if self._ground[0] is not state:
            ground = ground_of(state)
            self._ground = (state, self._ground[1] if ground == self._ground[1] else ground)
        ground = self._ground[1]
        stands = standing(self.ruleset, state, person.id, width, ground, fails=self._slipped.note)
        row = (
            held[2]
            if held is not None and held[1] == stands
            else combatant_row(self.ruleset, state, who=person.id, width=width, stands=stands)
        )
        if len(self._memo) > MOST_KEPT:
            self._memo.clear()
        self._memo[person.id, width] = (state, stands, row)
        return row

    def go(self, by: int) -> Id | None:
        """Return the combatant so many lines below the cursor, which follows the selection."""
        people = self.people()
        if not people:
            return None
        place = self._cursor(people)
        return people[max(0, min(len(people) - 1, place + by))].id
