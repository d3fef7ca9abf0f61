"""The players' map as rows: squares with tokens, or a line of distances.

It is drawn as the game master's is, and of what the view holds alone. What fog covers is blank.
"""

from __future__ import annotations

from functools import lru_cache

from tracker.core.fight.board import Board, Cell, Square
from tracker.views.maps.axis import Mark, Stretch, axis_rows
from tracker.views.maps.look import Frame, MapLook, frame_of
from tracker.views.maps.squares import Canvas
from tracker.views.maps.tokens import BODY, CAMPS, LYING, Token, Tokens, in_turn, placed, plain_sign
from tracker.views.public.shape import Public, PublicBoard, PublicCombatant
from tracker.views.words.spans import Row, Span, cut_spans, fit, join

NOWHERE: Square = (-1, -1)
FOG = "▓"


def board_rows(view: Public, width: int, height: int, numbers: bool = True) -> list[Row]:
    """Return the map in so many columns and rows, around the one that acts.

    `numbers` stand above its columns if wanted.
    """
    board = view.board
    if board is None or width < 8 or height < 2:
        return []
    return _line(view, board, width, height) if board.kind == "line" else _squares(view, board, width, height, numbers)


def _squares(view: Public, board: PublicBoard, width: int, height: int, numbers: bool) -> list[Row]:
    tokens, ground = _tokens(view), _ground(board)
    middle = _middle(view, board)
    frame = _frame(ground, tokens, middle, width, height)
    active = next((one.id for one in view.combatants if one.acting), None)
    rows = Canvas().rows(ground, tokens, MapLook(NOWHERE, active=active), frame, width)
    return list(rows[0 if numbers else 1 :][:height])


def _frame(ground: Board, tokens: Tokens, middle: Square, width: int, height: int) -> Frame:
    """Return the part of the map that is shown."""
    return frame_of(ground, tokens.longest, middle, width=width, height=height, size=None, was=None, words=0)


@lru_cache(maxsize=2)
def _ground(board: PublicBoard) -> Board:
    """Return the ground, its fog as squares that are filled."""
    cells = [Cell(one.x, one.y, one.sign, one.word, one.style, one.height, one.fill) for one in board.tiles]
    cells += [Cell(x, y, FOG, "", "past", fill=FOG) for y, first, last in board.fog for x in range(first, last + 1)]
    return Board("square", board.width, board.height, board.unit, tuple(cells))


def _tokens(view: Public) -> Tokens:
    found = [one for one in view.combatants if one.at is not None and len(one.at) == 2]
    return placed((one.acts, one.present, _token(one)) for one in found)


def _token(one: PublicCombatant) -> Token:
    at = (int(one.at[0]), int(one.at[1])) if one.at is not None and len(one.at) == 2 else NOWHERE
    if not one.present:
        return Token(one.id, "", plain_sign(one.mark, BODY), "dim", at, one.space)
    if not one.acts:
        return Token(one.id, one.label, plain_sign(one.mark, LYING), "dim", at, one.space, worst=one.status)
    pool = next((pool for pool in one.pools if pool.max > 0), None)
    share = None if pool is None else max(0.0, min(1.0, pool.now / pool.max))
    worst = one.effects[0].name if one.effects else one.words if one.health in ("hurt", "badly hurt") else ""
    return Token(one.id, one.label, *_look(one), at, one.space, share, worst)


def _look(one: PublicCombatant) -> tuple[str, str]:
    """Return the mark before a label and the style of both."""
    camp = "players" if one.friend else "ally" if one.ally else "gm"
    return CAMPS[camp], camp


def _middle(view: Public, board: PublicBoard) -> Square:
    """Return the square the map is drawn around.

    Where the one that acts stands, else among all."""
    placed = [one for one in view.combatants if one.at is not None and len(one.at) == 2 and one.present]
    acting = [one for one in placed if one.acting] or placed
    if not acting:
        return board.width // 2, board.height // 2
    places = [one.at for one in acting if one.at is not None]
    return (
        int(sum(place[0] for place in places) / len(places)),
        int(sum(place[1] for place in places) / len(places)),
    )


def _line(view: Public, board: PublicBoard, width: int, height: int) -> list[Row]:
    """Return the axis with zones and labels, then who stands at each distance."""
    names = {one.id: one for one in view.combatants}
    placed: dict[float, list[PublicCombatant]] = {}
    for one in view.combatants:
        if one.at and one.present:
            placed.setdefault(float(one.at[0]), []).append(one)
    unit = board.unit.split(" ")[-1]
    rows = [Row(f"axis:{number}", spans) for number, spans in enumerate(_axis(board, placed, unit, width))]
    rows += [
        Row(
            "place",
            cut_spans(
                (Span(fit(f"{place:g} {unit}", 8, "right") + "  ", "dim"), *join([_named(one) for one in people])),
                width,
            ),
        )
        for place, people in sorted(placed.items())
    ]
    for zone in board.zones:
        people = [names[who] for who in zone.members if who in names]
        head = (Span(f"{zone.title}: ", "title"), *join([_named(one) for one in people]))
        rows.append(Row("zone", cut_spans(head, width)))
    return rows[:height]


def _axis(
    board: PublicBoard, placed: dict[float, list[PublicCombatant]], unit: str, width: int
) -> list[tuple[Span, ...]]:
    zones = [Stretch(zone.middle, zone.radius, zone.title, "title") for zone in board.zones if zone.middle is not None]
    marks = []
    for place, people in placed.items():
        for one in people:
            token = in_turn(_token(one)) if one.acting else _token(one)
            marks.append(Mark(place, token.mark + token.label, token.style))
    return axis_rows(marks, zones, end=float(board.width), unit=unit, width=width) if marks or zones else []


def _named(one: PublicCombatant) -> tuple[Span, ...]:
    style = "strong" if one.acting else _look(one)[1]
    return (Span(f"{one.label} ", "dim"), Span(one.name, style if one.acts else "dim"))
