"""The squares of a map as rows.

A sign or the lines below show all that a colour shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from tracker.core.fight.board import Board, Square
from tracker.views.maps.terrain import (
    AREA,
    RULER,
    Piece,
    Pieces,
    arrows,
    cells_by_square,
    floor_pieces,
    glyph_of,
    laid_on,
    on_ground,
    over_glyph,
    token_pieces,
)
from tracker.views.maps.tokens import FILLED, Token, Tokens, in_turn
from tracker.views.maps.viewport import MARGIN, Frame, MapLook, Scale, above_or_below, beside
from tracker.views.words.spans import Row, Span, cut_spans

EVERY = 5
"""Columns from one number above the map to the next."""
CORNERS = ("┌┐", "││", "└┘")
"""The frame of the cursor on a square of several lines: above, between and below."""


class Canvas:
    """A cache of drawn rows of squares.

    The result depends on the arguments alone. An equal row is the same object again, so a step of the cursor costs only
    the rows that it touches.
    """

    def __init__(self) -> None:
        self._made: tuple[object, ...] = ()
        self._ground: tuple[Board, Scale] | None = None
        self._floors: dict[Square, Pieces] = {}
        self._tokens: tuple[Tokens | None, dict[int, dict[int, Token]]] = (None, {})
        self._rows: dict[int, tuple[tuple[object, ...], tuple[Row, ...]]] = {}

    def rows(self, board: Board, tokens: Tokens, look: MapLook, frame: Frame, width: int) -> tuple[Row, ...]:
        """Return the squares of a window with column numbers above them."""
        if self._made != (board, width, frame.scale, frame.left, frame.columns, frame.edge):
            self._made = (board, width, frame.scale, frame.left, frame.columns, frame.edge)
            self._rows = {}
        if self._ground != (board, frame.scale):
            self._ground, self._floors = (board, frame.scale), {}
        if self._tokens[0] is not tokens:
            self._tokens = (tokens, _by_row(tokens))
        start = next((token.at for token in tokens.listed if token.who == look.who), None)
        laid = _Laid(look, arrows(look, start))
        drawn = [self._head(board, frame, width)]
        clipped = frame.rows < board.height
        if clipped:
            drawn.append(above_or_below(tokens, frame, width, above=True))
        for y in range(frame.top, frame.top + frame.rows):
            drawn += self._row(board, tokens, look, frame, y, width=width, laid=laid)
        if clipped:
            drawn.append(above_or_below(tokens, frame, width, above=False))
        return tuple(drawn)

    def _head(self, board: Board, frame: Frame, width: int) -> Row:
        wide = frame.scale.wide
        numbers = [
            (str(x) if x % EVERY == 0 or wide > EVERY else "").center(wide)[:wide]
            for x in range(frame.left, frame.left + frame.columns)
        ]
        return Row("columns", cut_spans((Span((" " * frame.before + "".join(numbers)).rstrip(), "dim"),), width))

    def _row(
        self, board: Board, tokens: Tokens, look: MapLook, frame: Frame, y: int, *, width: int, laid: _Laid
    ) -> tuple[Row, ...]:
        here = self._tokens[1].get(y, {})
        cursor = look.cursor[0] if look.cursor[1] == y else None
        active = next((token.who for token in here.values() if token.who == look.active), None)
        key = (tuple(here.items()), cursor, active, laid.of(y))
        held = self._rows.get(y)
        if held is not None and held[0] == key:
            return held[1]
        cells, plain = cells_by_square(board), laid.plain(y)
        squares = []
        for x in range(frame.left, frame.left + frame.columns):
            at, token = (x, y), here.get(x)
            bare = plain and token is None and at not in laid.way
            square = self._floors.get(at) if bare else None
            if square is None:
                square = self._square(look, frame, at, token, glyph_of(board, cells.get(at)), laid)
                if bare:
                    self._floors[at] = square
            squares.append(square)
        if cursor is not None:
            place = cursor - frame.left
            squares[place] = _under_cursor(squares[place])
        west, east = beside(here, frame) if frame.edge else ("", "")
        lines = []
        for line in range(frame.scale.high):
            number = str(y).rjust(MARGIN - 1) + " " if line == 0 else " " * MARGIN
            first = number + (west if line == 0 else "").ljust(frame.edge)
            spans = _joined(((first, "dim"), *[piece for square in squares for piece in square[line]]))
            spans += [Span(" " + east, "dim")] if east and line == 0 else []
            lines.append(Row(f"row:{y}", cut_spans(spans, width)))
        made = tuple(lines)
        self._rows[y] = (key, made)
        return made

    def _square(
        self, look: MapLook, frame: Frame, at: Square, token: Token | None, floor: tuple[str, str, str], laid: _Laid
    ) -> Pieces:
        sign, style, fill = floor
        if token is None:
            if at in laid.way:
                step, colour = laid.way[at]
                return floor_pieces(frame.scale, step, on_ground(colour, laid_on(look, at)), "")
            sign, style = over_glyph(look, at, sign, style, bool(fill))
            return floor_pieces(frame.scale, sign, style, fill if sign != AREA else "")
        if token.who == look.active:
            token = in_turn(token)
        if look.ruler == (at,):  # a player points at it
            token = replace(token, mark=RULER)
        ground = laid_on(look, at).replace("reach", "") or style.partition(" on ")[2]
        if not token.label:
            return floor_pieces(frame.scale, token.mark, on_ground("dim", ground), "")
        return token_pieces(token, frame.scale, at[0] - token.at[0], at[1] - token.at[1], ground)


class _Laid:
    """The overlays of the ground, by row, for the cache of rows."""

    def __init__(self, look: MapLook, way: dict[Square, Piece]) -> None:
        self.way = way
        self._parts = (_rows_of(look.area), _rows_of(frozenset(look.ruler)), _rows_of(frozenset(way)))
        self._sets = tuple([None if part is None else _rows_of(part) for part in (look.reach, look.threat, look.fog)])

    def plain(self, y: int) -> bool:
        """Tell whether a row has no overlay except a path."""
        area, ruler, _, reach, threat, fog = self.of(y)
        return not (area or ruler or threat or fog) and reach is None

    def of(self, y: int) -> tuple[object, ...]:
        area, ruler, way = (part.get(y) for part in self._parts)
        steps = tuple([(at, self.way[at]) for at in way]) if way else None
        return area, ruler, steps, *[None if part is None else part.get(y, ()) for part in self._sets]


@lru_cache(maxsize=32)
def _rows_of(squares: frozenset[Square]) -> dict[int, tuple[Square, ...]]:
    rows: dict[int, list[Square]] = {}
    for square in squares:
        rows.setdefault(square[1], []).append(square)
    return {y: tuple(sorted(row)) for y, row in rows.items()}


def _by_row(tokens: Tokens) -> dict[int, dict[int, Token]]:
    rows: dict[int, dict[int, Token]] = {}
    for (x, y), token in tokens.at.items():
        rows.setdefault(y, {})[x] = token
    return rows


def _under_cursor(lines: Pieces) -> Pieces:
    """Return a square in the frame of the cursor; a combatant in it keeps its colour."""
    if len(lines) == 1:
        return (_framed(lines[0], "[", "]", "cursor"),)
    corners = (CORNERS[0], *[CORNERS[1]] * (len(lines) - 2), CORNERS[2])
    return tuple(
        [_framed(line, corner[0], corner[1], "key on cursor") for line, corner in zip(lines, corners, strict=True)]
    )


def _framed(line: tuple[Piece, ...], left: str, right: str, style: str) -> tuple[Piece, ...]:
    """Return a line of a square with its ends replaced; the last cell stays if a label needs it."""
    text = "".join(piece for piece, _ in line)
    inner = [(piece, word if word.startswith(FILLED) else _on_cursor(word)) for piece, word in line]
    inner[0] = (inner[0][0][1:], inner[0][1])
    closed = len(text) > 2 and not text[-1].isalnum()
    if closed:
        inner[-1] = (inner[-1][0][:-1], inner[-1][1])
    return ((left, style), *[piece for piece in inner if piece[0]], *[(right, style)] * closed)


def _on_cursor(word: str) -> str:
    return f"{word.partition(' on ')[0]} on cursor"


def _joined(pieces: Sequence[Piece]) -> list[Span]:
    spans: list[Span] = []
    text, style = "", pieces[0][1]
    for more, another in pieces:
        if another == style:
            text += more
        else:
            spans.append(Span(text, style))
            text, style = more, another
    spans.append(Span(text, style))
    return spans


def square_at(frame: Frame, across: int) -> int | None:
    place = (across - frame.before) // frame.scale.wide
    return frame.left + place if across >= frame.before and place < frame.columns else None
