"""The map pane.

A cursor moves over the ground of the fight; the way to it and areas around it are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tracker.core.engine import offers, spec_of
from tracker.core.fight.board import Board, Square
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import Action
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.drawing.lines import LinesPane
from tracker.ui.keys.panes import Pane
from tracker.ui.modes.acting.upon import Upon, first_attack
from tracker.ui.panes.overlays import Overlays
from tracker.ui.panes.pane import FightPane
from tracker.ui.typing.mode import Result, Scene, deliver
from tracker.views.maps.below import below_rows, caught_by
from tracker.views.maps.line import line_rows
from tracker.views.maps.look import Frame, MapLook, frame_of, scales_of
from tracker.views.maps.squares import Canvas, square_at
from tracker.views.maps.tokens import tokens_of
from tracker.views.words.spans import Row
from tracker.views.words.text import clean

__all__ = ["MapPane"]

DIAGONALS = {-10: (1, -1), 10: (1, 1), -1000000: (-1, -1), 1000000: (-1, 1)}
"""Where the keys go that move by pages and to the ends elsewhere, as on a number pad."""


class MapPane(FightPane):
    """Where everybody stands, in fights that have a board."""

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self.cursor: Square = (0, 0)
        self.overlays = Overlays(self.ruleset)
        self.scale: int | None = None
        self.frame: Frame | None = None
        self._canvas = Canvas()
        self._drawn: tuple[object, Board | None] = (None, None)
        self._aimed: tuple[object, Action | None, str] = (None, None, "")
        self.chance: Callable[[Action], str] = lambda action: ""

    def follow(self, model: Model | None, selected: Id | None) -> None:
        """Follow the fight, and go to the chosen combatant."""
        before, self.model, self.selected = self.selected, model, selected
        state = self._state
        if state is not None:
            self.overlays.follow(state)
            person = state.get(selected) if selected != before else None
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
            board = self.ruleset.board(state) if state is not None else None
            self._drawn = (state, board)
        return self._drawn[1]

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        """Return the map, or the line of distances."""
        state, board = self._state, self.board
        if state is None or board is None:
            return (Row("none", ()),), -1, 0
        if board.kind == "line":
            rows = line_rows(self.ruleset, state, board=board, width=width, selected=self.selected)
            self.top = max(0, min(self.top, len(rows) - height))
            return rows[self.top : self.top + height], -1, len(rows)
        tokens, look = tokens_of(self.ruleset, state), self.look_at(state)
        frame = self.frame = frame_of(
            board, tokens.longest, self.cursor, width=width, height=height, size=self.scale, was=self.frame
        )
        squares = self._canvas.rows(board, tokens, look, frame, width)
        room = height - len(squares)
        below = below_rows(self.ruleset, state, board, tokens, look, frame, width=width, room=room)
        return (*squares, *below), -1, 0

    def look_at(self, state: State) -> MapLook:
        """Return what is to be shown for the cursor."""
        where, action, label = self._aimed
        chance = (
            self.chance(action) if action is not None and where == (state.clock.at, self.selected, self.cursor) else ""
        )
        who = self.selected if self.selected in state else None
        return self.overlays.look(state, self.cursor, who, f"{label} {chance}" if chance else "")

    def aims(self, scene: Scene) -> tuple[Action, ...]:
        """Return the attack on who is under the cursor, so that its odds are counted."""
        state, who = scene.model.state, self.selected
        token = tokens_of(self.ruleset, state).at.get(self.cursor) if self.display else None
        way = None
        if who is not None and who in state and token is not None and token.label and token.who != who:
            foe = not self.ruleset.friendly(state, state[who].side, state[token.who].side)
            way = first_attack(scene, who, token.who) if foe else None
        action, label = (way.actions[0], clean(way.specs[0].label)) if way is not None else (None, "")
        self._aimed = ((state.clock.at, who, self.cursor), action, label)
        return (action,) if action is not None else ()

    # The cursor

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
        """Move the cursor up or down, or diagonally."""
        board = self.board
        if board is not None and board.kind == "square" and by in DIAGONALS:
            self.step(*DIAGONALS[by])
        else:
            self.step(0, by)

    def go_aside(self, by: int) -> None:
        """Move the cursor to the side."""
        self.step(by, 0)

    def go_round(self, by: int) -> None:
        """Move the cursor to the next target.

        Targets are the foes who stand, the nearest first, else everybody else.
        """
        state = self._state
        own = state.get(self.selected) if state is not None else None
        if state is None:
            return
        listed = [
            token for token in tokens_of(self.ruleset, state).listed if token.label and token.who != self.selected
        ]
        side = own.side if own is not None else next((one.id for one in state.sides if one.control == "players"), "")
        foes = [token for token in listed if not self.ruleset.friendly(state, side, state[token.who].side)]
        standing = [token for token in foes if self.ruleset.status(state[token.who].status).acts]
        here = (int(own.position[0]), int(own.position[1])) if own is not None and own.position else self.cursor
        targets = sorted(standing or foes or listed, key=lambda token: (*_apart(token.at, here), token.at))
        if targets:
            at = [token.at for token in targets]
            place = at.index(self.cursor) if self.cursor in at else -1 if by > 0 else 0
            self.cursor = at[(place + by) % len(at)]
            self.update()

    def point(self, event: LinesPane.Chosen, chosen: bool) -> bool:
        """Move the cursor to the square that was clicked, and tell whether it was there."""
        name, _, row = event.key.partition(":")
        column = square_at(self.frame, event.across) if self.frame is not None and name == "row" else None
        if column is None:
            return False
        before, self.cursor = self.cursor, (column, int(row))
        self.update()
        return before == self.cursor

    # What lies over the ground

    def zoom(self, by: int) -> None:
        """Make the squares bigger or smaller."""
        board, state = self.board, self._state
        if board is not None and state is not None and board.kind == "square" and self.frame is not None:
            scales = scales_of(tokens_of(self.ruleset, state).longest)
            self.scale = max(0, min(len(scales) - 1, scales.index(self.frame.scale) + by))
            self.update()

    def widen(self) -> None:
        """Show an area around the cursor, a wider one each time, at last none."""
        self.overlays.widen()
        self.update()

    def lay(self, what: str) -> None:
        """Show or hide reach, threat or the ruler, or change the form of the area."""
        board, laid = self.board, self.overlays
        if what == "shape" and board is not None:
            laid.reshape(board)
        elif what == "reach":
            laid.reach = not laid.reach
        elif what == "threat":
            laid.threat = not laid.threat
        elif what == "ruler":
            laid.pinned = None if laid.pinned is not None else self.cursor
        self.update()

    def step_back(self) -> bool:
        """Take the area or the ruler away."""
        if self.overlays.lift():
            self.update()
            return True
        return super().step_back()

    def labels(self) -> str:
        """Return the labels of those whom the area catches."""
        state = self._state
        if state is None or not self.overlays.size:
            return ""
        return " ".join(token.label for token in caught_by(tokens_of(self.ruleset, state), self.look_at(state).area))

    def open(self, scene: Scene) -> Result | None:
        """Offer what can be done to who is under the cursor, or go there."""
        state, who = self._state, self.selected
        token = tokens_of(self.ruleset, state).at.get(self.cursor) if state is not None else None
        if who is not None and token is not None and token.label and token.who != who:
            return Result(Upon(who, token.who))
        going = self.going()
        return super().open(scene) if going is None else deliver(scene, going)

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


def _apart(one: Square, other: Square) -> tuple[int, int]:
    """Return how many squares apart two are, then as the crow flies."""
    across, down = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(across, down), across * across + down * down
