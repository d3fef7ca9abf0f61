"""The map pane: a cursor, the way to it and areas around it, or a line of distances."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.fight.board import Board, Square, Trail
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.actions import Action
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.keys.command import Pane
from tracker.ui.modes.acting.interact import InteractMode
from tracker.ui.panes.map_layers import TITLES, AttackPreview, MapLayers, move_action, step_of, targets
from tracker.ui.panes.pane import LEAST_BLOCK, FightPane, StatBlock, block_below
from tracker.ui.typing.mode import Mode, ModeContext, Result, deliver
from tracker.ui.widgets.lines import Beyond, RowsWidget, window
from tracker.views.maps.legend import below_rows, targets_in
from tracker.views.maps.line import line_order, line_rows
from tracker.views.maps.squares import Canvas, square_at
from tracker.views.maps.tokens import Token, tokens_of
from tracker.views.maps.viewport import Frame, MapLook, frame_of, scales_of
from tracker.views.words.spans import Row

PLACE = "place"
"""The action of the GM that puts a combatant on a square."""
DIAGONALS = {-10: (1, -1), 10: (1, 1), -1000000: (-1, -1), 1000000: (-1, 1)}
"""Diagonal steps of the keys for pages and ends, as on a number pad."""


@per_state
def unplaced(state: State, ruleset: Ruleset) -> tuple[Id, ...]:
    board = ruleset.map.board(state)
    if board is None or board.kind == "line" or ruleset.form(state, Action(PLACE)) is None:
        return ()
    return tuple(
        one.id for one in state.combatants if len(one.position or ()) != 2 and status_of(ruleset, one.status).takes_part
    )


def place_action(who: Id, square: Square) -> Action:
    return Action(PLACE).put(who=who, x=square[0], y=square[1])


class MapPane(FightPane):
    """The map.

    Attributes:
        pointed: the combatant under the cursor on a line of distances.
        scale: the size of squares that the GM has chosen.
        tells: a stat block is shown below the squares if there is room, because it has no pane.
        told: the combatant whose stat block is shown there.
        told_other: is called when that combatant changes.
    """

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self.cursor: Square = (0, 0)
        self.pointed: Id | None = None
        self.overlays, self.aim = MapLayers(self.ruleset), AttackPreview(self.ruleset)
        self.scale: int | None = None
        self.frame: Frame | None = None
        self._canvas = Canvas()
        self.tells = True
        self.told: Id | None = None
        self.told_other: Callable[[], None] = lambda: None
        self.target: Callable[[], Id | None] = lambda: None
        self._left_out = 0
        self._block = StatBlock(self.ruleset)
        self._traced: tuple[Id, Trail] | None = None
        self.pinged: tuple[Square, str] | None = None
        self._drawn: tuple[object, Board | None] = (None, None)

    def follow(self, model: Model | None, selected: Id | None) -> None:
        """Show another model; the cursor goes to a newly selected combatant, and moves along with the selected one.

        In the past the cursor is on the acting combatant, so that a moment looks the same however it is reached.
        """
        if model is not None and model.looking_at is not None:
            selected = self.active or next((one.id for one in model.state.combatants), None)
        before, old_state = self.selected, self._state
        combatant = old_state.get(before) if old_state is not None else None
        on_it = combatant is not None and combatant.position == self.cursor
        self.model, self.selected = model, selected
        state = self._state
        if state is not None:
            self.overlays.follow(state)
            if selected is not None and (selected != before or on_it) and selected in state:
                self._go_to(state, selected)
        if self.display:
            self.update()

    def _go_to(self, state: State, who: Id) -> None:
        self.pointed, at = who, state[who].position
        if at is not None and len(at) == 2:
            self.cursor = (int(at[0]), int(at[1]))

    @property
    def _state(self) -> State | None:
        return self.model.state if self.model is not None else None

    @property
    def board(self) -> Board | None:
        state = self._state
        if self._drawn[0] is not state:
            self._drawn = (state, self.ruleset.map.board(state) if state is not None else None)
        return self._drawn[1]

    def _who(self, state: State) -> Id | None:
        return self.selected if self.selected in state else None

    def _under(self, state: State) -> Id | None:
        board = self.board
        if board is None or board.kind == "line":
            return self.pointed if board is not None and self.pointed in state else None
        token = tokens_of(self.ruleset, state).at.get(self.cursor)
        return token.who if token is not None and token.label else None

    # The rows

    def update(self) -> None:
        before = self.told
        super().update()
        if self.told != before:
            self.told_other()

    def redraw_block(self) -> None:
        if self.display and self.tells:
            self.update()

    def beyond(self, height: int, total: int) -> Beyond:
        return super().beyond(height, total) if total else (0, self._left_out)

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        state, board = self._state, self.board
        self.told, self._left_out = None, 0
        if state is None or board is None:
            return (Row("none", ()),), -1, 0
        if board.kind == "line":
            look = self.overlays.line_look(state, self.pointed, self._who(state), self._odds(state), self.active)
            rows = line_rows(self.ruleset, state, board, look, width=width)
            at = next((place for place, row in enumerate(rows) if row.key == self.pointed), -1)
            self.top = window(self.top if at >= height else 0, at, height, len(rows))
            return rows[self.top : self.top + height], at - self.top, len(rows)
        tokens, look_at = tokens_of(self.ruleset, state), self.look_at(state)
        frame = self.frame = frame_of(
            board, tokens.longest, self.cursor, width=width, height=height, size=self.scale, was=self.frame
        )
        squares = self._canvas.rows(board, tokens, look_at, frame, width)
        room = height - len(squares)
        below = below_rows(self.ruleset, state, board, tokens, look_at, frame, width=width, room=room)
        about = self._about_rows(state, width, room - len(below))
        return (*squares, *below, *about), -1, 0

    def _about_rows(self, state: State, width: int, room: int) -> Sequence[Row]:
        """Return the stat block of the action pane's target, else of the combatant under the cursor."""
        who = next((who for who in (self.target(), self._under(state), self._who(state)) if who in state), None)
        if who is None or room < LEAST_BLOCK or not self.tells:
            return ()
        self.told = who
        about, self._left_out = block_below(self._block.rows(self.app, state, who, width), width, room)
        return about

    def look_at(self, state: State) -> MapLook:
        look = self.overlays.look(state, self.cursor, self._who(state), self._odds(state), self._traced, self.active)
        return look if self.pinged is None else replace(look, ruler=(self.pinged[0],), length=self.pinged[1])

    def _odds(self, state: State) -> str:
        return self.aim.words(state, self._who(state), self._under(state))

    def aims(self, scene: ModeContext) -> Mapping[Action, Action | None]:
        state = scene.model.state
        action = self.aim.take(scene, self._who(state), self._under(state)) if self.display else None
        return {} if action is None else {action: None}

    def about(self) -> Id | None:
        return self._under(self.model.state) if self.model is not None and self.chosen_pane else None

    # The cursor

    def step(self, dx: int, dy: int) -> None:
        state, board = self._state, self.board
        if state is None or board is None:
            return
        if board.kind == "line":
            order = line_order(state, board)
            place = order.index(self.pointed) if self.pointed in order else 0
            self.pointed = order[max(0, min(len(order) - 1, place + dy))] if order else None
        else:
            x, y = self.cursor
            self.cursor = (max(0, min(board.width - 1, x + dx)), max(0, min(board.height - 1, y + dy)))
        self.update()

    def move(self, by: int) -> None:
        board = self.board
        self.step(*(DIAGONALS.get(by, (0, by)) if board is not None and board.kind == "square" else (0, by)))

    def go_aside(self, by: int) -> None:
        self.step(by, 0)

    def go_round(self, by: int) -> None:
        state = self._state
        order = targets(self.ruleset, state, self._who(state)) if state is not None else ()
        if state is not None and order:
            under = self._under(state)
            place = order.index(under) if under in order else -1 if by > 0 else 0
            self._go_to(state, order[(place + by) % len(order)])
            self.update()

    def point(self, event: RowsWidget.Chosen, chosen: bool) -> bool:
        state = self._state
        if state is not None and event.key in state:
            before, self.pointed = self.pointed, event.key
            self.update()
            return chosen and before == event.key
        name, _, row = event.key.partition(":")
        column = square_at(self.frame, event.across) if self.frame is not None and name == "row" else None
        if column is None:
            return False
        was, self.cursor = self.cursor, (column, int(row))
        self.update()
        return was == self.cursor

    # The layers over the map

    def trace(self, way: tuple[Id, Trail] | None) -> None:
        if way != self._traced:
            self._traced = way
            if self.display:
                self.update()

    def zoom(self, by: int) -> None:
        board, state = self.board, self._state
        if board is not None and state is not None and board.kind == "square" and self.frame is not None:
            scales = scales_of(tokens_of(self.ruleset, state).longest)
            self.scale = max(0, min(len(scales) - 1, scales.index(self.frame.scale) + by))
            self.update()

    def widen(self) -> None:
        board = self.board
        if board is not None:
            self.overlays.widen(board)
            self.update()

    def resize(self, size: int) -> None:
        self.overlays.size = size
        self.update()

    def laid(self) -> Mode | None:
        board, overlays = self.board, self.overlays
        if board is None or board.kind == "line" or not overlays.size:
            return None
        from tracker.ui.modes.search.lookups import AreaSizeMode  # not needed for the first paint

        return AreaSizeMode(overlays.size, step_of(board)[1], TITLES[overlays.shape])

    def lay(self, what: str) -> None:
        board = self.board
        if board is not None:
            self.overlays.lay(what, board, self.cursor)
            self.update()

    def step_back(self) -> bool:
        if self.overlays.lift():
            self.update()
            return True
        return super().step_back()

    def area(self) -> tuple[Square, ...]:
        state = self._state
        return tuple(sorted(self.look_at(state).area)) if state is not None and self.overlays.size else ()

    def labels(self) -> str:
        return " ".join(token.label for token in self._caught())

    def caught(self) -> tuple[Id, ...]:
        """Return the combatants in the area on the map."""
        return tuple(token.who for token in self._caught())

    def _caught(self) -> Sequence[Token]:
        state = self._state
        if state is None or not self.overlays.size:
            return ()
        return targets_in(tokens_of(self.ruleset, state), self.look_at(state).area)

    def seek_square(self, state: State, who: Id) -> None:
        """Put the cursor on the free square that is nearest to the rest of a combatant's side."""
        board = self.board
        if board is None or board.kind == "line":
            return
        side = state[who].side
        positions = [one.position for one in state.combatants if one.side == side and len(one.position or ()) == 2]
        x, y = (
            (int(part) for part in positions[-1])
            if positions and positions[-1]
            else (board.width // 2, board.height // 2)
        )
        squares = ((across, down) for down in range(board.height) for across in range(board.width))
        near = sorted(squares, key=lambda square: max(abs(square[0] - x), abs(square[1] - y)))
        free = (at for at in near if spec_of(self.ruleset, state, place_action(who, at)).refusal is None)
        self.cursor = next(free, self.cursor)
        self.update()

    def open(self, scene: ModeContext) -> Result | None:
        state = self._state
        who = self._who(state) if state is not None else None
        if state is None or who is None:
            return super().open(scene)
        if who in unplaced(state, self.ruleset):
            return deliver(scene, place_action(who, self.cursor))
        target = self._under(state)
        if target is not None and target != who:
            return Result(InteractMode(who, target))
        board = self.board
        trail = self.look_at(state).trail if board is not None and board.kind == "square" else None
        action = move_action(self.ruleset, state, who, trail)
        return super().open(scene) if action is None else deliver(scene, action)
