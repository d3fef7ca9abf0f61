"""The map pane.

A cursor moves over the ground of the fight; the way to it and areas around it are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.engine import offers, spec_of
from tracker.core.fight.board import Board, Square
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import Action
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.drawing.lines import LinesPane
from tracker.ui.keys.panes import Pane
from tracker.ui.panes.pane import FightPane
from tracker.ui.typing.mode import Result, Scene, deliver
from tracker.views.panes.maps import MapLook, column_at, line_rows, map_rows, standing_at
from tracker.views.words.spans import Row

__all__ = ["MapPane"]

AREAS = (5, 10, 15, 20, 30)


class MapPane(FightPane):
    """Where everybody stands, in fights that have a board."""

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self.cursor: Square = (0, 0)
        self.radius = 0
        self._width = 0
        self._looked: tuple[object, MapLook | None] = (None, None)
        self._reached: tuple[object, Id | None, frozenset[Square]] = (None, None, frozenset())
        self._drawn: tuple[object, Board | None] = (None, None)

    def follow(self, model: Model | None, selected: Id | None) -> None:
        """Follow the fight, and go to the chosen combatant."""
        before, self.model, self.selected = self.selected, model, selected
        state = self._state
        person = state.get(selected) if state is not None and selected != before else None
        if person is not None and person.position is not None and len(person.position) == 2:
            self.cursor = (int(person.position[0]), int(person.position[1]))
        if self.display:
            self.update()

    @property
    def _state(self) -> State | None:
        return self.model.state if self.model is not None else None

    @property
    def board(self) -> Board | None:
        """The ground of the fight, or None."""
        state = self._state
        if self._drawn[0] is not state:
            self._drawn = (state, self.ruleset.board(state) if state is not None else None)
        return self._drawn[1]

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        """Return the map, or the line of distances."""
        state, board = self._state, self.board
        self._width = width
        if state is None or board is None:
            return (Row("none", ()),), -1, 0
        if board.kind == "line":
            rows = line_rows(self.ruleset, state, board=board, width=width, selected=self.selected)
            self.top = max(0, min(self.top, len(rows) - height))
            return rows[self.top : self.top + height], -1, len(rows)
        return map_rows(self.ruleset, state, board=board, look=self.look_at(state), width=width, height=height), -1, 0

    def look_at(self, state: State) -> MapLook:
        """Return what is to be shown for the cursor."""
        who = self.selected if self.selected in state else None
        key = (state, who, self.cursor, self.radius)
        held = self._looked[1]
        if (
            held is not None
            and isinstance(self._looked[0], tuple)
            and self._looked[0][0] is state
            and self._looked[0] == key
        ):
            return held
        if self._reached[0] is not state or self._reached[1] != who:
            reached = (
                frozenset(square for square, _ in self.ruleset.reach(state, who)) if who is not None else frozenset()
            )
            self._reached = (state, who, reached)
        person = standing_at(self.ruleset, state).get(self.cursor)
        own = (
            who is not None and state[who].position is not None and tuple(state[who].position or ())[:2] == self.cursor
        )
        look = MapLook(
            self.cursor,
            who,
            reach=self._reached[2],
            trail=self.ruleset.trail(state, who, self.cursor)
            if who is not None and not own and person is None
            else None,
            area=frozenset(self.ruleset.area(state, self.cursor, self.radius)) if self.radius else frozenset(),
            sight=self.ruleset.sight(state, who, person.id)
            if who is not None and person is not None and person.id != who
            else "",
        )
        self._looked = (key, look)
        return look

    def step(self, dx: int, dy: int) -> None:
        """Move the cursor, or scroll a line of distances."""
        board = self.board
        if board is None:
            return
        if board.kind == "line":
            self.top = max(0, self.top + dy)
        else:
            self.cursor = (
                max(0, min(board.width - 1, self.cursor[0] + dx)),
                max(0, min(board.height - 1, self.cursor[1] + dy)),
            )
        self.update()

    def move(self, by: int) -> None:
        """Move the cursor up or down."""
        self.step(0, by)

    def go_aside(self, by: int) -> None:
        """Move the cursor to the side."""
        self.step(by, 0)

    def point(self, event: LinesPane.Chosen, chosen: bool) -> bool:
        """Move the cursor to the square that was clicked, and tell whether it was there."""
        state, board = self._state, self.board
        name, _, row = event.key.partition(":")
        if state is None or board is None or name != "row":
            return False
        column = column_at(board, self.look_at(state), self._width, event.across)
        if column is None:
            return False
        before, self.cursor = self.cursor, (column, int(row))
        self.update()
        return before == self.cursor

    def template(self, radius: int) -> None:
        """Show an area of that radius around the cursor, or none for 0."""
        self.radius = radius
        self.update()

    def widen(self) -> None:
        """Show an area around the cursor, a wider one each time, at last none."""
        sizes = (*AREAS, 0)
        self.template(sizes[(sizes.index(self.radius) + 1) % len(sizes)] if self.radius in sizes else AREAS[0])

    def step_back(self) -> bool:
        """Take the area away."""
        if self.radius:
            self.template(0)
            return True
        return super().step_back()

    def open(self, scene: Scene) -> Result | None:
        """Go to the cursor, where there is a way."""
        going = self.going()
        return super().open(scene) if going is None else deliver(scene, going)

    def caught(self) -> tuple[Id, ...]:
        """Return whom the template catches."""
        state = self._state
        if state is None:
            return ()
        people = standing_at(self.ruleset, state)
        return tuple(
            dict.fromkeys(people[square].id for square in sorted(self.look_at(state).area) if square in people)
        )

    def going(self) -> Action | None:
        """Return the action that takes the chosen combatant to the cursor, if any."""
        state = self._state
        if state is None or self.selected not in state:
            return None
        trail = self.look_at(state).trail
        if trail is None or not trail.squares:
            return None
        squares = tuple(trail.squares)
        fields = [
            (spec.key, field.name)
            for spec in offers(self.ruleset, state, self.selected)
            for field in spec.fields
            if field.kind == "path"
        ]
        actions = [Action(key, self.selected).put(**{name: squares}) for key, name in fields]
        ways = [(spec_of(self.ruleset, state, action), action) for action in actions]
        if not ways:
            return None
        # The plainest way to go asks for nothing but the path.
        return min(
            ways,
            key=lambda way: (
                way[0].refusal is not None,
                sum(field.required for field in way[0].fields),
                len(way[0].fields),
            ),
        )[1]
